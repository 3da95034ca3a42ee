/* compare.h - how far two evaluators agree over positions: two nets, or one net in two precisions
 * or two file formats. Threading: confined. */
#pragma once
#include "eval/evaluators/evaluator.h"

/* Positions whose two best priors differ by less than this say little: either move may come
 * first. */
#define COMPARE_CLEAR_MARGIN 0.02

/* Absolute differences of one quantity. */
typedef struct {
    double sum;
    int64_t count;
    double worst;
    int64_t worst_at; /* the index of its position, in the order of adding */
} Differences;

typedef struct {
    int64_t positions, same_top;   /* the best move is the same */
    int64_t clear, clear_same_top; /* only positions in which the two best priors of the first
                                      evaluator differ by more than COMPARE_CLEAR_MARGIN */
    Differences policy;            /* of each legal move's probability */
    Differences policy_distance;   /* half the sum over a position's moves, 0 to 1 */
    Differences winrate;           /* (1 + win - loss) / 2, a probability */
    Differences lead;              /* points */
    Differences ownership;         /* of each point, -1 to 1; if both evaluators have it */
} Comparison;                      /* {0} is empty */

double differences_mean(const Differences *differences); /* 0 if there are none */
double
comparison_agreement(const Comparison *comparison); /* fraction of the clear positions; 1 if none */

/* Adds two evaluations of one position. */
void comparison_add(Comparison *comparison, const Evaluation *first, const Evaluation *second);
/* Lets both evaluators evaluate all positions, and adds every pair. On failure some pairs may have
 * been added. Errors are those of evaluator_evaluate(). */
MUST_USE Status comparison_run(Comparison *comparison, Evaluator *first, Evaluator *second,
                               const EvaluationRequest *requests, int count, Error *err);

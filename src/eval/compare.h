/* compare.h - how far two evaluators agree over positions: two nets, or one net in two precisions
 * or two file formats. Threading: confined. */
#pragma once
#include "eval/evaluator.h"

/* Positions whose two best priors differ by less say little: either move may come first. */
#define COMPARE_CLEAR_MARGIN 0.02

/* Absolute differences of one quantity. */
typedef struct {
    double sum;
    int64_t count;
    double worst;
    int64_t worst_at; /* the position it was in, in the order of adding, from 0 */
} Differences;

typedef struct {
    int64_t positions, same_top;   /* the best move is the same */
    int64_t clear, clear_same_top; /* of those where the first's two best priors differ by more
                                      than COMPARE_CLEAR_MARGIN */
    Differences policy;            /* of every legal move, a probability */
    Differences policy_distance;   /* half their sum over a position's moves, 0 to 1 */
    Differences winrate;           /* (1 + win - loss) / 2, a probability */
    Differences lead;              /* points */
    Differences ownership;         /* of every point, -1 to 1; if both have it */
} Comparison;                      /* {0} is empty */

double differences_mean(const Differences *differences);   /* 0 of none */
double comparison_agreement(const Comparison *comparison); /* share of the clear ones; 1 of none */

/* Two evaluations of one position. */
void comparison_add(Comparison *comparison, const Evaluation *first, const Evaluation *second);
/* Both evaluate all positions, in batches that both take, and every pair is added. On failure some
 * may have been added. ERR_ARGUMENT: as of evaluator_evaluate(). */
MUST_USE Status comparison_run(Comparison *comparison, Evaluator *first, Evaluator *second,
                               const EvaluationRequest *requests, int count, Error *err);

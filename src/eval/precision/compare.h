/* compare.h - measures how far two evaluators agree on positions. The evaluators may run two nets,
 * or one net in two precisions or from two file formats. Threading: confined. */
#pragma once
#include "eval/evaluators/evaluator.h"

/* A position is clear if its two best priors differ by more than this. In other positions even a
 * small error may exchange the two best moves, so an exchange says little. */
#define COMPARE_CLEAR_MARGIN 0.02

/* Absolute differences of one quantity. */
typedef struct {
    double sum;
    int64_t count;
    double worst;     /* the largest one */
    int64_t worst_at; /* its position, counted from 0 in the order of comparison_add() */
} Differences;

typedef struct {
    int64_t positions, same_top;   /* same_top: positions in which the best move is the same */
    int64_t clear, clear_same_top; /* only positions that are clear to the first evaluator */
    Differences policy;            /* of each legal move's probability */
    Differences policy_distance;   /* of each position: half the sum of its differences, 0 to 1 */
    Differences winrate;           /* of (1 + win - loss) / 2, a probability */
    Differences lead;              /* in points */
    Differences ownership;         /* of each point, 0 to 2, if both evaluators give it */
} Comparison;                      /* {0} is empty */

double differences_mean(const Differences *differences); /* 0 if there are none */
/* Returns the fraction of the clear positions in which the best move is the same, or 1 if no
 * position is clear. */
double comparison_agreement(const Comparison *comparison);

/* Adds two evaluations of one position. */
void comparison_add(Comparison *comparison, const Evaluation *first, const Evaluation *second);
/* Lets both evaluators evaluate all positions, and adds the pairs of evaluations. On failure some
 * may have been added. Errors are those of evaluator_evaluate(). */
MUST_USE Status comparison_run(Comparison *comparison, Evaluator *first, Evaluator *second,
                               const EvaluationRequest *requests, int count, Error *err);

/* evaluation.h - the evaluation of a position by a net or any other evaluator. All values are the
 * mover's unless a name says otherwise. Conversions between mover, Black and White are defined here
 * alone. Threading: immutable once written. */
#pragma once
#include "go/position.h"
#include <math.h>

typedef struct Evaluation {
    int16_t width, height;
    bool has_ownership, has_human;
    float win, loss, no_result; /* probabilities, sum 1; the mover's */
    float score_mean;           /* points, the mover's; already times (1 - no_result) */
    float score_mean_sq;        /* E[score^2] */
    float lead;                 /* points, the mover's */
    float var_time;             /* expected remaining change, turns; -1: none */
    float shortterm_winloss_error, shortterm_score_error; /* deviations; -1: none */
    float policy[MOVES_MAX];           /* by move_index(); legal moves sum to 1, illegal -1 */
    float ownership[BOARD_POINTS_MAX]; /* y * width + x; +1: the mover's; only if has_ownership */
    float human_policy[MOVES_MAX];     /* like policy, for human players; only if has_human */
} Evaluation;

static inline float value_for_white(float mover_value, Color mover) {
    return mover == COLOR_WHITE ? mover_value : -mover_value;
}
static inline float value_for_mover(float white_value, Color mover) {
    return mover == COLOR_WHITE ? white_value : -white_value;
}
static inline float value_for_black(float mover_value, Color mover) {
    return mover == COLOR_BLACK ? mover_value : -mover_value;
}
/* The standard deviation of the final score, points. */
static inline double evaluation_score_deviation(const Evaluation *evaluation) {
    double mean = (double)evaluation->score_mean;
    return sqrt(fmax(0, (double)evaluation->score_mean_sq - mean * mean));
}

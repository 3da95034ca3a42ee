/* evaluation.h - the evaluation of a position by a net or any other evaluator. All values are the
 * mover's unless a name says otherwise. This file has the conversions between mover, Black and
 * White. Threading: immutable once written. */
#pragma once
#include "go/position.h"
#include <math.h>

/* Evaluation.value_buckets divides the range of win - loss into this number of equal parts. */
enum { EVALUATION_BUCKETS = 51 };
enum { EVALUATION_ROOT_VARIANCES = 4 };

typedef struct Evaluation {
    int16_t width, height;
    bool has_ownership, has_human, has_value_buckets;
    /* Whether the evaluation comes from a net without the head for the ownership, for the score, or
     * for the value. Without the head for the score, score_mean, score_mean_sq and lead are 0.
     * Without the head for the value, win and loss are 0.5. */
    bool lacks_ownership, lacks_score, lacks_value;
    float win, loss, no_result; /* probabilities, sum 1; the mover's */
    /* score_mean, score_mean_sq and lead are multiplied by 1 - no_result, except for nets of
     * KataGo's version 3. */
    float score_mean;    /* points, the mover's */
    float score_mean_sq; /* mean of score^2 */
    float lead;          /* points, the mover's */
    float var_time;      /* turns until the values settle; -1 if not known */
    /* the expected deviations of win - loss and the score in the searches of the next turns from
     * the values here, as standard deviations; -1 if not known */
    float shortterm_winloss_error, shortterm_score_error;
    float moves_left; /* turns to the end of the game, this one included; -1 if not known */
    /* the difference that the net expects between its win - loss and the win - loss that a search
     * of this position finds, as a standard deviation (HEAD_VALUE_ERROR); -1 if not known */
    float value_error;
    /* the squared changes of the root's utility that the net expects in a search of this position,
     * from 1 to 4, 4 to 16, 16 to 64 and 64 to 256 visits; -1 if not known */
    float root_variances[EVALUATION_ROOT_VARIANCES];
    float policy[MOVES_MAX]; /* by move_index(); -1 if illegal; the others sum to 1 */
    /* [y * width + x]; 1 is the mover's, -1 the opponent's; only if has_ownership */
    float ownership[BOARD_POINTS_MAX];
    float human_policy[MOVES_MAX]; /* like policy, for human players; only if has_human */
    /* The range of win - loss, -1 to 1, is divided into equal parts. For each part, this is the
     * probability that the mover's win - loss lies in it, from the net's head value_buckets. The
     * sum is 1. The array is set only if has_value_buckets. */
    float value_buckets[EVALUATION_BUCKETS];
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
/* Returns the standard deviation of the final score, in points. */
static inline double evaluation_score_deviation(const Evaluation *evaluation) {
    double mean = (double)evaluation->score_mean;
    return sqrt(fmax(0, (double)evaluation->score_mean_sq - mean * mean));
}

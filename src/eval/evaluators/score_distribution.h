/* score_distribution.h - the distribution of the final score, which some nets predict by a head of
 * their own. It is for display; search does not use it. Threading: any thread; the net is only
 * read. */
#pragma once
#include "eval/arch/heads.h"
#include "eval/evaluators/evaluator.h"
#include "go/position.h"

/* Sets p[i] to the probability that the mover wins by i - SCORE_BINS_HALF + 0.5 points, komi
 * included. The net runs in f32, and the result is the mean over the 8 symmetries. Of `options`
 * those count that change the inputs of the net. Sets `*has` to whether the net has the head;
 * without the head `p` is unset. ERR_UNSUPPORTED: an output is not finite, or the head or an input
 * has a wrong shape. */
MUST_USE Status score_distribution(const Net *net, const Position *position,
                                   const EvaluationOptions *options, bool *has, float p[SCORE_BINS],
                                   Error *err);
/* Returns the smallest score s for which the probability that the mover's score is at most s
 * reaches `probability`. For 0.5 this is the median. */
double score_distribution_quantile(const float p[SCORE_BINS], double probability);

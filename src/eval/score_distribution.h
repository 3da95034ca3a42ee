/* score_distribution.h - what a net with such a head thinks of the final score, point by point; for
 * people, not for search. Threading: any thread; the net is only read. */
#pragma once
#include "eval/heads.h"
#include "go/position.h"

/* `p[i]`: the probability that the mover ends with i - SCORE_BINS_HALF + 0.5 points, komi included;
 * mean over the 8 symmetries, f32. *has: false, and `p` is not touched, if the net has no such
 * head. ERR_UNSUPPORTED: an output is not finite, or the head or the inputs are not what they
 * should be. */
MUST_USE Status score_distribution(const Net *net, const Position *position, bool *has,
                                   float p[SCORE_BINS], Error *err);
/* The least score that the mover does not exceed with probability `share` (0.5: the median). */
double score_distribution_quantile(const float p[SCORE_BINS], double share);

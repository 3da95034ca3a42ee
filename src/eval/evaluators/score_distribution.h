/* score_distribution.h - the distribution of the final score by a net with that head, for display
 * rather than for search. Threading: any thread; the net is only read. */
#pragma once
#include "eval/arch/heads.h"
#include "go/position.h"

/* `p[i]`: the probability that the mover wins by i - SCORE_BINS_HALF + 0.5 points, komi included;
 * the mean over the 8 symmetries, in f32. `*has`: whether the net has the head; if not, `p` is
 * unset. ERR_UNSUPPORTED: an output is not finite, or the head or an input has a wrong shape. */
MUST_USE Status score_distribution(const Net *net, const Position *position, bool *has,
                                   float p[SCORE_BINS], Error *err);
/* The smallest score that the mover does not exceed with this probability (0.5: the median). */
double score_distribution_quantile(const float p[SCORE_BINS], double probability);

/* weight_rounding.h - rounds the weights of a dense layer to integers so that the results of the
 * layer change little on sample inputs. The weights of an output are rounded one after another.
 * After each rounding, the weights that are not yet rounded change, to make up for the error as far
 * as the inputs are correlated. The method is that of Frantar et al. 2022, "GPTQ", section 3,
 * algorithm 1, without its blocks. Threading: immutable once made. */
#pragma once
#include <stdint.h>

#include "eval/precision/activation_sample.h"

/* For layers with more inputs, weight_rounding_new() would take too long. */
enum { WEIGHT_ROUNDING_CHANNELS_MAX = 1024 };

typedef struct WeightRounding WeightRounding;
/* Prepares the rounding of all layers that read the sampled value. ERR_ARGUMENT: there are no
 * samples, they have too many channels, or an activation is too large or not finite. */
MUST_USE Status weight_rounding_new(const ActivationSample *sample, WeightRounding **out,
                                    Error *err);
void weight_rounding_free(WeightRounding *rounding); /* NULL is fine */
/* Rounds the weights (channels) of one output to integers (channels) from -127 to 127. An integer q
 * stands for the weight q * scale. */
void weight_rounding_round(const WeightRounding *rounding, const float *weights, float scale,
                           int8_t *integers);

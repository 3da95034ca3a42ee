/* update_ratios.h - how far a step moves each parameter of a net, relative to its size:
 *     |w after - w before| / |w before|
 * with the Euclidean norm of all weights of the parameter (lczero-training, update ratios; GoNN,
 * train.py). Threading: confined. */
#pragma once
#include "nn/graph/net.h"

typedef struct UpdateRatios UpdateRatios;
/* Makes room for the ratios of all parameters that are trained. ERR_MEMORY. */
MUST_USE Status update_ratios_new(const Net *net, UpdateRatios **out, Error *err);
void update_ratios_free(UpdateRatios *ratios); /* NULL is fine */
/* Call these before and after a step. */
void update_ratios_begin(UpdateRatios *ratios, const Net *net);
void update_ratios_end(UpdateRatios *ratios, const Net *net);
/* The ratios of the last step, by parameter. One is NAN if the parameter is not trained, was 0
 * before the step, or there was no step yet. */
const double *update_ratios_values(const UpdateRatios *ratios);

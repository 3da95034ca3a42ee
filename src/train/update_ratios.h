/* update_ratios.h - how far a step moves each parameter of a net, relative to the parameter's size:
 *     |w after - w before| / |w before|
 * where w are all weights of the parameter, and |w| is their Euclidean norm (lczero-training,
 * update ratios; GoNN, train.py). Threading: confined. */
#pragma once
#include "nn/graph/net.h"

typedef struct UpdateRatios UpdateRatios;
/* Makes room for the ratios of all parameters that are trained. ERR_MEMORY. */
MUST_USE Status update_ratios_new(const Net *net, UpdateRatios **out, Error *err);
void update_ratios_free(UpdateRatios *ratios); /* NULL is fine */
/* Call these before and after a step. */
void update_ratios_begin(UpdateRatios *ratios, const Net *net);
void update_ratios_end(UpdateRatios *ratios, const Net *net);
/* Returns the ratios of the last step, one for each parameter. A ratio is NAN if the parameter is
 * not trained, if it was 0 before the step, or if there was no step yet. */
const double *update_ratios_values(const UpdateRatios *ratios);

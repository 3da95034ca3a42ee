#include "train/renorm.h"

#include <math.h>

RenormLimits renorm_limits(const TrainerConfig *config, int64_t samples) {
    double way = -expm1(-(double)samples / (double)config->renorm_samples);
    return (RenormLimits){1 + ((double)config->renorm_rmax - 1) * way,
                          (double)config->renorm_dmax * way};
}

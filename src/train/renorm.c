#include "train/renorm.h"

#include <math.h>

RenormLimits renorm_limits(RenormLimits final, int64_t period, int64_t samples) {
    double fraction = -expm1(-(double)samples / (double)period);
    return (RenormLimits){1 + (final.r - 1) * fraction, final.d * fraction};
}

#include "train/renorm.h"

#include <math.h>

RenormLimits renorm_limits(RenormLimits last, int64_t period, int64_t samples) {
    double way = -expm1(-(double)samples / (double)period);
    return (RenormLimits){1 + (last.r - 1) * way, last.d * way};
}

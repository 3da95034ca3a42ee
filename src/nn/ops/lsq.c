#include "nn/ops/lsq.h"

#include <math.h>

#include "nn/ops/op.h"

float lsq_step(float log_step) {
    return expf(fmaxf(-40, fminf(40, log_step)));
}

/* Adding 1.5 * 2^23 and subtracting it again rounds a number whose absolute value is below 2^22 to
 * the nearest whole one. Unlike a call of nearbyintf(), this can be vectorised. */
static const float ROUNDER = 12582912.0f;

OP_LOOP void lsq_forward(size_t count, float step, float below, float above, const float *x,
                         float *y) {
    for (size_t i = 0; i < count; i++) {
        float v = x[i] / step;
        v = v < -below ? -below : v > above ? above : v;
        y[i] = ((v + ROUNDER) - ROUNDER) * step;
    }
}

OP_LOOP double lsq_backward(size_t count, float step, float below, float above, const float *x,
                            const float *dy, float *dx, bool add) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        float v = x[i] / step, slope = dy[i];
        bool inside = v > -below && v < above;
        float level = v <= -below ? -below : above, error = ((v + ROUNDER) - ROUNDER) - v;
        sum += (double)(slope * (inside ? error : level));
        if (dx) dx[i] = (add ? dx[i] : 0) + (inside ? slope : 0);
    }
    return sum;
}

double lsq_gradient_scale(double count, double level) {
    return 1 / sqrt(count * level);
}

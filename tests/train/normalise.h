/* normalise.h - scales numbers so that their sum is 1, for made-up targets. */
#pragma once

static inline void normalise(float *values, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    for (int i = 0; i < count; i++)
        values[i] /= sum;
}

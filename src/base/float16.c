#include "base/float16.h"

#include <math.h>
#include <string.h>

enum { FRACTION_BITS = 10, EXPONENT_MAX = 31, BIAS = 15, QUIET_NAN = 0x7e00 };

uint16_t float16_bits(float value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    if (isnan(value)) return sign | QUIET_NAN;
    if (size >= 65520) return (uint16_t)(sign | EXPONENT_MAX << FRACTION_BITS);
    /* Neighbouring binary16 numbers differ by 2^(exponent - 10). Below 2^-14 they all differ by
     * 2^-24. nearbyintf() rounds a tie to the even number. */
    int exponent = size < 0x1p-14f ? 1 - BIAS : ilogbf(size);
    int steps = (int)nearbyintf(ldexpf(size, FRACTION_BITS - exponent));
    /* If `size` is rounded up to the next power of 2, `steps` is 2048, and the addition carries
     * into the exponent. */
    int biased = exponent + BIAS - 1;
    return (uint16_t)(sign | ((biased << FRACTION_BITS) + steps));
}

float float16_value(uint16_t bits) {
    int exponent = bits >> FRACTION_BITS & EXPONENT_MAX, fraction = bits & 0x3ff;
    float size;
    if (exponent == EXPONENT_MAX)
        size = fraction ? NAN : INFINITY;
    else if (exponent)
        size = ldexpf((float)(fraction + 0x400), exponent - BIAS - FRACTION_BITS);
    else
        size = ldexpf((float)fraction, 1 - BIAS - FRACTION_BITS);
    return bits & 0x8000 ? -size : size;
}

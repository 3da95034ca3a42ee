#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

static uint64_t rotate_left(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

Rng rng_seeded(uint64_t seed) {
    Rng rng;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        rng.state[i] = hash_mix(seed);
    }
    return rng;
}

Rng rng_split(Rng *rng, uint64_t stream) {
    return rng_seeded(rng_next(rng) ^ hash_mix(stream + 0x632be59bd9b4e019u));
}

uint64_t rng_next(Rng *rng) {
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Uniform on 0 .. bound - 1. A random number at the upper end of its range is drawn again, because
 * such numbers would make small remainders more frequent. */
static uint64_t below(Rng *rng, uint64_t bound) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do
        value = rng_next(rng);
    while (value >= limit);
    return value % bound;
}

int rng_below(Rng *rng, int bound) {
    assert(bound >= 1);
    return (int)below(rng, (uint64_t)bound);
}

double rng_uniform(Rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(Rng *rng) {
    double u = 1 - rng_uniform(rng), v = rng_uniform(rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v); /* Box and Muller 1958 */
}

double rng_normal_truncated(Rng *rng, double limit) {
    double x;
    do
        x = rng_normal(rng);
    while (fabs(x) > limit);
    return x;
}

double rng_exponential(Rng *rng) {
    return -log(1 - rng_uniform(rng));
}

double rng_gamma(Rng *rng, double shape) {
    if (shape < 1) return rng_gamma(rng, shape + 1) * pow(1 - rng_uniform(rng), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = rng_normal(rng), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        double u = 1 - rng_uniform(rng);
        if (log(u) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

int rng_pick(Rng *rng, const double *weights, int count) {
    double total = 0;
    for (int i = 0; i < count; i++)
        total += weights[i];
    if (!(total > 0)) return -1;
    double left = rng_uniform(rng) * total;
    int last = -1; /* the answer if rounding leaves `left` at 0 or above */
    for (int i = 0; i < count; i++) {
        if (!(weights[i] > 0)) continue;
        last = i;
        left -= weights[i];
        if (left < 0) return i;
    }
    return last;
}

void rng_shuffle(Rng *rng, void *items, size_t count, size_t size) {
    unsigned char saved[64], *bytes = items;
    assert(size <= sizeof saved);
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)below(rng, i);
        memcpy(saved, bytes + (i - 1) * size, size);
        memmove(bytes + (i - 1) * size, bytes + other * size, size);
        memcpy(bytes + other * size, saved, size);
    }
}

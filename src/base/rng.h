/* rng.h - deterministic random numbers (xoshiro256**, seeded by splitmix64; Blackman and Vigna
 * 2018). The same seed gives the same integers and the same uniform numbers on every machine. The
 * normal, exponential and gamma distributions use log(), cos() and pow(), whose last bits may
 * depend on the C library. Threading: confined. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t state[4];
} Rng; /* it has no pointers, so it may be copied and written to a checkpoint */

Rng rng_seeded(uint64_t seed);
Rng rng_split(Rng *rng, uint64_t stream); /* an independent generator for a worker or a game */
uint64_t rng_next(Rng *rng);
int rng_below(Rng *rng, int bound); /* uniform on 0 .. bound-1, without bias; bound >= 1 */
double rng_uniform(Rng *rng);       /* [0, 1) */
double rng_normal(Rng *rng);        /* mean 0, deviation 1 */
double rng_normal_truncated(Rng *rng, double limit); /* drawn again until |x| <= limit */
double rng_exponential(Rng *rng);                    /* mean 1 */
double rng_gamma(Rng *rng, double shape);            /* scale 1; Marsaglia and Tsang 2000 */
/* Returns a random index with a probability proportional to its weight, or -1 if the weights sum to
 * 0. No weight may be negative. */
int rng_pick(Rng *rng, const double *weights, int count);
/* Shuffles the items (Fisher and Yates). An item has `size` bytes, at most 64. */
void rng_shuffle(Rng *rng, void *items, size_t count, size_t size);

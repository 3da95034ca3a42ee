/* rate_limit.h - how often something may happen: `burst` times at once, and then at an even rate.
 * Threading: plain values. */
#pragma once
#include <stdbool.h>

typedef struct {
    double per_second, burst; /* both more than 0 */
    double taken;             /* of the burst, at the time `at`; 0 at first */
    double at;                /* in seconds */
} RateLimit;

/* Whether it may happen now; if so, it counts. `now` is in seconds, and never falls. */
bool rate_limit_take(RateLimit *limit, double now);

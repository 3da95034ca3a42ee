/* rate_limit.h - limits how often an event may happen: `burst` times at once, and then at an even
 * rate.
 * Threading: plain values. */
#pragma once
#include <stdbool.h>

typedef struct {
    double per_second, burst; /* both more than 0 */
    double taken;             /* of the burst, at the time `at`; 0 at first */
    double at;                /* in seconds */
} RateLimit;

/* Returns whether the event may happen now, and if so counts it. `now` is in seconds, and never
 * falls. */
bool rate_limit_take(RateLimit *limit, double now);

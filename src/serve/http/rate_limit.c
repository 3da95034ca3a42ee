#include "serve/http/rate_limit.h"

#include <math.h>

bool rate_limit_take(RateLimit *limit, double now) {
    limit->taken = fmax(0, limit->taken - (now - limit->at) * limit->per_second);
    limit->at = now;
    if (limit->taken + 1 > limit->burst) return false;
    limit->taken++;
    return true;
}

/* How often something may happen. */
#include "base/error.h"
#include "serve/http/rate_limit.h"
#include "test.h"

static int count(RateLimit *limit, double now) {
    int taken = 0;
    while (rate_limit_take(limit, now))
        taken++;
    return taken;
}

TEST(a_burst_is_allowed_and_then_an_even_rate) {
    RateLimit limit = {.per_second = 0.5, .burst = 5};
    EXPECT_INT(5, count(&limit, 1000));
    EXPECT_INT(0, count(&limit, 1001));
    EXPECT_INT(1, count(&limit, 1002));
    EXPECT_INT(2, count(&limit, 1006));
    EXPECT_INT(5, count(&limit, 99999)); /* never more than the burst */
}

TEST_MAIN(RUN(a_burst_is_allowed_and_then_an_even_rate))

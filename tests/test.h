/* test.h - thin words over cmocka. A file ends with TEST_MAIN(RUN(a), RUN(b)). */
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h> /* wants those above */

#include "base/error.h"

#define TEST(name) static void name(void **test_state __attribute__((unused)))
#define RUN(name) cmocka_unit_test(name)
#define TEST_MAIN(...)                                                                             \
    int main(void) {                                                                               \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }
#define EXPECT_INT(want, got) assert_int_equal((long long)(got), (long long)(want))
#define EXPECT_STATUS(want, got) assert_int_equal((int)(got), (int)(want))
#define EXPECT_TEXT(want, got) assert_string_equal(got, want)
#define EXPECT_TRUE(value) assert_true(value)
#define EXPECT_FALSE(value) assert_false(value)
#define EXPECT_NEAR(want, got, tolerance)                                                          \
    do {                                                                                           \
        double test_want = (double)(want), test_got = (double)(got);                               \
        if (!(fabs(test_want - test_got) <= (double)(tolerance)))                                  \
            fail_msg("%s is %.9g, wanted %.9g", #got, test_got, test_want);                        \
    } while (0)
#define EXPECT_CONTAINS(text, part)                                                                \
    do {                                                                                           \
        if (!strstr(text, part)) fail_msg("\"%s\" does not contain \"%s\"", text, part);           \
    } while (0)
/* OK, or the message of the error. */
#define EXPECT_OK(call)                                                                            \
    do {                                                                                           \
        Error test_error = {0};                                                                    \
        Error *const err = &test_error;                                                            \
        if (call) fail_msg("%s: %s", #call, test_error.message);                                   \
    } while (0)

/* The folder of golden data; NULL: the default one is not there, skip(). A folder that was named
 * but is missing fails. */
static inline const char *golden_folder(void) {
    const char *named = getenv("AJI_GOLDEN");
    const char *folder = named && *named ? named : "../shared/golden";
    struct stat info;
    if (!stat(folder, &info)) return folder;
    if (named && *named) fail_msg("AJI_GOLDEN names %s, which is not there", named);
    print_message("skipped: no golden data at %s\n", folder);
    return NULL;
}

/* The folder of KataGo's nets. *promised: it was named, so that a net that it lacks is a failure.
 */
static inline const char *golden_nets(bool *promised) {
    const char *named = getenv("AJI_NETS");
    *promised = named && *named;
    return *promised ? named : "../shared/nets";
}

/* test.h - short macros over cmocka. A file of tests ends with TEST_MAIN(RUN(a), RUN(b)), which
 * defines a main() that runs the tests a and b. */
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

#include <cmocka.h> /* needs some of the headers above */

#include "base/error.h"

/* Whether this build has a sanitizer that replaces the allocation of memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

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
/* Fails with the message of the error unless `call` returns OK. The call passes `err`, an Error *
 * that this macro declares. */
#define EXPECT_OK(call)                                                                            \
    do {                                                                                           \
        Error test_error = {0};                                                                    \
        Error *const err = &test_error;                                                            \
        if (call) fail_msg("%s: %s", #call, test_error.message);                                   \
    } while (0)

/* Ends this test as skipped and prints the reason; `./aji test` lists these lines. */
#define SKIP(...)                                                                                  \
    do {                                                                                           \
        print_message("SKIP %s: ", __func__);                                                      \
        print_message(__VA_ARGS__);                                                                \
        print_message("\n");                                                                       \
        skip();                                                                                    \
    } while (0)

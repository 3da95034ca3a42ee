/* Random numbers of the system. */
#include "base/system_random.h"
#include "test.h"

TEST(digits_are_hexadecimal_and_new_each_time) {
    char one[33], two[33];
    EXPECT_OK(system_random_hex(one, 16, err));
    EXPECT_OK(system_random_hex(two, 16, err));
    EXPECT_INT(32, strlen(one));
    EXPECT_INT(32, strspn(one, "0123456789abcdef"));
    EXPECT_TRUE(strcmp(one, two) != 0);
}

TEST_MAIN(RUN(digits_are_hexadecimal_and_new_each_time))

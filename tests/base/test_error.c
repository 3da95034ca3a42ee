/* Statuses, messages, and the context that callers put before messages. The name fail stands in
 * parentheses, because cmocka has a macro fail(). */
#include "base/error.h"
#include "test.h"

TEST(a_failure_has_its_status_and_message) {
    Error err = {0};
    EXPECT_STATUS(ERR_SYNTAX, (fail)(&err, ERR_SYNTAX, "row %d of \"%s\"", 7, "a.npz"));
    EXPECT_STATUS(ERR_SYNTAX, err.status);
    EXPECT_TEXT("row 7 of \"a.npz\"", err.message);
}

TEST(the_message_may_be_left_out) {
    EXPECT_STATUS(ERR_IO, (fail)(NULL, ERR_IO, "%s", "lost"));
    EXPECT_STATUS(ERR_IO, fail_within(NULL, ERR_IO, "%s", "lost"));
}

TEST(a_long_message_is_cut) {
    Error err;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    EXPECT_STATUS(ERR_MEMORY, (fail)(&err, ERR_MEMORY, "%s", text));
    EXPECT_INT(sizeof err.message - 1, strlen(err.message));
}

TEST(context_goes_before_the_message) {
    Error err;
    Status status = (fail)(&err, ERR_ARGUMENT, "komi 0.3");
    EXPECT_STATUS(ERR_ARGUMENT, fail_within(&err, status, "%s:%d", "game.sgf", 12));
    EXPECT_TEXT("game.sgf:12: komi 0.3", err.message);
    EXPECT_STATUS(ERR_ARGUMENT, fail_within(&err, status, "in the list"));
    EXPECT_TEXT("in the list: game.sgf:12: komi 0.3", err.message);
}

TEST(context_may_change_the_status) {
    Error err;
    EXPECT_STATUS(ERR_SYNTAX, (fail)(&err, ERR_SYNTAX, "cut short"));
    EXPECT_STATUS(ERR_IO, fail_within(&err, ERR_IO, "net"));
    EXPECT_STATUS(ERR_IO, err.status);
}

TEST(long_contexts_leave_what_fits) {
    char context[600];
    for (size_t length = 400; length < sizeof context; length++) {
        Error err;
        memset(context, 'c', length);
        context[length] = 0;
        EXPECT_STATUS(ERR_SYNTAX, (fail)(&err, ERR_SYNTAX, "the message below"));
        EXPECT_STATUS(ERR_IO, fail_within(&err, ERR_IO, "%s", context));
        EXPECT_STATUS(ERR_IO, err.status);
        EXPECT_TRUE(strlen(err.message) < sizeof err.message);
        EXPECT_TRUE(strncmp(err.message, context, 400) == 0);
        if (length == 400) EXPECT_CONTAINS(err.message, ": the message below");
    }
}

TEST(statuses_have_names) {
    EXPECT_TEXT("ok", status_name(OK));
    EXPECT_TEXT("argument", status_name(ERR_ARGUMENT));
    EXPECT_TEXT("unsupported", status_name(ERR_UNSUPPORTED));
    EXPECT_TEXT("stopped", status_name(ERR_STOPPED));
    EXPECT_TEXT("unknown", status_name((Status)77));
}

TEST_MAIN(RUN(a_failure_has_its_status_and_message), RUN(the_message_may_be_left_out),
          RUN(a_long_message_is_cut), RUN(context_goes_before_the_message),
          RUN(context_may_change_the_status), RUN(long_contexts_leave_what_fits),
          RUN(statuses_have_names))

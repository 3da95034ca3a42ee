/* Lines that are written for a client which reads late, or never. */
#include <signal.h>
#include <unistd.h>

#include "base/thread.h"
#include "protocol/session/line_writer.h"
#include "test.h"

enum { LINES = 3000, LENGTH = 500 }; /* more than a pipe holds */

typedef struct {
    int ends[2];
    LineWriter *writer;
} Pipe;

static Pipe pipe_begin(void) {
    Pipe made;
    assert_int_equal(0, pipe(made.ends));
    EXPECT_OK(line_writer_new(made.ends[1], &made.writer, err));
    return made;
}

/* Puts LINES lines, each a number and dots. Returns whether all were accepted. */
static bool put_lines(LineWriter *writer) {
    char line[LENGTH + 1];
    bool good = true;
    memset(line, '.', sizeof line);
    for (int n = 0; n < LINES; n++) {
        line[snprintf(line, sizeof line, "%d", n)] = '.';
        good = line_writer_put(writer, line, LENGTH) && good;
    }
    return good;
}

TEST(putting_lines_does_not_wait_for_a_slow_client) {
    Pipe made = pipe_begin();
    EXPECT_TRUE(put_lines(made.writer));
    FILE *answers = fdopen(made.ends[0], "r");
    char line[LENGTH + 3];
    for (int n = 0; n < LINES; n++) {
        EXPECT_TRUE(fgets(line, sizeof line, answers) != NULL);
        EXPECT_INT(n, atoi(line));
        EXPECT_INT(LENGTH + 1, (int)strlen(line));
    }
    EXPECT_TRUE(line_writer_put(made.writer, "", 0));
    EXPECT_OK(line_writer_finish(made.writer, err));
    EXPECT_TRUE(fgets(line, sizeof line, answers) && strcmp(line, "\n") == 0);
    line_writer_free(made.writer);
    close(made.ends[1]);
    fclose(answers);
}

TEST(a_client_that_has_gone_is_noticed) {
    Pipe made = pipe_begin();
    signal(SIGPIPE, SIG_IGN); /* as the program does */
    close(made.ends[0]);
    while (put_lines(made.writer)) {
    }
    EXPECT_STATUS(ERR_IO, line_writer_finish(made.writer, NULL));
    line_writer_free(made.writer);
    close(made.ends[1]);
    line_writer_free(NULL);
}

/* This must be the last test, because a request to stop cannot be withdrawn. */
TEST(a_stop_does_not_wait_for_the_client) {
    Pipe made = pipe_begin();
    EXPECT_TRUE(put_lines(made.writer));
    stop_request();
    EXPECT_STATUS(ERR_STOPPED, line_writer_finish(made.writer, NULL));
    line_writer_free(made.writer);
    close(made.ends[0]);
    close(made.ends[1]);
}

TEST_MAIN(RUN(putting_lines_does_not_wait_for_a_slow_client),
          RUN(a_client_that_has_gone_is_noticed), RUN(a_stop_does_not_wait_for_the_client))

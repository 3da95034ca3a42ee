/* Blocks on a pseudo terminal of 40 columns, and lines on a pipe. */
#define _GNU_SOURCE /* posix_openpt() and others */
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/progress.h"
#include "test.h"

typedef struct {
    int other_end;
    FILE *stream;
    char text[4096];
} Terminal;

static bool open_terminal(Terminal *terminal, unsigned short columns) {
    *terminal = (Terminal){.other_end = posix_openpt(O_RDWR | O_NOCTTY)};
    if (terminal->other_end < 0 || grantpt(terminal->other_end) || unlockpt(terminal->other_end))
        return false;
    int file = open(ptsname(terminal->other_end), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios modes;
    if (file < 0 || ioctl(file, TIOCSWINSZ, &size) || tcgetattr(file, &modes)) return false;
    modes.c_oflag &= ~(tcflag_t)OPOST; /* '\n' stays one byte */
    terminal->stream = tcsetattr(file, TCSANOW, &modes) ? NULL : fdopen(file, "w");
    return terminal->stream != NULL;
}

/* Returns what was written since the last call. It may come in pieces, so this function reads until
 * there are `wanted` bytes, or until nothing has come for 20 seconds. */
static const char *shown(Terminal *terminal, size_t wanted) {
    struct pollfd ready = {.fd = terminal->other_end, .events = POLLIN};
    size_t used = 0;
    while (used < wanted && poll(&ready, 1, 20000) > 0) {
        ssize_t got =
            read(terminal->other_end, terminal->text + used, sizeof terminal->text - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
    }
    terminal->text[used] = 0;
    return terminal->text;
}
#define EXPECT_SHOWN(want) EXPECT_TEXT(want, shown(&terminal, strlen(want)))

static void close_terminal(Terminal *terminal) {
    fclose(terminal->stream);
    close(terminal->other_end);
}

#define TEN "0123456789"

TEST(long_lines_are_cut_and_the_block_is_redrawn_from_the_first_column) {
    Terminal terminal;
    if (!open_terminal(&terminal, 40)) SKIP("no pseudo terminal here");
    Progress progress = progress_start(terminal.stream, 5);
    EXPECT_TRUE(progress.terminal);
    progress_show(&progress, "short\n" TEN TEN TEN TEN TEN "\nend\n", "", true);
    EXPECT_SHOWN("short\n" TEN TEN TEN "012345678\nend\n");
    progress_show(&progress, "next\n", "", true);
    EXPECT_SHOWN("\r\x1b[3A\x1b[Jnext\n");
    progress_print(&progress, "stays");
    EXPECT_SHOWN("\r\x1b[1A\x1b[Jstays\n");
    /* 39 characters of two bytes each are 39 columns */
    char wide[128] = "", all[128] = "";
    for (int i = 0; i < 45; i++)
        strcat(i < 39 ? wide : all, "\xc3\xa9");
    char block[300];
    snprintf(block, sizeof block, "%s%s\n", wide, all);
    progress_show(&progress, block, "", true);
    strcat(wide, "\n");
    EXPECT_SHOWN(wide);
    close_terminal(&terminal);
}

TEST(a_width_that_is_not_known_is_80) {
    char *text = NULL;
    size_t length;
    FILE *file = tmpfile();
    EXPECT_TRUE(file != NULL);
    Progress progress = {.stream = file, .terminal = true};
    progress_show(&progress, TEN TEN TEN TEN TEN TEN TEN TEN TEN "\n", "", true);
    EXPECT_INT(80, ftell(file)); /* 79 and the line's end */
    fclose(file);
    FILE *pipe = open_memstream(&text, &length);
    progress = (Progress){.stream = pipe};
    progress_show(&progress, "a block\n", TEN TEN TEN TEN TEN TEN TEN TEN TEN, true);
    fclose(pipe);
    EXPECT_TEXT(TEN TEN TEN TEN TEN TEN TEN TEN TEN "\n", text);
    free(text);
}

TEST(the_part_done_is_between_0_and_1) {
    EXPECT_NEAR(0.25, progress_fraction(2, 8), 0);
    EXPECT_NEAR(1, progress_fraction(9, 8), 0);
    EXPECT_NEAR(0, progress_fraction(-1, 8), 0);
    EXPECT_NEAR(0, progress_fraction(3, 0), 0);
}

/* A quarter of the work took 10 s, so the other three quarters take 30 s. */
TEST(the_rest_takes_as_long_as_the_part_done) {
    EXPECT_NEAR(30, progress_seconds_left(2, 8, 10), 1e-12);
    EXPECT_NEAR(0, progress_seconds_left(8, 8, 10), 0);
    EXPECT_NEAR(0, progress_seconds_left(9, 8, 10), 0);
    EXPECT_TRUE(isinf(progress_seconds_left(0, 8, 10)));
    EXPECT_TRUE(isinf(progress_seconds_left(2, 0, 10)));
    EXPECT_TRUE(isinf(progress_seconds_left(2, 8, 0)));
}

TEST_MAIN(RUN(the_part_done_is_between_0_and_1), RUN(the_rest_takes_as_long_as_the_part_done),
          RUN(long_lines_are_cut_and_the_block_is_redrawn_from_the_first_column),
          RUN(a_width_that_is_not_known_is_80))

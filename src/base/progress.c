#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

enum { DEFAULT_WIDTH = 80 };

double progress_fraction(double done, double total) {
    return total > 0 ? fmax(0, fmin(1, done / total)) : 0;
}

double progress_seconds_left(double done, double total, double seconds) {
    if (!(done > 0 && total > 0 && seconds > 0)) return HUGE_VAL;
    return fmax(0, total - done) * seconds / done;
}

Progress progress_start(FILE *stream, double interval_on_pipe_seconds) {
    const char *kind = getenv("TERM");
    bool dumb = kind && strcmp(kind, "dumb") == 0; /* has no sequences that move the cursor */
    bool terminal = isatty(fileno(stream)) == 1 && !dumb;
    return (Progress){.stream = stream,
                      .terminal = terminal,
                      .interval_seconds = terminal ? 0.2 : interval_on_pipe_seconds};
}

/* Erases the block. The cursor first goes to column 1, because keys that the terminal echoes, such
 * as Ctrl-C, move it. */
static void erase(Progress *progress) {
    if (progress->lines_drawn) fprintf(progress->stream, "\r\x1b[%dA\x1b[J", progress->lines_drawn);
    progress->lines_drawn = 0;
}

static int columns(FILE *stream) {
    struct winsize size;
    bool known = !ioctl(fileno(stream), TIOCGWINSZ, &size) && size.ws_col > 1;
    return known ? size.ws_col : DEFAULT_WIDTH;
}

/* The number of bytes in the first `characters` characters of `line` (UTF-8), or in all of it if it
 * is shorter. */
static size_t cut_bytes(const char *line, int characters) {
    size_t at = 0;
    for (; line[at] && line[at] != '\n'; at++) {
        bool begins = ((unsigned char)line[at] & 0xc0) != 0x80;
        if (begins && characters-- == 0) break;
    }
    return at;
}

/* Draws the block. Its lines must not wrap, because erase() moves the cursor up by one line for
 * each of them. The last column stays free, because some terminals wrap as soon as it is filled. */
static void draw(Progress *progress, const char *block) {
    int width = columns(progress->stream) - 1;
    while (*block) {
        fwrite(block, 1, cut_bytes(block, width), progress->stream);
        block += strcspn(block, "\n");
        if (!*block) break;
        fputc('\n', progress->stream);
        progress->lines_drawn++;
        block++;
    }
}

void progress_show(Progress *progress, const char *block, const char *line, bool now) {
    double time = clock_seconds();
    if (!now && time < progress->next_seconds) return;
    progress->next_seconds = time + progress->interval_seconds;
    if (!progress->terminal) {
        if (*line) fprintf(progress->stream, "%s\n", line);
    } else {
        erase(progress);
        draw(progress, block);
    }
    fflush(progress->stream);
}

void progress_print(Progress *progress, const char *line) {
    if (progress->terminal) erase(progress);
    fprintf(progress->stream, "%s\n", line);
    progress->next_seconds = 0;
    fflush(progress->stream);
}

void progress_end(Progress *progress) {
    progress->lines_drawn = 0;
    fflush(progress->stream);
}

Status progress_report(const ProgressWatch *watch, int done, int total, Error *err) {
    return watch ? watch->report(watch->context, done, total, err) : OK;
}

BarText progress_bar(double fraction, int width) {
    BarText bar = {"["};
    if (width > 60) width = 60;
    if (width < 0) width = 0;
    int filled = fraction >= 1 ? width : fraction > 0 ? (int)(fraction * width) : 0;
    for (int i = 0; i < width; i++)
        bar.text[i + 1] = i < filled ? '#' : '.';
    bar.text[width + 1] = ']';
    return bar;
}

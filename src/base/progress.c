#include "base/progress.h"
#include "base/clock.h"
#include <string.h>
#include <unistd.h>

Progress progress_start(FILE *stream, double interval_on_pipe_seconds) {
    bool terminal = isatty(fileno(stream)) == 1;
    return (Progress){.stream = stream,
                      .terminal = terminal,
                      .interval_seconds = terminal ? 0.2 : interval_on_pipe_seconds};
}

static void erase(Progress *progress) {
    if (progress->lines_drawn) fprintf(progress->stream, "\x1b[%dA\x1b[J", progress->lines_drawn);
    progress->lines_drawn = 0;
}

void progress_show(Progress *progress, const char *block, const char *line, bool now) {
    double time = clock_seconds();
    if (!now && time < progress->next_seconds) return;
    progress->next_seconds = time + progress->interval_seconds;
    if (!progress->terminal) {
        if (*line) fprintf(progress->stream, "%s\n", line);
    } else {
        erase(progress);
        for (const char *at = block; *at; at++)
            progress->lines_drawn += *at == '\n';
        fputs(block, progress->stream);
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

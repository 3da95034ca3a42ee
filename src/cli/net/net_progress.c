#include "cli/net/net_progress.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/thread.h"

enum { PIPE_SECONDS = 10 }; /* between two lines if stderr is a file or pipe */

static Status report(void *context, int done, int total, Error *err) {
    NetProgress *p = context;
    char left[48] = "", line[128], block[200];
    if (done < p->last) p->before += p->last; /* the next part has begun */
    p->last = done;
    int all = p->total ? p->total : total, count = p->total ? p->before + done : done;
    double fraction = all > 0 ? (double)count / all : 1, spent = clock_seconds() - p->start_seconds;
    if (fraction > 0 && fraction < 1)
        snprintf(left, sizeof left, ", %.0f s left", spent * (1 - fraction) / fraction);
    snprintf(line, sizeof line, "%d of %d %s%s", count, all, p->what, left);
    snprintf(block, sizeof block, "%s %s\n", progress_bar(fraction, 30).text, line);
    progress_show(&p->progress, block, line, false);
    return stop_requested()
               ? fail(err, ERR_STOPPED, "stopped after %d of %d %s", count, all, p->what)
               : OK;
}

void net_progress_begin(NetProgress *out, const char *what, int total) {
    *out = (NetProgress){.progress = progress_start(stderr, PIPE_SECONDS),
                         .watch = {report, out},
                         .what = what,
                         .total = total,
                         .start_seconds = clock_seconds()};
    out->progress.next_seconds = out->start_seconds + out->progress.interval_seconds;
}

void net_progress_end(NetProgress *progress) {
    if (progress->progress.lines_drawn) progress_show(&progress->progress, "", "", true);
    progress_end(&progress->progress);
}

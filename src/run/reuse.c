#include "run/reuse.h"

#include <math.h>

enum { CHUNKS_AHEAD = 1000 }; /* as far as reuse_rows_for() looks */

double reuse_chance(const Reuse *reuse, int64_t window) {
    if (window <= 0) return 0;
    return fmin(reuse->chunk_share, reuse->each * reuse->cycle / (double)window);
}

static int64_t next_chunk(const Reuse *reuse, int64_t rows) {
    return rows ? rows + reuse->cycle : reuse->rows_first;
}

/* Whole chunks up to `rows`: what is left over waits for the next one. */
static Earnings count_chunks(const Reuse *reuse, Earnings earnings, int64_t rows) {
    Reuse by = *reuse;
    by.each = earnings.each;
    for (int64_t at; (at = next_chunk(reuse, earnings.rows)) <= rows; earnings.rows = at) {
        int64_t window =
            window_rows(reuse->window, window_usable(reuse->window, at, reuse->random_rows));
        earnings.earned += reuse_chance(&by, window) * (double)window;
    }
    return earnings;
}

double reuse_earned(const Reuse *reuse, const Earnings *earnings, int64_t rows) {
    if (earnings->rule == REUSE_CHUNKS) return count_chunks(reuse, *earnings, rows).earned;
    return earnings->earned + (double)(rows - earnings->rows) * earnings->each;
}

Earnings reuse_renewed(const Reuse *reuse, const Earnings *earnings, int64_t rows) {
    bool same = earnings->rule == reuse->rule && earnings->each == reuse->each;
    if (earnings->rule == REUSE_CHUNKS) {
        Earnings whole = count_chunks(reuse, *earnings, rows);
        return (Earnings){whole.rows, whole.earned, reuse->each, reuse->rule};
    }
    return same ? *earnings
                : (Earnings){rows, reuse_earned(reuse, earnings, rows), reuse->each, reuse->rule};
}

int64_t reuse_rows_for(const Reuse *reuse, const Earnings *earnings, double samples) {
    if (earnings->rule == REUSE_BUCKET)
        return earnings->rows + (int64_t)ceil((samples - earnings->earned) / earnings->each);
    Earnings at = *earnings;
    for (int i = 0; i < CHUNKS_AHEAD && at.earned < samples; i++)
        at = count_chunks(reuse, at, next_chunk(reuse, at.rows));
    return at.rows;
}

#include "play/setup/turn_searches.h"

#include "play/setup/row_steps.h"
#include "search/tree/search_presets.h"

static SearchSettings cheap_settings(const SelfplaySettings *settings, const SearchSettings *full) {
    SearchSettings cheap = *full;
    search_preset_apply(SEARCH_PRESET_CHEAP, &cheap);
    cheap.fpu.root_reduction = full->fpu.reduction;
    cheap.gumbel.scale *= settings->cheap.gumbel_scale;
    if (settings->cheap.considered > 0) cheap.gumbel.considered = settings->cheap.considered;
    return cheap;
}

/* Returns how far a ramp over `all` rows has come, 0 to 1. */
static double ramp_progress(int64_t rows, int64_t all) {
    return rows < 0 || rows >= all ? 1 : (double)rows / (double)all;
}

static int ramp_visits(int visits, double start, double progress) {
    int now = (int)(visits * (start + (1 - start) * progress) + 0.5);
    return now > 1 ? now : 1;
}

/* Returns a number of moves that grows linearly from `from` to `to`. If `from` is 0, the number is
 * `to` from the start. */
static int ramp_moves(int from, int to, double progress) {
    return from > 0 ? (int)(from + (to - from) * progress + 0.5) : to;
}

TurnSearches turn_searches(const SelfplaySettings *settings, const SearchSettings *full,
                           int64_t rows) {
    const SelfplaySettings *s = settings;
    int64_t cheap_rows = s->ramp.cheap_rows > 0 ? s->ramp.cheap_rows : s->ramp.rows,
            moves_rows = s->ramp.considered_rows > 0 ? s->ramp.considered_rows : s->ramp.rows;
    double full_start = s->ramp.start,
           cheap_start = s->ramp.cheap_start > 0 ? s->ramp.cheap_start : full_start,
           moves = ramp_progress(rows, moves_rows);
    int full_visits = (int)row_steps_at(s->full.steps, s->full.visits, rows),
        cheap_visits = (int)row_steps_at(s->cheap.steps, s->cheap.visits, rows);
    TurnSearches out = {
        .full_visits = ramp_visits(full_visits, full_start, ramp_progress(rows, s->ramp.rows)),
        .cheap_visits = ramp_visits(cheap_visits, cheap_start, ramp_progress(rows, cheap_rows)),
        .full = *full,
        .cheap = cheap_settings(s, full),
    };
    out.full.dynamic_score_factor = out.cheap.dynamic_score_factor =
        row_steps_at(s->score_factor_steps, full->dynamic_score_factor, rows);
    int cheap_from = s->cheap.considered > 0 ? s->ramp.cheap_considered : s->ramp.considered;
    out.full.gumbel.considered = ramp_moves(s->ramp.considered, full->gumbel.considered, moves);
    out.cheap.gumbel.considered = ramp_moves(cheap_from, out.cheap.gumbel.considered, moves);
    return out;
}

#include "play/setup/turn_searches.h"

#include "play/setup/search_presets.h"

static SearchSettings cheap_of(const SelfplaySettings *settings, const SearchSettings *full) {
    SearchSettings cheap = *full;
    search_preset_apply(SEARCH_PRESET_CHEAP, &cheap);
    cheap.root_fpu_reduction = full->fpu_reduction;
    cheap.gumbel_scale *= settings->cheap_gumbel_scale;
    if (settings->cheap_considered > 0) cheap.gumbel_considered = settings->cheap_considered;
    return cheap;
}

/* How much of `all` is there. */
static double grown(int64_t rows, int64_t all) {
    return rows < 0 || rows >= all ? 1 : (double)rows / (double)all;
}

static int visits_of(int visits, double start, double share) {
    int now = (int)(visits * (start + (1 - start) * share) + 0.5);
    return now > 1 ? now : 1;
}

/* `from` 0: it does not grow. */
static int moves_of(int from, int to, double share) {
    return from > 0 ? (int)(from + (to - from) * share + 0.5) : to;
}

TurnSearches turn_searches(const SelfplaySettings *settings, const SearchSettings *full,
                           int64_t rows) {
    const SelfplaySettings *s = settings;
    int64_t cheap_rows = s->ramp_cheap_rows > 0 ? s->ramp_cheap_rows : s->ramp_rows,
            moves_rows = s->ramp_considered_rows > 0 ? s->ramp_considered_rows : s->ramp_rows;
    double full_start = s->ramp_start,
           cheap_start = s->ramp_cheap_start > 0 ? s->ramp_cheap_start : full_start,
           moves = grown(rows, moves_rows);
    TurnSearches out = {
        .full_visits = visits_of(s->full_visits, full_start, grown(rows, s->ramp_rows)),
        .cheap_visits = visits_of(s->cheap_visits, cheap_start, grown(rows, cheap_rows)),
        .full = *full,
        .cheap = cheap_of(s, full),
    };
    int cheap_from = s->cheap_considered > 0 ? s->ramp_cheap_considered : s->ramp_considered;
    out.full.gumbel_considered = moves_of(s->ramp_considered, full->gumbel_considered, moves);
    out.cheap.gumbel_considered = moves_of(cheap_from, out.cheap.gumbel_considered, moves);
    return out;
}

#include "run/store/sample_budget.h"

#include <math.h>

enum { CHUNKS_AHEAD = 1000 }; /* the maximum by which sample_budget_rows_for() looks ahead */

double sample_budget_chunk(const ReplayRatio *ratio, int64_t window) {
    if (window <= 0) return 0;
    return fmin(ratio->chunk_fraction, ratio->samples_per_row * ratio->rows_cycle / (double)window);
}

static int64_t next_chunk(const ReplayRatio *ratio, int64_t rows) {
    return rows ? rows + ratio->rows_cycle : ratio->rows_first;
}

/* Adds the samples of all chunks that are complete when the run has `rows` rows. Rows that are left
 * over wait for the next chunk. */
static SampleBudget count_chunks(const ReplayRatio *ratio, SampleBudget budget, int64_t rows) {
    ReplayRatio own = *ratio;
    own.samples_per_row = budget.samples_per_row;
    for (int64_t at; (at = next_chunk(ratio, budget.rows)) <= rows; budget.rows = at) {
        int64_t window =
            window_rows(ratio->window, window_usable(ratio->window, at, ratio->random_rows));
        budget.samples += sample_budget_chunk(&own, window) * (double)window;
    }
    return budget;
}

double sample_budget_at(const ReplayRatio *ratio, const SampleBudget *budget, int64_t rows) {
    if (budget->rule == REUSE_CHUNKS) return count_chunks(ratio, *budget, rows).samples;
    return budget->samples + (double)(rows - budget->rows) * budget->samples_per_row;
}

SampleBudget sample_budget_renewed(const ReplayRatio *ratio, const SampleBudget *budget,
                                   int64_t rows) {
    bool same = budget->rule == ratio->rule && budget->samples_per_row == ratio->samples_per_row;
    if (budget->rule == REUSE_CHUNKS) {
        SampleBudget whole = count_chunks(ratio, *budget, rows);
        return (SampleBudget){whole.rows, whole.samples, ratio->samples_per_row, ratio->rule};
    }
    return same ? *budget
                : (SampleBudget){rows, sample_budget_at(ratio, budget, rows),
                                 ratio->samples_per_row, ratio->rule};
}

int64_t sample_budget_rows_for(const ReplayRatio *ratio, const SampleBudget *budget,
                               double samples) {
    if (budget->rule == REUSE_BUCKET)
        return budget->rows + (int64_t)ceil((samples - budget->samples) / budget->samples_per_row);
    SampleBudget at = *budget;
    for (int i = 0; i < CHUNKS_AHEAD && at.samples < samples; i++)
        at = count_chunks(ratio, at, next_chunk(ratio, at.rows));
    return at.rows;
}

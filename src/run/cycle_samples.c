#include "run/cycle_samples.h"

#include <math.h>

#include "run/cycle_private.h"

static Reuse reuse_of(const Cycle *cycle) {
    const RunSettings *run = &cycle->config.run;
    return (Reuse){.rule = (ReuseRule)run->reuse,
                   .each = (double)run->samples_per_row,
                   .chunk_share = (double)run->chunk_share,
                   .rows_first = run->rows_first,
                   .cycle = run->rows_cycle,
                   .window = &cycle->config.window,
                   .random_rows = cycle->random_rows};
}

static Earnings read_earnings(const Cycle *cycle) {
    return (Earnings){.rows = (int64_t)run_index_value(cycle->index, "reuse.rows"),
                      .earned = run_index_value(cycle->index, "reuse.earned"),
                      .each = run_index_value(cycle->index, "reuse.each"),
                      .rule = (ReuseRule)run_index_value(cycle->index, "reuse.rule")};
}

static Status write_earnings(const Cycle *cycle, const Earnings *earnings, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"reuse.rows", (double)earnings->rows},
               {"reuse.earned", earnings->earned},
               {"reuse.each", earnings->each},
               {"reuse.rule", (double)earnings->rule}};
    Status status = run_index_begin(cycle->index, err);
    if (status) return status;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = run_index_set_value(cycle->index, ALL[i].name, ALL[i].value, err);
    return run_index_end(cycle->index, status, err);
}

/* A run whose index does not say: all rows count by the settings that were in force when it was
 * opened, and what was trained beyond them is not held against it. */
static Earnings earnings_of_old(const Cycle *cycle, const Reuse *reuse) {
    Earnings earnings = cycle->earnings_before;
    if (!(earnings.each > 0)) earnings = (Earnings){.each = reuse->each, .rule = reuse->rule};
    double samples = (double)cycle_samples(cycle),
           lacks = samples - reuse_earned(reuse, &earnings, cycle->rows);
    if (lacks > 0) earnings.earned += lacks;
    return earnings;
}

/* The most that may wait to be trained: at least what one cycle of rows earns. */
static double bucket_most(const Cycle *cycle) {
    const RunSettings *run = &cycle->config.run;
    double cycles = (double)run->rows_cycle * (double)run->samples_per_row;
    return run->bucket_most
               ? fmax(fmax((double)run->bucket_most, cycles), cycle->config.loader.batch)
               : HUGE_VAL;
}

static bool are_same(const Earnings *a, const Earnings *b) {
    return a->rows == b->rows && a->earned == b->earned && a->each == b->each && a->rule == b->rule;
}

Status cycle_samples_owed(Cycle *cycle, int64_t *owed, Error *err) {
    const Reuse reuse = reuse_of(cycle);
    Earnings known = read_earnings(cycle), earnings = known;
    double samples = (double)cycle_samples(cycle), most = samples + bucket_most(cycle);
    if (!(known.each > 0)) earnings = earnings_of_old(cycle, &reuse);
    earnings = reuse_renewed(&reuse, &earnings, cycle->rows);
    double earned = reuse_earned(&reuse, &earnings, cycle->rows);
    if (earned > most) {
        earnings.earned = earned = most;
        if (earnings.rule == REUSE_BUCKET) earnings.rows = cycle->rows;
    }
    *owed = (int64_t)earned - cycle_samples(cycle);
    cycle->earnings = earnings;
    return are_same(&known, &earnings) ? OK : write_earnings(cycle, &earnings, err);
}

int64_t cycle_samples_least(const Cycle *cycle) {
    const RunSettings *run = &cycle->config.run;
    int64_t batch = cycle->config.loader.batch,
            least = (int64_t)((double)run->rows_cycle * (double)run->samples_per_row / 2);
    return least > batch && run->reuse == REUSE_BUCKET ? least : batch;
}

int64_t cycle_samples_most(const Cycle *cycle) {
    const RunSettings *run = &cycle->config.run;
    int rows = run->rows_first > run->rows_cycle ? run->rows_first : run->rows_cycle;
    int64_t most = (int64_t)((double)rows * (double)run->samples_per_row);
    return most > run->samples_most ? most : run->samples_most;
}

int64_t cycle_rows_needed(const Cycle *cycle) {
    const RunSettings *run = &cycle->config.run;
    const Reuse reuse = reuse_of(cycle);
    double samples = (double)(cycle_samples(cycle) + cycle_samples_least(cycle));
    int64_t rows = reuse_rows_for(&reuse, &cycle->earnings, samples);
    return rows > run->rows_first ? rows : run->rows_first;
}

#include "run/cycle/run_budget.h"

#include <math.h>

void run_budget_init(RunBudget *budget, const RunPlan *plan, RunStore *store, const RunRows *rows) {
    *budget = (RunBudget){.plan = plan, .store = store, .rows = rows};
}

void run_budget_note_before(RunBudget *budget) {
    const char *root = budget->store->directory.root.text;
    RunConfig before;
    if (!run_directory_has_settings(root) || run_config_load(root, &before, NULL)) return;
    budget->before = (SampleBudget){.samples_per_row = before.run.samples_per_row,
                                    .rule = (ReuseRule)before.run.reuse};
}

static ReplayRatio ratio_of(const RunBudget *budget) {
    const RunSettings *run = &budget->plan->config.run;
    return (ReplayRatio){.rule = (ReuseRule)run->reuse,
                         .samples_per_row = run->samples_per_row,
                         .chunk_fraction = run->chunk_fraction,
                         .rows_first = run->rows_first,
                         .rows_cycle = run->rows_cycle,
                         .window = &budget->plan->config.window,
                         .random_rows = budget->rows->random};
}

static Status read_budget(RunIndex *index, SampleBudget *out, Error *err) {
    double rows, rule;
    *out = (SampleBudget){0};
    Status status = run_index_read(index, "reuse.rows", &rows, err);
    if (!status) status = run_index_read(index, "reuse.earned", &out->samples, err);
    if (!status) status = run_index_read(index, "reuse.each", &out->samples_per_row, err);
    if (!status) status = run_index_read(index, "reuse.rule", &rule, err);
    if (status) return status;
    out->rows = (int64_t)rows;
    out->rule = (ReuseRule)rule;
    return OK;
}

static Status write_budget(RunIndex *index, const SampleBudget *budget, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"reuse.rows", (double)budget->rows},
               {"reuse.earned", budget->samples},
               {"reuse.each", budget->samples_per_row},
               {"reuse.rule", (double)budget->rule}};
    Status status = run_index_begin(index, err);
    if (status) return status;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = run_index_set_value(index, ALL[i].name, ALL[i].value, err);
    return run_index_end(index, status, err);
}

/* Makes the budget of a run whose index does not store a budget. The settings that run.cfg had
 * before this start decide how many samples are allowed for all rows of the run. If the run has
 * trained on more samples than that, all of them count as allowed. */
static SampleBudget budget_of_old(const RunBudget *budget, const ReplayRatio *ratio,
                                  int64_t trained) {
    SampleBudget old = budget->before;
    if (!(old.samples_per_row > 0))
        old = (SampleBudget){.samples_per_row = ratio->samples_per_row, .rule = ratio->rule};
    double missing = (double)trained - sample_budget_at(ratio, &old, budget->rows->count);
    if (missing > 0) old.samples += missing;
    return old;
}

/* Returns the maximum number of samples that may be allowed but not yet used. It is run.bucket_max,
 * but at least a batch, and at least the samples that run.rows_cycle rows add. */
static double max_waiting(const RunPlan *plan) {
    const RunSettings *run = &plan->config.run;
    double cycles = (double)run->rows_cycle * run->samples_per_row;
    return run->bucket_max ? fmax(fmax((double)run->bucket_max, cycles), plan->config.loader.batch)
                           : HUGE_VAL;
}

static bool are_same(const SampleBudget *a, const SampleBudget *b) {
    return a->rows == b->rows && a->samples == b->samples &&
           a->samples_per_row == b->samples_per_row && a->rule == b->rule;
}

Status run_budget_left(RunBudget *budget, int64_t trained, int64_t *left, Error *err) {
    const ReplayRatio ratio = ratio_of(budget);
    RunIndex *index = budget->store->index;
    int64_t rows = budget->rows->count;
    SampleBudget known;
    Status status = read_budget(index, &known, err);
    if (status) return status;
    SampleBudget now = known;
    double max = (double)trained + max_waiting(budget->plan);
    if (!(known.samples_per_row > 0)) now = budget_of_old(budget, &ratio, trained);
    now = sample_budget_renewed(&ratio, &now, rows);
    double allowed = sample_budget_at(&ratio, &now, rows);
    if (allowed > max) {
        now.samples = allowed = max;
        if (now.rule == REUSE_BUCKET) now.rows = rows;
    }
    *left = (int64_t)allowed - trained;
    budget->now = now;
    return are_same(&known, &now) ? OK : write_budget(index, &now, err);
}

int64_t run_budget_min_training(const RunPlan *plan) {
    const RunSettings *run = &plan->config.run;
    int64_t batch = plan->config.loader.batch,
            min = (int64_t)((double)run->rows_cycle * run->samples_per_row / 2);
    return min > batch && run->reuse == REUSE_BUCKET ? min : batch;
}

int64_t run_budget_max_training(const RunPlan *plan) {
    const RunSettings *run = &plan->config.run;
    int rows = run->rows_first > run->rows_cycle ? run->rows_first : run->rows_cycle;
    int64_t max = (int64_t)((double)rows * run->samples_per_row);
    return max > run->samples_max ? max : run->samples_max;
}

int64_t run_budget_rows_needed(const RunBudget *budget, int64_t trained) {
    const RunSettings *run = &budget->plan->config.run;
    const ReplayRatio ratio = ratio_of(budget);
    double samples = (double)(trained + run_budget_min_training(budget->plan));
    int64_t rows = sample_budget_rows_for(&ratio, &budget->now, samples);
    return rows > run->rows_first ? rows : run->rows_first;
}

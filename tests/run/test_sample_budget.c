/* How many samples training may use for the rows of a run: by KataGo's bucket and by p3achygo's
 * chunks, with a full bucket, and with settings that change in the middle of a run. */
#define _GNU_SOURCE /* nftw */
#include "run/store/sample_budget.h"
#include "run/tiny_run.h"

static const WindowSettings WINDOW = {.min = 250000, .alpha = 0.75, .beta = 0.5};

/* Returns p3achygo's numbers: a generation has 5000 games of 75 rows. */
static ReplayRatio chunks(void) {
    return (ReplayRatio){REUSE_CHUNKS, 3, 0.25, 100000, 375000, &WINDOW, 0};
}

TEST(chance_of_a_row_by_the_window) {
    static const struct {
        int64_t window;
        double chance;
    } CASES[] = {{100000, 0.25},   {1000000, 0.25},   {4500000, 0.25}, {5000000, 0.225},
                 {9000000, 0.125}, {45000000, 0.025}, {0, 0}};
    const ReplayRatio ratio = chunks();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_NEAR(CASES[i].chance, sample_budget_chunk(&ratio, CASES[i].window), 1e-12);
}

/* The first chunk ends at 100,000 rows and adds a quarter of this number to the budget, as samples.
 * The second chunk ends at 475,000 rows and adds a quarter of the rows that the window has then. If
 * the window has at least 4.5 million rows, a chunk adds three samples for each
 * row of the chunk. */
TEST(only_whole_chunks_count) {
    const ReplayRatio ratio = chunks();
    const SampleBudget none = {0, 0, 3, REUSE_CHUNKS};
    double second = 0.25 * (double)window_rows(&WINDOW, 475000);
    EXPECT_NEAR(0, sample_budget_at(&ratio, &none, 99999), 0);
    EXPECT_NEAR(25000, sample_budget_at(&ratio, &none, 100000), 1e-6);
    EXPECT_NEAR(25000, sample_budget_at(&ratio, &none, 474999), 1e-6);
    EXPECT_NEAR(25000 + second, sample_budget_at(&ratio, &none, 475000), 1e-6);
    SampleBudget half = sample_budget_renewed(&ratio, &none, 500000);
    EXPECT_INT(475000, half.rows); /* the other 25,000 rows belong to the third chunk */
    EXPECT_NEAR(25000 + second, half.samples, 1e-6);
    EXPECT_NEAR(sample_budget_at(&ratio, &none, 5000000), sample_budget_at(&ratio, &half, 5000000),
                1e-3);
    EXPECT_INT(475000, sample_budget_rows_for(&ratio, &none, 25000.5));
    const SampleBudget late = {200000000, 1000, 3, REUSE_CHUNKS};
    EXPECT_TRUE(window_rows(&WINDOW, late.rows) > 9000000);
    EXPECT_NEAR(1000 + 3 * 375000, sample_budget_at(&ratio, &late, 200375000), 1e-3);
}

/* sample_budget_rows_for() returns the minimum number of rows, in whole chunks, that allow this
 * many samples. It looks at most a thousand chunks ahead. */
TEST(rows_for_a_budget_of_chunks) {
    const ReplayRatio ratio = chunks();
    const SampleBudget none = {0, 0, 3, REUSE_CHUNKS};
    EXPECT_INT(0, sample_budget_rows_for(&ratio, &none, 0));
    for (int64_t rows = 100000; rows < 100000000; rows += 2250000) {
        double samples = sample_budget_at(&ratio, &none, rows);
        EXPECT_INT(rows, sample_budget_rows_for(&ratio, &none, samples - 1));
        EXPECT_INT(rows + 375000, sample_budget_rows_for(&ratio, &none, samples + 1));
    }
    EXPECT_INT(100000 + 999 * 375000, sample_budget_rows_for(&ratio, &none, 1e15));
}

TEST(a_bucket_gets_samples_per_row_for_each_row) {
    const ReplayRatio ratio = {.rule = REUSE_BUCKET, .samples_per_row = 16};
    const SampleBudget none = {0, 0, 16, REUSE_BUCKET};
    EXPECT_NEAR(16.0 * 300000, sample_budget_at(&ratio, &none, 300000), 0);
    EXPECT_INT(0, sample_budget_renewed(&ratio, &none, 300000).rows);
    EXPECT_INT(301, sample_budget_rows_for(&ratio, &none, 16 * 300 + 1));
}

/* The run has 300,000 rows at 16 samples a row, and then some at 8, at 4, and in chunks. Samples
 * that were allowed before a change stay allowed. */
TEST(a_changed_setting_counts_for_later_rows) {
    ReplayRatio ratio = {.rule = REUSE_BUCKET,
                         .samples_per_row = 8,
                         .chunk_fraction = 0.25,
                         .rows_cycle = 1000,
                         .rows_first = 1000,
                         .window = &WINDOW};
    SampleBudget budget = {0, 0, 16, REUSE_BUCKET};
    budget = sample_budget_renewed(&ratio, &budget, 300000);
    EXPECT_NEAR(4.8e6, sample_budget_at(&ratio, &budget, 300000), 0);
    EXPECT_NEAR(4.8e6 + 80000, sample_budget_at(&ratio, &budget, 310000), 0);
    ratio.samples_per_row = 4;
    budget = sample_budget_renewed(&ratio, &budget, 310000);
    EXPECT_NEAR(4.88e6 + 40, sample_budget_at(&ratio, &budget, 310010), 0);
    ratio.rule = REUSE_CHUNKS;
    budget = sample_budget_renewed(&ratio, &budget, 310010);
    EXPECT_NEAR(4.88e6 + 40, sample_budget_at(&ratio, &budget, 311009), 0);
    EXPECT_NEAR(4.88e6 + 40 + 4000, sample_budget_at(&ratio, &budget, 311010), 1e-6);
    ratio.samples_per_row = 2; /* the next chunk, for which 500 rows wait, has the new setting */
    budget = sample_budget_renewed(&ratio, &budget, 311510);
    EXPECT_NEAR(4.88e6 + 4040, sample_budget_at(&ratio, &budget, 312009), 1e-6);
    EXPECT_NEAR(4.88e6 + 4040 + 2000, sample_budget_at(&ratio, &budget, 312010), 1e-6);
    ratio.rule = REUSE_BUCKET; /* waiting rows count as rows of the bucket */
    ratio.samples_per_row = 3;
    budget = sample_budget_renewed(&ratio, &budget, 312510);
    EXPECT_NEAR(4.88e6 + 6040 + 3 * 500, sample_budget_at(&ratio, &budget, 312510), 1e-6);
    EXPECT_NEAR(4.88e6 + 6040 + 3 * 700, sample_budget_at(&ratio, &budget, 312710), 1e-6);
}

static Cycle *open_cycle(const Folder *run, const RunConfig *config) {
    Cycle *cycle;
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    return cycle;
}

static RunConfig learning(int nets) {
    RunConfig config = tiny(nets);
    config.run.rate_games = config.run.gate_games = 0;
    return config;
}

/* Continues the run until it has `nets` nets, and returns its totals. */
static CycleTotals go_on(const Folder *run, RunConfig config, int nets) {
    config.run.nets = nets;
    Cycle *cycle = open_cycle(run, &config);
    EXPECT_OK(cycle_run(cycle, 0, err));
    CycleTotals totals = cycle_totals(cycle);
    cycle_close(cycle);
    return totals;
}

/* Adds rows without training, as other processes would, and returns how many the run has. */
static int64_t play(const Folder *run, const RunConfig *config, int64_t rows) {
    Cycle *cycle = open_cycle(run, config);
    EXPECT_OK(cycle_selfplay(cycle, rows, err));
    rows = cycle_totals(cycle).rows;
    cycle_close(cycle);
    return rows;
}

/* Checks that of the samples that were allowed, less than a batch is left. */
static void expect_left(int64_t allowed, const CycleTotals *totals, const RunConfig *config) {
    int64_t left = allowed - totals->samples;
    if (left < 0 || left >= config->loader.batch)
        fail_msg("%lld samples of %lld", (long long)totals->samples, (long long)allowed);
}

TEST(a_full_bucket_drops_samples) {
    Folder run = make_folder();
    RunConfig config = learning(0);
    config.run.bucket_max = 256; /* more than 200, the samples of a cycle */
    int64_t rows = play(&run, &config, 600);
    CycleTotals first = go_on(&run, config, 1), second;
    EXPECT_INT(rows, first.rows);
    EXPECT_INT(256, first.samples);
    second = go_on(&run, config, 2); /* samples beyond the bucket were dropped */
    EXPECT_TRUE(second.rows > rows);
    expect_left(first.samples + 2 * (second.rows - rows), &second, &config);
    remove_folder(&run);
}

TEST(a_net_comes_before_all_samples_are_trained) {
    Folder run = make_folder();
    RunConfig config = learning(0);
    config.run.samples_max = 300;
    int64_t rows = play(&run, &config, 600);
    CycleTotals first = go_on(&run, config, 1), all = go_on(&run, config, 4);
    EXPECT_INT(288, first.samples); /* nine batches of 32 */
    EXPECT_INT(rows, first.rows);
    EXPECT_INT(4 * 288, all.samples);
    EXPECT_INT(rows, all.rows); /* no rows had to be played */
    remove_folder(&run);
}

TEST(samples_per_row_changes_later_rows_alone) {
    Folder run = make_folder();
    RunConfig config = learning(0);
    config.run.samples_per_row = 4;
    CycleTotals before = go_on(&run, config, 2);
    expect_left(4 * before.rows, &before, &config);
    config.run.samples_per_row = 1;
    CycleTotals after = go_on(&run, config, 4);
    /* Two more nets need about 100 new rows each. If the earlier rows now allowed only one sample
     * each, the run would need three times `before.rows` new rows in addition. */
    EXPECT_TRUE(after.rows - before.rows < 400);
    expect_left(4 * before.rows + (after.rows - before.rows), &after, &config);
    config.run.samples_per_row = 3;
    CycleTotals last = go_on(&run, config, 5);
    expect_left(4 * before.rows + (after.rows - before.rows) + 3 * (last.rows - after.rows), &last,
                &config);
    remove_folder(&run);
}

/* The index of an earlier version does not contain the budget. The former settings of the run then
 * say how many samples its rows allowed. */
TEST(a_run_of_an_earlier_version_goes_on) {
    static const float EACH[] = {4, 1, 8};
    for (int i = 0; i < 3; i++) {
        Folder run = make_folder();
        RunConfig config = learning(0);
        RunIndex *index;
        config.run.samples_per_row = 4;
        CycleTotals before = go_on(&run, config, 2);
        EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
        EXPECT_OK(run_index_set_value(index, "reuse.each", 0, err));
        EXPECT_OK(run_index_set_value(index, "reuse.rows", 0, err));
        EXPECT_OK(run_index_set_value(index, "reuse.earned", 0, err));
        run_index_close(index);
        config.run.samples_per_row = (double)EACH[i];
        CycleTotals after = go_on(&run, config, 3);
        expect_left(4 * before.rows + (int64_t)EACH[i] * (after.rows - before.rows), &after,
                    &config);
        remove_folder(&run);
    }
}

/* Each chunk adds at most one sample for every second row of the window here (chunk_fraction). As
 * long as the run has at most 200 rows, the window holds all of them. */
TEST(a_run_by_chunks) {
    Folder run = make_folder();
    RunConfig config = learning(0);
    config.run.reuse = REUSE_CHUNKS;
    config.run.samples_per_row = 3;
    config.run.chunk_fraction = 0.5;
    CycleTotals totals = go_on(&run, config, 4);
    const ReplayRatio ratio = {REUSE_CHUNKS, 3, 0.5, 100, 100, &config.window, 0};
    const SampleBudget none = {0, 0, 3, REUSE_CHUNKS};
    expect_left((int64_t)sample_budget_at(&ratio, &none, totals.rows), &totals, &config);
    EXPECT_TRUE(totals.samples < totals.rows);
    remove_folder(&run);
}

TEST_MAIN(RUN(chance_of_a_row_by_the_window), RUN(only_whole_chunks_count),
          RUN(rows_for_a_budget_of_chunks), RUN(a_bucket_gets_samples_per_row_for_each_row),
          RUN(a_changed_setting_counts_for_later_rows), RUN(a_full_bucket_drops_samples),
          RUN(a_net_comes_before_all_samples_are_trained),
          RUN(samples_per_row_changes_later_rows_alone), RUN(a_run_of_an_earlier_version_goes_on),
          RUN(a_run_by_chunks))

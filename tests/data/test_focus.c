/* Rows that training uses less often because their search found what the net expected. */
#include "data/focus.h"

#include "data/loader.h"
#include "data/made_rows.h"
#include "test.h"

enum { LENGTH = 4 };

/* Sets the win - loss that the search found, the win - loss that the net expected, and the KL
 * divergence between the policies of the two. */
static void set_targets(float *targets, float found, float expected, float divergence) {
    targets[TARGET_SEARCH] = 0.5f * (1 + found);
    targets[TARGET_SEARCH + 1] = 0.5f * (1 - found);
    targets[TARGET_NET_WIN_LOSS] = expected;
    targets[TARGET_SURPRISE] = divergence;
    targets[TARGET_NO_TD] = 0;
}

/* lczero-training: value_focus_min + value_focus_slope |d|, where d is the difference between the
 * win - loss of the search and that of the net. */
TEST(value_focus_by_hand) {
    const FocusSettings settings = {FOCUS_VALUE, .min = 0.1, .slope = 0.5};
    float targets[ROW_GLOBAL_TARGETS] = {0};
    set_targets(targets, 0.3f, 0.3f, 9);
    EXPECT_NEAR(0.1, focus_probability(&settings, targets), 1e-6);
    set_targets(targets, -0.3f, 0.5f, 0);
    EXPECT_NEAR(0.1 + 0.5 * 0.8, focus_probability(&settings, targets), 1e-6);
    set_targets(targets, -1, 1, 0);
    EXPECT_NEAR(1, focus_probability(&settings, targets), 0);
    set_targets(targets, 0, 0, 0);
    targets[TARGET_NO_TD] = 1; /* no search: nothing to compare */
    EXPECT_NEAR(1, focus_probability(&settings, targets), 0);
}

/* lczero-training, with the same d and the KL divergence k:
 *     diff_focus_min + diff_focus_slope (6 |d| + k) / (6 + 3.5) */
TEST(diff_focus_by_hand) {
    LoaderSettings loader;
    float targets[ROW_GLOBAL_TARGETS] = {0};
    settings_defaults(LOADER_FIELDS, &loader);
    set_targets(targets, 0.3f, -0.2f, 0.4f);
    EXPECT_NEAR(1, focus_probability(&loader.focus, targets), 0); /* off by default */
    loader.focus.kind = FOCUS_DIFF;
    EXPECT_NEAR(1, focus_probability(&loader.focus, targets), 0); /* the minimum is 1 */
    loader.focus.min = 0.05;
    loader.focus.slope = 2;
    EXPECT_NEAR(0.05 + 2 * (6 * 0.5 + 0.4) / 9.5, focus_probability(&loader.focus, targets), 1e-6);
    set_targets(targets, 0.3f, 0.3f, 0.4f);
    EXPECT_NEAR(0.05 + 2 * 0.4 / 9.5, focus_probability(&loader.focus, targets), 1e-6);
    set_targets(targets, 0.3f, 0.3f, 0); /* an unknown divergence */
    EXPECT_NEAR(1, focus_probability(&loader.focus, targets), 0);
}

/* Draws `count` batches of 16 and counts the uses of each of 64 rows. In rows 0 to 31 the values of
 * search and net are equal; in the other rows they differ by 0.5. */
static void count_uses(const FocusSettings *focus, int batches, int uses[64]) {
    LoaderSettings config = {
        .batch = 16, .length = LENGTH, .memory_mb = 16, .seed = 1, .focus = *focus};
    TestPath path = test_path("focus.npz");
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 64, 1);
    Loader *loader;
    for (int n = 0; n < 64; n++)
        set_targets(rows.targets + n * ROW_GLOBAL_TARGETS, 0.25f, n < 32 ? 0.25f : -0.25f, 1);
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < batches; i++) {
        Batch batch;
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < 16; n++)
            uses[(int)batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN]]++;
    }
    loader_free(loader);
    rows_clear(&rows);
    remove(path.text);
}

/* Rows whose values are equal are used with the probability 0.2, and other rows with 0.8. So a
 * fifth of all uses are of rows whose values are equal. */
TEST(a_loader_passes_rows_over) {
    const FocusSettings focus = {FOCUS_VALUE, .min = 0.2, .slope = 1.2};
    int uses[64] = {0}, agree = 0, all = 16 * 1000;
    count_uses(&focus, 1000, uses);
    for (int n = 0; n < 32; n++)
        agree += uses[n];
    EXPECT_NEAR(all / 5.0, agree, 4 * sqrt(all * 0.2 * 0.8));
}

/* Even with the probability 0 for every row, a batch gets its rows. */
TEST(a_loader_does_not_wait_for_ever) {
    const FocusSettings focus = {FOCUS_DIFF, .value_weight = 1, .policy_scale = 1};
    int uses[64] = {0}, sum = 0;
    count_uses(&focus, 3, uses);
    for (int n = 0; n < 64; n++)
        sum += uses[n];
    EXPECT_INT(48, sum);
}

TEST_MAIN(RUN(value_focus_by_hand), RUN(diff_focus_by_hand), RUN(a_loader_passes_rows_over),
          RUN(a_loader_does_not_wait_for_ever))

/* The losses of a net on row files. */
#define _GNU_SOURCE /* nftw */
#include "run/supervised/row_metrics.h"

#include <math.h>

#include "base/log.h"
#include "data/made_rows.h"
#include "eval/arch/arch.h"
#include "run/tiny_run.h"

enum { SIDE = 4, MOVES = SIDE * SIDE + 1 };

/* Makes rows/a.npz with 300 rows, rows/b.npz with 50, and bad/c.npz, which is cut short. */
static Folder folder_with_rows(void) {
    Folder folder = make_folder();
    char *bytes;
    size_t length;
    Arena arena = {0};
    EXPECT_OK(directory_make(path_in(folder.text, "rows").text, err));
    EXPECT_OK(directory_make(path_in(folder.text, "bad").text, err));
    made_file(path_in(folder.text, "rows/a.npz").text, SIDE, SIDE, SIDE, 300, 1);
    made_file(path_in(folder.text, "rows/b.npz").text, SIDE, SIDE, SIDE, 50, 2);
    EXPECT_OK(
        file_read(path_in(folder.text, "rows/b.npz").text, 1 << 24, &arena, &bytes, &length, err));
    EXPECT_OK(file_write(path_in(folder.text, "bad/c.npz").text, bytes, length / 2, err));
    arena_clear(&arena);
    return folder;
}

/* Makes a net whose random weights are drawn with `seed`, or are all 0 if it is 0. */
static Net *make_net(uint64_t seed) {
    Net *net;
    Rng rng = rng_seeded(seed);
    EXPECT_OK(arch_build_text("b1c8-nodist", seed ? &rng : NULL, &net, err));
    return net;
}

static Status measure(const Folder *folder, const char *name, const Net *net, int threads,
                      const ProgressWatch *watch, RowMetrics *out, Error *err) {
    Path path = path_in(folder->text, name);
    const char *paths[] = {path.text};
    const RowMetricsSetup setup = {.paths = {paths, 1}, .threads = threads, .watch = watch};
    return row_metrics_measure(net, &setup, out, err);
}

TEST(a_net_of_zeros_gives_all_moves_the_same_probability) {
    Folder folder = folder_with_rows();
    Net *net = make_net(0);
    RowMetrics found;
    EXPECT_OK(measure(&folder, "rows", net, 1, NULL, &found, err));
    EXPECT_INT(350, found.rows);
    EXPECT_INT(2, found.files);
    EXPECT_NEAR(log(MOVES), found.mean.policy, 1e-4);
    EXPECT_NEAR(log(3), found.mean.value, 1e-4); /* win, loss, no result */
    net_free(net);
    remove_folder(&folder);
}

TEST(each_row_counts_once) {
    Folder folder = folder_with_rows();
    Net *net = make_net(1);
    RowMetrics both, a, b, again;
    EXPECT_OK(measure(&folder, "rows", net, 1, NULL, &both, err));
    EXPECT_OK(measure(&folder, "rows/a.npz", net, 1, NULL, &a, err));
    EXPECT_OK(measure(&folder, "rows/b.npz", net, 1, NULL, &b, err));
    EXPECT_OK(measure(&folder, "rows", net, 2, NULL, &again, err));
    EXPECT_INT(300, a.rows);
    EXPECT_INT(50, b.rows);
    for (const MetricField *field = METRIC_FIELDS; field->name; field++) {
        const MetricField plain = {field->name, field->offset, NULL};
        double want =
            (300 * metrics_value(&a.mean, &plain) + 50 * metrics_value(&b.mean, &plain)) / 350;
        if (field->of_mean) want = field->of_mean(want);
        EXPECT_NEAR(want, metrics_value(&both.mean, field), 1e-4 * (1 + fabs(want)));
        EXPECT_NEAR(want, metrics_value(&again.mean, field), 1e-4 * (1 + fabs(want)));
    }
    EXPECT_TRUE(a.mean.policy != b.mean.policy);
    net_free(net);
    remove_folder(&folder);
}

TEST(files_that_cannot_be_read_are_left_out) {
    Folder folder = folder_with_rows();
    Net *net = make_net(1);
    RowMetrics found, alone;
    Error fault = {0};
    EXPECT_OK(measure(&folder, "rows", net, 1, NULL, &alone, err));
    EXPECT_OK(measure(&folder, ".", net, 1, NULL, &found, err));
    EXPECT_INT(2, found.files);
    EXPECT_NEAR(alone.mean.loss, found.mean.loss, 1e-6);
    EXPECT_STATUS(ERR_SYNTAX, measure(&folder, "bad", net, 1, NULL, &found, &fault));
    EXPECT_CONTAINS(fault.message, "is cut short");
    EXPECT_STATUS(ERR_IO, measure(&folder, "none", net, 1, NULL, &found, &fault));
    net_free(net);
    remove_folder(&folder);
}

static Status stop(void *context, int done, int total, Error *fault) {
    (void)fault;
    int *calls = context;
    EXPECT_INT(2, total);
    EXPECT_INT(++*calls, done);
    return ERR_STOPPED;
}

TEST(a_watcher_can_stop_the_measurement) {
    Folder folder = folder_with_rows();
    Net *net = make_net(1);
    RowMetrics found;
    Error fault = {0};
    int calls = 0;
    const ProgressWatch watch = {stop, &calls};
    EXPECT_STATUS(ERR_STOPPED, measure(&folder, "rows", net, 1, &watch, &found, &fault));
    EXPECT_INT(1, calls);
    net_free(net);
    remove_folder(&folder);
}

TEST_MAIN(RUN(a_net_of_zeros_gives_all_moves_the_same_probability), RUN(each_row_counts_once),
          RUN(files_that_cannot_be_read_are_left_out), RUN(a_watcher_can_stop_the_measurement))

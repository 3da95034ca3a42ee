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

/* Three games in two files. The first game has the rows 0 to 99 of a.npz, the second the other rows
 * of a.npz, and the third all rows of b.npz. The losses of a game must be those of the net on the
 * rows of this game alone. */
TEST(games_are_listed_by_their_losses) {
    Folder folder = folder_with_rows();
    Net *net = make_net(1);
    static const size_t FIRST[4] = {0, 100, 300, 350};
    static const char *const FILES[3] = {"rows/a.npz", "rows/a.npz", "rows/b.npz"};
    RowMetrics alone[3], found;
    for (int game = 0; game < 3; game++) {
        Rows rows, part;
        bool second = game == 2;
        size_t from = FIRST[game] - (second ? 300 : 0), count = FIRST[game + 1] - FIRST[game];
        EXPECT_OK(row_file_read(path_in(folder.text, FILES[game]).text, &rows, err));
        for (size_t n = from; n < from + count; n++) {
            float *targets = rows.targets + n * ROW_GLOBAL_TARGETS;
            targets[TARGET_HASH] = (float)(game + 1);
            targets[TARGET_HASH + 1] = 3;
            targets[TARGET_HASH + 5] = 0xabcde;
            targets[TARGET_WEIGHT] = n % 2 ? 1 : 0.5f;
        }
        EXPECT_OK(rows_init(&part, SIDE, err));
        EXPECT_OK(rows_append(&part, &rows, from, count, err));
        EXPECT_OK(row_file_write(path_in(folder.text, FILES[game]).text, &rows, err));
        EXPECT_OK(row_file_write(path_in(folder.text, "part.npz").text, &part, err));
        EXPECT_OK(measure(&folder, "part.npz", net, 1, NULL, &alone[game], err));
        EXPECT_INT(1, alone[game].games);
        rows_clear(&rows);
        rows_clear(&part);
    }
    Path path = path_in(folder.text, "rows");
    const char *paths[] = {path.text};
    const RowMetricsSetup setup = {.paths = {paths, 1}, .threads = 2, .worst_games = 5};
    EXPECT_OK(row_metrics_measure(net, &setup, &found, err));
    EXPECT_INT(3, found.games);
    EXPECT_INT(3, found.worst_count);
    for (int i = 0; i < 3; i++) {
        const GameLoss *loss = &found.worst[i].loss;
        int game = (int)(loss->hash[0] & 3) - 1;
        EXPECT_TRUE(game >= 0);
        EXPECT_TRUE(loss->hash[0] == (((uint64_t)game + 1) | 3ULL << 22));
        EXPECT_TRUE(loss->hash[1] == 0xabcdeULL << 44);
        EXPECT_INT(FIRST[game + 1] - FIRST[game], loss->rows);
        EXPECT_NEAR(alone[game].mean.policy, loss->policy, 1e-5);
        EXPECT_NEAR(alone[game].mean.value, loss->value, 1e-5);
        EXPECT_CONTAINS(found.worst[i].file.text, FILES[game]);
        if (i)
            EXPECT_TRUE(loss[0].policy + loss->value <=
                        found.worst[i - 1].loss.policy + found.worst[i - 1].loss.value);
    }
    row_metrics_clear(&found);
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
          RUN(games_are_listed_by_their_losses), RUN(files_that_cannot_be_read_are_left_out),
          RUN(a_watcher_can_stop_the_measurement))

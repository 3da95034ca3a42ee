/* Nets that read who played. They learn how players of different ranks play. Then they predict the
 * moves of the rank that they are told. */
#define _GNU_SOURCE /* nftw */
#include "run/supervised/supervised.h"

#include "data/made_rows.h"
#include "eval/arch/arch.h"
#include "eval/evaluators/evaluator.h"
#include "eval/formats/net_file.h"
#include "run/cycle/run_check.h"
#include "run/supervised/row_metrics.h"
#include "run/tiny_run.h"

enum { SIDE = 4, MOVES = SIDE * SIDE + 1 };

/* Makes a file of rows with one stone on the board. Players of 1 dan play on the point opposite to
 * the stone, and players of 10 kyu pass. Both remain true if the board is turned or mirrored. */
static void rows_by_rank(const char *path, size_t count, uint64_t seed) {
    Rows rows = made_rows(SIDE, SIDE, SIDE, count, seed);
    EXPECT_OK(rows_add_players(&rows, err));
    for (size_t n = 0; n < count; n++) {
        bool strong = n % 2;
        int16_t *policy = rows.policy + n * 2 * MOVES;
        GameMetadata players;
        EXPECT_OK(metadata_profile(strong ? "rank_1d" : "rank_10k", &players, err));
        metadata_encode(&players, COLOR_BLACK, SIDE * SIDE, rows.players + n * METADATA_COUNT);
        int stone = 0;
        for (int i = 0; i < SIDE * SIDE; i++) {
            const uint8_t *plane = rows.planes + (n * FEATURE_PLANES + 2) * 2;
            if (plane[i / 8] >> (7 - i % 8) & 1) stone = i;
        }
        memset(policy, 0, MOVES * sizeof *policy);
        policy[strong ? SIDE * SIDE - 1 - stone : MOVES - 1] = 1;
    }
    EXPECT_OK(row_file_write(path, &rows, err));
    rows_clear(&rows);
}

static Folder folder_with_rows(void) {
    Folder folder = make_folder();
    EXPECT_OK(directory_make(path_in(folder.text, "rows").text, err));
    EXPECT_OK(directory_make(path_in(folder.text, "held").text, err));
    rows_by_rank(path_in(folder.text, "rows/a.npz").text, 2000, 1);
    rows_by_rank(path_in(folder.text, "held/b.npz").text, 200, 2);
    return folder;
}

/* Trains a net on the rows of the folder, and returns its file. */
static Path trained(const Folder *folder, const char *arch) {
    Path rows = path_in(folder->text, "rows"), out = path_in(folder->text, arch),
         held = path_in(folder->text, "held");
    const char *paths[] = {rows.text}, *held_paths[] = {held.text};
    SupervisedConfig config;
    SettingsGroup groups[SUPERVISED_GROUPS];
    Supervised *supervised;
    supervised_config_defaults(&config);
    supervised_config_groups(&config, groups);
    EXPECT_OK(settings_set(groups, "supervised.arch", arch, err));
    EXPECT_OK(settings_set(groups, "supervised.epoch_samples", "60000", err));
    EXPECT_OK(settings_set(groups, "supervised.epochs", "1", err));
    EXPECT_OK(settings_set(groups, "supervised.threads", "1", err));
    EXPECT_OK(settings_set(groups, "loader.batch", "64", err));
    const SupervisedSetup setup = {.folder = out.text,
                                   .training = {paths, 1},
                                   .validation = {held_paths, 1},
                                   .config = &config};
    EXPECT_OK(supervised_open(&setup, &supervised, err));
    EXPECT_OK(supervised_run(supervised, 0, err));
    supervised_close(supervised);
    return path_in(out.text, "last.aji");
}

/* Returns the cross entropy of the net's policy on the held-out rows. */
static double loss_of(const Folder *folder, const Net *net, const char *profile) {
    Path held = path_in(folder->text, "held");
    const char *paths[] = {held.text};
    RowMetrics found;
    const RowMetricsSetup setup = {.paths = {paths, 1}, .threads = 1, .profile = profile};
    EXPECT_OK(row_metrics_measure(net, &setup, &found, err));
    return found.mean.policy;
}

/* Returns the probability of the move opposite to a stone. Like the rows of the training, the
 * position has no komi and simple rules, and the features do not show the last move. */
static double opposite_to_stone(const Net *net, const char *profile) {
    NetEvaluatorSetup setup = {.batch = 1,
                               .buffer_width = SIDE,
                               .buffer_height = SIDE,
                               .human_profile = profile,
                               .features = FEATURE_OPTIONS_DEFAULT};
    setup.features.history_moves = 0;
    Rules rules = {.ko = KO_SIMPLE, .scoring = SCORING_AREA, .tax = TAX_NONE};
    Position position = {0};
    Evaluator *evaluator;
    Evaluation out;
    const EvaluationRequest asked = {.position = &position};
    EXPECT_OK(position_init(&position, SIDE, SIDE, &rules, err));
    EXPECT_OK(position_play(&position, point_at(3, 1), err));
    EXPECT_OK(evaluator_net_new(net, &setup, &evaluator, err));
    EXPECT_OK(evaluator_evaluate(evaluator, &asked, 1, &out, err));
    evaluator_free(evaluator);
    position_clear(&position);
    return (double)out.policy[2 * SIDE];
}

/* If the net is told the right rank, it can be sure of the move. Without the rank there are two
 * moves of equal probability, so that the cross entropy is at least ln 2 = 0.69. With the wrong
 * rank the cross entropy is larger still. */
TEST(the_rank_says_which_move_is_played) {
    static const char *const ARCHS[] = {"b1c16-nodist,ranks=8", "b1c16-nodist-mish,players=16"};
    Folder folder = folder_with_rows();
    for (int i = 0; i < 2; i++) {
        Net *net;
        Path path = trained(&folder, ARCHS[i]);
        EXPECT_OK(net_file_load(path.text, &net, err));
        double known = loss_of(&folder, net, NULL), hidden = loss_of(&folder, net, "unknown"),
               one = loss_of(&folder, net, "rank_1d");
        if (!(known < 0.55 && hidden > 0.65 && one > hidden))
            fail_msg("%s: %g with the rank, %g without, %g with 1 dan for all", ARCHS[i], known,
                     hidden, one);
        double strong = opposite_to_stone(net, "rank_1d"),
               weak = opposite_to_stone(net, "rank_10k"), none = opposite_to_stone(net, NULL);
        if (!(strong > 1.5 * none && none > 1.5 * weak))
            fail_msg("%s: opposite point: %g as 1 dan, %g without a rank, %g as 10 kyu", ARCHS[i],
                     strong, none, weak);
        EXPECT_NEAR(none, opposite_to_stone(net, "unknown"), 0);
        net_free(net);
    }
    remove_folder(&folder);
}

TEST(a_net_that_reads_no_players_needs_no_profile) {
    Folder folder = folder_with_rows();
    Net *net;
    Rng rng = rng_seeded(1);
    Path held = path_in(folder.text, "held");
    const char *paths[] = {held.text};
    RowMetrics found;
    Error fault = {0};
    const RowMetricsSetup setup = {.paths = {paths, 1}, .threads = 1, .profile = "rank_1d"};
    EXPECT_OK(arch_build_text("b1c8-nodist", &rng, &net, err));
    EXPECT_STATUS(ERR_ARGUMENT, row_metrics_measure(net, &setup, &found, &fault));
    EXPECT_CONTAINS(fault.message, "does not read who played");
    net_free(net);
    EXPECT_OK(arch_build_text("b1c8-nodist,ranks=4", &rng, &net, err));
    RowMetricsSetup wrong = setup;
    wrong.profile = "rank_77d";
    EXPECT_STATUS(ERR_ARGUMENT, row_metrics_measure(net, &wrong, &found, &fault));
    EXPECT_CONTAINS(fault.message, "rank_77d");
    net_free(net);
    remove_folder(&folder);
}

TEST(runs_of_self_play_have_no_such_nets) {
    Folder folder = make_folder();
    Error fault = {0};
    RunConfig config = tiny(1);
    snprintf(config.run.arch, sizeof config.run.arch, "b1c8-policy");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "without the value");
    snprintf(config.run.arch, sizeof config.run.arch, "b1c8-nodist,pass=false");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "without the pass");
    snprintf(config.run.arch, sizeof config.run.arch, "b1c8-nodist,ranks=8");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "run.arch");
    EXPECT_CONTAINS(fault.message, "aji train");
    remove_folder(&folder);
}

TEST_MAIN(RUN(the_rank_says_which_move_is_played),
          RUN(a_net_that_reads_no_players_needs_no_profile),
          RUN(runs_of_self_play_have_no_such_nets))

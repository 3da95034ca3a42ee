/* Training on a fixed set of rows. */
#define _GNU_SOURCE /* nftw */
#include "nn/infer/infer_quantisation.h"
#include "run/supervised/supervised.h"

#include "base/hash.h"
#include "base/log.h"
#include "data/made_rows.h"
#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"
#include "run/supervised/supervised_rows.h"
#include "run/tiny_run.h"

static SupervisedConfig small(void) {
    SupervisedConfig config;
    SettingsGroup groups[SUPERVISED_GROUPS];
    supervised_config_defaults(&config);
    supervised_config_groups(&config, groups);
    EXPECT_OK(settings_set(groups, "supervised.arch", "b1c8-nodist", err));
    EXPECT_OK(settings_set(groups, "supervised.epoch_samples", "128", err));
    EXPECT_OK(settings_set(groups, "supervised.epochs", "2", err));
    EXPECT_OK(settings_set(groups, "supervised.threads", "1", err));
    EXPECT_OK(settings_set(groups, "loader.batch", "32", err));
    return config;
}

/* A folder with rows/a.npz and rows/more/b.npz, and held/c.npz for validation. */
static Folder folder_with_rows(void) {
    Folder folder = make_folder();
    EXPECT_OK(directory_make(path_in(folder.text, "rows/more").text, err));
    made_file(path_in(folder.text, "rows/a.npz").text, 4, 4, 4, 300, 1);
    made_file(path_in(folder.text, "rows/more/b.npz").text, 4, 4, 4, 100, 2);
    EXPECT_OK(directory_make(path_in(folder.text, "held").text, err));
    made_file(path_in(folder.text, "held/c.npz").text, 4, 4, 4, 50, 3);
    return folder;
}

static Status train_for(double seconds, const Folder *folder, const SupervisedConfig *config,
                        const char *from, SupervisedTotals *totals, Error *err) {
    Path rows = path_in(folder->text, "rows"), out = path_in(folder->text, "out"),
         held = path_in(folder->text, "held");
    const char *paths[] = {rows.text}, *held_paths[] = {held.text};
    Supervised *supervised;
    const SupervisedSetup setup = {.folder = out.text,
                                   .training = {paths, 1},
                                   .validation = {held_paths, 1},
                                   .from = from,
                                   .config = config};
    Status status = supervised_open(&setup, &supervised, err);
    if (status) return status;
    status = supervised_run(supervised, seconds, err);
    *totals = supervised_totals(supervised);
    supervised_close(supervised);
    return status;
}

static Status train(const Folder *folder, const SupervisedConfig *config, const char *from,
                    SupervisedTotals *totals, Error *err) {
    return train_for(0, folder, config, from, totals, err);
}

TEST(epochs_end_with_nets_and_a_report) {
    static const char *const FILES[] = {
        "out/begin.aji",         "out/last.aji",           "out/best.aji", "out/checkpoint.aji",
        "out/report/index.html", "out/report/metrics.csv", "out/train.cfg"};
    Folder folder = folder_with_rows();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    EXPECT_INT(256, totals.samples);
    EXPECT_TRUE(totals.best_samples == 128 || totals.best_samples == 256);
    EXPECT_TRUE(totals.best_loss > 0 && totals.best_loss < 10);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        EXPECT_TRUE(file_exists(path_in(folder.text, FILES[i]).text));
    remove_folder(&folder);
}

/* Counts the lines of metrics.csv that begin with `begin`. */
static int count_lines(const Folder *folder, const char *begin) {
    Arena arena = {0};
    char *text;
    size_t length;
    int count = 0;
    EXPECT_OK(file_read(path_in(folder->text, "out/report/metrics.csv").text, 1 << 20, &arena,
                        &text, &length, err));
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, begin, strlen(begin)) == 0;
    }
    arena_clear(&arena);
    return count;
}

/* The net is measured before its first sample and after each epoch, but not again when training
 * goes on. */
TEST(curves_begin_with_the_first_weights) {
    Folder folder = folder_with_rows();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    config.supervised.epochs = 3;
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    EXPECT_INT(1, count_lines(&folder, "validation,0,"));
    EXPECT_INT(1, count_lines(&folder, "validation_averaged,0,"));
    EXPECT_INT(0, count_lines(&folder, "train,0,"));
    EXPECT_INT(4, count_lines(&folder, "validation,"));
    EXPECT_INT(3, count_lines(&folder, "train,"));
    remove_folder(&folder);
}

/* When the time is over within an epoch, the net is measured and written as it is. */
TEST(the_end_of_the_time_is_measured) {
    Folder folder = folder_with_rows();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    config.supervised.epoch_samples = 100000000;
    EXPECT_OK(train_for(1, &folder, &config, NULL, &totals, err));
    EXPECT_TRUE(totals.samples > 0);
    EXPECT_INT(totals.samples, totals.best_samples);
    EXPECT_TRUE(file_exists(path_in(folder.text, "out/last.aji").text));
    EXPECT_INT(2, count_lines(&folder, "validation_averaged,"));
    EXPECT_INT(1, count_lines(&folder, "train,"));
    remove_folder(&folder);
}

/* With supervised.fast_factor = 4, an epoch has 128 / 4 = 32 samples. */
TEST(a_fast_factor_shortens_epochs) {
    Folder folder = folder_with_rows();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    config.supervised.fast_factor = 4;
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    EXPECT_INT(64, totals.samples);
    EXPECT_INT(1, count_lines(&folder, "validation,32,"));
    EXPECT_INT(1, count_lines(&folder, "validation,64,"));
    remove_folder(&folder);
}

/* Returns the loss in the first line of metrics.csv that begins so. */
static double loss_of_line(const Folder *folder, const char *begin) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path_in(folder->text, "out/report/metrics.csv").text, 1 << 20, &arena,
                        &text, &length, err));
    const char *at = strstr(text, begin);
    for (int i = 0; at && i < 7; i++) /* kind, samples, seconds and four counts */
        at = strchr(at, ',') + 1;
    double loss = at ? strtod(at, NULL) : (double)NAN;
    arena_clear(&arena);
    return loss;
}

/* There are 50 validation rows, in batches of 32. A fraction of 0.64 takes the first batch. Any
 * smaller fraction takes the first batch, too, and has the same result. The fraction is divided by
 * supervised.fast_factor. */
TEST(a_fraction_of_the_validation_rows_is_measured) {
    static const struct {
        double fraction;
        int fast_factor;
    } CASES[] = {{1, 1}, {0.64, 1}, {0.1, 1}, {0, 1}, {1, 2}};
    double losses[5];
    for (int i = 0; i < 5; i++) {
        Folder folder = folder_with_rows();
        SupervisedConfig config = small();
        SupervisedTotals totals;
        config.supervised.epochs = 1;
        config.supervised.validation_fraction = CASES[i].fraction;
        config.supervised.fast_factor = CASES[i].fast_factor;
        EXPECT_OK(train(&folder, &config, NULL, &totals, err));
        losses[i] = loss_of_line(&folder, "validation,0,");
        EXPECT_TRUE(losses[i] > 0);
        remove_folder(&folder);
    }
    EXPECT_TRUE(losses[0] != losses[1]);
    EXPECT_NEAR(losses[1], losses[2], 0);
    EXPECT_NEAR(losses[1], losses[3], 0);
    EXPECT_NEAR(losses[1], losses[4], 0);
}

/* Trains for two epochs with `config`. Expects that report/FILE exists if and only if it is wanted.
 * If it does, it must contain `parts`, and the file for TensorBoard must contain `curve`. */
static void expect_numbers(const SupervisedConfig *config, bool wanted, const char *file,
                           const char *const parts[3], const char *curve) {
    Folder folder = folder_with_rows();
    SupervisedTotals totals;
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(train(&folder, config, NULL, &totals, err));
    Path report = path_in(folder.text, "out/report"), path = path_in(report.text, file);
    EXPECT_INT(wanted, file_exists(path.text));
    if (wanted) {
        EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
        for (int i = 0; i < 3; i++)
            EXPECT_CONTAINS(text, parts[i]);
        path = path_in(report.text, "tensorboard/train/events.out.tfevents.0000000001.aji");
        EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
        EXPECT_TRUE(memmem(text, length, curve, strlen(curve)) != NULL);
    }
    arena_clear(&arena);
    remove_folder(&folder);
}

/* Each epoch adds a line for each parameter, and a curve to the file for TensorBoard. */
TEST(update_ratios_are_written_if_they_are_wanted) {
    static const char *const PARTS[] = {"samples,parameter,ratio\n128,", "\n128,start.conv.weight,",
                                        "\n256,start.conv.weight,"};
    for (int wanted = 0; wanted < 2; wanted++) {
        SupervisedConfig config = small();
        config.training.trainer.update_ratios = wanted;
        expect_numbers(&config, wanted, "update_ratios.csv", PARTS,
                       "update_ratio/start.conv.weight");
    }
}

/* Each epoch adds a line for each op whose outputs are known. */
TEST(activations_are_written_if_they_are_wanted) {
    static const char *const PARTS[] = {"samples,layer,mean_square\n128,", ":start.conv,",
                                        "\n256,"};
    for (int wanted = 0; wanted < 2; wanted++) {
        SupervisedConfig config = small();
        config.training.trainer.activations = wanted;
        expect_numbers(&config, wanted, "activations.csv", PARTS, ":start.conv");
    }
}

TEST(a_training_that_has_begun_goes_on) {
    Folder folder = folder_with_rows();
    SupervisedConfig config = small(), found;
    SupervisedTotals first, second;
    EXPECT_FALSE(supervised_has_begun(path_in(folder.text, "out").text));
    EXPECT_OK(train(&folder, &config, NULL, &first, err));
    EXPECT_TRUE(supervised_has_begun(path_in(folder.text, "out").text));
    supervised_config_defaults(&found);
    EXPECT_OK(supervised_settings(path_in(folder.text, "out").text, &found, err));
    EXPECT_TEXT("b1c8-nodist", found.supervised.arch);
    found.supervised.epochs = 3;
    EXPECT_OK(train(&folder, &found, NULL, &second, err));
    EXPECT_INT(384, second.samples);
    EXPECT_TRUE(second.best_loss <= first.best_loss);
    remove_folder(&folder);
}

/* A call that fails leaves the folder as it was, so the former command still works. */
TEST(settings_that_are_refused_are_not_kept) {
    Folder folder = folder_with_rows();
    SupervisedConfig config = small(), other;
    SupervisedTotals totals;
    Error fault = {0};
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    other = config;
    other.training.optimiser.kind = OPTIMISER_SGD;
    EXPECT_STATUS(ERR_ARGUMENT, train(&folder, &other, NULL, &totals, &fault));
    EXPECT_CONTAINS(fault.message, "optimiser.kind");
    supervised_config_defaults(&other);
    EXPECT_OK(supervised_settings(path_in(folder.text, "out").text, &other, err));
    EXPECT_INT(config.training.optimiser.kind, other.training.optimiser.kind);
    config.supervised.epochs = 3;
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    EXPECT_INT(384, totals.samples);
    remove_folder(&folder);
}

TEST(training_begins_with_the_weights_of_a_net) {
    Error fault = {0};
    Folder folder = folder_with_rows();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    Net *given, *begin;
    Path net = path_in(folder.text, "given.aji");
    EXPECT_OK(train(&folder, &config, NULL, &totals, err));
    EXPECT_OK(file_rename(path_in(folder.text, "out/best.aji").text, net.text, err));
    EXPECT_STATUS(ERR_ARGUMENT, train(&folder, &config, net.text, &totals, &fault));
    EXPECT_CONTAINS(fault.message, "a net other than");
    EXPECT_OK(file_rename(path_in(folder.text, "out").text, path_in(folder.text, "old").text, err));
    EXPECT_OK(net_file_load(net.text, &given, err)); /* a report on weights before training */
    EXPECT_OK(net_set_note(given, QUANTISATION_REPORT_NOTE, "{}", err));
    EXPECT_OK(net_save(given, net.text, err));
    net_free(given);
    EXPECT_OK(train(&folder, &config, net.text, &totals, err));
    EXPECT_OK(net_file_load(net.text, &given, err));
    EXPECT_OK(net_file_load(path_in(folder.text, "out/begin.aji").text, &begin, err));
    EXPECT_TEXT(net_hash(given).text, net_hash(begin).text);
    EXPECT_TRUE(net_note(given, QUANTISATION_REPORT_NOTE) != NULL);
    EXPECT_TRUE(net_note(begin, QUANTISATION_REPORT_NOTE) == NULL);
    net_free(given);
    net_free(begin);
    remove_folder(&folder);
}

TEST(nothing_is_made_if_there_are_no_rows) {
    Error fault = {0};
    Folder folder = make_folder();
    SupervisedConfig config = small();
    SupervisedTotals totals;
    EXPECT_STATUS(ERR_IO, train(&folder, &config, NULL, &totals, &fault));
    EXPECT_CONTAINS(fault.message, "no such file");
    EXPECT_FALSE(file_exists(path_in(folder.text, "out").text));
    remove_folder(&folder);
}

/* The rows need more than the 16 MiB that the loader has, so the files are only listed at first. */
TEST(files_that_vanish_are_left_out) {
    enum { ROWS = 5000 };
    Folder folder = make_folder();
    SupervisedConfig config = small();
    Net *net;
    SupervisedRows rows;
    BadFile bad;
    const char *paths[] = {folder.text};
    made_file(path_in(folder.text, "a.npz").text, 9, 9, 9, ROWS, 1);
    made_file(path_in(folder.text, "b.npz").text, 9, 9, 9, ROWS, 2);
    EXPECT_OK(arch_build_text(config.supervised.arch, NULL, &net, err));
    config.loader.memory_mb = 16;
    config.loader.validation = 0;
    const SupervisedRowsSetup setup = {.training = {paths, 1}, .loader = config.loader, .net = net};
    EXPECT_OK(supervised_rows_open(&setup, &rows, err));
    EXPECT_INT(2 * ROWS, rows.rows);
    EXPECT_INT(0, unlink(path_in(folder.text, "a.npz").text));
    log_to_stderr(LOG_ERROR); /* the file that is gone causes a warning */
    for (int i = 0; i < 2 * ROWS / 32 + 1; i++) {
        Batch batch;
        EXPECT_OK(loader_next(rows.training, &batch, err));
    }
    supervised_rows_tell_of_bad(&rows);
    log_to_stderr(LOG_WARNING);
    EXPECT_INT(ROWS, loader_rows(rows.training));
    EXPECT_FALSE(loader_take_bad(rows.training, &bad)); /* the log has told of it */
    supervised_rows_close(&rows);
    net_free(net);
    remove_folder(&folder);
}

/* Writes a file of rows in which every fourth row is of a game for validation, if the fraction of
 * these games is 0.25. */
static void make_file_of_games(const char *path, size_t count, uint64_t seed) {
    Rows rows = made_rows(9, 9, 9, count, seed);
    for (size_t n = 0; n < count; n++)
        rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_HASH] = (float)(n % 4 * 0x100000);
    EXPECT_OK(row_file_write(path, &rows, err));
    rows_clear(&rows);
}

/* Returns a hash of the turns of all validation rows. In rows of make_file_of_games() the turn is
 * the number of the row in its file. */
static uint64_t hash_of_validation(const SupervisedRows *rows, int64_t *count) {
    uint64_t hash = 0;
    Batch batch;
    *count = 0;
    for (int number = 0;; number++) {
        EXPECT_OK(supervised_rows_validation(rows, number, &batch, err));
        if (!batch.count) return hash;
        for (int n = 0; n < batch.count; n++)
            hash = hash_bytes(&batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN], 4, hash);
        *count += batch.count;
    }
}

/* If the rows do not fit in memory, training sees other rows in each part of a pass, but the
 * validation rows stay the same. */
TEST(validation_rows_stay_the_same_if_the_rows_exceed_the_memory) {
    enum { FILES = 8, ROWS = 2000 };
    Folder folder = make_folder();
    SupervisedConfig config = small();
    Net *net;
    SupervisedRows rows;
    const char *paths[] = {folder.text};
    for (int i = 0; i < FILES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.npz", i);
        make_file_of_games(path_in(folder.text, name).text, ROWS, (uint64_t)i + 1);
    }
    EXPECT_OK(arch_build_text(config.supervised.arch, NULL, &net, err));
    config.loader.memory_mb = 16;
    config.loader.validation = 0.25;
    const SupervisedRowsSetup setup = {.training = {paths, 1}, .loader = config.loader, .net = net};
    EXPECT_OK(supervised_rows_open(&setup, &rows, err));
    EXPECT_TRUE(rows.validation != NULL);
    int64_t count, again, listed;
    uint64_t before = hash_of_validation(&rows, &count);
    /* An eighth of the memory has fewer rows than the 4000 validation rows of all files. */
    EXPECT_TRUE(count >= ROWS / 4 && count < FILES * ROWS / 4 && count % (ROWS / 4) == 0);
    EXPECT_OK(supervised_rows_validation_count(&rows, &listed, err));
    EXPECT_INT(count, listed);
    for (int i = 0; i < 2 * FILES * ROWS / 32; i++) {
        Batch batch;
        EXPECT_OK(loader_next(rows.training, &batch, err));
        for (int n = 0; n < batch.count; n++) /* no validation row is trained on */
            EXPECT_TRUE((int)batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] % 4 != 0);
        if (i % 100) continue;
        EXPECT_TRUE(hash_of_validation(&rows, &again) == before);
        EXPECT_INT(count, again);
    }
    supervised_rows_close(&rows);
    net_free(net);
    remove_folder(&folder);
}

TEST_MAIN(RUN(validation_rows_stay_the_same_if_the_rows_exceed_the_memory),
          RUN(files_that_vanish_are_left_out), RUN(epochs_end_with_nets_and_a_report),
          RUN(update_ratios_are_written_if_they_are_wanted),
          RUN(activations_are_written_if_they_are_wanted), RUN(curves_begin_with_the_first_weights),
          RUN(the_end_of_the_time_is_measured), RUN(a_fast_factor_shortens_epochs),
          RUN(a_fraction_of_the_validation_rows_is_measured),
          RUN(a_training_that_has_begun_goes_on), RUN(settings_that_are_refused_are_not_kept),
          RUN(training_begins_with_the_weights_of_a_net), RUN(nothing_is_made_if_there_are_no_rows))

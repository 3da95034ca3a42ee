/* A larger net beside the first one. It trains on the same batches, takes over when its loss is
 * lower, and is still the net of the run after a new start. */
#define _GNU_SOURCE /* nftw */
#include "base/file.h"
#include "eval/formats/net_file.h"
#include "run/cycle/cycle_private.h"
#include "run/stages/run_trainers.h"
#include "run/tiny_run.h"
#include "train/trainer_private.h"

static RunConfig with_larger(int nets, const char *arch) {
    RunConfig config = tiny(nets);
    SettingsGroup groups[RUN_GROUPS];
    char text[128];
    run_config_groups(&config, groups);
    snprintf(text, sizeof text, "run.larger_arch=%s", arch);
    EXPECT_OK(settings_assign(groups, text, err));
    EXPECT_OK(settings_assign(groups, "run.larger_rows=250", err));
    EXPECT_OK(settings_assign(groups, "run.samples_per_row=16", err));
    EXPECT_OK(settings_assign(groups, "run.rate_games=0", err));
    EXPECT_OK(settings_assign(groups, "run.gate_games=0", err));
    return config;
}

static char *file_in(const Folder *run, const char *name, Arena *arena) {
    Path path = path_in(run->text, name);
    char *text = NULL;
    size_t length;
    if (file_exists(path.text))
        EXPECT_OK(file_read(path.text, 1 << 20, arena, &text, &length, err));
    return text;
}

/* Writes the description in words of the newest net to `out`, or "" if there is no net. */
static void newest_arch(const Folder *run, char out[128]) {
    RunDirectory directory;
    Path path;
    Net *net;
    int number;
    *out = 0;
    EXPECT_OK(run_directory_open(run->text, &directory, err));
    EXPECT_OK(run_directory_newest_net(&directory, &number, &path, err));
    if (!number) return;
    EXPECT_OK(net_file_load(path.text, &net, err));
    snprintf(out, 128, "%s", net_note(net, "architecture"));
    net_free(net);
}

/* Opens the run again and checks that its report contains `words`. */
static void expect_report(const Folder *run, const RunConfig *config, const char *words) {
    Cycle *cycle;
    StrBuf text = {0};
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    EXPECT_OK(cycle_report(cycle, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), words);
    strbuf_clear(&text);
    cycle_close(cycle);
}

/* Returns the origin in the newest checkpoint: the trainer's count of samples when its net still
 * had random weights. It is 0 if the checkpoint names none. */
static int64_t origin_in(const Folder *run, const char *folder) {
    Arena arena = {0};
    TensorFile *file;
    char **paths;
    int count;
    int64_t origin = 0;
    EXPECT_OK(
        run_directory_checkpoints(path_in(run->text, folder).text, &arena, &paths, &count, err));
    EXPECT_TRUE(count > 0);
    EXPECT_OK(tensor_file_load(paths[count - 1], &file, err));
    if (tensor_file_has(file, "origin", "I64", 1))
        EXPECT_OK(tensor_file_read(file, "origin", "I64", 1, &origin, err));
    tensor_file_free(file);
    arena_clear(&arena);
    return origin;
}

/* The larger net, with two blocks of 24 channels, learns more than the first, with one block of 8
 * channels. */
TEST(a_larger_net_takes_over_and_stays) {
    Folder run = make_folder();
    Arena arena = {0};
    char first[128], last[128];
    RunConfig config = with_larger(2, "b2c24-fixup-nodist");
    EXPECT_OK(run_whole(run.text, &config, false, err));
    newest_arch(&run, first);
    EXPECT_TRUE(file_in(&run, "train/larger/took-over", &arena) == NULL);
    expect_report(&run, &config, "larger net b2c24-fixup-nodist: ");
    for (config.run.nets = 4; config.run.nets < 24; config.run.nets += 2) {
        EXPECT_OK(run_whole(run.text, &config, false, err)); /* each of these is a new start */
        if (file_in(&run, "train/larger/took-over", &arena)) break;
    }
    EXPECT_CONTAINS(file_in(&run, "train/larger/took-over", &arena), "after ");
    EXPECT_CONTAINS(file_in(&run, "log.txt", &arena), "the larger net takes over");
    EXPECT_INT(0, origin_in(&run, "train"));
    EXPECT_TRUE(origin_in(&run, "train/larger") > 0); /* its schedule begins there */
    config.run.nets += 2;
    EXPECT_OK(run_whole(run.text, &config, false, err));
    newest_arch(&run, last);
    EXPECT_TRUE(strcmp(first, last) != 0);
    EXPECT_CONTAINS(last, "24");
    expect_report(&run, &config, "larger net b2c24-fixup-nodist: took over after ");
    EXPECT_TRUE(strstr(first, "24") == NULL);
    arena_clear(&arena);
    remove_folder(&run);
}

/* The first net trains in the same way whether or not another net trains beside it. A twin of the
 * first net, whose losses are the same, never takes over. */
TEST(the_first_net_learns_the_same_beside_another) {
    Folder alone = make_folder(), beside = make_folder();
    RunConfig config = with_larger(2, ""), with = with_larger(2, "b1c8-fixup-nodist");
    RunDirectory directories[2];
    Arena arena = {0};
    Path nets[2];
    int numbers[2];
    with.run.larger_rows = 0;
    EXPECT_OK(run_whole(alone.text, &config, false, err));
    EXPECT_OK(run_whole(beside.text, &with, false, err));
    EXPECT_OK(run_directory_open(alone.text, &directories[0], err));
    EXPECT_OK(run_directory_open(beside.text, &directories[1], err));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(run_directory_newest_net(&directories[i], &numbers[i], &nets[i], err));
    EXPECT_INT(2, numbers[0]);
    EXPECT_CONTAINS(file_in(&beside, "log.txt", &arena), "begins to train");
    EXPECT_TRUE(file_in(&beside, "train/larger/took-over", &arena) == NULL);
    EXPECT_TEXT(path_name(nets[0].text), path_name(nets[1].text)); /* the name contains the hash */
    arena_clear(&arena);
    remove_folder(&alone);
    remove_folder(&beside);
}

static int count_of(const char *text, const char *words) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        count++;
    return count;
}

static void one_batch(Cycle *cycle) {
    Batch batch;
    Metrics metrics;
    EXPECT_OK(loader_next(cycle->rows.loader, &batch, err));
    EXPECT_OK(run_trainers_step(&cycle->trainers, &batch, &metrics, err));
}

/* The losses that are compared are those of the policy and of the value together. A twin of the
 * first net has the same losses. */
TEST(the_comparison_is_of_policy_and_value) {
    Folder run = make_folder();
    Cycle *cycle;
    RunConfig config = with_larger(1, "b1c8-fixup-nodist");
    double policy = 0, value = 0;
    EXPECT_OK(run_whole(run.text, &config, false, err));
    config.run.larger_rows = 0;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    const LargerNet *larger = &cycle->trainers.larger;
    double own = 0;
    for (int i = 0; i < 3; i++) {
        Batch batch;
        Metrics metrics, beside;
        EXPECT_OK(loader_next(cycle->rows.loader, &batch, err));
        /* Before a step, trainer_measure() finds the losses that this step will find. */
        EXPECT_OK(trainer_measure(larger->trainer, &batch, &beside, err));
        EXPECT_OK(run_trainers_step(&cycle->trainers, &batch, &metrics, err));
        own += metrics.policy + metrics.value;
        policy += beside.policy;
        value += beside.value;
    }
    EXPECT_INT(3, larger->compared);
    EXPECT_TRUE(policy > 1 && value > 0.5);
    EXPECT_TRUE(fabs(own - policy - value) > 1e-3); /* the first net has learned already */
    EXPECT_NEAR(own, larger->smaller_loss, 1e-9);
    EXPECT_NEAR(policy + value, larger->loss, 1e-3);
    cycle_close(cycle);
    remove_folder(&run);
}

static void three_batches(Cycle *cycle) {
    for (int i = 0; i < 3; i++)
        one_batch(cycle);
}

/* Sets a weight to NaN. The trainer notices this by the loss of the next batch. */
static void spoil(Trainer *trainer) {
    for (int p = 0; p < program_parameter_count(net_program(trainer->net)); p++) {
        if (strcmp(program_parameter(net_program(trainer->net), p)->name, "value.v3bias.bias") == 0)
            net_values(trainer->net, p)[0] = NAN;
    }
}

/* Each return of the larger net to its last good state is logged. After it the comparison with the
 * losses of the first net begins again. After too many returns without progress, the larger net is
 * given up, and the first net continues to learn. */
TEST(a_larger_net_that_is_not_finite_is_given_up) {
    Folder run = make_folder();
    Arena arena = {0};
    Cycle *cycle;
    RunConfig config = with_larger(2, "b1c8-fixup-nodist");
    config.run.larger_rows = 0;
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    int64_t samples = trainer_samples(cycle->trainers.trainer);
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    three_batches(cycle);
    EXPECT_INT(3, cycle->trainers.larger.compared);
    for (int i = 1; i <= SETBACKS_MAX; i++) {
        EXPECT_TRUE(cycle->trainers.larger.trainer != NULL);
        spoil(cycle->trainers.larger.trainer);
        one_batch(cycle);
        EXPECT_INT(0, cycle->trainers.larger.compared);
        EXPECT_INT(i, trainer_setbacks(cycle->trainers.larger.trainer));
    }
    one_batch(cycle); /* it still trains */
    EXPECT_INT(1, cycle->trainers.larger.compared);
    spoil(cycle->trainers.larger.trainer);
    one_batch(cycle);
    EXPECT_TRUE(cycle->trainers.larger.trainer == NULL);
    EXPECT_CONTAINS(run_trainers_larger_text(&cycle->trainers).text, "given up");
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    EXPECT_TRUE(cycle->trainers.larger.trainer == NULL);
    one_batch(cycle);
    EXPECT_INT(samples + (SETBACKS_MAX + 6) * config.loader.batch,
               trainer_samples(cycle->trainers.trainer));
    EXPECT_INT(0, trainer_setbacks(cycle->trainers.trainer));
    cycle_close(cycle);
    char *log = file_in(&run, "log.txt", &arena);
    EXPECT_INT(SETBACKS_MAX + 1, count_of(log, "the larger net went back: after "));
    EXPECT_INT(0, count_of(log, "training went back"));
    EXPECT_INT(1, count_of(log, "given up after 10 setbacks without progress"));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_TRUE(cycle->trainers.larger.trainer != NULL); /* it tries again from its checkpoint */
    cycle_close(cycle);
    arena_clear(&arena);
    remove_folder(&run);
}

static int64_t newest_checkpoint(const Folder *run, const char *folder) {
    Arena arena = {0};
    char **paths;
    int count;
    EXPECT_OK(
        run_directory_checkpoints(path_in(run->text, folder).text, &arena, &paths, &count, err));
    EXPECT_TRUE(count > 0);
    int64_t samples = atoll(path_name(paths[count - 1]) + strlen("checkpoint-"));
    arena_clear(&arena);
    return samples;
}

/* A state is kept every 64 samples and counts as good after 64 more, so a net that diverges at 160
 * samples returns to 64. When the run is opened again, a net does not continue from the state that
 * diverged. It continues from the state to which it returned, or from what it has learned since
 * then. */
TEST(a_start_opens_the_state_before_the_divergence) {
    Folder run = make_folder();
    Cycle *cycle;
    RunConfig config = with_larger(0, "b1c12-fixup-nodist");
    config.run.larger_rows = 0;
    config.run.keep_checkpoints = 1;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 200, err));
    EXPECT_OK(cycle_train(cycle, 160, err));
    EXPECT_INT(160, newest_checkpoint(&run, "train"));
    EXPECT_INT(160, newest_checkpoint(&run, "train/larger"));
    spoil(cycle->trainers.larger.trainer);
    one_batch(cycle);
    EXPECT_INT(160, newest_checkpoint(&run, "train"));
    EXPECT_INT(64, newest_checkpoint(&run, "train/larger"));
    EXPECT_OK(run_trainers_save(&cycle->trainers, err));
    EXPECT_INT(192, newest_checkpoint(&run, "train"));
    EXPECT_OK(cycle_train(cycle, 32, err)); /* the first net is then at 224, the larger at 96 */
    spoil(cycle->trainers.trainer);
    one_batch(cycle);
    EXPECT_INT(128, newest_checkpoint(&run, "train"));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(128, trainer_samples(cycle->trainers.trainer));
    EXPECT_INT(96, trainer_samples(cycle->trainers.larger.trainer));
    EXPECT_INT(1, trainer_setbacks(cycle->trainers.trainer));
    EXPECT_INT(1, trainer_setbacks(cycle->trainers.larger.trainer));
    cycle_close(cycle);
    remove_folder(&run);
}

/* Trains three batches, sets the losses so that the larger net's is lower, and lets it take
 * over. */
static void train_and_take_over(Cycle *cycle) {
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    EXPECT_TRUE(cycle->trainers.larger.trainer != NULL);
    three_batches(cycle);
    EXPECT_OK(run_trainers_save(&cycle->trainers, err));
    cycle->trainers.larger.compared = 100;
    cycle->trainers.larger.smaller_loss = 2;
    cycle->trainers.larger.loss = 1;
    EXPECT_OK(run_trainers_compare(&cycle->trainers, err));
    EXPECT_TRUE(cycle->trainers.larger.trainer == NULL);
}

static void expect_width(const Cycle *cycle, const char *words) {
    EXPECT_CONTAINS(net_note(trainer_net(cycle->trainers.trainer), "architecture"), words);
}

/* Three sizes follow one another. Each larger net begins when the run has the number of rows for
 * its size. Its count of samples continues that of the net before it, and its origin is the count
 * at which it began. A fourth size may be added later. */
TEST(several_larger_nets_follow_each_other) {
    Folder run = make_folder();
    Cycle *cycle;
    RunConfig config = with_larger(2, "b1c12-fixup-nodist b1c16-fixup-nodist");
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    cycle->rows.count = 250;
    int64_t before = trainer_samples(cycle->trainers.trainer);
    train_and_take_over(cycle);
    expect_width(cycle, "12");
    EXPECT_INT(before, origin_in(&run, "train/larger"));
    cycle->rows.count = 499;
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    EXPECT_TRUE(cycle->trainers.larger.trainer == NULL);
    EXPECT_CONTAINS(run_trainers_larger_text(&cycle->trainers).text,
                    "c16-fixup-nodist: begins at 500 rows");
    cycle->rows.count = 500;
    EXPECT_OK(run_trainers_begin(&cycle->trainers, cycle->rows.count, err));
    EXPECT_OK(run_trainers_save(&cycle->trainers, err));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    expect_width(cycle, "12");
    EXPECT_INT(before + 3 * config.loader.batch, trainer_samples(cycle->trainers.trainer));
    EXPECT_INT(before + 3 * config.loader.batch, origin_in(&run, "train/larger-2"));
    train_and_take_over(cycle);
    cycle_close(cycle);
    config = with_larger(2, "b1c12-fixup-nodist b1c16-fixup-nodist b1c20-fixup-nodist");
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    expect_width(cycle, "16");
    EXPECT_CONTAINS(run_trainers_larger_text(&cycle->trainers).text,
                    "c20-fixup-nodist: begins at 750 rows");
    cycle_close(cycle);
    config = with_larger(2, "b1c12-fixup-nodist b1c20-fixup-nodist");
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &config, NULL, &cycle, NULL));
    remove_folder(&run);
}

TEST(only_blanks_separate_larger_nets) {
    RunSettings run = {.larger_arch = "  b1c8,norm=fixup,policy_channels=4 \tblocks=2,channels=8"};
    EXPECT_TEXT("b1c8,norm=fixup,policy_channels=4", run_larger_arch(&run, 0).text);
    EXPECT_TEXT("blocks=2,channels=8", run_larger_arch(&run, 1).text);
    EXPECT_TEXT("", run_larger_arch(&run, 2).text);
}

TEST(another_larger_net_is_refused) {
    Folder run = make_folder();
    Error error = {0};
    RunConfig config = with_larger(3, "b2c12-fixup-nodist"),
              other = with_larger(4, "b2c16-fixup-nodist");
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_STATUS(ERR_ARGUMENT, run_whole(run.text, &other, false, &error));
    EXPECT_CONTAINS(error.message, "run.larger_arch");
    remove_folder(&run);
}

TEST_MAIN(RUN(a_larger_net_takes_over_and_stays), RUN(the_comparison_is_of_policy_and_value),
          RUN(the_first_net_learns_the_same_beside_another),
          RUN(a_larger_net_that_is_not_finite_is_given_up),
          RUN(a_start_opens_the_state_before_the_divergence),
          RUN(several_larger_nets_follow_each_other), RUN(only_blanks_separate_larger_nets),
          RUN(another_larger_net_is_refused))

/* What a run does whose files were deleted by somebody: it says what is lost, and never begins
 * anew in silence. */
#define _GNU_SOURCE /* nftw */
#include "data/made_rows.h"
#include "eval/arch.h"
#include "run/cycle_private.h"
#include "run/tiny_run.h"

static void put_rows(const Folder *run, int length, size_t rows) {
    EXPECT_OK(directory_make(path_in(run->text, "rows/000001").text, err));
    made_file(path_in(run->text, "rows/000001/a.npz").text, length, length, length, rows, rows);
}

/* Two nets of a run: `samples` of training before each. */
static void make_nets(const Folder *run, const RunConfig *config, int64_t samples) {
    Cycle *cycle;
    put_rows(run, 4, 200);
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(cycle_train(cycle, samples, err));
        EXPECT_OK(cycle_accept(cycle, err));
    }
    cycle_close(cycle);
}

/* How often the log of the run says it. */
static int said(const Folder *run, const char *words) {
    Arena arena = {0};
    char *text;
    size_t length;
    int count = 0;
    EXPECT_OK(file_read(path_in(run->text, "log.txt").text, 1 << 20, &arena, &text, &length, err));
    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    arena_clear(&arena);
    return count;
}

static void remove_checkpoints(const Folder *run) {
    remove_tree(path_in(run->text, "train").text);
}

static void expect_same_numbers(const Net *want, const Net *got) {
    for (int i = 0; i < program_parameter_count(net_program(want)); i++) {
        size_t count = program_parameter(net_program(want), i)->count;
        EXPECT_INT(
            0, memcmp(net_values_const(want, i), net_values_const(got, i), count * sizeof(float)));
    }
}

TEST(lost_checkpoints_leave_the_newest_net) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle;
    make_nets(&run, &config, 64);
    remove_checkpoints(&run);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(1, said(&run, "train has no checkpoint, though the run has net 2: training goes on "
                             "from the weights of that net, at 128 samples"));
    EXPECT_INT(128, cycle_totals(cycle).samples);
    expect_same_numbers(cycle->net, trainer_net(cycle->trainer));
    EXPECT_OK(cycle_train(cycle, 32, err));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err)); /* by a checkpoint again */
    EXPECT_INT(160, cycle_totals(cycle).samples);
    EXPECT_INT(1, said(&run, "has no checkpoint"));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(another_net_begins_anew_and_says_so) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle;
    make_nets(&run, &config, 64);
    remove_checkpoints(&run);
    snprintf(config.run.arch, sizeof config.run.arch, "b1c8-fixup-nodist-mish");
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(0, cycle_totals(cycle).samples);
    EXPECT_INT(1, said(&run, "net 2 is not a net b1c8-fixup-nodist-mish: training begins anew"));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(lost_checkpoints_leave_the_newest_net), RUN(another_net_begins_anew_and_says_so))

/* A run some of whose files were deleted says what is lost, and never begins anew in silence. */
#define _GNU_SOURCE /* nftw */
#include "base/log.h"
#include "data/made_rows.h"
#include "eval/arch/arch.h"
#include "run/cycle/cycle_private.h"
#include "run/tiny_run.h"

static void put_rows(const Folder *run, int length, size_t rows) {
    EXPECT_OK(directory_make(path_in(run->text, "rows/000001").text, err));
    made_file(path_in(run->text, "rows/000001/a.npz").text, length, length, length, rows, rows);
}

/* Makes two nets of a run, with `samples` samples of training before each. */
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

/* Returns how often the log of the run contains `words`. */
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

static void open_and_close(const Folder *run, const RunConfig *config) {
    Cycle *cycle;
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    cycle_close(cycle);
}

TEST(lost_settings_are_reported_once) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Path file = path_in(run.text, "run.cfg");
    EXPECT_FALSE(run_directory_has_begun(run.text));
    make_nets(&run, &config, 64);
    /* The first start already said this, because there were rows before it. */
    int before = said(&run, "its settings are lost");
    EXPECT_INT(1, before);
    EXPECT_OK(file_remove(file.text, err));
    EXPECT_TRUE(run_directory_has_begun(run.text));
    open_and_close(&run, &config);
    EXPECT_INT(1,
               said(&run, "run.cfg is missing, although the run has nets (2) or rows (1 files)"));
    open_and_close(&run, &config); /* the settings are there again */
    EXPECT_INT(before + 1, said(&run, "its settings are lost"));
    static const char *const EMPTY[] = {"", "\n \n", "# made by aji\n\n  # and no more"};
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(file_write(file.text, EMPTY[i], strlen(EMPTY[i]), err));
        open_and_close(&run, &config);
        EXPECT_INT(i + 1, said(&run, "run.cfg is empty, although the run has nets (2)"));
    }
    remove_folder(&run);
}

TEST(settings_that_contradict_the_files_are_refused) {
    Folder run = make_folder();
    RunConfig config = tiny(3), other = tiny(3);
    Cycle *cycle;
    Error err = {0};
    make_nets(&run, &config, 64);
    EXPECT_STATUS(OK, file_remove(path_in(run.text, "run.cfg").text, &err));
    snprintf(other.run.arch, sizeof other.run.arch, "b2c8-fixup-nodist");
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &other, NULL, &cycle, &err));
    EXPECT_CONTAINS(err.message,
                    "run.cfg is missing, and the nets of the run are b1c8,score_distribution="
                    "false, not b2c8-fixup-nodist");
    EXPECT_FALSE(file_exists(path_in(run.text, "run.cfg").text));
    snprintf(other.run.arch, sizeof other.run.arch, "b1c8,score_distribution=false");
    snprintf(other.selfplay.sizes, sizeof other.selfplay.sizes, "3:1");
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &other, NULL, &cycle, &err));
    EXPECT_CONTAINS(err.message, "the newest rows of the run are of boards up to 4x4, not of 3x3");
    snprintf(other.selfplay.sizes, sizeof other.selfplay.sizes, "4:1");
    open_and_close(&run, &other); /* the same net in other words */
    remove_folder(&run);
}

/* The files say which boards the run has, so that it does not take those of the defaults. */
TEST(lost_boards_are_not_replaced_by_larger_ones) {
    Folder run = make_folder();
    RunConfig config = tiny(3), other = tiny(3);
    Cycle *cycle;
    Error fault = {0};
    make_nets(&run, &config, 64);
    EXPECT_OK(file_write(path_in(run.text, "run.cfg").text, "", 0, err));
    snprintf(other.selfplay.sizes, sizeof other.selfplay.sizes, "7:1");
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &other, NULL, &cycle, &fault));
    EXPECT_CONTAINS(fault.message,
                    "run.cfg is empty, and the newest rows of the run are of boards up to 4x4, not "
                    "of 7x7: repeat the settings of this run, for example --size 4");
    snprintf(other.selfplay.sizes, sizeof other.selfplay.sizes, "4:1, 7:1@100000");
    open_and_close(&run, &other);
    remove_folder(&run);
}

/* Replaces a byte in the middle of a file of the run. */
static void damage(const Folder *run, const char *name) {
    Path path = path_in(run->text, name);
    FILE *file = fopen(path.text, "r+b");
    assert_non_null(file);
    EXPECT_INT(0, fseek(file, (long)(file_bytes(path.text) / 2), SEEK_SET));
    int byte = fgetc(file);
    EXPECT_INT(0, fseek(file, -1, SEEK_CUR));
    fputc(byte ^ 1, file);
    EXPECT_INT(0, fclose(file));
}

/* Returns the path of the first net, relative to the folder of the run. */
static Path first_net(const Folder *run) {
    Arena arena = {0};
    char **names;
    int count;
    Path path;
    EXPECT_OK(directory_list(path_in(run->text, "nets").text, &arena, &names, &count, err));
    EXPECT_TRUE(count > 0);
    EXPECT_OK(path_join(&path, "nets", names[0], err));
    arena_clear(&arena);
    return path;
}

TEST(a_damaged_net_that_the_index_lacks_is_reported) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    make_nets(&run, &config, 64);
    Path net = first_net(&run);
    damage(&run, net.text);
    EXPECT_OK(file_remove(path_in(run.text, "run.db").text, err));
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_INT(1, said(&run, net.text));
    EXPECT_INT(1, said(&run, "it is left out of the index"));
    remove_folder(&run);
}

/* Returns what the log says of an index that has these nets. */
static char *compared(const Folder *run, const IndexedNet *nets, int count, Arena *arena) {
    Path log = path_in(run->text, "said.txt");
    char *text;
    size_t length;
    EXPECT_OK(log_open(log.text, err));
    net_index_compare(run->text, nets, count);
    log_close();
    EXPECT_OK(file_read(log.text, 1 << 16, arena, &text, &length, err));
    EXPECT_OK(file_remove(log.text, err));
    return text;
}

TEST(an_index_that_lacks_nets_or_has_others_is_reported) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Arena arena = {0};
    RunIndex *index;
    IndexedNet *nets;
    int count;
    make_nets(&run, &config, 64);
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_nets(index, &nets, &count, err));
    EXPECT_INT(2, count);
    EXPECT_TEXT("", compared(&run, nets, 2, &arena));
    EXPECT_TEXT("", compared(&run, nets, 1, &arena)); /* the newest may not be listed yet */
    EXPECT_CONTAINS(compared(&run, nets + 1, 1, &arena), "run.db lacks 1 of the 2 nets");
    EXPECT_CONTAINS(compared(&run, nets, 0, &arena), "run.db lacks 2 of the 2 nets");
    snprintf(nets[0].file, sizeof nets[0].file, "000001-cafecafe.aji");
    EXPECT_CONTAINS(compared(&run, nets, 2, &arena),
                    "run.db has other file names for 1 of the 2 nets");
    /* The next start of the run lists that net anew. */
    EXPECT_OK(run_index_add_net(index, &nets[0], err));
    free(nets);
    run_index_close(index);
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_INT(1, said(&run, "run.db has 000001-cafecafe.aji as net 1"));
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_nets(index, &nets, &count, err));
    EXPECT_TEXT("", compared(&run, nets, count, &arena));
    free(nets);
    run_index_close(index);
    arena_clear(&arena);
    remove_folder(&run);
}

TEST(a_checkpoint_in_the_place_of_another_is_set_aside) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle;
    Arena arena = {0};
    char *bytes;
    size_t length;
    make_nets(&run, &config, 64);
    EXPECT_OK(file_read(path_in(run.text, "train/checkpoint-000000000064.aji").text, 1 << 24,
                        &arena, &bytes, &length, err));
    EXPECT_OK(file_write(path_in(run.text, "train/checkpoint-000000000128.aji").text, bytes, length,
                         err));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(64, cycle_totals(cycle).samples);
    EXPECT_INT(1, said(&run, "checkpoint-000000000128.aji is set aside as .bad"));
    EXPECT_INT(1, said(&run, "is not the checkpoint that its name says: it has 64 samples"));
    cycle_close(cycle);
    arena_clear(&arena);
    remove_folder(&run);
}

/* The report draws the newest game. If this game cannot be read, the run goes on nevertheless. */
TEST(a_damaged_game_does_not_end_a_run) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    EXPECT_OK(run_whole(run.text, &config, true, err));
    static const char GAME[] = "(;SZ[4]KM[1";
    EXPECT_OK(directory_make(path_in(run.text, "games/000009").text, err));
    EXPECT_OK(file_write(path_in(run.text, "games/000009/a.sgfs").text, GAME, strlen(GAME), err));
    EXPECT_OK(run_whole(run.text, &config, true, err));
    EXPECT_INT(1, said(&run, "games/000009/a.sgfs: sgf:1: "));
    remove_folder(&run);
}

TEST(other_boards_are_reported) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    make_nets(&run, &config, 64);
    open_and_close(&run, &config);
    EXPECT_INT(0, said(&run, "from now on"));
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "6:1");
    open_and_close(&run, &config);
    EXPECT_INT(1, said(&run, "played on 4x4 and plays on 6x6 from now on (selfplay.sizes), at komi "
                             "1 on average"));
    open_and_close(&run, &config);
    EXPECT_INT(1, said(&run, "from now on"));
    remove_folder(&run);
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
    EXPECT_INT(1,
               said(&run, "train has no checkpoint, although the run has net 2: training continues "
                          "from the weights of that net, at 128 samples"));
    EXPECT_INT(128, cycle_totals(cycle).samples);
    expect_same_numbers(cycle->nets.net, trainer_net(cycle->trainers.trainer));
    EXPECT_OK(cycle_train(cycle, 32, err));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err)); /* now from a checkpoint */
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
    EXPECT_INT(
        1,
        said(&run,
             "net 2 does not have the architecture b1c8-fixup-nodist-mish: training begins anew"));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(lost_settings_are_reported_once), RUN(settings_that_contradict_the_files_are_refused),
          RUN(lost_boards_are_not_replaced_by_larger_ones), RUN(other_boards_are_reported),
          RUN(a_damaged_net_that_the_index_lacks_is_reported),
          RUN(a_damaged_game_does_not_end_a_run),
          RUN(an_index_that_lacks_nets_or_has_others_is_reported),
          RUN(a_checkpoint_in_the_place_of_another_is_set_aside),
          RUN(lost_checkpoints_leave_the_newest_net), RUN(another_net_begins_anew_and_says_so))

/* Processes of different versions on one run, and nets that are damaged. What a newer version has
 * made is neither renamed nor removed. A damaged net is renamed only by a process that makes nets,
 * and a damaged checkpoint only by a process that trains. */
#define _GNU_SOURCE /* nftw */
#include "nn/graph/tensor_file.h"
#include "run/cycle/cycle_private.h"
#include "run/cycle/run_check.h"
#include "run/stages/trainer_begin.h"
#include "run/tiny_run.h"

/* Makes a run with two nets; no process works on it. */
static Folder made_run(void) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Error err = {0};
    if (run_whole(run.text, &config, false, &err)) fail_msg("%s", err.message);
    return run;
}

static int files;
static const char *wanted_ending;

static int count_file(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    files += path_has_ending(path, wanted_ending);
    return 0;
}

static int count_files(const Folder *run, const char *ending) {
    files = 0;
    wanted_ending = ending;
    EXPECT_INT(0, nftw(run->text, count_file, 16, FTW_PHYS));
    return files;
}

static Path newest_file(const Folder *run, const char *folder) {
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(path_in(run->text, folder).text, &arena, &names, &count, err));
    Path path = {""};
    for (int i = 0; i < count; i++) {
        if (path_has_ending(names[i], ".aji"))
            EXPECT_OK(path_join(&path, path_in(run->text, folder).text, names[i], err));
    }
    arena_clear(&arena);
    EXPECT_TRUE(*path.text);
    return path;
}

/* Copies the file of a net or a checkpoint. The file has texts with keys (notes, see
 * tensor_file.h). In the text with the key `note`, `to` replaces the first `from`. */
static void copy_changed(const Path *source, const char *target, const char *note, const char *from,
                         const char *to) {
    TensorFile *file;
    StrBuf text = {0};
    EXPECT_OK(tensor_file_load(source->text, &file, err));
    const char *old = tensor_file_get_note(file, note), *at = strstr(old, from);
    if (!at) fail_msg("%s has no %s", old, from);
    strbuf_add_bytes(&text, old, (size_t)(at - old));
    strbuf_add(&text, to);
    strbuf_add(&text, at + strlen(from));
    EXPECT_OK(tensor_file_note(file, note, strbuf_text(&text), err));
    EXPECT_OK(tensor_file_save(file, target, err));
    tensor_file_free(file);
    strbuf_clear(&text);
}

static void copy_as_newer(const Path *source, const char *target) {
    copy_changed(source, target, "program", "\"op\":\"conv\"", "\"op\":\"swiglu\"");
}

static void expect_newer(Status status, const Error *fault) {
    if (status != ERR_UNSUPPORTED) fail_msg("status %d: %s", (int)status, fault->message);
    EXPECT_CONTAINS(fault->message, "made by a newer version of aji");
}

static Status open_and_close(CycleRole role, const Folder *run, const RunConfig *config,
                             Error *err) {
    Cycle *cycle;
    Status status = cycle_open_as(role, run->text, config, NULL, &cycle, err);
    if (!status) cycle_close(cycle);
    return status;
}

TEST(a_net_of_a_newer_version_ends_every_process_and_stays) {
    static const CycleRole ROLES[] = {CYCLE_WHOLE, CYCLE_PLAYS, CYCLE_TRAINS, CYCLE_GATES};
    Folder run = made_run();
    RunConfig config = tiny(5);
    Path newer = path_in(run.text, "nets/000003-cafecafe.aji"), old = newest_file(&run, "nets");
    copy_as_newer(&old, newer.text);
    for (size_t i = 0; i < sizeof ROLES / sizeof *ROLES; i++) {
        Error fault = {0};
        expect_newer(open_and_close(ROLES[i], &run, &config, &fault), &fault);
        EXPECT_CONTAINS(fault.message, "000003-cafecafe.aji");
        EXPECT_CONTAINS(fault.message, "op \"swiglu\" is unknown");
        EXPECT_TRUE(file_exists(newer.text));
    }
    EXPECT_INT(0, count_files(&run, ".bad"));
    remove_folder(&run);
}

TEST(self_play_ends_when_a_newer_version_adds_a_net) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    Cycle *plays;
    Error fault = {0};
    EXPECT_OK(cycle_open_as(CYCLE_PLAYS, run.text, &config, NULL, &plays, err));
    Path newer = path_in(run.text, "nets/000003-cafecafe.aji"), old = newest_file(&run, "nets");
    copy_as_newer(&old, newer.text);
    Status status = cycle_work_selfplay(plays, 5, 60, &fault);
    expect_newer(status, &fault);
    EXPECT_TRUE(file_exists(newer.text));
    cycle_close(plays);
    remove_folder(&run);
}

TEST(a_candidate_of_a_newer_version_stays) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    Cycle *gates;
    Error fault = {0};
    Path newer = path_in(run.text, "candidates/000009999999-cafecafe.aji"),
         old = newest_file(&run, "nets");
    copy_as_newer(&old, newer.text);
    EXPECT_OK(cycle_open_as(CYCLE_GATES, run.text, &config, NULL, &gates, err));
    Status status = cycle_work_gate(gates, CYCLE_ONCE, &fault);
    expect_newer(status, &fault);
    EXPECT_TRUE(file_exists(newer.text));
    EXPECT_INT(0, count_files(&run, ".bad"));
    cycle_close(gates);
    remove_folder(&run);
}

TEST(a_checkpoint_of_a_newer_version_stays) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    Path newer = path_in(run.text, "train/checkpoint-000009999999.aji"),
         old = newest_file(&run, "train");
    copy_changed(&old, newer.text, "format", "aji checkpoint 1", "aji checkpoint 2");
    for (int whole = 0; whole < 2; whole++) {
        Error fault = {0};
        Status status = open_and_close(whole ? CYCLE_WHOLE : CYCLE_TRAINS, &run, &config, &fault);
        expect_newer(status, &fault);
        EXPECT_CONTAINS(fault.message, "\"aji checkpoint 2\"");
        EXPECT_TRUE(file_exists(newer.text));
    }
    EXPECT_INT(0, count_files(&run, ".bad"));
    remove_folder(&run);
}

/* Processes that write no nets use the newest undamaged net and leave the damaged file. Processes
 * that make nets set it aside. */
TEST(a_damaged_net_is_renamed_only_by_those_who_make_nets) {
    static const CycleRole ROLES[] = {CYCLE_PLAYS, CYCLE_TRAINS, CYCLE_GATES};
    for (size_t i = 0; i < sizeof ROLES / sizeof *ROLES; i++) {
        Folder run = made_run();
        RunConfig config = tiny(5);
        Cycle *cycle;
        Path damaged = path_in(run.text, "nets/000003-cafecafe.aji");
        EXPECT_OK(file_write(damaged.text, "damaged", 7, err));
        EXPECT_OK(cycle_open_as(ROLES[i], run.text, &config, NULL, &cycle, err));
        EXPECT_INT(2, cycle_totals(cycle).net);
        EXPECT_TRUE(cycle->nets.net != NULL);
        bool gates = ROLES[i] == CYCLE_GATES;
        EXPECT_INT(!gates, file_exists(damaged.text));
        EXPECT_INT(gates, count_files(&run, ".bad"));
        if (ROLES[i] == CYCLE_TRAINS) { /* and it does not get into the index */
            IndexedNet *indexed;
            int count;
            EXPECT_OK(cycle_index_nets(cycle, NETS_CAME, err));
            EXPECT_OK(run_index_nets(cycle->store.index, &indexed, &count, err));
            EXPECT_INT(2, count);
            free(indexed);
        }
        cycle_close(cycle);
        remove_folder(&run);
    }
}

/* Self-play reads a damaged net only once, leaves its file, and finds the next net. */
TEST(self_play_goes_on_after_a_damaged_net) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    Cycle *plays;
    bool newer;
    Path damaged = path_in(run.text, "nets/000003-cafecafe.aji"),
         good = path_in(run.text, "nets/000004-good.aji"), old = newest_file(&run, "nets");
    EXPECT_OK(cycle_open_as(CYCLE_PLAYS, run.text, &config, NULL, &plays, err));
    const Net *net = plays->nets.net;
    EXPECT_OK(file_write(damaged.text, "damaged", 7, err));
    EXPECT_OK(run_nets_find_newer(&plays->nets, &plays->store, &newer, err));
    EXPECT_TRUE(newer);
    EXPECT_OK(cycle_work_selfplay(plays, 5, 60, err));
    EXPECT_INT(2, cycle_totals(plays).net);
    EXPECT_TRUE(plays->nets.net == net);
    EXPECT_TRUE(file_exists(damaged.text));
    EXPECT_OK(run_nets_find_newer(&plays->nets, &plays->store, &newer, err));
    EXPECT_FALSE(newer);
    copy_changed(&old, good.text, "format", "1", "1");
    EXPECT_OK(cycle_work_selfplay(plays, 5, 60, err));
    EXPECT_INT(4, cycle_totals(plays).net);
    cycle_close(plays);
    remove_folder(&run);
}

/* A process that gates reads the newest checkpoint that is whole, and leaves a damaged one. */
TEST(the_gate_renames_no_checkpoint) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    Cycle *gates;
    Path damaged = path_in(run.text, "train/checkpoint-000009999999.aji");
    EXPECT_OK(file_write(damaged.text, "damaged", 7, err));
    EXPECT_OK(cycle_open_as(CYCLE_GATES, run.text, &config, NULL, &gates, err));
    EXPECT_OK(run_trainers_open(&gates->trainers, err));
    EXPECT_TRUE(trainer_samples(gates->trainers.trainer) > 0);
    EXPECT_TRUE(file_exists(damaged.text));
    EXPECT_INT(0, count_files(&run, ".bad"));
    cycle_close(gates);
    remove_folder(&run);
}

static void expect_unread(Status status, const Error *fault, const Path *path) {
    if (status != ERR_IO) fail_msg("status %d: %s", (int)status, fault->message);
    EXPECT_CONTAINS(fault->message, path_name(path->text));
}

/* If there is no checkpoint, or if run.cfg is missing, the newest net says how training continues.
 * If that net cannot be read at the moment, an older one must not take its place. */
TEST(a_newest_net_that_cannot_be_read_now_is_not_passed_over) {
    Folder run = made_run();
    RunConfig config = tiny(5);
    RunDirectory directory;
    Trainer *trainer;
    Net *net;
    int number;
    Path unread = path_in(run.text, "nets/000003-cafecafe.aji");
    EXPECT_OK(directory_make(unread.text, err)); /* it exists, but cannot be read */
    EXPECT_OK(run_directory_open(run.text, &directory, err));
    Error faults[3] = {{0}};
    expect_unread(run_directory_read_newest(&directory, &number, &net, &faults[0]), &faults[0],
                  &unread);
    EXPECT_TRUE(net == NULL);
    const RunPlan plan = {.config = config, .threads = 1, .edge = 4};
    const TrainerBeginSetup setup = {&plan, &directory, config.run.arch, directory.train.text};
    expect_unread(trainer_begin_anew(&setup, &trainer, &faults[1]), &faults[1], &unread);
    EXPECT_OK(file_remove(directory.config.text, err));
    expect_unread(run_check(&directory, &config, true, &faults[2]), &faults[2], &unread);
    remove_folder(&run);
}

TEST_MAIN(RUN(a_net_of_a_newer_version_ends_every_process_and_stays),
          RUN(self_play_ends_when_a_newer_version_adds_a_net),
          RUN(a_candidate_of_a_newer_version_stays), RUN(a_checkpoint_of_a_newer_version_stays),
          RUN(a_damaged_net_is_renamed_only_by_those_who_make_nets),
          RUN(self_play_goes_on_after_a_damaged_net), RUN(the_gate_renames_no_checkpoint),
          RUN(a_newest_net_that_cannot_be_read_now_is_not_passed_over))

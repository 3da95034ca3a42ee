/* A run that begins with a net that was made before. */
#define _GNU_SOURCE /* nftw */
#include "data/made_rows.h"
#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"
#include "run/cycle/cycle_private.h"
#include "run/cycle/first_net.h"
#include "run/tiny_run.h"

/* Writes a net of random weights, as if it had been trained on many samples elsewhere. */
static Net *make_net(const Path *path, const char *arch) {
    Net *net;
    Rng rng = rng_seeded(5);
    EXPECT_OK(arch_build_text(arch, &rng, &net, err));
    EXPECT_OK(net_set_note(net, "samples", "3000000", err));
    EXPECT_OK(net_save(net, path->text, err));
    return net;
}

static bool log_says(const Folder *run, const char *words) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path_in(run->text, "log.txt").text, 1 << 20, &arena, &text, &length, err));
    bool found = strstr(text, words) != NULL;
    arena_clear(&arena);
    return found;
}

/* The net of another architecture than the settings name is the first net of the run. The trainer
 * begins with its weights, at 0 samples, and the run goes on with further nets. */
TEST(a_run_begins_with_the_net) {
    Folder folder = make_folder(), run = make_folder();
    RunConfig config = tiny(2);
    Path file = path_in(folder.text, "people.aji");
    Net *net = make_net(&file, "b2c12-fixup-nodist");
    Cycle *cycle;
    EXPECT_OK(first_net_begin(run.text, &config, file.text, err));
    EXPECT_CONTAINS(config.run.arch, "b2c12");
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(1, cycle->nets.number);
    EXPECT_INT(0, cycle->nets.samples);
    EXPECT_TEXT(net_hash(net).text, net_hash(cycle->nets.net).text);
    EXPECT_TEXT("people.aji", net_note(cycle->nets.net, FIRST_NET_NOTE));
    const Trainer *trainer = cycle->trainers.trainer;
    EXPECT_INT(0, trainer_samples(trainer));
    EXPECT_TEXT(net_hash(net).text, net_hash(trainer_net(trainer)).text);
    EXPECT_OK(cycle_run(cycle, 0, err)); /* run.nets ends it */
    EXPECT_INT(2, cycle->nets.number);
    cycle_close(cycle);
    EXPECT_TRUE(log_says(&run, "weights of net 1, a copy of people.aji"));
    EXPECT_FALSE(log_says(&run, "warning"));
    net_free(net);
    remove_folder(&folder);
    remove_folder(&run);
}

/* After a kill there may be the net but no run.cfg. */
TEST(a_start_that_was_killed_can_be_repeated) {
    Folder folder = make_folder(), run = make_folder();
    RunConfig config = tiny(2), settings;
    Path file = path_in(folder.text, "a.aji");
    net_free(make_net(&file, "b1c16-fixup-nodist"));
    EXPECT_OK(first_net_begin(run.text, &config, file.text, err));
    EXPECT_OK(file_remove(path_in(run.text, "run.cfg").text, err));
    EXPECT_OK(first_net_begin(run.text, &config, file.text, err));
    EXPECT_OK(run_config_load(run.text, &settings, err));
    EXPECT_TEXT(config.run.arch, settings.run.arch);
    remove_folder(&folder);
    remove_folder(&run);
}

TEST(a_run_that_has_begun_is_left_alone) {
    Folder folder = make_folder(), run = make_folder();
    RunConfig config = tiny(2);
    Path file = path_in(folder.text, "a.aji"), other = path_in(folder.text, "b.aji");
    net_free(make_net(&file, "b1c16-fixup-nodist"));
    net_free(make_net(&other, "b1c8-fixup-nodist"));
    EXPECT_OK(first_net_begin(run.text, &config, file.text, err));
    Error fault = {0};
    EXPECT_INT(ERR_ARGUMENT, first_net_begin(run.text, &config, other.text, &fault));
    EXPECT_CONTAINS(fault.message, "only a new run can begin from a net");
    EXPECT_OK(first_net_check(run.text, file.text, err));
    EXPECT_INT(ERR_ARGUMENT, first_net_check(run.text, other.text, &fault));
    EXPECT_CONTAINS(fault.message, "leave out --from");
    remove_folder(&run);
    run = make_folder();
    EXPECT_OK(directory_make(path_in(run.text, "rows/000000").text, err));
    made_file(path_in(run.text, "rows/000000/a.npz").text, 4, 4, 4, 3, 3);
    EXPECT_INT(ERR_ARGUMENT, first_net_begin(run.text, &config, file.text, &fault));
    EXPECT_FALSE(file_exists(path_in(run.text, "run.cfg").text));
    remove_folder(&folder);
    remove_folder(&run);
}

/* Nothing is written if self-play cannot use the net. */
TEST(nets_without_the_pass_are_refused) {
    Folder folder = make_folder();
    RunConfig config = tiny(2);
    Path file = path_in(folder.text, "a.aji"), run = path_in(folder.text, "run");
    Error fault = {0};
    net_free(make_net(&file, "b1c16-fixup-nodist,pass=false"));
    EXPECT_INT(ERR_ARGUMENT, first_net_begin(run.text, &config, file.text, &fault));
    EXPECT_CONTAINS(fault.message, "a net without the pass");
    EXPECT_FALSE(file_exists(run.text));
    remove_folder(&folder);
}

/* The folders of `aji train DATA` and of `aji data from-sgf` are no place for a run. */
TEST(folders_of_other_work_are_refused) {
    static const char *const SIGNS[] = {"train.cfg", "games.index"};
    Folder folder = make_folder();
    RunConfig config = tiny(2);
    Path file = path_in(folder.text, "a.aji");
    net_free(make_net(&file, "b1c16-fixup-nodist"));
    for (int i = 0; i < 2; i++) {
        Folder other = make_folder();
        Cycle *cycle;
        Error fault = {0};
        EXPECT_OK(file_write(path_in(other.text, SIGNS[i]).text, "#", 1, err));
        EXPECT_INT(ERR_ARGUMENT, first_net_begin(other.text, &config, file.text, &fault));
        EXPECT_CONTAINS(fault.message, "a run needs a folder of its own");
        EXPECT_INT(ERR_ARGUMENT, cycle_open(other.text, &config, NULL, &cycle, &fault));
        EXPECT_FALSE(file_exists(path_in(other.text, "nets").text));
        remove_folder(&other);
    }
    remove_folder(&folder);
}

TEST(files_that_are_no_nets_of_aji_are_refused) {
    Folder folder = make_folder(), run = make_folder();
    RunConfig config = tiny(2);
    Path file = path_in(folder.text, "a.aji");
    Error fault = {0};
    EXPECT_INT(ERR_IO, first_net_begin(run.text, &config, file.text, &fault));
    EXPECT_OK(file_write(file.text, "nonsense", 8, err));
    EXPECT_INT(ERR_SYNTAX, first_net_begin(run.text, &config, file.text, &fault));
    Net *net = make_net(&file, "b1c16-fixup-nodist");
    EXPECT_OK(net_set_note(net, "architecture", "arch.blocks = many", err));
    EXPECT_OK(net_save(net, file.text, err));
    net_free(net);
    EXPECT_TRUE(first_net_begin(run.text, &config, file.text, &fault) != OK);
    /* The file is read, but a net of KataGo has no note of its architecture. */
    file = path_in(folder.text, "a.aji");
    net = make_net(&file, "b1c16-fixup-nodist");
    file = path_in(folder.text, "katago.bin.gz");
    EXPECT_OK(net_file_save(net, file.text, err));
    net_free(net);
    EXPECT_INT(ERR_UNSUPPORTED, first_net_begin(run.text, &config, file.text, &fault));
    EXPECT_CONTAINS(fault.message, "katago.bin.gz: a run cannot begin with this net");
    EXPECT_FALSE(file_exists(path_in(run.text, "nets").text));
    remove_folder(&folder);
    remove_folder(&run);
}

TEST_MAIN(RUN(a_run_begins_with_the_net), RUN(a_start_that_was_killed_can_be_repeated),
          RUN(a_run_that_has_begun_is_left_alone), RUN(nets_without_the_pass_are_refused),
          RUN(folders_of_other_work_are_refused), RUN(files_that_are_no_nets_of_aji_are_refused))

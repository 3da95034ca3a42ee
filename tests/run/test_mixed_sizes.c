/* One net learns on boards of 5x5 to 9x9. It evaluates a board in the largest board's buffer as in
 * a buffer of the board's own size. */
#define _GNU_SOURCE /* nftw */
#include "eval/formats/net_file.h"
#include "eval/net_sizes.h"
#include "run/tiny_run.h"

static void learn(const Folder *folder, const char *precision) {
    RunConfig config = tiny(2);
    SettingsGroup groups[RUN_GROUPS];
    run_config_groups(&config, groups);
    EXPECT_OK(settings_assign(groups, precision, err));
    EXPECT_OK(settings_assign(groups, "selfplay.sizes=5:1, 6:1, 7:1, 8:1, 9:1", err));
    EXPECT_OK(settings_assign(groups, "run.arch=b2c16-fixup", err));
    EXPECT_OK(settings_assign(groups, "optimiser.kind=muon", err));
    EXPECT_OK(run_whole(folder->text, &config, true, err));
}

TEST(a_net_of_many_sizes_sees_only_the_board) {
    Folder folder = make_folder();
    learn(&folder, "run.precision=f32");
    Path nets = path_in(folder.text, "nets"), path;
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(nets.text, &arena, &names, &count, err));
    EXPECT_TRUE(count >= 2);
    EXPECT_OK(path_join(&path, nets.text, names[count - 1], err));
    Net *net;
    EXPECT_OK(net_file_load(path.text, &net, err));
    expect_sizes_alike(net);
    net_free(net);
    arena_clear(&arena);
    remove_folder(&folder);
}

/* int8 works on any processor: without fast instructions it is computed in plain C. */
TEST(self_play_in_int8) {
    Folder folder = make_folder();
    learn(&folder, "run.precision=int8");
    Arena arena = {0};
    char *log;
    size_t length;
    EXPECT_OK(file_read(path_in(folder.text, "log.txt").text, 1 << 20, &arena, &log, &length, err));
    EXPECT_CONTAINS(log, "net 1 plays in int8: ");
    EXPECT_CONTAINS(log, "net 2 accepted");
    arena_clear(&arena);
    remove_folder(&folder);
}

TEST_MAIN(RUN(a_net_of_many_sizes_sees_only_the_board), RUN(self_play_in_int8))

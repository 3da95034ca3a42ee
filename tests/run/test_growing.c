/* A run whose boards grow. If the run has enough rows for larger boards when it trains a net, the
 * process ends its work as soon as this net is made. A process that opens the run again continues
 * on the larger boards. */
#define _GNU_SOURCE /* nftw */
#include "run/cycle/cycle_private.h"
#include "run/tiny_run.h"

static RunConfig growing(int nets) {
    RunConfig config = tiny(nets);
    SettingsGroup groups[RUN_GROUPS];
    run_config_groups(&config, groups);
    EXPECT_OK(settings_assign(groups, "selfplay.sizes=4:1, 6:3@900", err));
    return config;
}

static bool has_size(const Folder *run, int net, int edge) {
    char name[32], wanted[16];
    Arena arena = {0};
    char **names;
    int count;
    bool found = false;
    snprintf(name, sizeof name, "games/%06d", net);
    snprintf(wanted, sizeof wanted, "SZ[%d]", edge);
    EXPECT_OK(directory_list(path_in(run->text, name).text, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        char *text;
        size_t length;
        Path path = path_in(path_in(run->text, name).text, names[i]);
        EXPECT_OK(file_read(path.text, 1 << 24, &arena, &text, &length, err));
        found = found || strstr(text, wanted);
    }
    arena_clear(&arena);
    return found;
}

TEST(larger_boards_come_with_the_net_that_has_enough_rows) {
    Folder run = make_folder();
    RunConfig config = growing(0);
    Cycle *cycle;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(4, cycle->plan.edge);
    EXPECT_FALSE(cycle_outgrown(cycle));
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_TRUE(cycle_outgrown(cycle));
    int first = cycle->nets.number;
    int64_t samples = cycle_samples(cycle);
    EXPECT_TRUE(first >= 2 && cycle->nets.rows >= 900);
    cycle_close(cycle);
    config.run.nets = first + 2;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(6, cycle->plan.edge);
    EXPECT_INT(samples, cycle_samples(cycle)); /* training continues where it was */
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_FALSE(cycle_outgrown(cycle));
    EXPECT_INT(first + 2, cycle->nets.number);
    cycle_close(cycle);
    for (int net = 0; net < first; net++)
        EXPECT_TRUE(has_size(&run, net, 4) && !has_size(&run, net, 6));
    EXPECT_TRUE(has_size(&run, first, 6));
    remove_folder(&run);
}

/* Rows that came after the newest net do not make the boards grow at a start. The size of tensors
 * and games depends on the number of rows that the run had when this net was trained. */
TEST(a_start_between_two_nets_keeps_the_size) {
    Folder run = make_folder();
    RunConfig config = growing(1);
    Cycle *cycle;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_OK(cycle_selfplay(cycle, 900, err));
    EXPECT_TRUE(cycle->rows.count > 900 && cycle->nets.rows < 900);
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(4, cycle->plan.edge);
    EXPECT_OK(cycle_selfplay(cycle, 50, err));
    cycle_close(cycle);
    EXPECT_FALSE(has_size(&run, 1, 6));
    remove_folder(&run);
}

/* A process that only trains has room for all sizes from the beginning. One that plays must be
 * opened anew when boards grow. */
TEST(separate_processes_grow_too) {
    Folder run = make_folder();
    RunConfig config = growing(0);
    Cycle *plays, *trains;
    EXPECT_OK(cycle_open_as(CYCLE_PLAYS, run.text, &config, NULL, &plays, err));
    EXPECT_INT(4, plays->plan.edge);
    EXPECT_OK(cycle_work_selfplay(plays, 1000, CYCLE_ONCE, err));
    EXPECT_OK(cycle_open_as(CYCLE_TRAINS, run.text, &config, NULL, &trains, err));
    EXPECT_INT(6, trains->plan.edge);
    EXPECT_OK(cycle_work_train(trains, 64, CYCLE_ONCE, err));
    EXPECT_FALSE(cycle_outgrown(trains));
    Cycle *gates;
    EXPECT_OK(cycle_open_as(CYCLE_GATES, run.text, &config, NULL, &gates, err));
    EXPECT_OK(cycle_work_gate(gates, CYCLE_ONCE, err));
    EXPECT_INT(1, gates->nets.number);
    cycle_close(gates);
    cycle_close(trains);
    EXPECT_OK(cycle_renew_net(plays, err));
    EXPECT_TRUE(cycle_outgrown(plays));
    cycle_close(plays);
    EXPECT_OK(cycle_open_as(CYCLE_PLAYS, run.text, &config, NULL, &plays, err));
    EXPECT_INT(6, plays->plan.edge);
    EXPECT_OK(cycle_work_selfplay(plays, 100, CYCLE_ONCE, err));
    cycle_close(plays);
    EXPECT_TRUE(has_size(&run, 1, 6));
    remove_folder(&run);
}

/* A start with other sizes is refused if boards would become smaller than those that are already
 * played. The rows of the larger boards would have no room. */
TEST(boards_that_are_played_do_not_shrink) {
    Folder run = make_folder();
    RunConfig config = growing(0), later = growing(0);
    SettingsGroup groups[RUN_GROUPS];
    Error fault = {0};
    Cycle *cycle;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    cycle_close(cycle);
    run_config_groups(&later, groups);
    EXPECT_OK(settings_assign(groups, "selfplay.sizes=4:1, 6:3@100000", err));
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &later, NULL, &cycle, &fault));
    EXPECT_CONTAINS(fault.message, "boards up to 6x6");
    remove_folder(&run);
}

/* If the net with which boards grew cannot be read, rows of the larger boards are still used. */
TEST(rows_of_a_lost_net_keep_their_room) {
    Folder run = make_folder();
    RunConfig config = growing(0);
    Cycle *cycle;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err));
    Path net = path_in(path_in(run.text, "nets").text, cycle->nets.name);
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    int64_t rows = cycle->rows.count;
    cycle_close(cycle);
    EXPECT_OK(file_write(net.text, "no net", 6, err));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(6, cycle->plan.edge);
    EXPECT_OK(cycle_train(cycle, 320, err));
    EXPECT_INT(rows, cycle->rows.count); /* no file was set aside */
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(boards_that_are_played_do_not_shrink), RUN(rows_of_a_lost_net_keep_their_room),
          RUN(larger_boards_come_with_the_net_that_has_enough_rows),
          RUN(a_start_between_two_nets_keeps_the_size), RUN(separate_processes_grow_too))

/* From finished games to the index: bad games are dropped, journals stay small, nothing is counted
 * twice or lost, no game is played twice, and a run ends if its files can never be written. */
#define _GNU_SOURCE /* nftw */
#include <sqlite3.h>

#include "base/strbuf.h"
#include "data/made_rows.h"
#include "run/cycle/cycle_private.h"
#include "run/run_tree.h"
#include "run/stages/finished_games.h"

static Cycle *open_player(const Folder *run, const RunConfig *config) {
    Cycle *cycle;
    EXPECT_OK(cycle_open_as(CYCLE_PLAYS, run->text, config, NULL, &cycle, err));
    return cycle;
}

/* Makes a game of two passes, whose searches give the mover the win rate `win`. */
static GameRecord made_game(float win) {
    static Report report;
    Position position;
    GameRecord record;
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, 4, 4, &rules, err));
    EXPECT_OK(game_record_init(&record, &position, err));
    for (int i = 0; i < 2; i++) {
        report = (Report){
            .mover = position.mover, .visits = 4, .win = win, .loss = 1 - win, .move_count = 1};
        report.moves[0] = (MoveReport){.point = POINT_PASS, .visits = 4, .weight = 4};
        EXPECT_OK(game_record_add(&record, (Move){POINT_PASS, position.mover}, &report, 1, err));
        EXPECT_OK(position_play(&position, POINT_PASS, err));
    }
    EXPECT_OK(game_record_finish(&record, &position, false, err));
    position_clear(&position);
    return record;
}

TEST(a_game_of_bad_rows_is_dropped_and_many_are_a_fault) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle = open_player(&run, &config);
    EXPECT_OK(cycle_selfplay(cycle, 1, err));
    int64_t games = tree_of(&run, "games").games;
    Worker *worker = &cycle->selfplay.workers[0];
    GameRecord good = made_game(0.5f), bad = made_game(NAN);
    for (int i = 0; i < 25; i++) { /* a good game follows each bad one */
        EXPECT_STATUS(OK, finished_games_keep(worker, &bad));
        EXPECT_STATUS(OK, finished_games_keep(worker, &good));
    }
    EXPECT_INT(25, journal_games(worker->journal));
    for (int i = 1; i < 20; i++)
        EXPECT_STATUS(OK, finished_games_keep(worker, &bad));
    EXPECT_STATUS(ERR_SYNTAX, finished_games_keep(worker, &bad));
    EXPECT_CONTAINS(worker->error.message, "globalTargetsNC");
    game_record_clear(&good);
    game_record_clear(&bad);
    cycle_close(cycle); /* this publishes the journal */
    EXPECT_INT(games + 25, tree_of(&run, "games").games);
    remove_folder(&run);
}

TEST(a_full_journal_becomes_files_and_the_next_one_begins) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle = open_player(&run, &config);
    EXPECT_OK(cycle_selfplay(cycle, 1, err));
    Worker *worker = &cycle->selfplay.workers[0];
    size_t max = JOURNAL_BYTES / rows_bytes(4);
    Rows rows = made_rows(4, 4, 4, max - 1, 1);
    GameRecord game = made_game(0.5f);
    EXPECT_OK(finished_games_open_journal(worker, err));
    EXPECT_OK(journal_add(worker->journal, "(;GM[1]FF[4]SZ[4])", &rows, err));
    rows_clear(&rows);
    EXPECT_INT(1, tree_of(&run, "games").files);
    EXPECT_STATUS(OK, finished_games_keep(worker, &game));
    EXPECT_INT(2, tree_of(&run, "games").files);
    EXPECT_INT(1, journal_games(worker->journal));
    game_record_clear(&game);
    cycle_close(cycle);
    EXPECT_INT(3, tree_of(&run, "games").files);
    remove_folder(&run);
}

/* Counts the games of the run, and how many of them differ. */
static void count_games(const Folder *run, int *games, int *different) {
    Arena arena = {0};
    char **folders, **names, *lines[4096];
    int folder_count, name_count;
    *games = *different = 0;
    EXPECT_OK(
        directory_list(path_in(run->text, "games").text, &arena, &folders, &folder_count, err));
    for (int i = 0; i < folder_count; i++) {
        Path folder = path_in(path_in(run->text, "games").text, folders[i]);
        EXPECT_OK(directory_list(folder.text, &arena, &names, &name_count, err));
        for (int k = 0; k < name_count; k++) {
            char *text;
            size_t length;
            EXPECT_OK(file_read(path_in(folder.text, names[k]).text, 1 << 24, &arena, &text,
                                &length, err));
            for (char *line = text, *end; (end = strchr(line, '\n')) && *games < 4096;
                 line = end + 1) {
                *end = 0;
                lines[(*games)++] = line;
            }
        }
    }
    qsort(lines, (size_t)*games, sizeof *lines, texts_in_order);
    for (int i = 0; i < *games; i++)
        *different += !i || strcmp(lines[i], lines[i - 1]) != 0;
    arena_clear(&arena);
}

/* The name of a worker that finished no game is not used again, because a second worker of this
 * name would play the same games. This is so whether the process of the first one has ended or
 * not. */
TEST(no_game_is_played_twice) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    int games, different;
    config.run.threads = 3;
    config.selfplay.games_at_once = 2;
    Cycle *stays = open_player(&run, &config);
    EXPECT_OK(cycle_work_selfplay(stays, 1, CYCLE_ONCE, err));
    for (int i = 0; i < 12; i++) {
        Cycle *cycle = open_player(&run, &config);
        EXPECT_OK(cycle_work_selfplay(cycle, 1, CYCLE_ONCE, err));
        cycle_close(cycle);
    }
    EXPECT_OK(cycle_work_selfplay(stays, 100, CYCLE_ONCE, err));
    cycle_close(stays);
    for (int i = 0; i < 2; i++) { /* processes that also train and gate */
        Cycle *cycle;
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_OK(cycle_selfplay(cycle, 1, err));
        cycle_close(cycle);
    }
    count_games(&run, &games, &different);
    EXPECT_TRUE(games > 30);
    EXPECT_INT(games, different);
    remove_folder(&run);
}

TEST(workers_have_random_numbers_of_their_own) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    config.run.threads = 8;
    Cycle *cycle = open_player(&run, &config);
    EXPECT_OK(cycle_selfplay(cycle, 1, err));
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < i; k++) {
            const Worker *a = &cycle->selfplay.workers[i], *b = &cycle->selfplay.workers[k];
            EXPECT_TRUE(memcmp(&a->rng, &b->rng, sizeof a->rng) != 0);
            EXPECT_TRUE(memcmp(&a->seeds, &b->seeds, sizeof a->seeds) != 0);
        }
    }
    cycle_close(cycle);
    remove_folder(&run);
}

static void tell_index(const Folder *run, const char *sql) {
    sqlite3 *database;
    EXPECT_INT(SQLITE_OK, sqlite3_open(path_in(run->text, "run.db").text, &database));
    EXPECT_INT(SQLITE_OK, sqlite3_exec(database, sql, NULL, NULL, NULL));
    sqlite3_close(database);
}

/* The index cannot note the compute of the second file. Until it can, it counts none of the two
 * files. */
TEST(what_the_index_refuses_is_not_counted) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *trains;
    EXPECT_OK(cycle_open_as(CYCLE_TRAINS, run.text, &config, NULL, &trains, err));
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 200, 1);
    made_file(path_in(run.text, "rows/000001/b.npz").text, 4, 4, 4, 100, 1);
    EXPECT_OK(file_write(path_in(run.text, "rows/000001/a.count").text, "games 7\nevaluations 50\n",
                         23, err));
    EXPECT_OK(file_write(path_in(run.text, "rows/000001/b.count").text,
                         "games 5\nevaluations 30\nmultiply_adds 900\n", 41, err));
    tell_index(&run, "CREATE TRIGGER refuse BEFORE INSERT ON facts WHEN new.key = 'multiply_adds' "
                     "BEGIN SELECT RAISE(ABORT, 'refused'); END");
    for (int i = 0; i < 3; i++) {
        EXPECT_STATUS(ERR_IO, cycle_read_rows(trains, NULL));
        CycleTotals totals = cycle_totals(trains);
        EXPECT_INT(0, totals.games + totals.evaluations + totals.rows);
        EXPECT_NEAR(0, totals.multiply_adds, 0);
        EXPECT_INT(0, loader_rows(trains->rows.loader));
    }
    tell_index(&run, "DROP TRIGGER refuse");
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(cycle_read_rows(trains, err));
        EXPECT_OK(cycle_keep_totals(trains, err));
        CycleTotals totals = cycle_totals(trains);
        EXPECT_INT(12, totals.games);
        EXPECT_INT(80, totals.evaluations);
        EXPECT_INT(300, totals.rows);
        EXPECT_NEAR(900, totals.multiply_adds, 0);
        EXPECT_NEAR(12, run_index_value(trains->store.index, GAMES_FACT), 0);
        EXPECT_NEAR(80, run_index_value(trains->store.index, "evaluations"), 0);
        EXPECT_NEAR(900, run_index_value(trains->store.index, COMPUTE_FACT), 0);
        EXPECT_INT(300, loader_rows(trains->rows.loader));
    }
    cycle_close(trains);
    remove_folder(&run);
}

/* Replaces a folder by one in which not even root can create a file. */
static bool forbid(const Folder *run, const char *name) {
    Path path = path_in(run->text, name);
    return !remove(path.text) && !symlink("/proc/self/task", path.text);
}

TEST(what_can_never_be_written_ends_the_work) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Error fault = {0};
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_TRUE(forbid(&run, "nets"));
    EXPECT_STATUS(ERR_IO, cycle_accept(cycle, &fault)); /* gives up after five tries */
    EXPECT_CONTAINS(fault.message, "/nets/000001-");
    EXPECT_STATUS(ERR_IO, cycle_run(cycle, 3, &fault));
    EXPECT_CONTAINS(fault.message, "/nets/000001-");
    EXPECT_TRUE(cycle_totals(cycle).samples > 0);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(who_only_plays_keeps_to_the_boards_of_the_run) {
    Folder run = make_folder();
    RunConfig config = tiny(0), larger = tiny(0), smaller = tiny(0);
    Error fault = {0};
    Cycle *cycle = open_player(&run, &config); /* the first process sets the boards */
    cycle_close(cycle);
    snprintf(larger.selfplay.sizes, sizeof larger.selfplay.sizes, "4:1, 5:1");
    snprintf(smaller.selfplay.sizes, sizeof smaller.selfplay.sizes, "3:1");
    static const CycleRole ROLES[] = {CYCLE_PLAYS, CYCLE_GATES};
    for (int i = 0; i < 2; i++) {
        EXPECT_STATUS(ERR_ARGUMENT,
                      cycle_open_as(ROLES[i], run.text, &larger, NULL, &cycle, &fault));
        EXPECT_CONTAINS(fault.message, "has boards up to 4x4, as its run.cfg says, so");
    }
    cycle_close(open_player(&run, &smaller));
    EXPECT_OK(cycle_open(run.text, &larger, NULL, &cycle, err)); /* enlarges the run's boards */
    cycle_close(cycle);
    cycle_close(open_player(&run, &larger));
    remove_folder(&run);
}

/* Every start removes the unfinished files of a process that has ended, in all folders. */
TEST(a_start_removes_what_nobody_writes_any_more) {
    static const char *const NAMES[] = {"run.cfg.77.tmp",
                                        "nets/a.aji.77.tmp",
                                        "rows/000001/a.npz.77.tmp",
                                        "games/000001/a.sgfs.77.tmp",
                                        "train/larger/c.aji.77.tmp",
                                        "report/i.html.77.tmp"};
    Folder run = make_folder();
    RunConfig config = tiny(0);
    cycle_close(open_player(&run, &config));
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    EXPECT_OK(directory_make(path_in(run.text, "games/000001").text, err));
    EXPECT_OK(directory_make(path_in(run.text, "train/larger").text, err));
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        EXPECT_OK(file_write(path_in(run.text, NAMES[i]).text, "half", 4, err));
    Path mine = path_in(run.text, "mine.tmp");
    EXPECT_OK(file_write(mine.text, "mine", 4, err));
    cycle_close(open_player(&run, &config));
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        EXPECT_FALSE(file_exists(path_in(run.text, NAMES[i]).text));
    EXPECT_TRUE(file_exists(mine.text));
    remove_folder(&run);
}

TEST_MAIN(RUN(a_game_of_bad_rows_is_dropped_and_many_are_a_fault),
          RUN(a_full_journal_becomes_files_and_the_next_one_begins), RUN(no_game_is_played_twice),
          RUN(workers_have_random_numbers_of_their_own), RUN(what_the_index_refuses_is_not_counted),
          RUN(what_can_never_be_written_ends_the_work),
          RUN(who_only_plays_keeps_to_the_boards_of_the_run),
          RUN(a_start_removes_what_nobody_writes_any_more))

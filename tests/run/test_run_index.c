/* The index of a run, the page that shows it, and settings that a run refuses. */
#define _GNU_SOURCE /* nftw */
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/log.h"
#include "run/charts/chart.h"
#include "run/charts/run_page.h"
#include "run/cycle/run_check.h"
#include "run/store/index/run_index.h"
#include "run/tiny_run.h"

typedef struct {
    RunDirectory directory;
    RunIndex *index;
} Fixture;

static Fixture open_run(void) {
    Fixture run;
    Folder folder = make_folder();
    EXPECT_OK(run_directory_open(folder.text, &run.directory, err));
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    return run;
}

static void close_run(Fixture *run) {
    run_index_close(run->index);
    remove_tree(run->directory.root.text);
}

TEST(nets_come_back_by_number_with_their_rating) {
    Fixture run = open_run();
    IndexedNet first = {
        .number = 1, .file = "000001-a.aji", .samples = 10, .rows = 20, .games = 30};
    IndexedNet second = {
        .number = 2, .file = "000002-b.aji", .evaluations = 5000000000, .seconds = 61.5};
    IndexedNet *nets;
    int count;
    EXPECT_OK(run_index_add_net(run.index, &second, err));
    EXPECT_OK(run_index_add_net(run.index, &first, err));
    EXPECT_OK(run_index_add_net(run.index, &first, err)); /* a net replaces itself */
    EXPECT_OK(run_index_set_rating(run.index, 2, 1234.5, 67.8, err));
    EXPECT_OK(run_index_nets(run.index, &nets, &count, err));
    EXPECT_INT(2, count);
    EXPECT_TEXT("000001-a.aji", nets[0].file);
    EXPECT_INT(30, nets[0].games);
    EXPECT_INT(5000000000, nets[1].evaluations);
    EXPECT_NEAR(61.5, nets[1].seconds, 1e-9);
    EXPECT_NEAR(1234.5, nets[1].elo, 1e-9);
    EXPECT_NEAR(67.8, nets[1].elo_deviation, 1e-9);
    free(nets);
    close_run(&run);
}

TEST(a_reader_sees_what_the_run_writes) {
    Fixture run = open_run();
    RunIndex *reader;
    const char *path = run.directory.database.text;
    IndexedNet *nets;
    int count;
    double seconds;
    Error fault = {0};
    EXPECT_STATUS(ERR_IO, run_index_open_reader("no-such-file.db", &reader, &fault));
    EXPECT_FALSE(file_exists("no-such-file.db"));
    EXPECT_OK(run_index_begin(run.index, err)); /* the run is writing */
    EXPECT_OK(run_index_open_reader(path, &reader, err));
    EXPECT_OK(run_index_nets(reader, &nets, &count, err));
    EXPECT_INT(0, count);
    free(nets);
    EXPECT_STATUS(ERR_IO, run_index_set_value(reader, "seconds", 1, &fault));
    EXPECT_OK(run_index_add_net(run.index, &(IndexedNet){.number = 1, .file = "a"}, err));
    EXPECT_OK(run_index_set_value(run.index, "seconds", 7, err));
    EXPECT_OK(run_index_end(run.index, OK, err));
    EXPECT_OK(run_index_nets(reader, &nets, &count, err));
    EXPECT_INT(1, count);
    free(nets);
    EXPECT_OK(run_index_read(reader, "seconds", &seconds, err));
    EXPECT_NEAR(7, seconds, 0);
    run_index_close(reader);
    close_run(&run);
}

/* The number of syncs of files since this was set to 0. */
static int syncs;

/* These replace the functions of the C library, and count their calls. SQLite calls one of them. */
int fsync(int descriptor) {
    syncs++;
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    syncs++;
    return (int)syscall(SYS_fdatasync, descriptor);
}

/* The files of a match are removed as soon as the index has its games, so the index must be synced
 * by then. Other values need no sync. */
TEST(games_are_synced_when_they_are_added) {
    Folder folder = make_folder();
    RunIndex *index;
    EXPECT_OK(run_index_open(path_in(folder.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_set_value(index, "edge", 5, err));
    syncs = 0;
    EXPECT_OK(run_index_set_value(index, "edge", 6, err));
    EXPECT_INT(0, syncs);
    EXPECT_OK(run_index_add_games(index, &(EloGames){2, 1, 3, 0, 1}, "rating", err));
    EXPECT_INT(1, syncs);
    EXPECT_OK(run_index_set_value(index, "edge", 7, err));
    EXPECT_INT(1, syncs);
    run_index_close(index);
    remove_folder(&folder);
}

TEST(games_of_a_pair_are_added_up) {
    Fixture run = open_run();
    EloGames *pairings;
    int count;
    EXPECT_OK(run_index_add_games(run.index, &(EloGames){1, 2, 3, 0, 4}, "rate", err));
    EXPECT_OK(run_index_add_games(run.index, &(EloGames){1, 2, 0, 1, 0}, "gate", err));
    EXPECT_OK(run_index_add_games(run.index, &(EloGames){1, 3, 1, 0, 0}, "rate", err));
    EXPECT_OK(run_index_pairings(run.index, &pairings, &count, err));
    EXPECT_INT(2, count);
    EXPECT_NEAR(3, pairings[0].wins, 1e-9);
    EXPECT_NEAR(4, pairings[0].losses, 1e-9);
    EXPECT_NEAR(1, pairings[0].draws, 1e-9);
    free(pairings);
    close_run(&run);
}

/* Replaces the table of games by one of an earlier version, in which a draw counts as half a win
 * and half a loss. So 3 wins, 1 draw and 6 losses are 3.5 wins and 6.5 losses. */
static void forget_draws(const Fixture *run) {
    sqlite3 *database;
    EXPECT_INT(SQLITE_OK, sqlite3_open(run->directory.database.text, &database));
    EXPECT_INT(SQLITE_OK,
               sqlite3_exec(database,
                            "DROP TABLE pairings; CREATE TABLE pairings (first INTEGER, second "
                            "INTEGER, wins REAL, losses REAL, purpose TEXT); INSERT INTO pairings "
                            "VALUES (2, 1, 3.5, 6.5, 'rating')",
                            NULL, NULL, NULL));
    EXPECT_INT(SQLITE_OK, sqlite3_close(database));
}

static void expect_pairing(RunIndex *index, double wins, double draws, double losses) {
    EloGames *pairings;
    int count;
    EXPECT_OK(run_index_pairings(index, &pairings, &count, err));
    EXPECT_INT(1, count);
    EXPECT_INT(2, pairings[0].first);
    EXPECT_NEAR(wins, pairings[0].wins, 1e-9);
    EXPECT_NEAR(draws, pairings[0].draws, 1e-9);
    EXPECT_NEAR(losses, pairings[0].losses, 1e-9);
    free(pairings);
}

TEST(an_index_without_draws_learns_them) {
    Fixture run = open_run();
    run_index_close(run.index);
    forget_draws(&run);
    for (int i = 0; i < 2; i++) { /* the second time, the column is there */
        EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
        expect_pairing(run.index, 3.5 + 4 * i, 2 * i, 6.5 + i);
        EXPECT_OK(run_index_add_games(run.index, &(EloGames){2, 1, 4, 2, 1}, "rating", err));
        expect_pairing(run.index, 7.5 + 4 * i, 2 + 2 * i, 7.5 + i);
        if (!i) run_index_close(run.index);
    }
    close_run(&run);
}

TEST(a_metric_set_again_replaces_its_point) {
    Fixture run = open_run();
    MetricPoint *points;
    int count;
    EXPECT_OK(run_index_add_metric(run.index, "score.b", 200, 2, 0.5, err));
    EXPECT_OK(run_index_set_metric(run.index, "score.b", 100, 1, 0.25, err));
    EXPECT_OK(run_index_set_metric(run.index, "score.b", 200, 2, 0.75, err));
    EXPECT_OK(run_index_metric(run.index, "score.b", &points, &count, err));
    EXPECT_INT(2, count);
    EXPECT_NEAR(0.25, points[0].value, 1e-9);
    EXPECT_NEAR(0.75, points[1].value, 1e-9);
    free(points);
    close_run(&run);
}

/* Only the last point keeps its place if it is set again. */
TEST(metrics_are_listed_in_the_order_in_which_they_came) {
    Fixture run = open_run();
    Arena arena = {0};
    PlacedMetric *metrics;
    int count;
    int64_t last = -1;
    EXPECT_OK(run_index_last_place(run.index, &last, err));
    EXPECT_INT(0, last);
    EXPECT_OK(run_index_add_metric(run.index, "loss", 10, 1, 0.5, err));
    EXPECT_OK(run_index_set_metric(run.index, "elo", 10, 1, 100, err));
    EXPECT_OK(run_index_set_metric(run.index, "elo", 10, 2, 200, err));
    EXPECT_OK(run_index_metrics_from(run.index, 1, 10, &arena, &metrics, &count, err));
    EXPECT_INT(2, count);
    EXPECT_TEXT("loss", metrics[0].name);
    EXPECT_INT(2, metrics[1].place);
    EXPECT_NEAR(200, metrics[1].point.value, 0);
    EXPECT_OK(run_index_add_metric(run.index, "loss", 20, 3, 0.25, err));
    EXPECT_OK(run_index_set_metric(run.index, "elo", 10, 4, 300, err));
    EXPECT_OK(run_index_last_place(run.index, &last, err));
    EXPECT_INT(4, last);
    EXPECT_OK(run_index_metrics_from(run.index, 2, 10, &arena, &metrics, &count, err));
    EXPECT_INT(2, count); /* place 2 is empty now */
    EXPECT_INT(3, metrics[0].place);
    EXPECT_INT(20, metrics[0].point.samples);
    EXPECT_NEAR(300, metrics[1].point.value, 0);
    EXPECT_OK(run_index_metrics_from(run.index, 1, 2, &arena, &metrics, &count, err));
    EXPECT_INT(2, count);
    EXPECT_INT(3, metrics[1].place);
    arena_clear(&arena);
    close_run(&run);
}

TEST(a_failed_transaction_is_not_kept) {
    Fixture run = open_run();
    EXPECT_OK(run_index_begin(run.index, err));
    EXPECT_OK(run_index_set_value(run.index, "seconds", 5, err));
    EXPECT_STATUS(ERR_ARGUMENT, run_index_end(run.index, ERR_ARGUMENT, NULL));
    EXPECT_NEAR(0, run_index_value(run.index, "seconds"), 0);
    EXPECT_STATUS(ERR_IO, run_index_end(run.index, OK, NULL)); /* no transaction was begun */
    EXPECT_OK(run_index_begin(run.index, err));
    EXPECT_OK(run_index_set_value(run.index, "seconds", 7, err));
    EXPECT_OK(run_index_end(run.index, OK, err));
    EXPECT_NEAR(7, run_index_value(run.index, "seconds"), 0);
    close_run(&run);
}

/* If pages in the middle of a table were overwritten, the index is refused when it is opened. */
TEST(damage_in_the_middle_is_found_at_the_start) {
    Fixture run = open_run();
    Error fault;
    EXPECT_OK(run_index_begin(run.index, err));
    for (int i = 0; i < 5000; i++)
        EXPECT_OK(run_index_add_metric(run.index, "loss", i, i, i, err));
    EXPECT_OK(run_index_end(run.index, OK, err));
    run_index_close(run.index);
    static char junk[64 << 10];
    memset(junk, 0xa5, sizeof junk);
    FILE *file = fopen(run.directory.database.text, "r+b");
    EXPECT_TRUE(file && !fseek(file, 64 << 10, SEEK_SET));
    EXPECT_INT(1, fwrite(junk, sizeof junk, 1, file));
    EXPECT_INT(0, fclose(file));
    EXPECT_STATUS(ERR_SYNTAX, run_index_open(run.directory.database.text, &run.index, &fault));
    EXPECT_CONTAINS(fault.message, "run.db is damaged");
    EXPECT_CONTAINS(fault.message, "remove run.db");
    close_run(&run);
}

TEST(names_of_metrics_by_prefix) {
    Fixture run = open_run();
    Arena arena = {0};
    char **names;
    int count;
    const char *const ALL[] = {"score.z", "loss", "score.a", "score.a", "scores", "speed"};
    for (int i = 0; i < 6; i++)
        EXPECT_OK(run_index_add_metric(run.index, ALL[i], i, i, i, err));
    EXPECT_OK(run_index_metric_names(run.index, "score.", &arena, &names, &count, err));
    EXPECT_INT(2, count);
    EXPECT_TEXT("score.a", names[0]);
    EXPECT_TEXT("score.z", names[1]);
    EXPECT_OK(run_index_metric_names(run.index, "none", &arena, &names, &count, err));
    EXPECT_INT(0, count);
    for (int i = 0; i < 100; i++) {
        char name[24];
        snprintf(name, sizeof name, "many.%03d", i);
        EXPECT_OK(run_index_add_metric(run.index, name, i, i, i, err));
    }
    EXPECT_OK(run_index_metric_names(run.index, "many.", &arena, &names, &count, err));
    EXPECT_INT(100, count);
    EXPECT_TEXT("many.099", names[99]);
    arena_clear(&arena);
    close_run(&run);
}

/* An axis has at most five steps. The axis of time begins at 0. If it ends at 4.7, its marks are
 * the whole numbers. If an axis goes from 6.81 to 7.6, its marks are the multiples of 0.2. */
TEST(charts_are_marked_at_round_numbers) {
    const ChartPoint points[] = {{0.3, 6.81}, {2, 7.6}, {4.7, 7.1}};
    static const char *const MARKS[] = {">0<", ">1<",   ">2<",   ">3<",  ">4<",
                                        ">7<", ">7.2<", ">7.4<", ">7.6<"},
                             *const NONE[] = {">5<", ">6.8<", ">0.3<", ">6.81<", ">7.8<"};
    StrBuf svg = {0};
    chart_svg(&svg, &(ChartWords){"loss", "minutes", "nats"}, points, 3);
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        EXPECT_CONTAINS(strbuf_text(&svg), MARKS[i]);
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        EXPECT_TRUE(strstr(strbuf_text(&svg), NONE[i]) == NULL);
    strbuf_clear(&svg);
}

TEST(the_page_charts_scores_and_lists_nets) {
    Fixture run = open_run();
    Arena arena = {0};
    Path path;
    char *text;
    size_t length;
    IndexedNet net = {.number = 7, .file = "000007-a.aji", .rows = 4321};
    EXPECT_OK(run_index_add_net(run.index, &net, err));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(run_index_set_metric(run.index, SCORE_METRIC "a <b> & c", i, 60 * i, 0.5, err));
    EXPECT_OK(run_page_write(&run.directory, run.index, err));
    EXPECT_OK(path_join(&path, run.directory.report.text, "index.html", err));
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
    EXPECT_CONTAINS(text, "score against a &lt;b&gt; &amp; c");
    EXPECT_CONTAINS(text, path_name(run.directory.root.text)); /* the name of the run's folder */
    EXPECT_CONTAINS(text, "4321");
    EXPECT_CONTAINS(text, "<polyline");
    arena_clear(&arena);
    close_run(&run);
}

/* Writes the settings of `config` as those that the run began with. */
static void begin(const Fixture *run, RunConfig *config) {
    SettingsGroup groups[RUN_GROUPS];
    StrBuf text = {0};
    run_config_groups(config, groups);
    settings_write(groups, &text);
    EXPECT_OK(file_write(run->directory.config.text, text.text, text.length, err));
    strbuf_clear(&text);
}

static void make_file(const Path *folder, const char *name) {
    Path path;
    EXPECT_OK(directory_make(folder->text, err));
    EXPECT_OK(path_join(&path, folder->text, name, err));
    EXPECT_OK(file_write(path.text, "x", 1, err));
}

/* The description may come from run.cfg or from the command line, so the error names the
 * setting. */
TEST(the_error_in_the_words_of_a_net_names_its_setting) {
    RunConfig config = tiny(1);
    Error fault = {0};
    snprintf(config.run.larger_arch, sizeof config.run.larger_arch, "b2c8 b3c!");
    EXPECT_STATUS(ERR_SYNTAX, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "run.larger_arch: net: character 1, \"b3c!\"");
    snprintf(config.run.arch, sizeof config.run.arch, "b1!8");
    EXPECT_STATUS(ERR_SYNTAX, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "run.arch: net: character 1, \"b1!8\"");
}

TEST(a_run_keeps_its_net_and_its_largest_board) {
    Fixture run = open_run();
    RunConfig config;
    Error fault = {0};
    run_config_defaults(&config);
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "7:1");
    EXPECT_OK(run_check(&run.directory, &config, false, err)); /* the run is empty */
    begin(&run, &config);
    snprintf(config.run.arch, sizeof config.run.arch, "b2c16");
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "5:1");
    EXPECT_OK(run_check(&run.directory, &config, false, err)); /* nothing is trained or played */
    make_file(&run.directory.train, "checkpoint-000000001000.aji");
    EXPECT_STATUS(ERR_ARGUMENT, run_check(&run.directory, &config, false, &fault));
    EXPECT_CONTAINS(fault.message, "b2c16");
    run_config_defaults(&config);
    config.training.optimiser.kind = OPTIMISER_ADAMW;
    EXPECT_STATUS(ERR_ARGUMENT, run_check(&run.directory, &config, false, &fault));
    EXPECT_CONTAINS(fault.message, "optimiser.kind muon; adamw");
    run_config_defaults(&config);
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "5:1");
    EXPECT_OK(run_check(&run.directory, &config, false, err));
    Path rows;
    EXPECT_OK(path_join(&rows, run.directory.rows.text, "000000", err));
    make_file(&rows, "w0-0000.npz");
    EXPECT_STATUS(ERR_ARGUMENT, run_check(&run.directory, &config, false, &fault));
    EXPECT_CONTAINS(fault.message, "7x7");
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "5:1, 8:1");
    EXPECT_OK(run_check(&run.directory, &config, false, err)); /* the old rows fit larger boards */
    /* A process that only plays or only gates cannot enlarge the boards of the run. */
    EXPECT_STATUS(ERR_ARGUMENT, run_check(&run.directory, &config, true, &fault));
    EXPECT_CONTAINS(fault.message, "cannot read rows of 8x8");
    close_run(&run);
}

/* The user who opens the index may only read the run. */
TEST(a_run_that_may_not_be_written_can_be_read) {
    Fixture run = open_run();
    IndexedNet net = {.number = 1, .file = "000001-a.aji", .samples = 10}, *nets;
    Error error = {0};
    int count;
    bool root = geteuid() == 0;
    EXPECT_OK(run_index_add_net(run.index, &net, err));
    run_index_close(run.index);
    forget_draws(&run);
    EXPECT_INT(0, chmod(run.directory.database.text, 0444));
    EXPECT_INT(0, chmod(run.directory.root.text, 0555));
    if (root && seteuid(65534)) fail_msg("root cannot be somebody else");
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    EXPECT_OK(run_index_nets(run.index, &nets, &count, err));
    EXPECT_INT(1, count);
    EXPECT_TEXT("000001-a.aji", nets[0].file);
    free(nets);
    expect_pairing(run.index, 3.5, 0, 6.5);
    EXPECT_STATUS(ERR_IO, run_index_set_value(run.index, "cycle", 1, &error));
    EXPECT_CONTAINS(error.message, "readonly");
    if (root && seteuid(0)) fail_msg("root is lost");
    EXPECT_INT(0, chmod(run.directory.root.text, 0755));
    close_run(&run);
}

typedef struct {
    char text[16];
} Mode;

/* Runs `sql`, which sets or asks for the journal mode of the file, and returns the mode. */
static Mode ask_mode(const Fixture *run, const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    Mode mode;
    EXPECT_INT(SQLITE_OK, sqlite3_open(run->directory.database.text, &database));
    EXPECT_INT(SQLITE_OK, sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    EXPECT_INT(SQLITE_ROW, sqlite3_step(statement));
    snprintf(mode.text, sizeof mode.text, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    EXPECT_INT(SQLITE_OK, sqlite3_close(database));
    return mode;
}

/* The numbers are those with which statfs() names file systems. The shared file systems are NFS,
 * SMB2 and sshfs. The others are ext4, tmpfs, XFS and an unknown one. */
TEST(an_index_on_a_shared_file_system_is_not_in_wal_mode) {
    static const uint32_t SHARED[] = {0x6969, 0xfe534d42, 0x65735546},
                          OWN[] = {0xef53, 0x01021994, 0x58465342, 0};
    for (size_t i = 0; i < sizeof SHARED / sizeof *SHARED; i++)
        EXPECT_TEXT("PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE",
                    run_index_pragmas(SHARED[i]));
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
        EXPECT_TEXT("PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL",
                    run_index_pragmas(OWN[i]));
    Fixture run = open_run();
    Mode here = ask_mode(&run, "PRAGMA journal_mode");
    const char *other = strcmp(here.text, "wal") == 0 ? "PRAGMA journal_mode = DELETE"
                                                      : "PRAGMA journal_mode = WAL";
    run_index_close(run.index);
    EXPECT_TRUE(strcmp(ask_mode(&run, other).text, here.text) != 0); /* as if the run had moved */
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    EXPECT_TEXT(here.text, ask_mode(&run, "PRAGMA journal_mode").text);
    close_run(&run);
}

static void execute(const Fixture *run, const char *sql) {
    sqlite3 *database;
    EXPECT_INT(SQLITE_OK, sqlite3_open(run->directory.database.text, &database));
    EXPECT_INT(SQLITE_OK, sqlite3_exec(database, sql, NULL, NULL, NULL));
    EXPECT_INT(SQLITE_OK, sqlite3_close(database));
}

TEST(a_changed_fact_is_not_believed) {
    Fixture run = open_run();
    double value;
    Error fault;
    EXPECT_OK(run_index_set_value(run.index, "games", 1665, err));
    EXPECT_OK(run_index_add_value(run.index, "games", 5, err));
    EXPECT_OK(run_index_read(run.index, "games", &value, err));
    EXPECT_NEAR(1670, value, 0);
    EXPECT_OK(run_index_read(run.index, "missing", &value, err));
    EXPECT_NEAR(0, value, 0);
    /* The number is changed without its checksum, as by damage of the file. */
    execute(&run, "DROP TRIGGER facts_without_checksum;"
                  "UPDATE facts SET value = 1796 WHERE key = 'games'");
    EXPECT_STATUS(ERR_SYNTAX, run_index_read(run.index, "games", &value, &fault));
    EXPECT_CONTAINS(fault.message, "run.db is damaged: the checksum of \"games\" is wrong");
    EXPECT_CONTAINS(fault.message, "remove run.db");
    close_run(&run);
}

/* An earlier version writes values of the table "facts" without checksums. A value without a
 * checksum counts as good. */
TEST(a_fact_of_an_earlier_version_is_believed) {
    Fixture run = open_run();
    double value;
    EXPECT_OK(run_index_set_value(run.index, "games", 10, err));
    execute(&run, "UPDATE facts SET value = value + 2 WHERE key = 'games';"
                  "INSERT OR REPLACE INTO facts (key, value) VALUES ('seconds', 7)");
    EXPECT_OK(run_index_read(run.index, "games", &value, err));
    EXPECT_NEAR(12, value, 0);
    EXPECT_OK(run_index_add_value(run.index, "seconds", 1, err));
    EXPECT_OK(run_index_read(run.index, "seconds", &value, err));
    EXPECT_NEAR(8, value, 0);
    run_index_close(run.index);
    execute(&run, "DROP TRIGGER facts_without_checksum; DROP TABLE facts;"
                  "CREATE TABLE facts (key TEXT PRIMARY KEY, value REAL);"
                  "INSERT INTO facts VALUES ('games', 3)");
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    EXPECT_OK(run_index_add_value(run.index, "games", 1, err));
    EXPECT_OK(run_index_read(run.index, "games", &value, err));
    EXPECT_NEAR(4, value, 0);
    close_run(&run);
}

/* Flips one bit of an index at a time, anywhere. Each time the index works as before, or the error
 * says what to do. */
TEST(a_damaged_index_says_what_to_do) {
    Fixture run = open_run();
    Arena arena = {0};
    char *bytes, key[32];
    size_t length;
    for (int i = 0; i < 200; i++) {
        snprintf(key, sizeof key, "rows/000001/%d.npz", i);
        EXPECT_OK(run_index_set_value(run.index, key, i + 1, err));
        EXPECT_OK(run_index_add_metric(run.index, "elo", i, i, i, err));
    }
    run_index_close(run.index);
    const char *path = run.directory.database.text;
    EXPECT_OK(file_read(path, 1 << 22, &arena, &bytes, &length, err));
    Rng rng = rng_seeded(3);
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        Error fault = {0};
        size_t at = rng_next(&rng) % length;
        char kept = bytes[at];
        double value = -1;
        bytes[at] ^= (char)(1 << rng_below(&rng, 8));
        EXPECT_OK(file_write(path, bytes, length, err));
        bytes[at] = kept;
        Status status = run_index_open(path, &run.index, &fault);
        for (int k = 0; k < 200 && !status; k++) {
            snprintf(key, sizeof key, "rows/000001/%d.npz", k);
            status = run_index_read(run.index, key, &value, &fault);
            /* A damaged key reads as missing: the file is then counted anew. */
            if (!status) EXPECT_TRUE(value == 0 || value == k + 1);
        }
        if (status) {
            refused++;
            EXPECT_CONTAINS(fault.message, "remove run.db");
        }
        run_index_close(run.index);
        EXPECT_OK(file_remove(path_in(run.directory.root.text, "run.db-wal").text, err));
        EXPECT_OK(file_remove(path_in(run.directory.root.text, "run.db-shm").text, err));
    }
    EXPECT_TRUE(refused > 10);
    run.index = NULL;
    arena_clear(&arena);
    close_run(&run);
}

enum { THINGS = 40 };

/* Returns whether the index has what the next test adds to it. */
static bool has_everything(RunIndex *index) {
    IndexedNet *nets = NULL;
    EloGames *pairings = NULL;
    MetricPoint *points = NULL;
    int net_count, pairing_count, point_count;
    bool same = !run_index_nets(index, &nets, &net_count, NULL) &&
                !run_index_pairings(index, &pairings, &pairing_count, NULL) &&
                !run_index_metric(index, "loss", &points, &point_count, NULL) &&
                net_count == THINGS && pairing_count == THINGS && point_count == THINGS;
    for (int i = 0; i < THINGS && same; i++) {
        char name[32], key[32];
        snprintf(name, sizeof name, "%06d-a.aji", i);
        snprintf(key, sizeof key, "rows/%d.npz", i);
        same = nets[i].number == i && strcmp(nets[i].file, name) == 0 &&
               nets[i].samples == 10 * i && nets[i].elo == 1.5 * i && pairings[i].first == i &&
               pairings[i].wins == 3 + i && pairings[i].draws == 0.5 * i &&
               points[i].samples == i && points[i].value == 0.25 * i &&
               run_index_value(index, key) == i + 1;
    }
    free(nets);
    free(pairings);
    free(points);
    return same;
}

/* Whichever bit of the file flips, the index is refused, or its contents are unchanged. */
TEST(no_flipped_bit_gives_other_numbers) {
    Fixture run = open_run();
    Arena arena = {0};
    char *bytes, key[32];
    size_t length;
    for (int i = 0; i < THINGS; i++) {
        IndexedNet net = {.number = i, .samples = 10 * i};
        snprintf(net.file, sizeof net.file, "%06d-a.aji", i);
        snprintf(key, sizeof key, "rows/%d.npz", i);
        EXPECT_OK(run_index_add_net(run.index, &net, err));
        EXPECT_OK(run_index_set_rating(run.index, i, 1.5 * i, 7, err));
        EXPECT_OK(
            run_index_add_games(run.index, &(EloGames){i, i + 1, 3 + i, 0.5 * i, 1}, "rate", err));
        EXPECT_OK(run_index_add_metric(run.index, "loss", i, i, 9, err));
        EXPECT_OK(run_index_set_metric(run.index, "loss", i, i, 0.25 * i, err));
        EXPECT_OK(run_index_set_value(run.index, key, i + 1, err));
    }
    EXPECT_TRUE(has_everything(run.index));
    run_index_close(run.index);
    const char *path = run.directory.database.text;
    EXPECT_OK(file_read(path, 1 << 22, &arena, &bytes, &length, err));
    Rng rng = rng_seeded(5);
    int refused = 0;
    for (int i = 0; i < 800; i++) {
        Error fault = {0};
        size_t at = rng_next(&rng) % length;
        char kept = bytes[at];
        bytes[at] ^= (char)(1 << rng_below(&rng, 8));
        EXPECT_OK(file_write(path, bytes, length, err));
        Status status = run_index_open(path, &run.index, &fault);
        refused += status != OK;
        if (status) EXPECT_CONTAINS(fault.message, "run.db");
        if (!status && !has_everything(run.index)) fail_msg("bit of byte %zu of %zu", at, length);
        if (!status) run_index_close(run.index);
        bytes[at] = kept;
    }
    EXPECT_TRUE(refused > 100);
    arena_clear(&arena);
    close_run(&(Fixture){.directory = run.directory});
}

/* Versions of this program that do not know checksums write rows of tables without them. */
TEST(rows_of_an_earlier_version_are_believed) {
    Fixture run = open_run();
    EloGames *pairings;
    int count;
    EXPECT_OK(run_index_add_net(run.index, &(IndexedNet){.number = 1, .file = "a"}, err));
    EXPECT_OK(run_index_add_games(run.index, &(EloGames){1, 2, 3, 0, 4}, "rate", err));
    run_index_close(run.index);
    execute(&run, "INSERT OR REPLACE INTO nets VALUES (1, 'b', 2, 3, 4, 5, 6, 0, 0);"
                  "UPDATE nets SET elo = 9 WHERE number = 1;"
                  "INSERT INTO metrics VALUES ('loss', 1, 2, 3);"
                  "INSERT INTO pairings (first, second, wins, losses, purpose, draws) "
                  "VALUES (1, 2, 1, 1, 'rate', 0); UPDATE pairings SET wins = 5");
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    EXPECT_OK(run_index_pairings(run.index, &pairings, &count, err));
    EXPECT_NEAR(10, pairings[0].wins, 0);
    free(pairings);
    run_index_close(run.index);
    execute(&run, "DROP TABLE checksums"); /* as in an index of such a version */
    execute(&run, "DROP TRIGGER nets_INSERT_checksum; DROP TRIGGER nets_UPDATE_checksum;"
                  "DROP TRIGGER nets_DELETE_checksum; DROP TRIGGER pairings_INSERT_checksum;"
                  "DROP TRIGGER pairings_UPDATE_checksum; DROP TRIGGER pairings_DELETE_checksum;"
                  "DROP TRIGGER metrics_INSERT_checksum; DROP TRIGGER metrics_UPDATE_checksum;"
                  "DROP TRIGGER metrics_DELETE_checksum");
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    run_index_close(run.index);
    /* Opening the index has given the rows checksums. */
    execute(&run, "DROP TRIGGER pairings_UPDATE_checksum; UPDATE pairings SET wins = 6");
    Error fault = {0};
    EXPECT_STATUS(ERR_SYNTAX, run_index_open(run.directory.database.text, &run.index, &fault));
    EXPECT_CONTAINS(fault.message, "run.db is damaged: the checksum of \"1\" in pairings is wrong");
    remove_tree(run.directory.root.text);
}

/* A killed process leaves SQLite's journal, run.db-wal. SQLite silently drops what follows a wrong
 * byte in it, so that opening the index checks it and warns. */
TEST(a_damaged_journal_of_the_index_is_reported) {
    Fixture run = open_run();
    Arena arena = {0};
    char *bytes, *database, *log;
    size_t length, database_length, log_length;
    const char *path = run.directory.database.text;
    Path journal = path_in(run.directory.root.text, "run.db-wal"),
         said = path_in(run.directory.root.text, "said.txt");
    for (int i = 0; i < 20; i++)
        EXPECT_OK(run_index_add_metric(run.index, "loss", i, i, i, err));
    EXPECT_OK(file_read(path, 1 << 22, &arena, &database, &database_length, err));
    EXPECT_OK(file_read(journal.text, 1 << 22, &arena, &bytes, &length, err));
    EXPECT_TRUE(length > 5 * 4096);
    run_index_close(run.index);
    for (int damaged = 0; damaged < 4; damaged++) {
        static const size_t AT[] = {0, 17, 20000};
        if (damaged) bytes[AT[damaged - 1]] ^= 1;
        EXPECT_OK(file_write(path, database, database_length, err));
        EXPECT_OK(file_write(journal.text, bytes, length, err));
        if (damaged) bytes[AT[damaged - 1]] ^= 1;
        EXPECT_OK(log_open(said.text, err));
        EXPECT_OK(run_index_open(path, &run.index, err));
        run_index_close(run.index);
        log_close();
        EXPECT_OK(file_read(said.text, 1 << 16, &arena, &log, &log_length, err));
        EXPECT_INT(damaged > 0, strstr(log, "run.db-wal is damaged") != NULL);
        EXPECT_OK(file_remove(said.text, err));
    }
    arena_clear(&arena);
    remove_tree(run.directory.root.text);
}

TEST_MAIN(RUN(an_index_on_a_shared_file_system_is_not_in_wal_mode),
          RUN(a_changed_fact_is_not_believed), RUN(a_fact_of_an_earlier_version_is_believed),
          RUN(a_damaged_index_says_what_to_do), RUN(a_run_that_may_not_be_written_can_be_read),
          RUN(nets_come_back_by_number_with_their_rating), RUN(a_reader_sees_what_the_run_writes),
          RUN(games_are_synced_when_they_are_added), RUN(games_of_a_pair_are_added_up),
          RUN(an_index_without_draws_learns_them), RUN(a_metric_set_again_replaces_its_point),
          RUN(metrics_are_listed_in_the_order_in_which_they_came),
          RUN(a_failed_transaction_is_not_kept), RUN(damage_in_the_middle_is_found_at_the_start),
          RUN(names_of_metrics_by_prefix), RUN(charts_are_marked_at_round_numbers),
          RUN(the_page_charts_scores_and_lists_nets),
          RUN(the_error_in_the_words_of_a_net_names_its_setting),
          RUN(a_run_keeps_its_net_and_its_largest_board), RUN(no_flipped_bit_gives_other_numbers),
          RUN(rows_of_an_earlier_version_are_believed),
          RUN(a_damaged_journal_of_the_index_is_reported))

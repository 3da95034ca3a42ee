/* Makes row files from files of games. Every turn becomes one row, copies of games are dropped, and
 * broken files are named. The files that are made have the same bytes with any number of threads,
 * and also if the process was killed in between. It is always the same games that are for
 * validation. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/formats/archive.h"
#include "data/loader.h"
#include "data/rows/row_file.h"
#include "data/rows/row_files.h"
#include "data/sgf/from_sgf.h"
#include "test.h"

enum { GAMES = 60, MOVES = 24, TURNS = GAMES * MOVES };

/* A folder of this test, with a folder of games in it. */
typedef struct {
    char path[64], games[96];
} Place;

static Path in(const char *folder, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, folder, name, err));
    return path;
}

static void put(const Place *place, const char *name, const StrBuf *text) {
    EXPECT_OK(file_write(in(place->games, name).text, text->text, text->length, err));
}

/* Returns a legal point, never the pass, which is the last of the legal moves. */
static Point random_point(const Position *position, Rng *rng) {
    Point moves[MOVES_MAX];
    return moves[rng_below(rng, position_legal_moves(position, moves) - 1)];
}

/* Adds a game of random moves on a 7x7 board; `head` is text for the root. */
static void add_game(StrBuf *out, int seed, const char *head) {
    Position position;
    SgfGame game;
    Rules rules = rules_tromp_taylor();
    Rng rng = rng_seeded((uint64_t)seed);
    StrBuf line = {0};
    EXPECT_OK(position_init(&position, 7, 7, &rules, err));
    for (int i = 0; i < MOVES; i++)
        EXPECT_OK(position_play(&position, random_point(&position, &rng), err));
    EXPECT_OK(sgf_game_init_position(&game, &position, err));
    EXPECT_OK(sgf_game_write_line(&game, &line, err));
    strbuf_addf(out, "(;%s%s", head, line.text + 2);
    strbuf_clear(&line);
    sgf_game_clear(&game);
    position_clear(&position);
}

static void fill(const Place *place) {
    StrBuf text = {0}, one = {0};
    ZipWriter *zip;
    for (int i = 0; i < 30; i++)
        add_game(&text, i, i % 2 ? "RE[B+R]BR[3d]WR[5k]" : "RE[W+2.5]PC[The KGS Go Server]");
    put(place, "a.sgfs", &text);
    EXPECT_OK(zip_writer_open(in(place->games, "b.zip").text, 1, &zip, err));
    for (int i = 30; i < 60; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.sgf", i);
        strbuf_reset(&one);
        add_game(&one, i, "RE[B+T]");
        EXPECT_OK(zip_writer_add(zip, name, one.text, one.length, err));
    }
    EXPECT_OK(zip_writer_add(zip, "bad.sgf", "(;SZ[7]RE[B+R", 13, err));
    EXPECT_OK(zip_writer_commit(zip, err));
    strbuf_reset(&text);
    for (int i = 10; i < 20; i++)
        add_game(&text, i, "PB[a copy]"); /* their moves are those of games in a.sgfs */
    put(place, "c.sgf", &text);
    strbuf_reset(&text);
    strbuf_add(&text, "no game at all");
    put(place, "d.sgf", &text);
    strbuf_clear(&text);
    strbuf_clear(&one);
}

static Place place_new(void) {
    Place place = {"/dev/shm/aji-from-sgf-XXXXXX", ""};
    if (!mkdtemp(place.path)) {
        place = (Place){"/tmp/aji-from-sgf-XXXXXX", ""};
        if (!mkdtemp(place.path)) fail_msg("cannot make a folder in /tmp");
    }
    snprintf(place.games, sizeof place.games, "%s/games", place.path);
    EXPECT_OK(directory_make(place.games, err));
    fill(&place);
    return place;
}

static void remove_tree(const char *path) {
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(path, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        Path inner = in(path, names[i]);
        if (file_is_directory(inner.text)) remove_tree(inner.text);
    }
    arena_clear(&arena);
    EXPECT_OK(directory_remove(path, err));
}

typedef struct {
    const char *settings[8]; /* such as "threads=1" */
    const char *paths[4];    /* NULL: the folder of games */
    int kill_at;             /* the report at which the process is killed; 0: none */
    int reports;
    Evaluator *evaluator; /* NULL: no net plays games on */
} Run;

static Status count_report(Run *run) {
    if (++run->reports == run->kill_at) raise(SIGKILL);
    return OK;
}

static Status hear_scan(void *context, const FileSourcesState *state, const SgfCounts *counts,
                        Error *err) {
    (void)state, (void)counts, (void)err;
    return count_report(context);
}

static Status hear_shards(void *context, const RowShardsState *state, Error *err) {
    (void)err;
    EXPECT_TRUE(state->rows_done <= state->rows && state->shards_done <= state->shards);
    return count_report(context);
}

static Status run_in(const Place *place, const char *name, Run *run, Error *err) {
    SgfFilterSettings filter;
    SgfRowsSettings rows;
    RowShardsSettings shards;
    RowPointSettings points;
    Path folder = in(place->path, name);
    const SettingsGroup groups[] = {{"filter", SGF_FILTER_FIELDS, &filter},
                                    {"rows", SGF_ROWS_FIELDS, &rows},
                                    {"rows", ROW_SHARDS_FIELDS, &shards},
                                    {"rows", ROW_POINT_FIELDS, &points},
                                    {0}};
    settings_defaults(ROW_POINT_FIELDS, &points);
    settings_defaults(SGF_FILTER_FIELDS, &filter);
    settings_defaults(SGF_SOURCE_FIELDS, &filter);
    settings_defaults(SGF_ROWS_FIELDS, &rows);
    settings_defaults(SGF_NET_FIELDS, &rows);
    settings_defaults(SGF_HASH_FIELDS, &rows);
    settings_defaults(ROW_SHARDS_FIELDS, &shards);
    shards.shard_rows = 100;
    shards.pool_rows = 400;
    shards.validation = 0.2;
    shards.threads = 2;
    for (int i = 0; run->settings[i]; i++) {
        if (settings_assign(groups, run->settings[i], err)) fail_msg("%s", run->settings[i]);
    }
    int count = 0;
    while (count < 4 && run->paths[count])
        count++;
    const char *games = place->games;
    const SgfScanWatch scan_watch = {hear_scan, run};
    const RowShardsWatch shards_watch = {hear_shards, run};
    const FromSgfSetup setup = {.paths = count ? run->paths : &games,
                                .path_count = count ? count : 1,
                                .folder = folder.text,
                                .filter = &filter,
                                .rows = &rows,
                                .points = &points,
                                .shards = &shards,
                                .evaluator = run->evaluator,
                                .scan_watch = &scan_watch,
                                .shards_watch = &shards_watch};
    return from_sgf_run(&setup, err);
}

/* An evaluator that passes, and counts its evaluations. */
static Status evaluate_pass(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    (void)err;
    evaluator->evaluations += count;
    for (int i = 0; i < count; i++) {
        const Board *board = &requests[i].position->board;
        memset(&out[i], 0, sizeof out[i]);
        out[i].policy[board->width * board->height] = 1;
    }
    return OK;
}

static void expect_run(const Place *place, const char *name, Run run) {
    EXPECT_OK(run_in(place, name, &run, err));
}

static char *read_text(const Place *place, const char *folder, const char *name, Arena *arena) {
    char *text;
    size_t length;
    EXPECT_OK(file_read(in(in(place->path, folder).text, name).text, 1 << 24, arena, &text, &length,
                        err));
    return text;
}

static void expect_same_file(const char *a, const char *b) {
    Arena arena = {0};
    char *x, *y;
    size_t nx, ny;
    EXPECT_OK(file_read(a, 1 << 26, &arena, &x, &nx, err));
    EXPECT_OK(file_read(b, 1 << 26, &arena, &y, &ny, err));
    if (nx != ny || memcmp(x, y, nx) != 0) fail_msg("%s and %s differ", a, b);
    arena_clear(&arena);
}

/* Expects the same files with the same bytes in both folders. */
static void expect_same_tree(const char *a, const char *b) {
    Arena arena = {0};
    char **names, **others;
    int count, other_count;
    EXPECT_OK(directory_list(a, &arena, &names, &count, err));
    EXPECT_OK(directory_list(b, &arena, &others, &other_count, err));
    EXPECT_INT(count, other_count);
    for (int i = 0; i < count; i++) {
        Path x = in(a, names[i]), y = in(b, names[i]);
        EXPECT_TEXT(names[i], others[i]);
        if (file_is_directory(x.text))
            expect_same_tree(x.text, y.text);
        else
            expect_same_file(x.text, y.text);
    }
    arena_clear(&arena);
}

/* Returns the rows of one part, "train" or "validation". `*files` gets the number of its files. */
static Rows read_part(const Place *place, const char *folder, const char *part, int *files) {
    Path path = in(in(place->path, folder).text, part);
    const char *paths[] = {path.text};
    RowFiles found;
    Rows all;
    EXPECT_OK(rows_init(&all, 7, err));
    EXPECT_OK(row_files_find(paths, 1, &found, err));
    for (int i = 0; i < found.count; i++) {
        Rows rows;
        EXPECT_OK(row_file_read(found.paths[i], &rows, err)); /* checks the rows too */
        EXPECT_OK(rows_append(&all, &rows, 0, rows.count, err));
        rows_clear(&rows);
    }
    if (files) *files = found.count;
    row_files_clear(&found);
    return all;
}

static double hash_of(const Rows *rows, size_t n) {
    const float *hash = rows->targets + n * ROW_GLOBAL_TARGETS + TARGET_HASH;
    return (double)hash[0] * 4194304 + (double)hash[1];
}

static int turn_of(const Rows *rows, size_t n) {
    return (int)rows->targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN];
}

TEST(every_turn_becomes_one_row) {
    Place place = place_new();
    int train_files, validation_files;
    expect_run(&place, "out", (Run){0});
    Rows train = read_part(&place, "out", "train", &train_files),
         validation = read_part(&place, "out", "validation", &validation_files);
    EXPECT_INT(TURNS, train.count + validation.count);
    EXPECT_TRUE(validation.count > 0 && validation.count < TURNS / 2);
    EXPECT_TRUE(train_files > 5 && validation_files > 1);
    for (size_t a = 0; a < train.count; a++) {
        for (size_t b = 0; b < a; b++)
            EXPECT_FALSE(hash_of(&train, a) == hash_of(&train, b) &&
                         turn_of(&train, a) == turn_of(&train, b));
        for (size_t b = 0; b < validation.count; b++)
            EXPECT_TRUE(hash_of(&train, a) != hash_of(&validation, b));
    }
    rows_clear(&train);
    rows_clear(&validation);
    remove_tree(place.path);
}

TEST(games_are_counted_and_problems_named) {
    Place place = place_new();
    Arena arena = {0};
    expect_run(&place, "out", (Run){0});
    const char *summary = read_text(&place, "out", "summary.txt", &arena),
               *problems = read_text(&place, "out", "problems.txt", &arena);
    EXPECT_CONTAINS(summary, "games found                                  70\n");
    EXPECT_CONTAINS(summary, "games kept                                   60\n");
    EXPECT_CONTAINS(summary, "duplicates                                   10\n");
    EXPECT_CONTAINS(summary, "files or games that are unreadable            2\n");
    EXPECT_CONTAINS(summary, "  with a value target                       720\n");
    EXPECT_CONTAINS(summary, "  with a lead target                        360\n");
    EXPECT_CONTAINS(summary, "KGS                    15          360\n");
    EXPECT_CONTAINS(summary, "others                 45         1080\n");
    EXPECT_CONTAINS(summary, "3d                                 180\n"); /* Black's turns */
    EXPECT_CONTAINS(summary, "5k                                 180\n");
    EXPECT_CONTAINS(summary, "none                              1080\n");
    EXPECT_CONTAINS(problems, "b.zip:bad.sgf:1: ");
    EXPECT_CONTAINS(problems, "d.sgf: no game in this file");
    arena_clear(&arena);
    remove_tree(place.path);
}

TEST(the_bytes_do_not_depend_on_threads) {
    Place place = place_new();
    expect_run(&place, "one", (Run){.settings = {"threads=1"}});
    expect_run(&place, "five", (Run){.settings = {"threads=5"}});
    expect_same_tree(in(place.path, "one").text, in(place.path, "five").text);
    remove_tree(place.path);
}

/* Makes the rows in a process that is killed at report number `report` of its progress. Returns
 * false if the work ends before this report. */
static bool run_until_killed(const Place *place, const char *name, int report) {
    int code;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        Run run = {.kill_at = report};
        Status status = run_in(place, name, &run, NULL);
        _exit(status ? 1 : 0);
    }
    EXPECT_TRUE(child > 0);
    EXPECT_INT(child, waitpid(child, &code, 0));
    if (WIFEXITED(code)) EXPECT_INT(0, WEXITSTATUS(code));
    return WIFSIGNALED(code);
}

TEST(a_killed_run_goes_on_with_the_same_bytes) {
    Place place = place_new();
    expect_run(&place, "clean", (Run){0});
    EXPECT_TRUE(run_until_killed(&place, "killed", 20)); /* while games are read */
    EXPECT_TRUE(run_until_killed(&place, "killed", 76)); /* while rows are made */
    for (int report = 3; run_until_killed(&place, "killed", report) && report < 100; report++)
        continue; /* each time at a later report, until nothing is left to do */
    expect_run(&place, "killed", (Run){0});
    expect_same_tree(in(place.path, "clean").text, in(place.path, "killed").text);
    remove_tree(place.path);
}

TEST(a_lost_file_is_made_again) {
    Place place = place_new();
    expect_run(&place, "clean", (Run){0});
    expect_run(&place, "out", (Run){0});
    EXPECT_OK(file_remove(in(in(place.path, "out/train").text, "000003.npz").text, err));
    expect_run(&place, "out", (Run){0});
    expect_same_tree(in(place.path, "clean").text, in(place.path, "out").text);
    remove_tree(place.path);
}

static bool part_has(const Rows *rows, double hash) {
    for (size_t n = 0; n < rows->count; n++) {
        if (hash_of(rows, n) == hash) return true;
    }
    return false;
}

TEST(the_split_depends_only_on_the_moves) {
    Place place = place_new();
    Path a = in(place.games, "a.sgfs"), b = in(place.games, "b.zip"), c = in(place.games, "c.sgf");
    expect_run(&place, "first", (Run){0});
    expect_run(&place, "second",
               (Run){.settings = {"rows.seed=99"}, .paths = {c.text, b.text, a.text}});
    Rows first = read_part(&place, "first", "validation", NULL),
         second = read_part(&place, "second", "validation", NULL),
         train = read_part(&place, "first", "train", NULL);
    EXPECT_INT(first.count, second.count);
    for (size_t n = 0; n < first.count; n++)
        EXPECT_TRUE(part_has(&second, hash_of(&first, n)));
    /* The loader makes a split of its own: it holds out some of the games in train/. */
    RowPool *pool;
    int held_out = 0;
    EXPECT_OK(row_pool_new(&(RowPoolSetup){7, 1 << 20, 0.2f, false}, &pool, err));
    for (size_t n = 0; n < train.count; n++)
        held_out += row_pool_is_held_out(pool, &train, n);
    EXPECT_TRUE(held_out > 0 && held_out < (int)train.count / 2);
    row_pool_free(pool);
    rows_clear(&first);
    rows_clear(&second);
    rows_clear(&train);
    remove_tree(place.path);
}

/* If one pool holds all rows, they are shuffled evenly. Each game has 24 rows, and there are 15
 * files. If each row were put into a random file, the rows of a game would lie in this number of
 * files on average:
 *     15 * (1 - (14 / 15)^24) = 12.1 */
TEST(the_pool_spreads_the_rows_of_a_game) {
    Place place = place_new();
    expect_run(&place, "out",
               (Run){.settings = {"pool_rows=100000", "rows.validation=0", "shard_rows=96"}});
    Path train = in(in(place.path, "out").text, "train");
    const char *paths[] = {train.text};
    RowFiles files;
    double places = 0, neighbours = 0;
    EXPECT_OK(row_files_find(paths, 1, &files, err));
    EXPECT_INT(TURNS / 96, files.count);
    for (int i = 0; i < files.count; i++) {
        Rows rows;
        EXPECT_OK(row_file_read(files.paths[i], &rows, err));
        EXPECT_INT(96, rows.count);
        for (size_t n = 0; n < rows.count; n++) {
            bool before = false;
            for (size_t k = 0; k < n; k++)
                before |= hash_of(&rows, k) == hash_of(&rows, n);
            places += !before;
            neighbours += n && hash_of(&rows, n - 1) == hash_of(&rows, n);
        }
        rows_clear(&rows);
    }
    EXPECT_NEAR(12.1, places / GAMES, 0.5);
    EXPECT_NEAR(TURNS / 60.0, neighbours, 20); /* 1380 without shuffling */
    row_files_clear(&files);
    remove_tree(place.path);
}

/* The folder of the rows lies in the folder of the games, and contains a file of games, games.sgfs.
 * The second run must not read it. */
TEST(the_folder_of_the_rows_is_no_source) {
    Place place = place_new();
    expect_run(&place, "games/out", (Run){0});
    expect_run(&place, "games/out", (Run){0});
    Arena arena = {0};
    EXPECT_CONTAINS(read_text(&place, "games/out", "summary.txt", &arena),
                    "games found                                  70\n");
    arena_clear(&arena);
    remove_tree(place.path);
}

TEST(the_folder_of_the_games_is_refused_for_the_rows) {
    Place place = place_new();
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "games", &(Run){0}, &error));
    EXPECT_CONTAINS(error.message, "the folder that is read cannot be the one that is written");
    remove_tree(place.path);
}

TEST(row_files_without_an_index_are_refused) {
    Place place = place_new();
    Error error = {0};
    expect_run(&place, "out", (Run){0});
    EXPECT_OK(file_remove(in(in(place.path, "out").text, "games.index").text, err));
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "out", &(Run){0}, &error));
    EXPECT_CONTAINS(error.message, "has row files, but no games.index");
    remove_tree(place.path);
}

TEST(a_folder_with_other_rows_is_refused) {
    Place place = place_new();
    Error error = {0};
    StrBuf text = {0};
    expect_run(&place, "out", (Run){0});
    Run other = {.settings = {"rows.seed=2"}};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "out", &other, &error));
    EXPECT_CONTAINS(error.message, "has rows of other games or settings");
    add_game(&text, 500, "");
    put(&place, "e.sgf", &text);
    other = (Run){0};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "out", &other, &error));
    StrBuf broken = {0};
    strbuf_add(&broken, "no index");
    EXPECT_OK(file_write(in(in(place.path, "out").text, "games.index").text, broken.text,
                         broken.length, err));
    EXPECT_STATUS(ERR_SYNTAX, run_in(&place, "out", &other, &error));
    EXPECT_CONTAINS(error.message, "games.index is damaged");
    strbuf_clear(&text);
    strbuf_clear(&broken);
    remove_tree(place.path);
}

TEST(without_a_game_there_are_no_rows) {
    Place place = place_new();
    Error error = {0};
    Run run = {.settings = {"filter.sizes=19"}};
    EXPECT_STATUS(ERR_SYNTAX, run_in(&place, "out", &run, &error));
    EXPECT_CONTAINS(error.message, "no game is left");
    run = (Run){.settings = {"rows.rules=mine"}};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "out2", &run, &error));
    run = (Run){.paths = {"/nowhere"}};
    EXPECT_STATUS(ERR_IO, run_in(&place, "out2", &run, &error));
    remove_tree(place.path);
}

/* If the board of a finished game does not agree with the result, a net plays the game on. For the
 * same folder, a call without this net is refused, because it would make other rows. */
TEST(a_net_plays_finished_games_on) {
    static const EvaluatorClass PASSES = {"passes", evaluate_pass, NULL};
    Evaluator passes = {.class = &PASSES, .batch = 1};
    Place place = place_new();
    StrBuf text = {0};
    Error error = {0};
    strbuf_add(&text, "(;SZ[5]RU[Chinese]KM[0.5]RE[B+24.5]AB[bb][bd][db][dd];B[cc];W[];B[];W[])");
    put(&place, "dead.sgf", &text);
    const Path file = in(place.games, "dead.sgf");
    Run run = {.paths = {file.text}, .evaluator = &passes};
    expect_run(&place, "played", run);
    EXPECT_INT(2, passes.evaluations); /* each side passes */
    expect_run(&place, "played", run);
    EXPECT_INT(2, passes.evaluations); /* the games have been read already */
    run.evaluator = NULL;
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "played", &run, &error));
    strbuf_clear(&text);
    remove_tree(place.path);
}

/* Rows get the columns of row_points.h that are asked for, and their other columns do not change.
 * settings.cfg names such a column only if there is one, so that folders of earlier versions, which
 * did not know the columns, are still accepted. */
TEST(rows_have_the_point_columns_that_are_wanted) {
    Place place = place_new();
    Arena arena = {0};
    expect_run(&place, "plain", (Run){0});
    expect_run(&place, "rich", (Run){.settings = {"rows.next_occupant=true"}});
    EXPECT_TRUE(!strstr(read_text(&place, "plain", "settings.cfg", &arena), "next_occupant"));
    EXPECT_CONTAINS(read_text(&place, "rich", "settings.cfg", &arena), "rows.next_occupant = true");
    Path plain = in(in(place.path, "plain").text, "train"),
         rich = in(in(place.path, "rich").text, "train");
    Rows a, b;
    StrBuf x = {0}, y = {0};
    EXPECT_OK(row_file_read(in(plain.text, "000000.npz").text, &a, err));
    EXPECT_OK(row_file_read(in(rich.text, "000000.npz").text, &b, err));
    EXPECT_INT(0, a.point_columns);
    EXPECT_INT(1 << ROW_NEXT_OCCUPANT, b.point_columns);
    int counts[NEXT_OCCUPANTS] = {0};
    for (size_t i = 0; i < b.count * 49; i++)
        counts[b.points[ROW_NEXT_OCCUPANT][i]]++;
    EXPECT_TRUE(counts[NEXT_OCCUPANT_UNKNOWN] > 100); /* games that were lost on time */
    for (int k = NEXT_OCCUPANT_MOVER; k < NEXT_OCCUPANTS; k++)
        EXPECT_TRUE(counts[k] > 100);
    EXPECT_OK(rows_add_points(&a, b.point_columns, err));
    memcpy(a.points[ROW_NEXT_OCCUPANT], b.points[ROW_NEXT_OCCUPANT],
           b.count * 49 * sizeof(int16_t));
    rows_to_bytes(&a, &x);
    rows_to_bytes(&b, &y);
    EXPECT_INT(x.length, y.length);
    EXPECT_TRUE(memcmp(x.text, y.text, x.length) == 0);
    strbuf_clear(&x);
    strbuf_clear(&y);
    rows_clear(&a);
    rows_clear(&b);
    arena_clear(&arena);
    remove_tree(place.path);
}

TEST(frames_may_be_larger_than_boards) {
    Place place = place_new();
    expect_run(&place, "out", (Run){.settings = {"rows.size=9", "filter.min_rank=1d"}});
    Path path = in(in(place.path, "out/train").text, "000000.npz");
    RowFileSize size;
    EXPECT_OK(row_file_size(path.text, &size, err));
    EXPECT_INT(9, size.length);
    Error error = {0};
    Run small = {.settings = {"rows.size=5"}};
    EXPECT_STATUS(ERR_SYNTAX, run_in(&place, "small", &small, &error));
    remove_tree(place.path);
}

TEST_MAIN(RUN(every_turn_becomes_one_row), RUN(a_net_plays_finished_games_on),
          RUN(rows_have_the_point_columns_that_are_wanted),
          RUN(games_are_counted_and_problems_named), RUN(the_bytes_do_not_depend_on_threads),
          RUN(a_killed_run_goes_on_with_the_same_bytes), RUN(a_lost_file_is_made_again),
          RUN(the_split_depends_only_on_the_moves), RUN(the_pool_spreads_the_rows_of_a_game),
          RUN(the_folder_of_the_rows_is_no_source), RUN(a_folder_with_other_rows_is_refused),
          RUN(the_folder_of_the_games_is_refused_for_the_rows),
          RUN(row_files_without_an_index_are_refused), RUN(without_a_game_there_are_no_rows),
          RUN(frames_may_be_larger_than_boards))

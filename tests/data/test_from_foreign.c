/* Makes row files from other programs' training files. What cannot be used is counted and named,
 * and copies are dropped. The bytes of the row files depend neither on the number of threads nor on
 * how the training files are packed. */
#include <unistd.h>

#include "base/file.h"
#include "data/foreign/from_foreign.h"
#include "data/rows/row_file.h"
#include "data/rows/row_files.h"
#include "data/shards/game_index.h"
#include "gzip.h"
#include "made_foreign.h"

/* A folder of this test. */
typedef struct {
    char path[64];
} Place;

static Place place_new(void) {
    Place place = {"/tmp/aji-foreign-XXXXXX"};
    EXPECT_TRUE(mkdtemp(place.path) != NULL);
    return place;
}

static Path in(const Place *place, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, place->path, name, err));
    return path;
}

static void remove_tree(const char *path) {
    static const char *const PARTS[] = {"train", "validation", ""};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        Path part;
        EXPECT_OK(path_join(&part, path, PARTS[i], err));
        EXPECT_OK(directory_remove(part.text, err));
    }
}

typedef struct {
    const ForeignFormat *format;
    const char *settings[4];
    int reports, stop_at; /* stops at this report; 0: never */
} Run;

static Status hear(Run *run, Error *err) {
    return ++run->reports == run->stop_at ? (fail)(err, ERR_STOPPED, "stopped") : OK;
}

static Status hear_scan(void *context, const FileSourcesState *state, const ForeignCounts *counts,
                        Error *err) {
    EXPECT_TRUE(state->bytes_read <= state->bytes && counts->rows >= 0);
    return hear(context, err);
}

static Status hear_shards(void *context, const RowShardsState *state, Error *err) {
    EXPECT_TRUE(state->rows_done <= state->rows);
    return hear(context, err);
}

static Status run_in(const Place *place, const char *files, const char *out, Run *run, Error *err) {
    ForeignRowsSettings rows;
    RowShardsSettings shards;
    const SettingsGroup groups[] = {
        {"positions", FOREIGN_ROWS_FIELDS, &rows}, {"rows", ROW_SHARDS_FIELDS, &shards}, {0}};
    settings_defaults(FOREIGN_ROWS_FIELDS, &rows);
    settings_defaults(ROW_SHARDS_FIELDS, &shards);
    shards.shard_rows = 50;
    shards.pool_rows = 150;
    shards.threads = 2;
    shards.validation = 0.3;
    for (int i = 0; i < 4 && run->settings[i]; i++)
        EXPECT_STATUS(OK, settings_assign(groups, run->settings[i], err));
    Path from = in(place, files), to = in(place, out);
    const char *path = from.text;
    const ForeignWatch watch = {hear_scan, run};
    const RowShardsWatch shards_watch = {hear_shards, run};
    const FromForeignSetup setup = {.format = run->format ? run->format : &FOREIGN_LEELA_ZERO,
                                    .paths = &path,
                                    .path_count = 1,
                                    .folder = to.text,
                                    .rows = &rows,
                                    .shards = &shards,
                                    .scan_watch = &watch,
                                    .shards_watch = &shards_watch};
    return from_foreign_run(&setup, err);
}

static char *read_text(const Place *place, const char *folder, const char *name, Arena *arena) {
    Path path = in(place, folder), file;
    char *text;
    size_t length;
    EXPECT_OK(path_join(&file, path.text, name, err));
    EXPECT_OK(file_read(file.text, 1 << 26, arena, &text, &length, err));
    return text;
}

/* Expects a line "WHAT   NUMBER" in the summary. */
static void expect_number(const Place *place, const char *folder, const char *what, int number) {
    Arena arena = {0};
    char line[128];
    snprintf(line, sizeof line, "%-44s %12d\n", what, number);
    EXPECT_CONTAINS(read_text(place, folder, "summary.txt", &arena), line);
    arena_clear(&arena);
}

/* Reads all rows of both parts as bytes, in the order of the files. */
static void all_rows(const Place *place, const char *folder, StrBuf *out, size_t counts[2]) {
    static const char *const PARTS[] = {"train", "validation"};
    for (int i = 0; i < 2; i++) {
        Path path = in(place, folder), part;
        RowFiles files;
        EXPECT_OK(path_join(&part, path.text, PARTS[i], err));
        const char *parts[] = {part.text};
        counts[i] = 0;
        if (row_files_find(parts, 1, &files, NULL)) continue;
        for (int k = 0; k < files.count; k++) {
            Rows rows;
            EXPECT_OK(row_file_read(files.paths[k], &rows, err));
            counts[i] += rows.count;
            rows_to_bytes(&rows, out);
            rows_clear(&rows);
        }
        row_files_clear(&files);
    }
}

static void expect_same_rows(const Place *place, const char *a, const char *b) {
    StrBuf x = {0}, y = {0};
    size_t counts[2];
    all_rows(place, a, &x, counts);
    all_rows(place, b, &y, counts);
    EXPECT_INT(x.length, y.length);
    EXPECT_TRUE(x.length > 0 && memcmp(x.text, y.text, x.length) == 0);
    strbuf_clear(&x);
    strbuf_clear(&y);
}

static void game_text(int seed, int turns, StrBuf *out) {
    static MadeGame game;
    made_game(&game, 19, turns, seed);
    for (int t = 0; t < turns; t++)
        made_leela_text(&game.positions[t], out);
}

static void save(const Place *place, const char *folder, const char *name, const StrBuf *text,
                 size_t count) {
    Path path = in(place, folder), file;
    EXPECT_OK(path_join(&file, path.text, name, err));
    if (path_has_ending(name, ".gz"))
        write_gzip(file.text, text->text, count, 1);
    else
        EXPECT_OK(file_write(file.text, text->text, count, err));
}

/* Writes `files` files of two games each. */
static void fill(const Place *place, const char *folder, int files) {
    EXPECT_OK(directory_make(in(place, folder).text, err));
    for (int i = 0; i < files; i++) {
        StrBuf text = {0};
        char name[32];
        snprintf(name, sizeof name, "train.%d.gz", i);
        game_text(2 * i, 20, &text);
        game_text(2 * i + 1, 25, &text);
        save(place, folder, name, &text, text.length);
        strbuf_clear(&text);
    }
}

TEST(files_are_counted_and_problems_named) {
    Place place = place_new();
    StrBuf text = {0}, debug = {0};
    Arena arena = {0};
    fill(&place, "files", 6);
    game_text(0, 20, &text); /* a copy of a game */
    size_t copy = text.length;
    game_text(50, 30, &text);
    save(&place, "files", "copy.txt", &text, text.length);
    save(&place, "files", "cut.txt", &text, copy + (text.length - copy) / 2);
    strbuf_add(&debug, "2\n10 net.gz\n");
    save(&place, "files", "a.debug.0.gz", &debug, debug.length);
    save(&place, "files", "empty.gz", &debug, 0);
    save(&place, "files", "broken.txt.gz", &text, text.length);
    Path broken = in(&place, "files/broken.txt.gz");
    EXPECT_INT(0, truncate(broken.text, file_bytes(broken.text) / 2));
    EXPECT_OK(run_in(&place, "files", "out", &(Run){0}, err));
    expect_number(&place, "out", "files", 11);
    expect_number(&place, "out", "  of these without a readable position", 3);
    expect_number(&place, "out", "positions", 6 * 45 + 50 + 20 + 15);
    expect_number(&place, "out", "damaged positions", 2);
    expect_number(&place, "out", "duplicates", 2);
    expect_number(&place, "out", "whole games", 13);
    expect_number(&place, "out", "pieces of games", 1);
    expect_number(&place, "out", "rows", 6 * 45 + 30 + 15);
    const char *problems = read_text(&place, "out", "problems.txt", &arena);
    EXPECT_CONTAINS(problems, "cut.txt: line 666: position 36 is cut short");
    EXPECT_CONTAINS(problems, "a.debug.0.gz:a.debug.0: it is a debug file of Leela Zero");
    EXPECT_CONTAINS(problems, "empty");
    EXPECT_CONTAINS(problems, "unreadable: ");
    EXPECT_CONTAINS(problems, "broken.txt.gz");
    size_t counts[2];
    StrBuf rows = {0};
    all_rows(&place, "out", &rows, counts);
    EXPECT_INT(6 * 45 + 30 + 15, counts[0] + counts[1]);
    EXPECT_TRUE(counts[1] > 0 && counts[0] > counts[1]);
    expect_number(&place, "out", "  of these for validation", (int)counts[1]);
    strbuf_clear(&rows);
    strbuf_clear(&text);
    strbuf_clear(&debug);
    arena_clear(&arena);
    remove_tree(in(&place, "out").text);
    EXPECT_OK(directory_remove(in(&place, "files").text, err));
    EXPECT_OK(directory_remove(place.path, err));
}

/* The work is stopped at every report, and each time the next call goes on. */
TEST(a_stopped_run_goes_on_with_the_same_bytes) {
    Place place = place_new();
    Run clean = {0};
    fill(&place, "files", 5);
    EXPECT_OK(run_in(&place, "files", "clean", &clean, err));
    EXPECT_TRUE(clean.reports > 10);
    for (int at = 1; at <= clean.reports; at++) {
        Status status = run_in(&place, "files", "stopped", &(Run){.stop_at = at}, NULL);
        EXPECT_TRUE(status == ERR_STOPPED || status == OK);
    }
    EXPECT_OK(run_in(&place, "files", "stopped", &(Run){0}, err));
    expect_same_rows(&place, "clean", "stopped");
    EXPECT_OK(run_in(&place, "files", "one", &(Run){.settings = {"rows.threads=1"}}, err));
    expect_same_rows(&place, "clean", "one");
    Error fault = {0};
    Run other = {.settings = {"positions.komi=6.5"}};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "files", "one", &other, &fault));
    EXPECT_CONTAINS(fault.message, "has rows of other games or settings");
    static const char *const FOLDERS[] = {"clean", "stopped", "one"};
    for (int i = 0; i < 3; i++)
        remove_tree(in(&place, FOLDERS[i]).text);
    EXPECT_OK(directory_remove(in(&place, "files").text, err));
    EXPECT_OK(directory_remove(place.path, err));
}

/* Each file has pieces of one game. Either all of them are for training, or all are for validation.
 * The setting positions.keep draws a part of the positions. */
TEST(pieces_stay_together_and_positions_are_drawn) {
    Place place = place_new();
    static MadeGame game;
    EXPECT_OK(directory_make(in(&place, "files").text, err));
    for (int i = 0; i < 12; i++) {
        StrBuf text = {0};
        char name[32];
        snprintf(name, sizeof name, "%02d.txt", i);
        made_game(&game, 19, 40, 100 + i);
        for (int t = 0; t < 40; t += 2) /* no position follows another one */
            made_leela_text(&game.positions[t], &text);
        save(&place, "files", name, &text, text.length);
        strbuf_clear(&text);
    }
    EXPECT_OK(run_in(&place, "files", "out", &(Run){0}, err));
    size_t counts[2];
    StrBuf rows = {0};
    all_rows(&place, "out", &rows, counts);
    EXPECT_INT(12 * 20, counts[0] + counts[1]);
    EXPECT_TRUE(counts[0] > 0 && counts[1] > 0);
    EXPECT_INT(0, counts[1] % 20);
    EXPECT_OK(run_in(&place, "files", "half", &(Run){.settings = {"positions.keep=0.5"}}, err));
    all_rows(&place, "half", &rows, counts);
    EXPECT_NEAR(120, counts[0] + counts[1], 30);
    Error fault = {0};
    Run none = {.settings = {"positions.keep=0"}};
    EXPECT_STATUS(ERR_SYNTAX, run_in(&place, "files", "none", &none, &fault));
    EXPECT_CONTAINS(fault.message, "no game is left");
    Run wrong = {.settings = {"positions.rules=mine"}};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "files", "wrong", &wrong, &fault));
    EXPECT_CONTAINS(fault.message, "positions.rules");
    wrong = (Run){.settings = {"positions.komi=7.3"}};
    EXPECT_STATUS(ERR_ARGUMENT, run_in(&place, "files", "wrong", &wrong, &fault));
    EXPECT_CONTAINS(fault.message, "positions.komi is 7.3");
    strbuf_clear(&rows);
    static const char *const FOLDERS[] = {"out", "half", "none"};
    for (int i = 0; i < 3; i++)
        remove_tree(in(&place, FOLDERS[i]).text);
    EXPECT_OK(directory_remove(in(&place, "files").text, err));
    EXPECT_OK(directory_remove(place.path, err));
}

/* Each game has two pieces. Either both are for training, or both are for validation, although
 * other games are in the same file. */
TEST(a_piece_is_on_the_side_of_its_game) {
    Place place = place_new();
    static MadeGame game;
    StrBuf text = {0};
    GameIndex index;
    int sides[2] = {0};
    for (int i = 0; i < 20; i++) {
        made_game(&game, 19, 30, 200 + i);
        for (int t = 0; t < 30; t++) {
            if (t != 15) made_leela_text(&game.positions[t], &text);
        }
    }
    save(&place, "", "a.txt", &text, text.length);
    EXPECT_OK(run_in(&place, "a.txt", "out", &(Run){0}, err));
    expect_number(&place, "out", "pieces of games", 40);
    EXPECT_OK(game_index_load(in(&place, "out/games.index").text, &index, err));
    EXPECT_INT(40, index.count);
    for (size_t i = 0; i < index.count; i += 2) {
        EXPECT_INT(index.entries[i].validation, index.entries[i + 1].validation);
        sides[index.entries[i].validation]++;
    }
    EXPECT_TRUE(sides[0] > 0 && sides[1] > 0);
    game_index_clear(&index);
    strbuf_clear(&text);
    remove_tree(in(&place, "out").text);
    EXPECT_OK(directory_remove(place.path, err));
}

/* The same games give the same rows as text and as records. lc0's records give the same rows as
 * well. */
TEST(all_forms_give_the_same_rows) {
    Place place = place_new();
    static MadeGame game;
    StrBuf text = {0}, packed = {0}, lc0 = {0};
    for (int seed = 0; seed < 4; seed++) {
        made_game(&game, 19, 30, seed);
        for (int t = 0; t < 30; t++) {
            made_leela_text(&game.positions[t], &text);
            made_leela_packed(&game.positions[t], &packed);
            made_lc0(&game.positions[t], 3, &lc0);
        }
    }
    save(&place, "", "a.txt", &text, text.length);
    save(&place, "", "a.bin.gz", &packed, packed.length);
    save(&place, "", "a.chunk", &lc0, lc0.length);
    EXPECT_OK(run_in(&place, "a.txt", "text", &(Run){0}, err));
    EXPECT_OK(run_in(&place, "a.bin.gz", "packed", &(Run){0}, err));
    EXPECT_OK(run_in(&place, "a.chunk", "lc0", &(Run){.format = &FOREIGN_LC0}, err));
    expect_same_rows(&place, "text", "packed");
    expect_same_rows(&place, "text", "lc0");
    strbuf_clear(&text);
    strbuf_clear(&packed);
    strbuf_clear(&lc0);
    Run small = {.settings = {"rows.size=13"}};
    Error fault = {0};
    EXPECT_STATUS(ERR_SYNTAX, run_in(&place, "a.txt", "small", &small, &fault));
    expect_number(&place, "small", "games on larger boards", 4);
    static const char *const FOLDERS[] = {"text", "packed", "lc0", "small"};
    for (int i = 0; i < 4; i++)
        remove_tree(in(&place, FOLDERS[i]).text);
    EXPECT_OK(directory_remove(place.path, err));
}

TEST_MAIN(RUN(files_are_counted_and_problems_named), RUN(a_stopped_run_goes_on_with_the_same_bytes),
          RUN(pieces_stay_together_and_positions_are_drawn),
          RUN(a_piece_is_on_the_side_of_its_game), RUN(all_forms_give_the_same_rows))

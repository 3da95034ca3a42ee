/* The optional columns of rows that have one number for each point (row_points.h): what they say of
 * random games, compared with a slow definition that plays each game again from each row, and how
 * files, packed rows, batches and symmetries keep them. */
#define _GNU_SOURCE /* mkdtemp */
#include "data/made_rows.h"

#include "base/scratch.h"
#include "data/loader.h"
#include "data/rows/row_check.h"
#include "data/rows/row_pack.h"
#include "random_move.h"

enum {
    WIDTH = 5,
    HEIGHT = 4,
    AREA = WIDTH * HEIGHT,
    FRAME = 6, /* rows have room for larger boards */
    CELLS = FRAME * FRAME,
    ALL = (1 << ROW_POINT_COLUMNS) - 1
};

/* Returns a game of `moves` random moves, after which both sides pass until it is over. Each turn
 * gets a row. */
static GameRecord random_game(const char *rules_text, int moves, uint64_t seed) {
    static Report report;
    Position position;
    GameRecord record;
    Rules rules = rules_tromp_taylor();
    Rng rng = rng_seeded(seed);
    EXPECT_OK(rules_parse(rules_text, &rules, err));
    EXPECT_OK(position_init(&position, WIDTH, HEIGHT, &rules, err));
    EXPECT_OK(game_record_init(&record, &position, err));
    for (int i = 0; !position.over; i++) {
        Point point = i < moves ? random_move_of_encore(&rng, &position) : POINT_PASS;
        report = (Report){.mover = position.mover, .visits = 1, .win = 1, .move_count = 1};
        report.moves[0] = (MoveReport){.point = point, .visits = 1, .weight = 1};
        EXPECT_OK(game_record_add(&record, (Move){point, position.mover}, &report, 1, err));
        EXPECT_OK(position_play(&position, point, err));
    }
    EXPECT_OK(game_record_finish(&record, &position, false, err));
    position_clear(&position);
    return record;
}

static Rows rows_of(const GameRecord *record, unsigned columns) {
    Rows rows;
    Rng rng = rng_seeded(5);
    EXPECT_OK(rows_init(&rows, FRAME, err));
    EXPECT_OK(rows_add_points(&rows, columns, err));
    EXPECT_OK(rows_from_game(record, &rng, &rows, err));
    EXPECT_INT(record->turn_count + record->side_count, rows.count);
    EXPECT_OK(rows_check(&rows, err));
    return rows;
}

/* Returns the position before turn t. */
static Position position_before(const GameRecord *record, int t) {
    Position position = {0};
    EXPECT_OK(position_copy(&position, &record->start, err));
    for (int i = 0; i < t; i++)
        EXPECT_OK(position_play(&position, record->turns[i].move.point, err));
    return position;
}

/* The slow definition of the next occupant: play the rest of the game from turn t on, until a move
 * puts a stone on the point. A suicide puts no stone there, because it is gone after the move. */
static int slow_next_occupant(const GameRecord *record, int t, Point point, bool end_known) {
    Position position = position_before(record, t);
    Color own = position.mover;
    int found = end_known ? NEXT_OCCUPANT_NOBODY : NEXT_OCCUPANT_UNKNOWN;
    for (size_t i = (size_t)t; i < record->turn_count; i++) {
        Point move = record->turns[i].move.point;
        if (move == POINT_NONE) {
            found = NEXT_OCCUPANT_UNKNOWN;
            break;
        }
        bool empty = position.board.color[point] == COLOR_EMPTY;
        Color mover = position.mover;
        EXPECT_OK(position_play(&position, move, err));
        if (move != point || !empty || position.board.color[point] == COLOR_EMPTY) continue;
        found = mover == own ? NEXT_OCCUPANT_MOVER : NEXT_OCCUPANT_OPPONENT;
        break;
    }
    position_clear(&position);
    return found;
}

/* The slow definition of the time on board: play the rest of the game from turn t on, until the
 * stone on the point is gone. */
static int slow_time_on_board(const GameRecord *record, int t, Point point, bool end_known) {
    Position position = position_before(record, t);
    int found = end_known ? TIME_ON_BOARD_ALWAYS : 0;
    if (position.board.color[point] == COLOR_EMPTY) found = 0;
    for (int i = t; position.board.color[point] != COLOR_EMPTY && i < (int)record->turn_count;
         i++) {
        Point move = record->turns[i].move.point;
        if (move == POINT_NONE) {
            found = 0;
            break;
        }
        EXPECT_OK(position_play(&position, move, err));
        if (position.board.color[point] == COLOR_EMPTY) found = i - t + 1;
    }
    position_clear(&position);
    return found;
}

/* The slow definition of chains at the end: points are related if stones of one color stand on both
 * and they are neighbors, and also if both are related to a third point. */
static void slow_chains(const GameRecord *record, bool related[AREA][AREA], bool stone[AREA]) {
    Position end = position_before(record, (int)record->turn_count);
    memset(related, 0, AREA * sizeof *related);
    for (int i = 0; i < AREA; i++) {
        int x = i % WIDTH, y = i / WIDTH, color = end.board.color[point_at(x, y)];
        stone[i] = color != COLOR_EMPTY;
        for (int k = 0; k < AREA; k++) {
            int away = abs(k % WIDTH - x) + abs(k / WIDTH - y);
            related[i][k] =
                stone[i] && away <= 1 && end.board.color[point_at(k % WIDTH, k / WIDTH)] == color;
        }
    }
    for (int by = 0; by < AREA; by++) {
        for (int i = 0; i < AREA * AREA; i++)
            related[i / AREA][i % AREA] |= related[i / AREA][by] && related[by][i % AREA];
    }
    position_clear(&end);
}

/* Compares the chains of all rows of a game with the slow definition. Returns how many pairs of
 * different points belong to one chain. */
static int expect_chains(const GameRecord *record, const Rows *rows) {
    bool related[AREA][AREA], stone[AREA];
    int pairs = 0;
    slow_chains(record, related, stone);
    for (size_t n = 0; n < record->turn_count; n++) {
        const int16_t *chains = rows->points[ROW_SAME_CHAIN] + n * CELLS;
        for (int i = 0; i < AREA; i++) {
            int a = chains[i / WIDTH * FRAME + i % WIDTH];
            EXPECT_TRUE(stone[i] ? a >= SAME_CHAIN_FIRST : a == SAME_CHAIN_NONE);
            for (int k = 0; k < AREA && stone[i]; k++) {
                EXPECT_INT(related[i][k], a == chains[k / WIDTH * FRAME + k % WIDTH]);
                pairs += i != k && related[i][k];
            }
        }
        for (int cell = 0; cell < CELLS; cell++) {
            if (cell % FRAME >= WIDTH || cell / FRAME >= HEIGHT) EXPECT_INT(0, chains[cell]);
        }
    }
    return pairs;
}

/* Counts how often each number of a column occurs and how often games have special moves, so that
 * tests can check that games have all cases. */
typedef struct {
    int occupants[NEXT_OCCUPANTS];
    int refilled; /* points with a stone that is captured and followed by another one */
    int suicides, passes_for_ko;
    int captured, kept, unknown_times, times_of_1; /* stones by their time on board */
    int pairs;                                     /* of different points of one chain */
} Seen;

static void count_time(bool stone, int time, Seen *seen) {
    seen->captured += time > 0 && time < TIME_ON_BOARD_ALWAYS;
    seen->times_of_1 += time == 1;
    seen->kept += time == TIME_ON_BOARD_ALWAYS;
    seen->unknown_times += stone && time == 0;
}

static void count_special_moves(const Position *before, Point move, Seen *seen) {
    Position after = {0};
    if (move == POINT_NONE || move == POINT_PASS) return;
    bool lifts = position_is_pass_for_ko(before, move);
    EXPECT_OK(position_copy(&after, before, err));
    EXPECT_OK(position_play(&after, move, err));
    seen->passes_for_ko += lifts;
    seen->suicides += !lifts && after.board.color[move] == COLOR_EMPTY;
    position_clear(&after);
}

/* Compares all rows of a game with the slow definitions. */
static void expect_columns(const GameRecord *record, bool end_known, Seen *seen) {
    Rows rows = rows_of(record, ALL);
    for (int t = 0; t < (int)record->turn_count; t++) {
        Position now = position_before(record, t);
        count_special_moves(&now, record->turns[t].move.point, seen);
        const int16_t *occupants = rows.points[ROW_NEXT_OCCUPANT] + t * CELLS,
                      *times = rows.points[ROW_TIME_ON_BOARD] + t * CELLS;
        for (int cell = 0; cell < CELLS; cell++) {
            int x = cell % FRAME, y = cell / FRAME;
            if (x >= WIDTH || y >= HEIGHT) {
                EXPECT_INT(0, occupants[cell]);
                EXPECT_INT(0, times[cell]);
                continue;
            }
            Point point = point_at(x, y);
            int wanted = slow_next_occupant(record, t, point, end_known);
            EXPECT_INT(wanted, occupants[cell]);
            bool stone = now.board.color[point] != COLOR_EMPTY;
            seen->occupants[wanted]++;
            seen->refilled +=
                stone && (wanted == NEXT_OCCUPANT_MOVER || wanted == NEXT_OCCUPANT_OPPONENT);
            int time = slow_time_on_board(record, t, point, end_known);
            EXPECT_INT(time, times[cell]);
            count_time(stone, time, seen);
        }
        position_clear(&now);
    }
    bool all_known = end_known && record->turns[record->turn_count - 1].move.point != POINT_NONE;
    if (all_known) seen->pairs += expect_chains(record, &rows);
    for (size_t i = 0; i < rows.count * CELLS && !all_known; i++)
        EXPECT_INT(0, rows.points[ROW_SAME_CHAIN][i]);
    rows_clear(&rows);
}

/* The games have captures, suicides of several stones, and passes for ko in the encore. */
TEST(columns_are_those_of_the_rest_of_the_game) {
    static const char *const RULES[] = {"tromp-taylor", "chinese", "japanese"};
    Seen seen = {0};
    for (int r = 0; r < 3; r++) {
        for (int g = 0; g < 4; g++) {
            GameRecord record = random_game(RULES[r], 40 + 20 * g, (uint64_t)(10 * r + g));
            expect_columns(&record, true, &seen);
            game_record_clear(&record);
        }
    }
    EXPECT_INT(0, seen.occupants[NEXT_OCCUPANT_UNKNOWN]);
    EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_MOVER] > 1000);
    EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_OPPONENT] > 1000);
    EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_NOBODY] > 1000);
    EXPECT_TRUE(seen.refilled > 100);
    EXPECT_INT(0, seen.unknown_times);
    EXPECT_TRUE(seen.pairs > 1000);
    EXPECT_TRUE(seen.captured > 1000 && seen.times_of_1 > 100 && seen.kept > 100);
    EXPECT_TRUE(seen.suicides > 0);
    EXPECT_TRUE(seen.passes_for_ko > 0);
}

/* If a game was broken off, nobody knows what would have happened afterwards. */
TEST(what_comes_after_a_game_that_was_broken_off_is_not_known) {
    for (int how = 0; how < 3; how++) {
        Seen seen = {0};
        GameRecord record = random_game("tromp-taylor", 30, 7);
        record.hit_move_limit = how == 0;
        record.end_unknown = how == 1;
        record.outcome_unknown = how == 2;
        expect_columns(&record, false, &seen);
        EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_UNKNOWN] > 100);
        EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_MOVER] > 100);
        EXPECT_INT(0, seen.occupants[NEXT_OCCUPANT_NOBODY]);
        EXPECT_TRUE(seen.unknown_times > 100 && seen.captured > 100);
        EXPECT_INT(0, seen.kept);
        game_record_clear(&record);
    }
}

/* Another program's files do not tell the last move of a game. It may be a move on any point. */
TEST(what_comes_after_a_move_that_is_not_known_is_not_known) {
    Seen seen = {0};
    GameRecord record = random_game("tromp-taylor", 30, 8);
    record.turns[record.turn_count - 1].move.point = POINT_NONE;
    expect_columns(&record, true, &seen);
    EXPECT_TRUE(seen.occupants[NEXT_OCCUPANT_UNKNOWN] > 100);
    EXPECT_INT(0, seen.occupants[NEXT_OCCUPANT_NOBODY]);
    EXPECT_TRUE(seen.unknown_times > 100 && seen.captured > 100);
    EXPECT_INT(0, seen.kept);
    game_record_clear(&record);
}

/* Black plays C3 on 5 x 4, White A1, Black passes, and White passes. Of all points only these two
 * get a stone. */
TEST(next_occupants_by_hand) {
    static Report report = {.visits = 1, .win = 1, .move_count = 1};
    const Point MOVES[4] = {point_at(2, 1), point_at(0, 3), POINT_PASS, POINT_PASS};
    Rules rules = rules_tromp_taylor();
    Position position;
    GameRecord record;
    EXPECT_OK(position_init(&position, WIDTH, HEIGHT, &rules, err));
    EXPECT_OK(game_record_init(&record, &position, err));
    for (int i = 0; i < 4; i++) {
        report.mover = position.mover;
        report.moves[0] = (MoveReport){.point = MOVES[i], .visits = 1, .weight = 1};
        EXPECT_OK(game_record_add(&record, (Move){MOVES[i], position.mover}, &report, 1, err));
        EXPECT_OK(position_play(&position, MOVES[i], err));
    }
    EXPECT_OK(game_record_finish(&record, &position, false, err));
    Rows rows = rows_of(&record, 1 << ROW_NEXT_OCCUPANT);
    const int16_t *to = rows.points[ROW_NEXT_OCCUPANT];
    int c3 = 1 * FRAME + 2, a1 = 3 * FRAME, other = 0;
    EXPECT_INT(NEXT_OCCUPANT_MOVER, to[c3]);
    EXPECT_INT(NEXT_OCCUPANT_OPPONENT, to[a1]);
    EXPECT_INT(NEXT_OCCUPANT_NOBODY, to[other]);
    to += CELLS; /* the row in which White is to move */
    EXPECT_INT(NEXT_OCCUPANT_NOBODY, to[c3]);
    EXPECT_INT(NEXT_OCCUPANT_MOVER, to[a1]);
    to += CELLS;
    EXPECT_INT(NEXT_OCCUPANT_NOBODY, to[c3]);
    EXPECT_INT(NEXT_OCCUPANT_NOBODY, to[a1]);
    rows_clear(&rows);
    position_clear(&position);
    game_record_clear(&record);
}

/* No game follows a side position. */
TEST(nothing_is_known_of_side_positions) {
    static Report report = {.visits = 1, .win = 1, .move_count = 1};
    GameRecord record = random_game("tromp-taylor", 30, 9);
    Position position = position_before(&record, 3);
    Point point = record.turns[3].move.point;
    report.mover = position.mover;
    report.moves[0] = (MoveReport){.point = point, .visits = 1, .weight = 1};
    EXPECT_OK(
        game_record_add_side(&record, &position, (Move){point, position.mover}, &report, 1, err));
    Rows rows = rows_of(&record, ALL);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        for (int cell = 0; cell < CELLS; cell++)
            EXPECT_INT(0, rows.points[c][(rows.count - 1) * CELLS + (size_t)cell]);
    }
    rows_clear(&rows);
    position_clear(&position);
    game_record_clear(&record);
}

static void expect_same_bytes(const Rows *a, const Rows *b) {
    StrBuf x = {0}, y = {0};
    rows_to_bytes(a, &x);
    rows_to_bytes(b, &y);
    EXPECT_INT(x.length, y.length);
    EXPECT_TRUE(memcmp(x.text, y.text, x.length) == 0);
    strbuf_clear(&x);
    strbuf_clear(&y);
}

static void drop_columns(Rows *rows) {
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        free(rows->points[c]);
        rows->points[c] = NULL;
    }
    rows->point_columns = 0;
}

/* Rows with these columns have the same bytes in all other columns as rows without them. So these
 * columns draw no random numbers either. */
TEST(other_columns_stay_as_they_are) {
    GameRecord record = random_game("tromp-taylor", 40, 3);
    Rows plain = rows_of(&record, 0), rich = rows_of(&record, ALL);
    EXPECT_INT(rows_total_bytes(&plain) + plain.count * ROW_POINT_COLUMNS * CELLS * 2,
               rows_total_bytes(&rich));
    drop_columns(&rich);
    expect_same_bytes(&plain, &rich);
    rows_clear(&plain);
    rows_clear(&rich);
    game_record_clear(&record);
}

/* Files of each set of columns are read as they were written. So a file without the columns, such
 * as a file of an older version or of KataGo, is read as rows without them. */
TEST(files_have_the_columns_of_their_rows) {
    Scratch scratch = scratch_new();
    GameRecord record = random_game("tromp-taylor", 40, 3);
    for (unsigned columns = 0; columns <= ALL; columns++) {
        Path path = scratch_path(&scratch, "a.npz");
        Rows rows = rows_of(&record, columns), again;
        EXPECT_OK(row_file_write(path.text, &rows, err));
        EXPECT_OK(row_file_read(path.text, &again, err));
        EXPECT_INT(columns, again.point_columns);
        for (int c = 0; c < ROW_POINT_COLUMNS; c++)
            EXPECT_INT(columns >> c & 1, again.points[c] != NULL);
        expect_same_bytes(&rows, &again);
        rows_clear(&rows);
        rows_clear(&again);
    }
    game_record_clear(&record);
    scratch_remove(&scratch);
}

TEST(numbers_that_cannot_be_are_refused) {
    GameRecord record = random_game("tromp-taylor", 20, 3);
    Rows rows = rows_of(&record, ALL);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        int16_t *at = rows.points[c] + CELLS; /* of row 1 */
        const int wrong[][2] = {
            {0, -1}, {0, ROW_POINT_CLASSES[c].max + 1}, {WIDTH, 1}, {HEIGHT * FRAME, 1}};
        for (int i = 0; i < 4; i++) {
            int16_t kept = at[wrong[i][0]];
            if (wrong[i][1] > INT16_MAX) continue;
            Error fault = {0};
            at[wrong[i][0]] = (int16_t)wrong[i][1];
            EXPECT_STATUS(ERR_SYNTAX, rows_check(&rows, &fault));
            EXPECT_CONTAINS(fault.message, "row 1: ");
            EXPECT_CONTAINS(fault.message, ROW_POINT_CLASSES[c].name);
            at[wrong[i][0]] = kept;
        }
    }
    EXPECT_OK(rows_check(&rows, err));
    rows_clear(&rows);
    game_record_clear(&record);
}

TEST(packed_rows_keep_the_columns) {
    GameRecord record = random_game("tromp-taylor", 40, 4);
    Rows rows = rows_of(&record, ALL), again, more;
    StrBuf packed = {0};
    EXPECT_OK(rows_init(&again, FRAME, err));
    EXPECT_OK(rows_init(&more, FRAME, err));
    EXPECT_OK(rows_add_points(&again, ALL, err));
    EXPECT_OK(rows_add_points(&more, ALL, err));
    for (size_t n = 0; n < rows.count; n++) {
        strbuf_reset(&packed);
        row_pack(&rows, n, &packed);
        EXPECT_OK(row_unpack(&again, packed.text, packed.length, err));
    }
    expect_same_bytes(&rows, &again);
    /* as a journal stores rows: without the column search_values, and then with it */
    for (int i = 0; i < 2; i++) {
        rows.search_values[7] = (int16_t)i;
        more.count = 0;
        strbuf_reset(&packed);
        rows_to_bytes(&rows, &packed);
        EXPECT_OK(rows_from_bytes(&more, packed.text, packed.length, rows.count, err));
        expect_same_bytes(&rows, &more);
        EXPECT_INT(i, more.search_values[7]);
        Rows plain = {.length = FRAME};
        EXPECT_STATUS(ERR_SYNTAX,
                      rows_from_bytes(&plain, packed.text, packed.length, rows.count, NULL));
    }
    strbuf_clear(&packed);
    rows_clear(&rows);
    rows_clear(&again);
    rows_clear(&more);
    game_record_clear(&record);
}

/* Rows of any two sets of columns may be put together. Columns that only the first rows have get
 * zeros for the second rows. Columns that only the second rows have are left out. */
TEST(rows_without_a_column_get_zeros_in_it) {
    GameRecord record = random_game("tromp-taylor", 40, 5);
    Rows all = rows_of(&record, ALL);
    size_t count = all.count, bytes = count * CELLS * sizeof(int16_t);
    int16_t *zeros = calloc(count * CELLS, sizeof *zeros);
    for (unsigned first = 0; first <= ALL; first++) {
        for (unsigned second = 0; second <= ALL; second++) {
            Rows to = rows_of(&record, first), from = rows_of(&record, second);
            EXPECT_OK(rows_append(&to, &from, 0, count, err));
            EXPECT_INT(first, to.point_columns);
            /* adds the missing columns, filled with zeros */
            EXPECT_OK(rows_add_points(&to, ALL, err));
            for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
                bool has = first >> c & 1, gets = has && second >> c & 1;
                EXPECT_TRUE(memcmp(to.points[c], has ? all.points[c] : zeros, bytes) == 0);
                EXPECT_TRUE(
                    memcmp(to.points[c] + count * CELLS, gets ? all.points[c] : zeros, bytes) == 0);
            }
            rows_clear(&to);
            rows_clear(&from);
        }
    }
    free(zeros);
    rows_clear(&all);
    game_record_clear(&record);
}

/* A sample of a batch shows the numbers of its row where the symmetry puts their points. */
TEST(columns_are_transformed_with_the_board) {
    enum { LENGTH = 5 }; /* the board fits, and the row's frame does not */
    GameRecord record = random_game("tromp-taylor", 40, 6);
    Rows rows = rows_of(&record, ALL), plain = rows_of(&record, 0);
    Batch batch;
    EXPECT_OK(batch_init(&batch, 1, LENGTH, err));
    EXPECT_OK(batch_add_points(&batch, ALL, err));
    for (Symmetry symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        for (size_t n = 0; n < rows.count; n++) {
            const RowView view = {.symmetry = symmetry, .history = 5};
            batch_set_row(&batch, 0, &rows, n, &view);
            for (int i = 0; i < LENGTH * LENGTH * ROW_POINT_COLUMNS; i++) {
                int c = i / (LENGTH * LENGTH), at = i % (LENGTH * LENGTH);
                int x = at % LENGTH, y = at / LENGTH,
                    cell = symmetry_index(symmetry, at, LENGTH, LENGTH);
                float wanted = rows.points[c][n * CELLS + (size_t)(y * FRAME + x)];
                EXPECT_NEAR(wanted, batch.points[c][cell], 0);
                if (!(batch.mask[cell] > 0)) EXPECT_NEAR(0, batch.points[c][cell], 0);
            }
        }
        batch_set_row(&batch, 0, &plain, 0, &(RowView){.symmetry = symmetry});
        for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
            for (int i = 0; i < LENGTH * LENGTH; i++)
                EXPECT_NEAR(0, batch.points[c][i], 0);
        }
    }
    batch_clear(&batch);
    rows_clear(&rows);
    rows_clear(&plain);
    game_record_clear(&record);
}

/* A loader hands out the columns that it was asked for, both from a file that does not have them
 * (kind 0) and from one that has them. */
TEST(loaders_give_the_columns_that_are_wanted) {
    Scratch scratch = scratch_new();
    GameRecord record = random_game("tromp-taylor", 40, 6);
    for (int kind = 0; kind < 2; kind++) {
        Path path = scratch_path(&scratch, "a.npz");
        Rows rows = rows_of(&record, kind ? ALL : 0);
        EXPECT_OK(row_file_write(path.text, &rows, err));
        for (unsigned columns = 0; columns <= ALL; columns++) {
            LoaderSettings settings = {
                .batch = 8, .length = FRAME, .memory_mb = 16, .seed = 1, .point_columns = columns};
            Loader *loader;
            Batch batch;
            EXPECT_OK(loader_new(&settings, &loader, err));
            EXPECT_OK(loader_add_file(loader, path.text, err));
            EXPECT_OK(loader_next(loader, &batch, err));
            for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
                EXPECT_INT(columns >> c & 1, batch.points[c] != NULL);
                float sum = 0;
                for (int i = 0; batch.points[c] && i < 8 * CELLS; i++)
                    sum += batch.points[c][i];
                EXPECT_INT(kind && columns >> c & 1, sum > 0);
            }
            loader_free(loader);
        }
        rows_clear(&rows);
    }
    game_record_clear(&record);
    scratch_remove(&scratch);
}

/* Each setting of ROW_POINT_FIELDS asks for one column. The settings have the order of the
 * columns. */
TEST(settings_ask_for_columns) {
    EXPECT_INT(0, row_points_wanted(NULL));
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        RowPointSettings settings;
        const SettingsGroup groups[] = {{"rows", ROW_POINT_FIELDS, &settings}, {0}};
        settings_defaults(ROW_POINT_FIELDS, &settings);
        EXPECT_INT(0, row_points_wanted(&settings));
        EXPECT_OK(settings_set(groups, ROW_POINT_FIELDS[c].name, "true", err));
        EXPECT_INT(1 << c, row_points_wanted(&settings));
    }
    EXPECT_TRUE(ROW_POINT_FIELDS[ROW_POINT_COLUMNS].name == NULL);
}

TEST_MAIN(RUN(columns_are_those_of_the_rest_of_the_game),
          RUN(what_comes_after_a_game_that_was_broken_off_is_not_known),
          RUN(what_comes_after_a_move_that_is_not_known_is_not_known), RUN(next_occupants_by_hand),
          RUN(nothing_is_known_of_side_positions), RUN(other_columns_stay_as_they_are),
          RUN(files_have_the_columns_of_their_rows), RUN(numbers_that_cannot_be_are_refused),
          RUN(packed_rows_keep_the_columns), RUN(rows_without_a_column_get_zeros_in_it),
          RUN(columns_are_transformed_with_the_board),
          RUN(loaders_give_the_columns_that_are_wanted), RUN(settings_ask_for_columns))

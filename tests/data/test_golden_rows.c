/* KataGo's training rows are read and written, and the same rows are made from their games. */
#include <unistd.h>

#include "data/loader.h"
#include "data/rows/row_file.h"
#include "data/sgf/sgf_record.h"
#include "golden.h"
#include "sgf/sgf_game.h"
#include "test_path.h"

#define ROWS "train/selfplay.npz"
#define WRITTEN "train/games.npz"

static Path rows_path(void) {
    Path path;
    EXPECT_TRUE(golden_find(golden_folder(ROWS), ROWS, &path));
    return path;
}

static bool same_bytes(const char *a, const char *b) {
    Arena arena = {0};
    char *x, *y;
    size_t nx, ny;
    EXPECT_OK(file_read(a, 1u << 30, &arena, &x, &nx, err));
    EXPECT_OK(file_read(b, 1u << 30, &arena, &y, &ny, err));
    bool same = nx == ny && memcmp(x, y, nx) == 0;
    arena_clear(&arena);
    return same;
}

static void expect_same_rows(const Rows *a, const Rows *b) {
    size_t area = (size_t)a->length * (size_t)a->length, n = a->count;
    EXPECT_INT(a->length, b->length);
    EXPECT_INT(a->count, b->count);
    EXPECT_TRUE(!memcmp(a->planes, b->planes, n * FEATURE_PLANES * ((area + 7) / 8)));
    EXPECT_TRUE(!memcmp(a->globals, b->globals, n * FEATURE_GLOBALS * sizeof(float)));
    EXPECT_TRUE(!memcmp(a->policy, b->policy, n * 2 * (area + 1) * sizeof(int16_t)));
    EXPECT_TRUE(!memcmp(a->targets, b->targets, n * ROW_GLOBAL_TARGETS * sizeof(float)));
    EXPECT_TRUE(!memcmp(a->score, b->score, n * (2 * area + 2 * ROW_SCORE_PAD)));
    EXPECT_TRUE(!memcmp(a->values, b->values, n * 5 * area));
    EXPECT_TRUE(!memcmp(a->q_values, b->q_values, n * 3 * (area + 1) * sizeof(int16_t)));
}

TEST(katagos_files_are_read_and_written_the_same) {
    Path path = rows_path();
    TestPath first = test_path("a.npz"), second = test_path("b.npz");
    Rows rows, again;
    RowFileSize size;
    EXPECT_OK(row_file_read(path.text, &rows, err));
    EXPECT_TRUE(rows.count > 0);
    EXPECT_INT(0, rows.point_columns);
    EXPECT_OK(row_file_size(path.text, &size, err));
    EXPECT_INT(rows.count, size.rows);
    EXPECT_TRUE(size.bytes >= (int64_t)rows_total_bytes(&rows));
    EXPECT_OK(row_file_write(first.text, &rows, err));
    EXPECT_OK(row_file_write(second.text, &rows, err));
    EXPECT_OK(row_file_read(first.text, &again, err));
    expect_same_rows(&rows, &again);
    EXPECT_TRUE(same_bytes(first.text, second.text));
    rows_clear(&rows);
    rows_clear(&again);
    remove(first.text);
    remove(second.text);
}

/* One of KataGo's games. */
typedef struct {
    GameRecord record;
    int first; /* number of moves before record.turns[0] */
} Game;

static int number_after(const char *text, const char *key) {
    const char *at = strstr(text, key);
    return at ? atoi(at + strlen(key)) : -1;
}

/* Reads the values from a comment such as "0.54 0.46 0.00 0.4 v=16 weight=0.00": the numbers are
 * win, loss, no result and score for White, and visits. */
static void read_comment(const char *comment, TurnRecord *turn) {
    double win = 0, loss = 0, none = 0, score = 0;
    int visits = 0;
    if (!comment ||
        sscanf(comment, "%lf %lf %lf %lf v=%d", &win, &loss, &none, &score, &visits) != 5)
        fail_msg("comment \"%s\" has no values", comment ? comment : "");
    turn->valued = true;
    turn->white_win = (float)win;
    turn->white_loss = (float)loss;
    turn->white_no_result = (float)none;
    turn->white_score = (float)score;
    turn->visits = visits;
    turn->row_weight = 1;
    turn->policy_weight = 1;
    turn->target_count = 1;
    turn->targets = calloc(1, sizeof *turn->targets);
    turn->targets[0] = (PolicyTarget){0, 10};
}

static GameMode mode_of(const char *comment) {
    static const char *const NAMES[] = {"normal", "cleanuptraining", "fork",     "handicap",
                                        "sgfpos", "hintpos",         "hintfork", "asym"};
    const char *at = strstr(comment, "gtype=");
    for (int i = 7; at && i > 0; i--) {
        if (strncmp(at + 6, NAMES[i], strlen(NAMES[i])) == 0) return (GameMode)i;
    }
    return GAME_NORMAL;
}

/* If a new net plays from this turn on, notes that in the record. The comment of the root names the
 * nets: "newNeuralNetTurn25=name," says that a newer net plays from turn 25 on. */
static void use_net(GameRecord *record, const SgfGame *sgf, int turn) {
    char key[40], name[80];
    snprintf(key, sizeof key, "newNeuralNetTurn%d=", turn);
    const char *at = strstr(sgf->comment, key);
    snprintf(name, sizeof name, "%.*s", at ? (int)strcspn(at + strlen(key), ",") : 5,
             at ? at + strlen(key) : "first");
    if (at || !record->net_count) EXPECT_OK(game_record_use_net(record, name, err));
}

/* Returns false if the rows of this game cannot be made from its text alone. */
static bool read_game(const SgfGame *sgf, Game *out) {
    Position position;
    const char *hash = strstr(sgf->comment, "gameHash=");
    int first = number_after(sgf->comment, "startTurnIdx="),
        before = number_after(sgf->comment, "initTurnNum=");
    if (!hash || first < 0 || before != 0 || strstr(sgf->comment, "gtype=cleanuptraining") ||
        (size_t)first >= sgf->move_count)
        return false;
    EXPECT_OK(sgf_game_start(sgf, &position, err));
    for (int i = 0; i < first; i++)
        EXPECT_OK(position_play(&position, sgf->moves[i].move.point, err));
    *out = (Game){.first = first};
    EXPECT_OK(game_record_init(&out->record, &position, err));
    char half[17] = {0};
    memcpy(half, hash + 9, 16);
    out->record.hash[1] = strtoull(half, NULL, 16);
    memcpy(half, hash + 25, 16);
    out->record.hash[0] = strtoull(half, NULL, 16);
    out->record.mode = mode_of(sgf->comment);
    for (size_t i = (size_t)first; i < sgf->move_count; i++) {
        use_net(&out->record, sgf, (int)i);
        EXPECT_OK(game_record_add(&out->record, sgf->moves[i].move, NULL, 1, err));
        read_comment(sgf->moves[i].comment, &out->record.turns[out->record.turn_count - 1]);
        EXPECT_OK(position_play(&position, sgf->moves[i].move.point, err));
    }
    if (!position.over) position_end_and_score(&position);
    EXPECT_OK(game_record_finish(&out->record, &position, false, err));
    position_clear(&position);
    return true;
}

static void expect_column(const Rows *want, size_t n, const Rows *got, size_t m, int column,
                          double tolerance) {
    float a = want->targets[n * ROW_GLOBAL_TARGETS + (size_t)column],
          b = got->targets[m * ROW_GLOBAL_TARGETS + (size_t)column];
    if (!(fabs((double)(a - b)) <= tolerance))
        fail_msg("row %zu, turn %g: column %d is %.7g, wanted %.7g", n,
                 (double)want->targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN], column, (double)b,
                 (double)a);
}

static void expect_inputs(const Rows *want, size_t n, const Rows *got, size_t m) {
    size_t area = (size_t)want->length * (size_t)want->length, bytes = (area + 7) / 8;
    for (size_t i = 0; i < FEATURE_PLANES * bytes; i++) {
        if (want->planes[n * FEATURE_PLANES * bytes + i] !=
            got->planes[m * FEATURE_PLANES * bytes + i])
            fail_msg("row %zu: plane %zu differs", n, i / bytes);
    }
    for (size_t i = 0; i < FEATURE_GLOBALS; i++) {
        double a = (double)want->globals[n * FEATURE_GLOBALS + i],
               b = (double)got->globals[m * FEATURE_GLOBALS + i];
        if (fabs(a - b) > 1e-6) fail_msg("row %zu: global %zu is %g, wanted %g", n, i, b, a);
    }
}

/* Compares the inputs, the targets that are boards, and the distribution of the score. */
static void expect_positions(const Rows *want, size_t n, const Rows *got, size_t m) {
    size_t area = (size_t)want->length * (size_t)want->length, bins = 2 * area + 2 * ROW_SCORE_PAD;
    expect_inputs(want, n, got, m);
    for (size_t i = 0; i < 5 * area; i++) {
        int a = want->values[n * 5 * area + i], b = got->values[m * 5 * area + i];
        if (i / area < 4 ? a != b : abs(a - b) > 1)
            fail_msg("row %zu: value plane %zu is %d at %zu, wanted %d", n, i / area, b, i % area,
                     a);
    }
    if (memcmp(want->score + n * bins, got->score + m * bins, bins) != 0)
        fail_msg("row %zu: the score distribution differs", n);
}

static void expect_row(const Rows *want, size_t n, const Rows *got, size_t m) {
    static const int EXACT[] = {0,  1,  2,  3,  20, 27, 33, 34, 41, 42, 43, 44, 45, 49,
                                50, 46, 47, 48, 51, 52, 53, 54, 55, 60, 61, 62, 63, 68};
    expect_positions(want, n, got, m);
    for (size_t i = 0; i < sizeof EXACT / sizeof *EXACT; i++)
        expect_column(want, n, got, m, EXACT[i], 1e-5);
    for (int i = 4; i < 20; i++)
        expect_column(want, n, got, m, i, i % 4 == 3 ? 0.051 : 0.0051);
}

/* Returns whether row n belongs to a turn of this game. For a game that was cut off, the result is
 * false. */
static bool is_of_game(const Rows *rows, size_t n, const GameRecord *record) {
    const float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
    for (int i = 0; i < 2; i++) {
        uint64_t hash = (uint64_t)targets[41 + 3 * i] | (uint64_t)targets[42 + 3 * i] << 22 |
                        (uint64_t)targets[43 + 3 * i] << 44;
        if (hash != record->hash[i]) return false;
    }
    return targets[TARGET_MAIN_LINE] > 0;
}

/* The text of a game says neither what a draw was worth nor who had more playouts. This function
 * finds both from the final score and the inputs in the game's rows. */
static void infer_settings(const Rows *rows, Game *game) {
    GameRecord *record = &game->record;
    for (size_t n = 0; n < rows->count; n++) {
        const float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
        if (!is_of_game(rows, n, record)) continue;
        int turn = (int)targets[TARGET_TURN] - game->first;
        Color mover = record->turns[turn].move.color;
        float sign = mover == COLOR_WHITE ? 1 : -1;
        record->playout_doubling_advantage[mover] = 2 * rows->globals[n * FEATURE_GLOBALS + 16];
        if (record->white_score == floorf(record->white_score))
            record->draw_equivalent_wins_for_white = 0.5f + sign * targets[3] - record->white_score;
    }
}

/* Compares all rows of the game, and returns how many there are. */
static int expect_game(const Rows *rows, Game *game) {
    Rows made;
    Rng rng = rng_seeded(1);
    int compared = 0;
    infer_settings(rows, game);
    EXPECT_OK(rows_init(&made, rows->length, err));
    EXPECT_OK(rows_from_game(&game->record, &rng, &made, err));
    EXPECT_INT(game->record.turn_count, made.count);
    for (size_t n = 0; n < rows->count; n++) {
        const float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
        if (!is_of_game(rows, n, &game->record)) continue;
        int turn = (int)targets[TARGET_TURN] - game->first;
        EXPECT_TRUE(turn >= 0 && (size_t)turn < made.count);
        expect_row(rows, n, &made, (size_t)turn);
        compared++;
    }
    rows_clear(&made);
    return compared;
}

static int expect_games(const Rows *rows, const char *path) {
    SgfCollection *collection;
    int compared = 0;
    EXPECT_OK(sgf_collection_open(path, NULL, &collection, err));
    for (bool done = false; !done;) {
        SgfGame sgf;
        Game game;
        EXPECT_OK(sgf_collection_next(collection, &sgf, &done, err));
        if (!done && read_game(&sgf, &game)) {
            compared += expect_game(rows, &game);
            game_record_clear(&game.record);
        }
        sgf_game_clear(&sgf);
    }
    sgf_collection_close(collection);
    return compared;
}

/* Makes rows of the game as `aji data from-sgf` does, and compares the targets that follow from the
 * moves and the result. Returns how many rows it compared. This is 0 if read_game() returns false,
 * if our record has fewer moves than the SGF, or if the owners of the points are unknown. */
static int expect_sgf_game(const Rows *rows, const SgfGame *sgf) {
    static const int EXACT[] = {0,  1,  2,  3,  20, 27, 33, 34, 41, 42, 43,
                                44, 45, 46, 47, 48, 51, 52, 61, 62, 63, 68};
    SgfRecord record;
    Game game;
    Rows made;
    Rng rng = rng_seeded(1);
    int compared = 0;
    if (!read_game(sgf, &game)) return 0;
    EXPECT_OK(sgf_record_make(sgf, &(SgfRecordOptions){.encore = true}, &record, err));
    bool whole = record.cut == SGF_CUT_NOTHING && record.record.turn_count == sgf->move_count &&
                 !record.record.owner_unknown;
    infer_settings(rows, &game);
    memcpy(record.record.hash, game.record.hash, sizeof record.record.hash);
    record.record.draw_equivalent_wins_for_white = game.record.draw_equivalent_wins_for_white;
    memcpy(record.record.playout_doubling_advantage, game.record.playout_doubling_advantage,
           sizeof record.record.playout_doubling_advantage);
    EXPECT_OK(rows_init(&made, rows->length, err));
    EXPECT_OK(rows_from_game(&record.record, &rng, &made, err));
    for (size_t n = 0; n < rows->count && whole; n++) {
        const float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
        if (!is_of_game(rows, n, &record.record)) continue;
        expect_positions(rows, n, &made, (size_t)targets[TARGET_TURN]);
        for (size_t i = 0; i < sizeof EXACT / sizeof *EXACT; i++)
            expect_column(rows, n, &made, (size_t)targets[TARGET_TURN], EXACT[i], 1e-5);
        compared++;
    }
    rows_clear(&made);
    sgf_record_clear(&record);
    game_record_clear(&game.record);
    return compared;
}

TEST(rows_from_sgf_are_those_of_katago) {
    Arena arena = {0};
    Path path = rows_path();
    const char *text = golden_read(golden_folder(ROWS), "train/selfplay.sgfs", &arena);
    SgfCollection *collection;
    Rows rows;
    int compared = 0;
    EXPECT_OK(row_file_read(path.text, &rows, err));
    EXPECT_OK(sgf_collection_open_text("games.sgfs", text, strlen(text), NULL, &collection, err));
    for (bool done = false; !done;) {
        SgfGame sgf;
        EXPECT_OK(sgf_collection_next(collection, &sgf, &done, err));
        if (!done) compared += expect_sgf_game(&rows, &sgf);
        sgf_game_clear(&sgf);
    }
    sgf_collection_close(collection);
    print_message("%d rows compared\n", compared);
    EXPECT_TRUE(compared > 0);
    rows_clear(&rows);
    arena_clear(&arena);
}

/* The players of the n-th row, as a net reads them. */
static const float *players_of(const Rows *rows, size_t n) {
    return rows->players + n * METADATA_COUNT;
}

/* Finds KataGo's row of the same game and turn. Each game has a date of its own, so the players and
 * the date of a row tell the game. Returns false if there is no such row. */
static bool find_row(const Rows *rows, const Rows *made, size_t m, size_t *out) {
    const float *own = made->targets + m * ROW_GLOBAL_TARGETS;
    for (size_t n = 0; n < rows->count; n++) {
        const float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
        bool same = targets[TARGET_TURN] + targets[TARGET_START_TURN] == own[TARGET_TURN];
        for (int i = 0; i < METADATA_COUNT && same; i++)
            same = fabsf(players_of(rows, n)[i] - players_of(made, m)[i]) < 1e-4f;
        *out = n;
        if (same) return true;
    }
    return false;
}

/* Makes rows of one game in SGF, and compares them with those of `katago writetrainingdata`, which
 * leaves out passes. KataGo plays games by territory rules on to the end of the encore, so the
 * targets of their end are not compared. Returns how many rows it compared. */
static size_t expect_written_game(const Rows *rows, const SgfGame *sgf) {
    static const int OF_THE_TURN[] = {25, 26, 33, 47, 48, 51, 53, 54, 55, 56, 63, 68},
                     OF_THE_END[] = {0, 1, 2, 3, 20, 21, 27, 29, 34, 35, 61, 62};
    const bool has_end = sgf->rules.scoring == SCORING_AREA;
    const size_t moves = (size_t)rows->length * (size_t)rows->length + 1;
    SgfRecord record;
    Rows made;
    Rng rng = rng_seeded(1);
    size_t compared = 0, n;
    EXPECT_OK(sgf_record_make(sgf, &(SgfRecordOptions){0}, &record, err));
    EXPECT_OK(rows_init(&made, rows->length, err));
    EXPECT_OK(rows_add_players(&made, err));
    EXPECT_OK(rows_from_game(&record.record, &rng, &made, err));
    for (size_t m = 0; m < made.count; m++) {
        if (!find_row(rows, &made, m, &n)) continue;
        expect_inputs(rows, n, &made, m);
        if (has_end) expect_positions(rows, n, &made, m);
        for (size_t i = 0; i < 12; i++) {
            expect_column(rows, n, &made, m, OF_THE_TURN[i], 1e-5);
            if (has_end) expect_column(rows, n, &made, m, OF_THE_END[i], 1e-5);
        }
        EXPECT_TRUE(memcmp(rows->policy + 2 * n * moves, made.policy + 2 * m * moves,
                           moves * sizeof *made.policy) == 0);
        compared++;
    }
    rows_clear(&made);
    sgf_record_clear(&record);
    return compared;
}

TEST(rows_from_sgf_are_those_that_katago_writes) {
    Arena arena = {0};
    Path path;
    const char *text = golden_read(golden_folder(WRITTEN), "train/games.sgfs", &arena);
    SgfCollection *collection;
    Rows rows;
    size_t compared = 0;
    EXPECT_TRUE(golden_find(golden_folder(WRITTEN), WRITTEN, &path));
    EXPECT_OK(row_file_read(path.text, &rows, err));
    EXPECT_TRUE(rows.players != NULL);
    EXPECT_OK(sgf_collection_open_text("games.sgfs", text, strlen(text), NULL, &collection, err));
    for (bool done = false; !done;) {
        SgfGame sgf;
        EXPECT_OK(sgf_collection_next(collection, &sgf, &done, err));
        if (!done) compared += expect_written_game(&rows, &sgf);
        sgf_game_clear(&sgf);
    }
    sgf_collection_close(collection);
    EXPECT_TRUE(rows.count > 200);
    EXPECT_INT(rows.count, compared);
    rows_clear(&rows);
    arena_clear(&arena);
}

TEST(rows_of_the_games_are_those_of_katago) {
    Arena arena = {0};
    Path path = rows_path();
    TestPath games = test_path("games.sgfs");
    const char *text = golden_read(golden_folder(ROWS), "train/selfplay.sgfs", &arena);
    Rows rows;
    EXPECT_OK(file_write(games.text, text, strlen(text), err));
    EXPECT_OK(row_file_read(path.text, &rows, err));
    int compared = expect_games(&rows, games.text);
    EXPECT_TRUE(compared > 0);
    print_message("%d rows compared\n", compared);
    rows_clear(&rows);
    remove(games.text);
    arena_clear(&arena);
}

/* Returns the mean of the values of the moves in row n, weighted by their visits. `*visits` gets
 * the sum of the visits. */
static double mean_found(const Batch *batch, int n, double *visits) {
    int moves = batch->length * batch->length + 1;
    const float *move = batch->q_values + n * moves * BATCH_Q_VALUES;
    double sum = 0;
    *visits = 0;
    for (int i = 0; i < moves; i++, move += BATCH_Q_VALUES) {
        sum += (double)(move[0] * move[2]);
        *visits += (double)move[2];
    }
    return *visits > 0 ? sum / *visits : 0;
}

/* For each search of at least 8 visits, the mean of the values of its visited moves is compared
 * with the value of the search. On average the two differ by less than 20% of the size of the value
 * of the search. */
TEST(values_of_moves_are_those_of_the_search) {
    LoaderSettings config = {.batch = 64, .length = 19, .memory_mb = 256, .q_values = true};
    Path path = rows_path();
    Loader *loader;
    Batch batch;
    double away = 0, size = 0;
    int rows = 0;
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < 8; i++) {
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < batch.count; n++) {
            const float *now = batch.targets + n * ROW_GLOBAL_TARGETS + TARGET_SEARCH;
            double visits, mean = mean_found(&batch, n, &visits);
            if (visits < 8) continue;
            away += fabs(mean - (double)(now[0] - now[1]));
            size += fabs((double)(now[0] - now[1]));
            rows++;
        }
    }
    loader_free(loader);
    EXPECT_TRUE(rows > 100);
    print_message("%d rows: mean difference %.3f, mean size of the value %.3f\n", rows, away / rows,
                  size / rows);
    EXPECT_TRUE(away < 0.2 * size);
}

TEST_MAIN(RUN(katagos_files_are_read_and_written_the_same),
          RUN(rows_of_the_games_are_those_of_katago), RUN(rows_from_sgf_are_those_of_katago),
          RUN(rows_from_sgf_are_those_that_katago_writes),
          RUN(values_of_moves_are_those_of_the_search))

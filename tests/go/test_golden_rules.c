/* Random games of KataGo: before every move, our position has the same state as KataGo's. */
#include "go/area.h"
#include "go/drawing.h"
#include "go/score.h"
#include "golden.h"

static const char *row_id;

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void expect_board(const json_t *state, const Position *position) {
    const char *drawing = text_of(state, "board");
    Board board;
    if (!*drawing) return;
    EXPECT_OK(board_parse(drawing, position->board.width, position->board.height, &board, err));
    if (!board_equal_stones(&board, &position->board)) fail_msg("%s: the boards differ", row_id);
    EXPECT_INT(json_integer_value(json_object_get(state, "capB")),
               position->board.captured[COLOR_BLACK]);
    EXPECT_INT(json_integer_value(json_object_get(state, "capW")),
               position->board.captured[COLOR_WHITE]);
}

typedef bool (*PointTest)(const Position *position, Point point);

static bool is_illegal_empty(const Position *position, Point point) {
    return position->board.color[point] == COLOR_EMPTY && !position_is_legal(position, point);
}

static bool is_superko(const Position *position, Point point) {
    return position->superko_banned[point] != 0;
}

static bool is_blocked(const Position *position, Point point) {
    return position->recapture_blocked[point] != 0;
}

static void expect_points(const json_t *state, const char *key, const Position *position,
                          PointTest holds, int move) {
    char wanted[4096], copy[4096] = "";
    snprintf(wanted, sizeof wanted, "%s", text_of(state, key));
    size_t used = 0;
    for (int y = 0; y < position->board.height; y++) {
        for (int x = 0; x < position->board.width; x++) {
            Point point = point_at(x, y);
            if (!holds(position, point)) continue;
            used += (size_t)snprintf(copy + used, sizeof copy - used, "%s%s", used ? " " : "",
                                     point_text(point, position->board.height).text);
        }
    }
    if (strcmp(wanted, copy) != 0)
        fail_msg("%s move %d: %s is \"%s\", wanted \"%s\"", row_id, move, key, copy, wanted);
}

static void expect_outcome(const json_t *state, const Position *position, int move) {
    bool finished = json_is_true(json_object_get(state, "finished"));
    if (finished != position->over)
        fail_msg("%s move %d: over is %d", row_id, move, position->over);
    if (!finished) return;
    EXPECT_INT(json_is_true(json_object_get(state, "noResult")), position->outcome.no_result);
    const char *winner = text_of(state, "winner");
    Color color = *winner == 'B' ? COLOR_BLACK : *winner == 'W' ? COLOR_WHITE : COLOR_EMPTY;
    if (color != position->outcome.winner) fail_msg("%s move %d: the winner differs", row_id, move);
    json_t *score = json_object_get(state, "whiteScore");
    if (score) EXPECT_NEAR(json_number_value(score), position->outcome.white_score, 1e-5);
}

static void expect_state(const json_t *state, const Position *position, int move) {
    if (!state) return; /* rows whose moves end in an error may have no state */
    if ((*text_of(state, "next") == 'B') != (position->mover == COLOR_BLACK))
        fail_msg("%s move %d: the mover differs", row_id, move);
    expect_board(state, position);
    if (json_object_get(state, "illegal"))
        expect_points(state, "illegal", position, is_illegal_empty, move);
    expect_points(state, "superko", position, is_superko, move);
    expect_points(state, "koRecapBlocked", position, is_blocked, move);
    expect_points(state, "passForKo", position, position_is_pass_for_ko, move);
    const char *ko = text_of(state, "ko");
    EXPECT_TEXT(*ko ? ko : "none", point_text(position->board.ko, position->board.height).text);
    EXPECT_INT(json_integer_value(json_object_get(state, "encore")), position->encore_phase);
    if (json_is_true(json_object_get(state, "passEndsPhase")) !=
        position_pass_would_end_phase(position))
        fail_msg("%s move %d: passEndsPhase", row_id, move);
    if (json_is_true(json_object_get(state, "passEndsGame")) !=
        position_pass_would_end_game(position))
        fail_msg("%s move %d: passEndsGame", row_id, move);
    if (json_is_true(json_object_get(state, "pastPhaseEnd")) != position->past_normal_end)
        fail_msg("%s move %d: pastPhaseEnd", row_id, move);
    json_t *bonus = json_object_get(state, "whiteBonus");
    if (bonus && fabs(json_number_value(bonus) - (double)position->white_bonus) > 1e-6)
        fail_msg("%s move %d: whiteBonus is %g, wanted %g", row_id, move,
                 (double)position->white_bonus, json_number_value(bonus));
    expect_outcome(state, position, move);
}

static void expect_area(const json_t *areas, const char *name, int suicide,
                        const uint8_t area[POINT_COUNT], const Board *board) {
    char key[64], drawn[512];
    size_t used = 0;
    snprintf(key, sizeof key, "%s_sui%d", name, suicide);
    for (int y = 0; y < board->height; y++) {
        if (y) drawn[used++] = '/';
        for (int x = 0; x < board->width; x++)
            drawn[used++] = ".XO"[area[point_at(x, y)]];
    }
    drawn[used] = 0;
    if (strcmp(text_of(areas, key), drawn) != 0)
        fail_msg("%s: %s is %s, wanted %s", row_id, key, drawn, text_of(areas, key));
}

static void expect_areas(const json_t *areas, const Board *board) {
    for (int suicide = 0; areas && suicide < 2; suicide++) {
        uint8_t area[POINT_COUNT];
        AreaOptions options = {.suicide = suicide};
        area_compute(board, &options, area);
        expect_area(areas, "passAlive", suicide, area, board);
        options.safe_big_territories = true;
        area_compute(board, &options, area);
        expect_area(areas, "passAliveSafeBig", suicide, area, board);
        options.nonpassalive_stones = options.unsafe_big_territories = true;
        area_compute(board, &options, area);
        expect_area(areas, "area", suicide, area, board);
        char key[64];
        snprintf(key, sizeof key, "indepRegionsWminusB_sui%d", suicide);
        EXPECT_INT(json_integer_value(json_object_get(areas, key)),
                   area_independent_life(board, false, false, suicide, area));
        expect_area(areas, "indep", suicide, area, board);
        area_independent_life(board, false, true, suicide, area);
        expect_area(areas, "indepKeepStones", suicide, area, board);
        area_independent_life(board, true, false, suicide, area);
        expect_area(areas, "indepKeepTerr", suicide, area, board);
    }
}

static void expect_fresh_scores(const json_t *scores, const Board *final) {
    static const struct {
        const char *name, *rules;
    } SETS[] = {{"aga", "aga"},
                {"ancient-territory", "ancient-territory"},
                {"area-sekitax", "koPOSITIONALscoreAREAtaxSEKIsui0"},
                {"chinese", "chinese"},
                {"japanese", "japanese"},
                {"stone-scoring", "stone-scoring"},
                {"territory-notax", "koSIMPLEscoreTERRITORYtaxNONEsui0"},
                {"tromp-taylor", "tromp-taylor"}};
    for (size_t i = 0; scores && i < sizeof SETS / sizeof *SETS; i++) {
        json_t *wanted = json_object_get(scores, SETS[i].name);
        if (!wanted) continue;
        Rules rules = {0};
        Position position;
        EXPECT_OK(rules_parse(SETS[i].rules, &rules, err));
        Board board = *final;
        board.captured[COLOR_BLACK] = board.captured[COLOR_WHITE] = 0;
        EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
        position.button = false;
        if (fabs(json_number_value(wanted) - (double)score_position(&position, NULL)) > 1e-6)
            fail_msg("%s: score under %s is %g, wanted %g", row_id, SETS[i].name,
                     (double)score_position(&position, NULL), json_number_value(wanted));
        position_clear(&position);
    }
}

static void start(const json_t *row, Position *position) {
    Rules rules = {0};
    char *text = json_dumps(json_object_get(row, "rules"), JSON_ENCODE_ANY);
    json_t *komi = json_object_get(row, "komi");
    rules.komi = komi ? (float)json_number_value(komi) : 7.5f;
    EXPECT_OK(rules_parse(text, &rules, err));
    free(text);
    Board board;
    int width = (int)json_integer_value(json_object_get(row, "xSize")),
        height = (int)json_integer_value(json_object_get(row, "ySize"));
    EXPECT_OK(board_init(&board, width, height, err));
    uint8_t colors[POINT_COUNT];
    memcpy(colors, board.color, sizeof colors);
    size_t index;
    json_t *stone;
    json_array_foreach(json_object_get(row, "initialStones"), index, stone) {
        Point point;
        const char *word = json_string_value(stone);
        EXPECT_OK(point_parse(word + 2, width, height, &point, err));
        colors[point] = *word == 'B' ? COLOR_BLACK : COLOR_WHITE;
    }
    EXPECT_TRUE(board_set_all(&board, colors));
    Color mover = COLOR_BLACK;
    json_t *first = json_array_get(json_object_get(row, "states"), 0);
    if (*text_of(first, "next") == 'W') mover = COLOR_WHITE;
    EXPECT_OK(position_init_board(position, &board, mover, &rules, err));
    position->prevent_encore = json_is_true(json_object_get(row, "preventEncore"));
    json_t *handicap = json_object_get(row, "multiBlackIsHandicap");
    if (handicap) position->multiple_black_moves_are_handicap = json_is_true(handicap);
    EXPECT_OK(position_restart(position, mover, err));
}

static void play_row(const json_t *row, bool tolerant) {
    Position position;
    row_id = text_of(row, "id");
    start(row, &position);
    json_t *moves = json_object_get(row, "moves"), *states = json_object_get(row, "states");
    size_t index;
    json_t *word;
    json_array_foreach(moves, index, word) {
        expect_state(json_array_get(states, index), &position, (int)index);
        const char *text = json_string_value(word);
        Point point;
        EXPECT_OK(point_parse(text + 2, position.board.width, position.board.height, &point, err));
        Color color = *text == 'B' ? COLOR_BLACK : COLOR_WHITE;
        Error error = {0};
        Status status = tolerant ? position_play_tolerant(&position, (Move){point, color}, &error)
                                 : position_play(&position, point, &error);
        if (status && json_object_get(row, "error")) {
            EXPECT_CONTAINS(text_of(row, "error"), text + 2);
            break;
        }
        if (status) fail_msg("%s move %zu (%s): %s", row_id, index, text, error.message);
    }
    EXPECT_INT(json_object_get(row, "error") != NULL, index < json_array_size(moves));
    if (index == json_array_size(moves))
        expect_state(json_array_get(states, index), &position, (int)index);
    expect_areas(json_object_get(row, "areas"), &position.board);
    expect_fresh_scores(json_object_get(json_object_get(row, "areas"), "scoreNowFreshKomi0"),
                        &position.board);
    position_clear(&position);
}

static void play_strict(const json_t *row, void *context) {
    (void)context;
    play_row(row, false);
}

static void play_tolerant(const json_t *row, void *context) {
    (void)context;
    play_row(row, true);
}

TEST(strict_games_have_katagos_states) {
    print_message("%d games\n", golden_rows("rules/randgames.jsonl", play_strict, NULL));
}

TEST(tolerant_games_have_katagos_states) {
    print_message("%d games\n", golden_rows("rules/tolerant.jsonl", play_tolerant, NULL));
}

TEST_MAIN(RUN(strict_games_have_katagos_states), RUN(tolerant_games_have_katagos_states))

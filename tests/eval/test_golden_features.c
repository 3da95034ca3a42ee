/* KataGo's input rows, version 7, for positions of every kind. */
#include "base/file.h"
#include "base/json.h"
#include "eval/features.h"
#include "go/drawing.h"
#include "test.h"

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void read_position(const json_t *row, Position *position) {
    Rules rules = {.komi = (float)json_number_value(json_object_get(row, "komi"))};
    char *text = json_dumps(json_object_get(row, "rules"), JSON_ENCODE_ANY);
    EXPECT_OK(rules_parse(text, &rules, err));
    free(text);
    Board board;
    int width = (int)json_integer_value(json_object_get(row, "xSize")),
        height = (int)json_integer_value(json_object_get(row, "ySize"));
    EXPECT_OK(board_init(&board, width, height, err));
    uint8_t colors[POINT_COUNT];
    memcpy(colors, board.color, sizeof colors);
    size_t index;
    json_t *entry;
    Point point;
    json_array_foreach(json_object_get(row, "initialStones"), index, entry) {
        const json_t *color = json_array_get(entry, 0);
        const char *word =
            color ? json_string_value(json_array_get(entry, 1)) : json_string_value(entry) + 2;
        const char *who = color ? json_string_value(color) : json_string_value(entry);
        EXPECT_OK(point_parse(word, width, height, &point, err));
        colors[point] = *who == 'B' ? COLOR_BLACK : COLOR_WHITE;
    }
    EXPECT_TRUE(board_set_all(&board, colors));
    Color mover = *text_of(row, "initialPlayer") == 'W' ? COLOR_WHITE : COLOR_BLACK;
    EXPECT_OK(position_init_board(position, &board, mover, &rules, err));
    position->prevent_encore = json_is_true(json_object_get(row, "preventEncore"));
    position->passalive_under_suicide = json_is_true(json_object_get(row, "passAliveUnderSuicide"));
    position->multiple_black_moves_are_handicap =
        json_is_true(json_object_get(row, "multiBlackIsHandicap"));
    EXPECT_OK(position_restart_phase(
        position, mover, (int)json_integer_value(json_object_get(row, "initialEncorePhase")), err));
    json_array_foreach(json_object_get(row, "moves"), index, entry) {
        const char *word = json_string_value(entry);
        EXPECT_OK(point_parse(word + 2, width, height, &point, err));
        EXPECT_OK(position_play_tolerant(
            position, (Move){point, *word == 'B' ? COLOR_BLACK : COLOR_WHITE}, err));
    }
}

static FeatureOptions read_options(const json_t *row) {
    const json_t *params = json_object_get(row, "nnParams");
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    options.draw_equivalent_wins_for_white =
        (float)json_number_value(json_object_get(params, "drawEquivalentWinsForWhite"));
    options.playout_doubling_advantage =
        (float)json_number_value(json_object_get(params, "playoutDoublingAdvantage"));
    options.conservative_pass = json_is_true(json_object_get(params, "conservativePassAndIsRoot"));
    options.passing_hacks = json_is_true(json_object_get(params, "enablePassingHacks"));
    json_int_t history = json_integer_value(json_object_get(params, "maxHistory"));
    options.history_moves = history > 5 ? 5 : (int)history;
    return options;
}

static void expect_plane(const char *id, const char *wanted, int plane, const float *planes,
                         const Board *board) {
    char found[4096] = "";
    size_t used = 0;
    for (int i = 0; i < board->width * board->height; i++) {
        if (planes[i * FEATURE_PLANES + plane] == 0) continue;
        used += (size_t)snprintf(
            found + used, sizeof found - used, "%s%s", used ? " " : "",
            point_text(move_at_index(i, board->width, board->height), board->height).text);
    }
    if (strcmp(wanted, found) != 0)
        fail_msg("%s: plane %d is \"%s\", wanted \"%s\"", id, plane, found, wanted);
}

static void expect_row(const json_t *row) {
    const char *id = text_of(row, "id");
    Position position;
    static float planes[BOARD_POINTS_MAX * FEATURE_PLANES];
    float globals[FEATURE_GLOBALS];
    read_position(row, &position);
    FeatureOptions options = read_options(row);
    features_encode(&position, &options, 0, position.board.width, position.board.height, planes,
                    globals);
    const json_t *wanted = json_object_get(json_object_get(row, "features"), "V7");
    for (int plane = 1; plane < FEATURE_PLANES; plane++) {
        char key[8];
        snprintf(key, sizeof key, "%d", plane);
        expect_plane(id, text_of(json_object_get(wanted, "spatial"), key), plane, planes,
                     &position.board);
    }
    for (int i = 0; i < FEATURE_GLOBALS; i++) {
        double value =
            json_number_value(json_array_get(json_object_get(wanted, "global"), (size_t)i));
        if (fabs(value - (double)globals[i]) > 1e-6)
            fail_msg("%s: global %d is %g, wanted %g", id, i, (double)globals[i], value);
    }
    position_clear(&position);
}

TEST(rows_have_katagos_features) {
    const char *folder = golden_folder();
    if (!folder) skip();
    Arena arena = {0};
    char path[1024], *text;
    size_t length;
    int rows = 0;
    snprintf(path, sizeof path, "%s/features/features.jsonl", folder);
    EXPECT_OK(file_read(path, 1u << 30, &arena, &text, &length, err));
    for (char *line = text; *line;) {
        size_t span = strcspn(line, "\n");
        json_t *row;
        EXPECT_OK(json_parse(line, span, &row, err));
        expect_row(row);
        json_decref(row);
        rows++;
        line += span + (line[span] == '\n');
    }
    EXPECT_TRUE(rows > 0);
    print_message("%d rows\n", rows);
    arena_clear(&arena);
}

TEST_MAIN(RUN(rows_have_katagos_features))

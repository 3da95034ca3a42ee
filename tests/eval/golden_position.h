/* golden_position.h - makes positions from the JSON rows of the files in tests/golden. */
#pragma once
#include "go/position.h"
#include "golden.h"

static inline const char *golden_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static inline double golden_number(const json_t *object, const char *key, double otherwise) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : otherwise;
}

static inline Rules golden_rules(const json_t *row) {
    Rules rules = {.komi = (float)golden_number(row, "komi", 0)};
    char *text = json_dumps(json_object_get(row, "rules"), JSON_ENCODE_ANY);
    EXPECT_OK(rules_parse(text, &rules, err));
    free(text);
    return rules;
}

static inline void golden_stones(const json_t *row, Board *board) {
    uint8_t colors[POINT_COUNT];
    memcpy(colors, board->color, sizeof colors);
    size_t index;
    json_t *entry;
    Point point;
    json_array_foreach(json_object_get(row, "initialStones"), index, entry) {
        const json_t *color = json_array_get(entry, 0);
        const char *word =
            color ? json_string_value(json_array_get(entry, 1)) : json_string_value(entry) + 2;
        const char *who = color ? json_string_value(color) : json_string_value(entry);
        EXPECT_OK(point_parse(word, board->width, board->height, &point, err));
        colors[point] = *who == 'B' ? COLOR_BLACK : COLOR_WHITE;
    }
    EXPECT_TRUE(board_set_all(board, colors));
}

static inline void golden_moves(const json_t *row, Position *position) {
    size_t index;
    json_t *entry;
    Point point;
    json_array_foreach(json_object_get(row, "moves"), index, entry) {
        const char *word = json_string_value(entry);
        EXPECT_OK(
            point_parse(word + 2, position->board.width, position->board.height, &point, err));
        EXPECT_OK(position_play_tolerant(
            position, (Move){point, *word == 'B' ? COLOR_BLACK : COLOR_WHITE}, err));
    }
}

/* Returns the player of the first move or, if there are no moves, the player to move. */
static inline Color golden_first_mover(const json_t *row) {
    const char *first = json_string_value(json_array_get(json_object_get(row, "moves"), 0));
    const char *who = first ? first : golden_text(row, "nextPlayer");
    return *who == 'W' ? COLOR_WHITE : COLOR_BLACK;
}

/* Makes the position of a row: sets up its stones and plays its moves. `mover` is to move before
 * these moves. The caller frees the new position with position_clear(). */
static inline void golden_position(const json_t *row, const Rules *rules, Color mover,
                                   Position *position) {
    Board board;
    EXPECT_OK(board_init(&board, (int)golden_number(row, "xSize", 0),
                         (int)golden_number(row, "ySize", 0), err));
    golden_stones(row, &board);
    EXPECT_OK(position_init_board(position, &board, mover, rules, err));
    position->prevent_encore = json_is_true(json_object_get(row, "preventEncore"));
    position->passalive_under_suicide = json_is_true(json_object_get(row, "passAliveUnderSuicide"));
    const json_t *multiple = json_object_get(row, "multiBlackIsHandicap");
    position->multiple_black_moves_are_handicap = !multiple || json_is_true(multiple);
    EXPECT_OK(position_restart_phase(position, mover,
                                     (int)golden_number(row, "initialEncorePhase", 0), err));
    golden_moves(row, position);
}

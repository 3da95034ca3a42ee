/* What the page sees of a game, as JSON. docs/SERVER.md lists the members. */
#include "serve/games/game_private.h"

static const char *color_letter(Color color) {
    return color == COLOR_BLACK ? "B" : "W";
}

json_t *game_pair(Move move, int height) {
    return json_pack("[s,s]", color_letter(move.color), point_text(move.point, height).text);
}

static json_t *moves_list(const Game *game) {
    const Position *now = &game->now;
    json_t *list = json_array();
    for (int i = 0; i < now->move_count; i++)
        json_array_append_new(list, game_pair(position_move(now, i), now->board.height));
    return list;
}

static json_t *handicap_list(const Game *game) {
    const Board *board = &game->start.board;
    json_t *list = json_array();
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (board->color[point] == COLOR_BLACK)
            json_array_append_new(list, json_string(point_text(point, board->height).text));
    }
    return list;
}

json_t *game_dead_list(const Game *game) {
    const Board *board = &game->now.board;
    json_t *list = json_array();
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (game->dead[point])
            json_array_append_new(list, json_string(point_text(point, board->height).text));
    }
    return list;
}

/* A letter for each point, row by row from the top: letters[Color]. */
static json_t *picture(const Board *board, const uint8_t colors[POINT_COUNT],
                       const char letters[4]) {
    char text[BOARD_POINTS_MAX + 1];
    int area = board->width * board->height;
    for (int i = 0; i < area; i++)
        text[i] = letters[colors[move_at_index(i, board->width, board->height)]];
    text[area] = 0;
    return json_string(text);
}

json_t *game_level_json(const GameLevel *level) {
    if (!level->is_set) return json_null();
    return json_pack("{s:f,s:s}", "strength", level->strength, "label", level->label);
}

static void add_position(json_t *state, const Game *game) {
    const Board *board = &game->now.board;
    json_object_set_new(state, "initial", handicap_list(game));
    json_object_set_new(state, "moves", moves_list(game));
    json_object_set_new(state, "board", picture(board, board->color, ".XO "));
    json_object_set_new(state, "to_play", json_string(color_letter(game->now.mover)));
    json_object_set_new(state, "captures",
                        json_pack("{s:i,s:i}", "B", board->captured[COLOR_WHITE], "W",
                                  board->captured[COLOR_BLACK]));
}

static json_t *result_text(const Game *game) {
    SgfResultText result = game_result(game);
    return *result.text ? json_string(result.text) : json_null();
}

static void add_phase(json_t *state, const Game *game) {
    static const char *const PHASES[] = {"play", "score", "over"};
    GamePhase phase = game_phase(game);
    bool counted = phase == PHASE_SCORE || game->agreed;
    GamePoints points;
    json_object_set_new(state, "thinking", json_boolean(game_is_waiting(game)));
    json_object_set_new(state, "phase", json_string(PHASES[phase]));
    json_object_set_new(state, "result", result_text(game));
    json_object_set_new(state, "dead", game_dead_list(game));
    counted = counted && game_points(game, &points);
    json_object_set_new(state, "territory",
                        counted ? picture(&game->now.board, points.owner, ".bw.") : json_null());
    json_object_set_new(state, "points",
                        counted ? json_pack("{s:f,s:f}", "B", points.black, "W", points.white)
                                : json_null());
}

json_t *game_state(const Game *game, const char *error) {
    const Board *board = &game->now.board;
    json_t *state = json_pack("{s:i,s:i,s:s,s:f,s:i,s:s,s:i,s:s,s:s}", "width", board->width,
                              "height", board->height, "rules", game->rules_name, "komi",
                              (double)game->now.rules.komi, "handicap", game->start.board.stones,
                              "color", color_letter(game->person), "visits", game->visits, "black",
                              game->names[COLOR_BLACK], "white", game->names[COLOR_WHITE]);
    if (!state) return NULL;
    json_object_set_new(state, "net", json_string(game->net));
    json_object_set_new(state, "level", game_level_json(&game->level));
    add_position(state, game);
    add_phase(state, game);
    if (!error && *game->engine_error) error = game->engine_error;
    if (error) json_object_set_new(state, "error", json_string(error));
    return state;
}

json_t *game_summary(const Game *game) {
    json_t *summary = json_pack("{s:i,s:i,s:i,s:s,s:s}", "width", game->now.board.width, "height",
                                game->now.board.height, "moves", game->now.move_count, "black",
                                game->names[COLOR_BLACK], "white", game->names[COLOR_WHITE]);
    if (summary) json_object_set_new(summary, "result", result_text(game));
    return summary;
}

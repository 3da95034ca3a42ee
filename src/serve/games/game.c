#include "serve/games/game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "go/handicap.h"
#include "go/komi.h"
#include "go/move_fault.h"
#include "protocol/session/game_score.h"
#include "serve/games/game_private.h"

static bool no_memory(Fault *fault) {
    return fault_set(fault, "no_memory", NULL, "The server has no memory for this.");
}

Status game_begin(const Board *board, const Rules *rules, Game **out, Error *err) {
    Game *game;
    Status status = mem_new(1, sizeof *game, &game, err);
    *out = NULL;
    if (status) return status;
    /* Stones on the board before the first move are handicap stones, after which White begins. */
    status = position_init_board(&game->start, board, board->stones ? COLOR_WHITE : COLOR_BLACK,
                                 rules, err);
    game->start.prevent_encore = true;
    if (!status) status = position_copy(&game->now, &game->start, err);
    if (status)
        game_free(game);
    else
        *out = game;
    return status;
}

/* Ends a text that was cut: drops a last character in UTF-8 that is not complete, and then blanks,
 * which a reader of SGF would drop too. */
static void end_cut_text(char *text) {
    size_t length = strlen(text), begin = length;
    while (begin && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
        begin--; /* until text[begin - 1] is the first byte of the last character */
    if (begin && (unsigned char)text[begin - 1] >= 0xc0) {
        unsigned first = (unsigned char)text[begin - 1];
        size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (length - (begin - 1) < wanted) length = begin - 1;
    }
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = 0;
}

void game_set_name(Game *game, Color color, const char *prefix, const char *name) {
    char *text = game->names[color];
    int wanted = snprintf(text, SERVED_NAME_MAX, "%s%s", prefix, name);
    if (wanted >= SERVED_NAME_MAX) end_cut_text(text);
    json_t *value = json_string(text);
    for (; !value && *text; text++) {
        if ((unsigned char)*text >= 0x80) *text = '?';
    }
    json_decref(value);
}

static bool parse_rules(const char *text, Rules *rules, Fault *fault) {
    Error err = {0};
    return (strlen(text) < SERVED_NAME_MAX && !rules_parse_with_komi(text, rules, &err)) ||
           fault_set(fault, "bad_field", "rules",
                     "These rules are unknown. Write chinese, japanese or tromp-taylor.");
}

bool game_usual_komi(const GameSetup *setup, double *komi, Fault *fault) {
    Rules rules;
    if (!parse_rules(setup->rules, &rules, fault)) return false;
    *komi = komi_usual(&rules, setup->width, setup->height, setup->handicap);
    return true;
}

static bool read_rules(const GameSetup *setup, Rules *rules, Fault *fault) {
    if (!parse_rules(setup->rules, rules, fault)) return false;
    double komi = isnan(setup->komi)
                      ? komi_usual(rules, setup->width, setup->height, setup->handicap)
                      : setup->komi;
    if (!rules_komi_is_valid(komi))
        return fault_set(fault, "bad_field", "komi",
                         "The komi must be a multiple of 0.5 from -%d to %d.", (int)RULES_KOMI_MAX,
                         (int)RULES_KOMI_MAX);
    rules->komi = (float)komi;
    return true;
}

static bool set_board(const GameSetup *setup, Board *board, Fault *fault) {
    Point points[9];
    int max = handicap_fixed_max(setup->width, setup->height),
        stones = handicap_fixed(setup->width, setup->height, setup->handicap, points);
    if (board_init(board, setup->width, setup->height, NULL))
        return fault_set(fault, "bad_field", "width", "A side of the board has 2 to %d points.",
                         BOARD_SIDE_MAX);
    if (setup->handicap && !stones && !max)
        return fault_set(fault, "bad_field", "handicap",
                         "A board of this size has no points for handicap stones.");
    if (setup->handicap && !stones)
        return fault_set(fault, "bad_field", "handicap",
                         "There can be 0 or 2 to %d handicap stones on a board of this size.", max);
    for (int i = 0; i < stones; i++)
        (void)board_set(board, points[i], COLOR_BLACK);
    return true;
}

Game *game_new(const GameSetup *setup, Fault *fault) {
    Board board;
    Rules rules;
    Game *game;
    if (!set_board(setup, &board, fault) || !read_rules(setup, &rules, fault)) return NULL;
    if (game_begin(&board, &rules, &game, NULL)) {
        no_memory(fault);
        return NULL;
    }
    snprintf(game->rules_name, sizeof game->rules_name, "%s", setup->rules);
    game_set_name(game, setup->person, "", "You");
    snprintf(game->date, sizeof game->date, "%.10s", clock_date_text().text);
    game->person = setup->person;
    game_set_net(game, setup->net ? setup->net : "", setup->engine);
    game->visits = setup->visits;
    game->level = setup->level;
    return game;
}

void game_free(Game *game) {
    if (!game) return;
    position_clear(&game->start);
    position_clear(&game->now);
    free(game);
}

GamePhase game_phase(const Game *game) {
    const Position *now = &game->now;
    if (game->resigned || game->agreed || (now->over && now->outcome.no_result)) return PHASE_OVER;
    return game_is_passed_out(now) ? PHASE_SCORE : PHASE_PLAY;
}

const char *game_net(const Game *game) {
    return game->net;
}

void game_set_net(Game *game, const char *net, const char *engine) {
    snprintf(game->net, sizeof game->net, "%s", net);
    if (engine) game_set_name(game, color_other(game->person), "Aji ", engine);
}

int game_moves(const Game *game) {
    return game->now.move_count;
}

void game_size(const Game *game, int *width, int *height) {
    *width = game->now.board.width;
    *height = game->now.board.height;
}

bool game_is_waiting(const Game *game) {
    GamePhase phase = game_phase(game);
    if (*game->engine_error) return false;
    if (phase == PHASE_SCORE) return !game->marks_known;
    return phase == PHASE_PLAY && game->now.mover != game->person;
}

/* Must be called after each change of the position. If the rules alone say which stones are dead,
 * the engine is not asked. */
static void position_changed(Game *game) {
    game->resigned = COLOR_EMPTY;
    game->agreed = false;
    game->engine_error[0] = 0;
    memset(game->dead, 0, sizeof game->dead);
    game->marks_known = game_phase(game) == PHASE_SCORE && game_is_settled(&game->now);
    if (game->marks_known) game_dead_stones(&game->now, NULL, game->dead);
}

Status game_add_move(Game *game, Point point, Error *err) {
    Status status = position_play(&game->now, point, err);
    if (!status) position_changed(game);
    return status;
}

/* Goes back to the position after the first `keep` moves. */
static bool take_back(Game *game, int keep, Fault *fault) {
    Position line = {0};
    Status status = position_begin_line(&line, &game->start, NULL);
    for (int i = 0; i < keep && !status; i++)
        status = position_play_on(&line, position_move(&game->now, i).point, NULL);
    if (status) {
        position_clear(&line);
        return no_memory(fault);
    }
    position_end_line(&line, &game->start);
    position_clear(&game->now);
    game->now = line;
    game->resign_history = (ResignHistory){0};
    position_changed(game);
    return true;
}

bool game_play(Game *game, const char *move, Fault *fault) {
    static const char *const CODES[] = {[MOVE_OFF_BOARD] = "off_board",
                                        [MOVE_OCCUPIED] = "occupied",
                                        [MOVE_SUICIDE] = "suicide",
                                        [MOVE_KO] = "ko"};
    const Board *board = &game->now.board;
    Point point;
    Error err = {0};
    if (game_phase(game) != PHASE_PLAY)
        return fault_set(fault, "over", NULL, "The game is over. Take back a move to play on.");
    if (game->now.mover != game->person)
        return fault_set(fault, "not_your_turn", NULL, "It is not your turn.");
    if (game_moves(game) + 2 > SERVED_MOVES_MAX)
        return fault_set(fault, "too_long", NULL, "A game can have at most %d moves.",
                         (int)SERVED_MOVES_MAX);
    if (point_parse(move, board->width, board->height, &point, &err))
        return fault_set(fault, "off_board", "move", "The move %s.", err.message);
    MoveFault wrong = move_fault(&game->now, point);
    if (wrong)
        return fault_set(fault, CODES[wrong], "move", "%s %s.",
                         point_text(point, board->height).text, move_fault_text(wrong));
    if (game_add_move(game, point, NULL)) return no_memory(fault);
    return true;
}

bool game_undo(Game *game, Fault *fault) {
    int count = game_moves(game), keep = count - 1;
    bool resigned = game->resigned != COLOR_EMPTY;
    /* The players always alternate, so in every second position it is the person's turn. */
    if (resigned && game->now.mover == game->person && !game_is_passed_out(&game->now))
        keep = count;
    else if (game->now.mover == game->person)
        keep--;
    if (keep < 0)
        return fault_set(fault, "no_move", NULL, "There is no move of yours to take back.");
    if (!take_back(game, keep, fault)) return false;
    game->plays_on = game->plays_on || resigned;
    return true;
}

bool game_resign(Game *game, Fault *fault) {
    if (game_phase(game) == PHASE_OVER)
        return fault_set(fault, "over", NULL, "The game is over already.");
    game->resigned = game->person;
    return true;
}

void game_set_visits(Game *game, int visits) {
    game->visits = visits;
    game->level = (GameLevel){0};
}

void game_set_level(Game *game, const GameLevel *level) {
    game->level = *level;
}

void game_mark_chain(Game *game, Point point, bool dead) {
    Point at = point;
    do {
        game->dead[at] = dead;
        at = game->now.board.chain_next[at];
    } while (at != point);
}

static bool is_scoring(const Game *game, Fault *fault) {
    return game_phase(game) == PHASE_SCORE ||
           fault_set(fault, "not_scoring", NULL,
                     "This is possible only between two passes and the end of the game.");
}

static bool mark_all(Game *game, const json_t *points, Fault *fault) {
    const Board *board = &game->now.board;
    const json_t *item;
    size_t index;
    Point point;
    memset(game->dead, 0, sizeof game->dead);
    json_array_foreach(points, index, item) {
        const char *text = json_string_value(item);
        if (!text || point_parse(text, board->width, board->height, &point, NULL) ||
            point == POINT_PASS || board->color[point] == COLOR_EMPTY)
            return fault_set(fault, "bad_field", "dead",
                             "Dead stones are given as a list of points with stones, such as "
                             "[\"C3\"].");
        game_mark_chain(game, point, true);
    }
    return true;
}

bool game_mark_dead(Game *game, const json_t *points, Fault *fault) {
    bool before[POINT_COUNT];
    if (!is_scoring(game, fault)) return false;
    memcpy(before, game->dead, sizeof before);
    bool good = mark_all(game, points, fault);
    if (good && game_is_settled(&game->now) && memcmp(before, game->dead, sizeof before) != 0)
        good = fault_set(fault, "settled", "dead",
                         "By these rules only stones in the opponent's pass-alive territory are "
                         "dead, so no others can be marked.");
    if (!good)
        memcpy(game->dead, before, sizeof before);
    else
        game->marks_known = true;
    return good;
}

bool game_agree(Game *game, Fault *fault) {
    if (!is_scoring(game, fault)) return false;
    if (game_is_waiting(game))
        return fault_set(fault, "thinking", NULL,
                         "The engine still looks for dead stones. Wait, or mark them yourself.");
    game->marks_known = game->agreed = true;
    game->engine_error[0] = 0;
    return true;
}

bool game_continue(Game *game, Fault *fault) {
    int keep = game_moves(game);
    if (!is_scoring(game, fault)) return false;
    while (keep > 0 && position_move(&game->now, keep - 1).point == POINT_PASS)
        keep--;
    return take_back(game, keep, fault);
}

bool game_points(const Game *game, GamePoints *out) {
    const Position *now = &game->now;
    const Board *board = &now->board;
    float white_score;
    if (game_count(now, game->dead, &white_score, out->owner, NULL)) return false;
    bool area_scoring = now->rules.scoring == SCORING_AREA;
    double black = area_scoring ? 0 : board->captured[COLOR_WHITE];
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        Color stone = (Color)board->color[point];
        bool owned = out->owner[point] == COLOR_BLACK,
             prisoner = stone == COLOR_WHITE && (game->dead[point] || owned);
        if (area_scoring)
            black += owned;
        else
            black += (owned && (stone != COLOR_BLACK || game->dead[point])) + prisoner;
    }
    out->black = black;
    out->white = black + (double)white_score;
    return true;
}

SgfResultText game_result(const Game *game) {
    GamePoints points;
    if (game->resigned)
        return sgf_result_text(&(Outcome){.winner = color_other(game->resigned)}, true);
    if (game_phase(game) != PHASE_OVER) return (SgfResultText){""};
    if (!game->agreed) return sgf_result_text(&game->now.outcome, false);
    if (!game_points(game, &points)) return (SgfResultText){"?"};
    double lead = points.white - points.black;
    return sgf_result_text(&(Outcome){.winner = lead > 0   ? COLOR_WHITE
                                                : lead < 0 ? COLOR_BLACK
                                                           : COLOR_EMPTY,
                                      .white_score = (float)lead},
                           false);
}

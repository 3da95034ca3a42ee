/* Games as SGF. The private property AJIG of the root has what SGF has no property for, as JSON:
 *     {"color":"B","visits":100,"rules":"japanese","plays_on":false,"net":"9x9","dead":["C3",...]}
 * color, visits, rules and net are members of the state that the page sees. So is level, which only
 * games at a level have. plays_on says that a resignation was taken back. dead is missing if it is
 * not known yet which stones are dead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "protocol/session/game_score.h"
#include "serve/games/game_private.h"
#include "sgf/sgf_parse.h"
#include "sgf/sgf_write.h"

static const char PROPERTY[] = "AJIG";

static Status write_property(const Game *game, StrBuf *out, Error *err) {
    json_t *object =
        json_pack("{s:s,s:i,s:s,s:b}", "color", game->person == COLOR_BLACK ? "B" : "W", "visits",
                  game->visits, "rules", game->rules_name, "plays_on", game->plays_on);
    if (object && *game->net) json_object_set_new(object, "net", json_string(game->net));
    if (object && game->level.is_set)
        json_object_set_new(object, "level", game_level_json(&game->level));
    if (object && game->marks_known) json_object_set_new(object, "dead", game_dead_list(game));
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text) return fail(err, ERR_MEMORY, "no memory to write a game");
    strbuf_addf(out, "%s[", PROPERTY);
    sgf_write_text(text, true, out);
    strbuf_add(out, "]");
    free(text);
    return strbuf_status(out, err);
}

Status game_write(const Game *game, StrBuf *out, Error *err) {
    SgfGame sgf;
    StrBuf extra = {0};
    Status status = sgf_game_init_position(&sgf, &game->now, err);
    if (status) return status;
    RulesText rules = rules_katago_name(&game->now.rules);
    SgfResultText result = game_result(game);
    status = write_property(game, &extra, err);
    sgf.extra = strbuf_text(&extra);
    sgf.black = game->names[COLOR_BLACK];
    sgf.white = game->names[COLOR_WHITE];
    sgf.about.date = game->date;
    sgf.rules_name = rules.text;
    sgf.result = result.text;
    sgf.write_mover = true;
    if (!status) status = sgf_game_write(&sgf, out, err);
    strbuf_add(out, "\n");
    if (!status) status = strbuf_status(out, err);
    strbuf_clear(&extra);
    sgf_game_clear(&sgf);
    return status;
}

/* Reads the JSON of the property. The caller owns `*out`. */
static Status read_property(const char *text, size_t length, json_t **out, Error *err) {
    SgfTree tree = {0};
    SgfNode root;
    SgfProperty property;
    Arena arena = {0};
    Status status = sgf_parse(text, length, "game", &tree, err);
    *out = NULL;
    if (status) return status;
    if (!sgf_tree_enter(&tree, 0, &root) || !sgf_tree_find(&tree, root, PROPERTY, &property)) {
        status = fail(err, ERR_SYNTAX, "no property %s: this is no game of the page", PROPERTY);
    } else {
        SgfValue value = sgf_property_value(&property);
        const char *json = sgf_value_text(&value, true, &arena);
        status = json ? json_parse(json, strlen(json), out, err)
                      : fail(err, ERR_MEMORY, "no memory to read a game");
    }
    arena_clear(&arena);
    sgf_tree_clear(&tree);
    return status;
}

/* Begins the game of the record with its handicap stones and rules, but without its moves. */
static Status begin(const SgfGame *sgf, const char *rules_name, Game **out, Error *err) {
    Board board;
    Rules named;
    Status status = board_init(&board, sgf->width, sgf->height, err);
    if (status) return status;
    for (Point point = 0; point < POINT_COUNT; point++) {
        if (sgf->setup[point] == COLOR_WHITE)
            return fail(err, ERR_UNSUPPORTED,
                        "white stones are set up: this is no game of the page");
    }
    if (!board_set_all(&board, sgf->setup))
        return fail(err, ERR_ILLEGAL, "stones without liberties are set up");
    if (!sgf->rules_given || !rules_komi_is_valid((double)sgf->rules.komi))
        return fail(err, ERR_SYNTAX, "rules or komi are missing or wrong");
    status = game_begin(&board, &sgf->rules, out, err);
    if (status) return status;
    named = sgf->rules;
    bool fits = rules_name && strlen(rules_name) < SERVED_NAME_MAX &&
                !rules_parse(rules_name, &named, NULL) && rules_equal(&named, &sgf->rules);
    snprintf((*out)->rules_name, SERVED_NAME_MAX, "%.*s", SERVED_NAME_MAX - 1,
             fits ? rules_name : rules_katago_name(&sgf->rules).text);
    return OK;
}

static Status play_moves(Game *game, const SgfGame *sgf, Error *err) {
    if (sgf->move_count > SERVED_MOVES_MAX)
        return fail(err, ERR_UNSUPPORTED, "the game has more than %d moves", (int)SERVED_MOVES_MAX);
    for (size_t i = 0; i < sgf->move_count; i++) {
        Move move = sgf->moves[i].move;
        if (move.color != game->now.mover || game_phase(game) != PHASE_PLAY ||
            game_add_move(game, move.point, NULL))
            return fail(err, ERR_ILLEGAL, "move %zu, %s, is not legal", i + 1,
                        point_text(move.point, sgf->height).text);
    }
    return OK;
}

/* Reads the level, if there is one. Returns false if it makes no sense. */
static bool read_level(const json_t *level, GameLevel *out) {
    const char *label = json_string_value(json_object_get(level, "label"));
    double strength = json_number_value(json_object_get(level, "strength"));
    *out = (GameLevel){.is_set = level != NULL, .strength = strength};
    if (!level) return true;
    snprintf(out->label, sizeof out->label, "%s", label ? label : "");
    return json_is_number(json_object_get(level, "strength")) && strength >= 0 && strength <= 1 &&
           label && strlen(label) < sizeof out->label;
}

static Status set_facts(Game *game, const SgfGame *sgf, const json_t *facts, Error *err) {
    const char *color = json_string_value(json_object_get(facts, "color"));
    const json_t *dead = json_object_get(facts, "dead");
    json_int_t visits = json_integer_value(json_object_get(facts, "visits"));
    Fault fault = {0};
    if (!color || (strcmp(color, "B") != 0 && strcmp(color, "W") != 0) || visits < 1 ||
        visits > SERVED_VISITS_MAX)
        return fail(err, ERR_SYNTAX, "the property %s has no color or visits", PROPERTY);
    game->person = *color == 'B' ? COLOR_BLACK : COLOR_WHITE;
    game->visits = (int)visits;
    if (!read_level(json_object_get(facts, "level"), &game->level))
        return fail(err, ERR_SYNTAX, "the property %s has a wrong level", PROPERTY);
    game->plays_on = json_is_true(json_object_get(facts, "plays_on"));
    const char *net = json_string_value(json_object_get(facts, "net"));
    if (net && strlen(net) < sizeof game->net) game_set_net(game, net, NULL);
    game_set_name(game, COLOR_BLACK, "", sgf->black);
    game_set_name(game, COLOR_WHITE, "", sgf->white);
    snprintf(game->date, sizeof game->date, "%.15s", sgf->about.date);
    if (game_phase(game) == PHASE_SCORE && json_is_array(dead) && !game_is_settled(&game->now) &&
        !game_mark_dead(game, dead, &fault))
        return fail(err, ERR_SYNTAX, "the property %s: %s", PROPERTY, fault.message);
    return OK;
}

/* Takes over the result, unless the moves alone give it. If the result is not a resignation, the
 * person has agreed to the score; passes must then have ended play. */
static Status set_result(Game *game, const SgfGame *sgf, Error *err) {
    Color winner = sgf_game_winner(sgf);
    if (!*sgf->result || game_phase(game) == PHASE_OVER) return OK;
    if (winner != COLOR_EMPTY && strcmp(sgf->result + 1, "+R") == 0) {
        game->resigned = color_other(winner);
        return OK;
    }
    if (game_phase(game) != PHASE_SCORE)
        return fail(err, ERR_SYNTAX, "the result \"%.20s\" does not fit the moves", sgf->result);
    game->agreed = game->marks_known = true;
    return OK;
}

Status game_read(const char *text, size_t length, Game **out, Error *err) {
    SgfGame sgf;
    json_t *facts = NULL;
    *out = NULL;
    Status status = sgf_game_parse(text, length, NULL, &sgf, err);
    if (status) return status;
    status = read_property(text, length, &facts, err);
    if (!status) status = begin(&sgf, json_string_value(json_object_get(facts, "rules")), out, err);
    if (!status) status = play_moves(*out, &sgf, err);
    if (!status) status = set_facts(*out, &sgf, facts, err);
    if (!status) status = set_result(*out, &sgf, err);
    if (status) {
        game_free(*out);
        *out = NULL;
    }
    json_decref(facts);
    sgf_game_clear(&sgf);
    return status;
}

#include "serve/page/page_games.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "serve/net_facts.h"

/* Finds the game of the request, and lets the page watch it from now on. */
static GameEntry *get_game(PageRequest *request) {
    PageSocket *socket = request->socket;
    const char *name = page_request_text(request, "game");
    GameEntry *entry = name ? games_find(socket->setup.games, name, &request->fault) : NULL;
    return entry && games_watch(entry, &socket->viewer, &request->fault) ? entry : NULL;
}

/* Finds a level of the net. A number from 0 to 1 in the request is a strength. A text is the number
 * or the rank of a level that was measured on this board. Returns false, with a fault, if there is
 * none.
 */
static bool read_level(PageRequest *request, const Engine *engine, int width, int height,
                       GameLevel *out) {
    const json_t *value = json_object_get(request->object, "level");
    const char *file = engine_net(engine)->file.text;
    Error err = {0};
    *out = (GameLevel){.is_set = true};
    if (json_is_string(value)) {
        Status status = net_facts_find_level(file, width, height, json_string_value(value),
                                             &out->strength, out->label, sizeof out->label, &err);
        if (status) return fault_set(&request->fault, "no_level", "level", "%s", err.message);
    } else {
        out->strength = json_number_value(value);
        if (!json_is_number(value) || !(out->strength >= 0 && out->strength <= 1))
            return fault_set(&request->fault, "bad_field", "level",
                             "The member must be the name of a level, or a number from 0 to 1.");
        snprintf(out->label, sizeof out->label, "strength %.2f", out->strength);
    }
    int visits = game_level_visits(out), max = request->socket->setup.visits_max;
    return visits <= max ||
           fault_set(&request->fault, "bad_field", "level",
                     "This level needs %d visits, but the server allows %d.", visits, max);
}

static bool has_level(const PageRequest *request) {
    const json_t *level = json_object_get(request->object, "level");
    return level && !json_is_null(level);
}

static bool read_setup(PageRequest *request, GameSetup *setup) {
    const json_t *komi = json_object_get(request->object, "komi");
    int visits_max = request->socket->setup.visits_max;
    *setup = (GameSetup){.komi = (double)NAN, .visits = visits_max < 100 ? visits_max : 100};
    if (!page_request_integer(request, "width", true, 2, BOARD_SIDE_MAX, &setup->width) ||
        !page_request_integer(request, "height", true, 2, BOARD_SIDE_MAX, &setup->height) ||
        !page_request_integer(request, "handicap", false, 0, 9, &setup->handicap) ||
        !page_request_integer(request, "visits", false, 1, visits_max, &setup->visits))
        return false;
    const Engine *engine = page_request_engine(request, setup->width, setup->height);
    if (!engine) return false;
    setup->net = engine_net(engine)->id;
    if (has_level(request) &&
        !read_level(request, engine, setup->width, setup->height, &setup->level))
        return false;
    if (json_is_number(komi))
        setup->komi = json_number_value(komi);
    else if (komi && !json_is_null(komi))
        return fault_set(&request->fault, "bad_field", "komi",
                         "The member must be a number, or null for the usual komi.");
    setup->rules = page_request_text(request, "rules");
    const char *color = setup->rules ? page_request_text(request, "color") : NULL;
    if (!color) return false;
    if (strcmp(color, "B") != 0 && strcmp(color, "W") != 0)
        return fault_set(&request->fault, "bad_field", "color", "The member must be B or W.");
    setup->person = *color == 'B' ? COLOR_BLACK : COLOR_WHITE;
    return true;
}

static json_t *op_game_komi(PageRequest *request) {
    GameSetup setup = {0};
    double komi;
    if (!page_request_integer(request, "width", true, 2, BOARD_SIDE_MAX, &setup.width) ||
        !page_request_integer(request, "height", true, 2, BOARD_SIDE_MAX, &setup.height) ||
        !page_request_integer(request, "handicap", false, 0, 9, &setup.handicap))
        return NULL;
    setup.rules = page_request_text(request, "rules");
    if (!setup.rules || !game_usual_komi(&setup, &komi, &request->fault)) return NULL;
    return json_pack("{s:f}", "komi", komi);
}

static json_t *game_answer(const GameEntry *entry) {
    return json_pack("{s:s,s:o}", "game", games_name(entry), "state", games_state(entry));
}

static json_t *op_game_new(PageRequest *request) {
    PageSocket *socket = request->socket;
    GameSetup setup;
    double now = clock_seconds();
    if (!read_setup(request, &setup)) return NULL;
    if (!rate_limit_take(&socket->new_games, now) ||
        !rate_limit_take(socket->setup.new_games, now)) {
        fault_set(&request->fault, "too_often", NULL,
                  "Too many games have just begun. Wait a few seconds.");
        return NULL;
    }
    GameEntry *entry = games_begin(socket->setup.games, &setup, &socket->viewer, &request->fault);
    return entry ? game_answer(entry) : NULL;
}

static json_t *op_game_open(PageRequest *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    games_retry(request->socket->setup.games, entry);
    return game_answer(entry);
}

static json_t *op_game_list(PageRequest *request) {
    return json_pack("{s:o}", "games", games_list(request->socket->setup.games));
}

/* If the change was made, saves the game and tells all who watch it. */
static json_t *end_change(PageRequest *request, GameEntry *entry, bool made) {
    if (!made) return NULL;
    games_changed(request->socket->setup.games, entry, true);
    return page_ok();
}

/* Finds the game of a request that says how many moves the page has seen. If there are more or
 * fewer, the page gets the state, and `*late` becomes true. */
static GameEntry *get_game_at(PageRequest *request, bool *late) {
    GameEntry *entry = get_game(request);
    int at = 0;
    *late = false;
    if (!entry || !page_request_integer(request, "at", true, 0, SERVED_MOVES_MAX, &at)) return NULL;
    *late = at != game_moves(games_game(entry));
    if (*late) games_show(entry, &request->socket->viewer);
    return entry;
}

static json_t *op_game_play(PageRequest *request) {
    bool late;
    GameEntry *entry = get_game_at(request, &late);
    if (late) return page_ok();
    const char *move = entry ? page_request_text(request, "move") : NULL;
    if (!move) return NULL;
    return end_change(request, entry, game_play(games_game(entry), move, &request->fault));
}

static json_t *op_game_undo(PageRequest *request) {
    bool late;
    GameEntry *entry = get_game_at(request, &late);
    if (late) return page_ok();
    if (!entry) return NULL;
    return end_change(request, entry, game_undo(games_game(entry), &request->fault));
}

static json_t *op_game_resign(PageRequest *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    return end_change(request, entry, game_resign(games_game(entry), &request->fault));
}

static json_t *op_game_settings(PageRequest *request) {
    GameEntry *entry = get_game(request);
    int visits = 0, width, height;
    GameLevel level;
    if (!entry) return NULL;
    if (has_level(request)) {
        game_size(games_game(entry), &width, &height);
        if (!read_level(request, games_engine(entry), width, height, &level)) return NULL;
        game_set_level(games_game(entry), &level);
    } else if (page_request_integer(request, "visits", true, 1, request->socket->setup.visits_max,
                                    &visits)) {
        game_set_visits(games_game(entry), visits);
    } else {
        return NULL;
    }
    games_changed(request->socket->setup.games, entry, false); /* its search goes on */
    return page_ok();
}

static json_t *op_game_score(PageRequest *request) {
    GameEntry *entry = get_game(request);
    const json_t *dead = json_object_get(request->object, "dead"),
                 *agree = json_object_get(request->object, "agree");
    if (!entry) return NULL;
    Game *game = games_game(entry);
    if (dead && !json_is_array(dead))
        fault_set(&request->fault, "bad_field", "dead", "The member must be a list of points.");
    else if (agree && !json_is_boolean(agree))
        fault_set(&request->fault, "bad_field", "agree", "The member must be true or false.");
    if (request->fault.code) return NULL;
    bool made = (!dead || game_mark_dead(game, dead, &request->fault)) &&
                (!json_is_true(agree) || game_agree(game, &request->fault));
    return end_change(request, entry, made);
}

static json_t *op_game_continue(PageRequest *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    return end_change(request, entry, game_continue(games_game(entry), &request->fault));
}

const PageOp PAGE_GAME_OPS[] = {{"game.komi", op_game_komi},
                                {"game.new", op_game_new},
                                {"game.open", op_game_open},
                                {"game.list", op_game_list},
                                {"game.play", op_game_play},
                                {"game.undo", op_game_undo},
                                {"game.resign", op_game_resign},
                                {"game.settings", op_game_settings},
                                {"game.score", op_game_score},
                                {"game.continue", op_game_continue},
                                {0}};

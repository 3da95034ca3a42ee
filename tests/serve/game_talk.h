/* game_talk.h - helpers for games of the page in which the test plays the engine's part. */
#pragma once
#include "base/settings.h"
#include "search/tree/search_presets.h"
#include "serve/games/game.h"
#include "test.h"

typedef struct {
    SearchSettings search;
    ResignSettings resign;
    Rng rng;
} TestEngine;

static inline Game *game_started(const char *rules, int size, int handicap, Color person) {
    Fault fault = {0};
    Game *game = game_new(&(GameSetup){.width = size,
                                       .height = size,
                                       .rules = rules,
                                       .komi = (double)NAN,
                                       .handicap = handicap,
                                       .person = person,
                                       .visits = 100,
                                       .engine = "net"},
                          &fault);
    if (!game) fail_msg("%s", fault.message);
    return game;
}

/* Passes an answer of the engine to the game. It is JSON with ' in place of ". */
static inline void engine_says(Game *game, const char *answer) {
    TestEngine own = {.rng = rng_seeded(1)};
    char text[2048];
    json_t *object;
    search_preset_begin(SEARCH_PRESET_PEOPLE, &own.search);
    settings_defaults(RESIGN_FIELDS, &own.resign);
    snprintf(text, sizeof text, "%s", answer);
    for (char *at = text; *at; at++)
        *at = (char)(*at == '\'' ? '"' : *at);
    EXPECT_OK(json_parse(text, strlen(text), &object, err));
    game_take_answer(game, object, &(GameEngine){&own.search, &own.resign, &own.rng});
    json_decref(object);
}

/* The engine plays a move, with this win rate of its own. */
static inline void engine_plays_at(Game *game, const char *move, double winrate) {
    char answer[256];
    snprintf(answer, sizeof answer,
             "{'moveInfos':[{'move':'%s','playSelectionValue':3}],'rootInfo':{'winrate':%g,"
             "'scoreLead':0,'visits':3}}",
             move, winrate);
    EXPECT_TRUE(game_is_waiting(game));
    engine_says(game, answer);
}

static inline void engine_plays(Game *game, const char *move) {
    engine_plays_at(game, move, 0.5);
}

static inline void person_plays(Game *game, const char *move) {
    Fault fault = {0};
    if (!game_play(game, move, &fault)) fail_msg("%s: %s", move, fault.message);
}

/* Plays moves for both in turn, separated by blanks. */
static inline void play_all(Game *game, const char *moves) {
    char text[1024], *rest = NULL;
    snprintf(text, sizeof text, "%s", moves);
    for (char *move = strtok_r(text, " ", &rest); move; move = strtok_r(NULL, " ", &rest)) {
        if (game_is_waiting(game))
            engine_plays(game, move);
        else
            person_plays(game, move);
    }
}

/* Expects members of the state, given as JSON with ' in place of ". */
static inline void expect_state(const Game *game, const char *wanted) {
    char text[2048];
    json_t *members, *value, *state = game_state(game, NULL);
    const char *key;
    snprintf(text, sizeof text, "%s", wanted);
    for (char *at = text; *at; at++)
        *at = (char)(*at == '\'' ? '"' : *at);
    EXPECT_OK(json_parse(text, strlen(text), &members, err));
    json_object_foreach(members, key, value) {
        const json_t *got = json_object_get(state, key);
        char *dumped = got ? json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        if (!json_equal(got, value))
            fail_msg("\"%s\" is %s, wanted: %s", key, dumped ? dumped : "missing", wanted);
        free(dumped);
    }
    json_decref(members);
    json_decref(state);
}

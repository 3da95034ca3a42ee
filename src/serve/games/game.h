/* game.h - one game of a person against the engine: its rules, whose turn it is, its phases, the
 * dead stones and the score. It knows nothing of connections, files and threads: its caller sends
 * game_query() to the engine, and passes the answer to game_take_answer().
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "go/position.h"
#include "search/result/resign.h"
#include "search/tree/search_settings.h"
#include "serve/fault.h"

enum {
    SERVED_MOVES_MAX = 2000,     /* of a game */
    SERVED_VISITS_MAX = 1000000, /* of a search */
    SERVED_NAME_MAX = 64,        /* bytes of the name of rules or a player, with the final 0 */
    GAME_NET_MAX = 128,          /* bytes of the id of a net, with the final 0 */
    GAME_LEVEL_MAX = 96          /* bytes of the name of a level, with the final 0 */
};

typedef enum {
    PHASE_PLAY,
    PHASE_SCORE, /* after two passes, until the players agree which stones are dead */
    PHASE_OVER
} GamePhase;

/* Weaker play of the engine (search/result/level.h). */
typedef struct {
    bool is_set;
    double strength;            /* 0..1 */
    char label[GAME_LEVEL_MAX]; /* for people, such as "level 4, about 9k (12k to 6k)" */
} GameLevel;                    /* {0} is full strength */

typedef struct {
    int width, height;
    const char *rules;  /* as rules_parse() reads them */
    double komi;        /* NAN stands for komi_usual() */
    int handicap;       /* 0 or at least 2 */
    Color person;       /* the color that the person plays */
    int visits;         /* of a search of the engine at full strength */
    GameLevel level;    /* its strength */
    const char *net;    /* the id of its net; NULL: the one that fits the board */
    const char *engine; /* its name */
} GameSetup;

/* The komi_usual() of a game with the board, the rules and the handicap of the setup. Reads no
 * other members. False: the rules are unknown, as the fault says. */
bool game_usual_komi(const GameSetup *setup, double *komi, Fault *fault);

typedef struct Game Game;
/* Begins a game. Copies the setup. NULL: the fault says which member of the setup is wrong. */
Game *game_new(const GameSetup *setup, Fault *fault);
void game_free(Game *game); /* NULL is fine */

/* Adds the game as SGF. What SGF has no property for is in a private property of the root, AJIG. */
MUST_USE Status game_write(const Game *game, StrBuf *out, Error *err);
/* Reads a game that game_write() has written. `*out` is NULL on failure. ERR_SYNTAX,
 * ERR_UNSUPPORTED or ERR_ILLEGAL: the text is no such game. */
MUST_USE Status game_read(const char *text, size_t length, Game **out, Error *err);

GamePhase game_phase(const Game *game);
const char *game_net(const Game *game); /* the id of the engine's net; "": it is not known */
/* From now on, the engine plays with this net. `engine` is its name, or NULL to keep the name that
 * the game has for the player. */
void game_set_net(Game *game, const char *net, const char *engine);
int game_moves(const Game *game); /* how many were played */
void game_size(const Game *game, int *width, int *height);
/* Returns what the page shows of the game. `error`, a sentence, may be NULL. Returns NULL if there
 * is no memory. */
json_t *game_state(const Game *game, const char *error);
/* Returns what a list of games shows of a game: size, moves, result and players. Returns NULL if
 * there is no memory. */
json_t *game_summary(const Game *game);

/* The next functions, down to game_continue(), carry out what the person wants. If that is
 * impossible, they set the fault, change nothing and return false. */
/* Plays a move: "C3" or "pass". */
bool game_play(Game *game, const char *move, Fault *fault);
/* Takes back a resignation, and moves until it is again the person's turn. */
bool game_undo(Game *game, Fault *fault);
bool game_resign(Game *game, Fault *fault);
void game_set_visits(Game *game, int visits); /* at full strength */
void game_set_level(Game *game, const GameLevel *level);
/* The visits of a search at this level. */
int game_level_visits(const GameLevel *level);
/* The largest strength whose searches have at most `visits` visits, rounded down to 1/1000. It is
 * -1 if even the weakest needs more. */
double game_strength_max(int visits);
/* In PHASE_SCORE: declares the chains of these points dead and all others alive. `points` is an
 * array of texts such as "C3". */
bool game_mark_dead(Game *game, const json_t *points, Fault *fault);
/* In PHASE_SCORE: ends the game with the score that follows from the present marks. That is
 * impossible while the game waits for the engine to propose dead stones. */
bool game_agree(Game *game, Fault *fault);
/* In PHASE_SCORE: takes back the passes, so that play goes on. */
bool game_continue(Game *game, Fault *fault);

/* Whether the game waits for the engine: for its move, or to know which stones are dead. */
bool game_is_waiting(const Game *game);
/* The query of KataGo's protocol whose answer the game waits for. The move follows from the answer
 * by the level that the game has now, even if the level changes before the answer comes. NULL: no
 * memory. */
json_t *game_query(Game *game, const char *id);
/* How the engine chooses its moves, and when it resigns. */
typedef struct {
    const SearchSettings *search;
    const ResignSettings *resign;
    Rng *rng;
} GameEngine;
/* Takes the answer to game_query(): the engine moves or resigns, or stones are marked as dead. If
 * the answer is an error or makes no sense, the game waits no longer and its state says why. */
void game_take_answer(Game *game, const json_t *answer, const GameEngine *engine);
/* The engine cannot answer, for the reason that the sentence gives. */
void game_engine_failed(Game *game, const char *sentence);
/* If the engine could not answer, forgets this and returns true. The game then waits again for an
 * answer. */
bool game_retry(Game *game);

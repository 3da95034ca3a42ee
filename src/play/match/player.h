/* player.h - a player of a match: a net with a search (engine), random moves, or another program
 * over GTP. A text that describes a player has one of three forms:
 *     net=FILE,visits=100,precision=bf16,search.temperature=0.2,...
 *     random
 *     gtp:COMMAND
 * "net=" may be left out before the name of a file. The name of a file that exists may have commas.
 * "strength=0.4" sets the visits and the settings of level_set() for weaker play; parts that follow
 * may change them. "level=9k" sets the visits and these settings after all other parts, by a level
 * of the net's LevelScale (play/levels/level_scale.h). The caller, who knows the board, looks up
 * the level. If "name=NAME," stands before one of the three forms, the player has that name in
 * tables and games. If "rank=5k," stands there, that rank is written into the games.
 * Threading: confined. */
#pragma once
#include "go/position.h"
#include "nn/backends/backend.h"
#include "search/tree/search_settings.h"

typedef enum { PLAYER_ENGINE, PLAYER_RANDOM, PLAYER_GTP } PlayerKind;
typedef struct {
    PlayerKind kind;
    char name[128];      /* for tables and SGF */
    char rank[16];       /* for SGF; "" if there is none */
    char net_path[1024]; /* of an engine; may be any word if the caller passes the net itself */
    char command[1024];  /* of a GTP player */
    int visits;
    char level[16];     /* the level that the caller still has to look up; "" if there is none */
    bool random_net;    /* net=uniform: the player has the uniform evaluator instead of a net */
    bool has_precision; /* if false, the precision is PRECISION_AUTO */
    Precision precision;
    SearchSettings search; /* of an engine */
    double move_seconds;   /* of a GTP player: time limit of each answer; player_parse() sets 60 */
} PlayerSpec;
/* ERR_SYNTAX, ERR_ARGUMENT: the message quotes the part that is wrong. */
MUST_USE Status player_parse(const char *text, PlayerSpec *out, Error *err);
/* Gives an engine another net. If the name of the player was made from the name of the net's file,
 * it is made again. ERR_ARGUMENT: the path is too long. */
MUST_USE Status player_set_net(PlayerSpec *player, const char *path, Error *err);
/* Returns a hash of what determines how a player plays: the name of the net file (without folders)
 * or the command, the visits, the precision and the settings. Returns 0 if there is no memory. */
uint64_t player_fingerprint(const PlayerSpec *spec);

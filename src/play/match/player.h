/* player.h - a player of a match: a net with a search (engine), random moves, or another program
 * over GTP. It is written in one of three forms:
 *     net=FILE,visits=100,precision=bf16,search.temperature=0.2,...
 *     random
 *     gtp:COMMAND
 * "name=NAME," before it gives the player another name in tables and games. Threading: confined. */
#pragma once
#include "go/position.h"
#include "nn/backends/backend.h"
#include "search/tree/search_settings.h"

typedef enum { PLAYER_ENGINE, PLAYER_RANDOM, PLAYER_GTP } PlayerKind;
typedef struct {
    PlayerKind kind;
    char name[128];      /* for tables and SGF */
    char net_path[1024]; /* of an engine; any word if the caller passes the net itself */
    char command[1024];  /* of a GTP player */
    int visits;
    bool random_net;    /* net=uniform: the uniform evaluator in place of a net */
    bool has_precision; /* false: PRECISION_AUTO */
    Precision precision;
    SearchSettings search; /* of an engine */
    double move_seconds; /* of a GTP player: the time limit of an answer; player_parse() sets 60 */
} PlayerSpec;
/* ERR_SYNTAX, ERR_ARGUMENT: the message quotes the part that is wrong. */
MUST_USE Status player_parse(const char *text, PlayerSpec *out, Error *err);
/* Returns a hash of what determines how a player plays: net file (without its folders) or command,
 * visits, precision and settings. 0: no memory. */
uint64_t player_fingerprint(const PlayerSpec *spec);

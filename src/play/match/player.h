/* player.h - who plays a match: an engine of ours (net and settings), random moves, or another
 * program over GTP. SPEC: "net=FILE,visits=100,search.temperature=0.2,...", "random",
 * "gtp:COMMAND"; with "name=NAME," before it, that name in tables and games. An engine may
 * have precision=f32, bf16, int8 or auto. Threading: confined. */
#pragma once
#include "go/position.h"
#include "nn/backends/backend.h"
#include "search/tree/search_settings.h"

typedef enum { PLAYER_ENGINE, PLAYER_RANDOM, PLAYER_GTP } PlayerKind;
typedef struct {
    PlayerKind kind;
    char name[128];      /* for tables and SGF */
    char net_path[1024]; /* engine; "uniform" and any other word where the nets are given apart */
    char command[1024];  /* gtp */
    int visits;
    bool random_net;    /* net=uniform: the uniform evaluator */
    bool has_precision; /* engine: precision=P; else auto */
    Precision precision;
    SearchSettings search; /* engine */
    double move_seconds;   /* gtp: how long an answer may take; player_parse(): 60 */
} PlayerSpec;
MUST_USE Status player_parse(const char *text, PlayerSpec *out, Error *err);
/* Of all by which a player plays as it does: net file (its name without folders) or command,
 * visits, precision and settings. 0: no memory. */
uint64_t player_fingerprint(const PlayerSpec *spec);

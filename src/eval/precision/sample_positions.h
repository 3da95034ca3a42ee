/* sample_positions.h - makes positions on which to measure a net. They come from games that the net
 * plays against itself. Each move is drawn from the net's policy, without search. Threading: free
 * functions. */
#pragma once
#include "base/progress.h"
#include "base/rng.h"
#include "go/position.h"
#include "nn/graph/net.h"

/* A function that makes the first position of a game. Neither side of its board may exceed
 * SampleCall.size. */
typedef Status SampleBegin(void *context, Rng *rng, Position *out, Error *err);

typedef struct {
    int size;  /* width and height of the boards; with `begin`, the maximum of both */
    int count; /* positions wanted */
    int every; /* on average one position in `every` is sampled; 0 means 10 */
    const char *human_profile; /* for nets conditioned on the players; NULL means rank_1d */
    uint64_t seed;
    /* Makes the first position of each game. If it is NULL, the games take Chinese, Tromp-Taylor
     * and Japanese rules in turn and a random komi of 5.5 to 8.5. They then end without an encore
     * (the phase of KataGo's territory rules that settles what is dead). */
    SampleBegin *begin;
    void *context;
    const ProgressWatch *watch; /* is told the progress in positions; may be NULL */
} SampleCall;

/* Fills out[0 .. count - 1]. These positions must be {0} or initialised before the call, and the
 * caller clears them, also on failure. A game that lasts longer than about 2 * size * size moves is
 * given up, and a new game begins. The same seed gives the same positions. Errors are those of
 * `begin`, evaluator_net_new(), evaluator_evaluate() and `watch`. */
MUST_USE Status sample_positions(const Net *net, const SampleCall *call, Position *out, Error *err);

/* net_positions.h - positions to try nets on: of games, or of games that a net plays by its policy.
 * Threading: confined. */
#pragma once
#include "eval/precision/sample_positions.h"

typedef struct {
    char text[96]; /* "game.sgf, game 2, move 30" or "position 12, move 30" */
} PositionLabel;

typedef struct {
    Position *positions; /* the set's */
    PositionLabel *labels;
    int count, width, height; /* the edges of the largest board */
} PositionSet;                /* {0} may be cleared */
void position_set_clear(PositionSet *set);

/* At most `most` positions, evenly from all that the main lines of all games in the files have;
 * each file as sgf_collection_open(). A game that cannot be read is told on stderr as `command`'s
 * and passed over. ERR_ARGUMENT: there is no position. */
MUST_USE Status positions_of_games(const char *command, const char *const *paths, int path_count,
                                   int max, PositionSet *out, Error *err);
/* Those of sample_positions(), of one call after another. */
MUST_USE Status positions_of_policy(const Net *net, const SampleCall *calls, int call_count,
                                    PositionSet *out, Error *err);

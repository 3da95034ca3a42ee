/* net_positions.h - positions to compare nets on. They come from files of games, or from games that
 * a net plays by its policy.
 * Threading: confined. */
#pragma once
#include "eval/precision/sample_positions.h"

typedef struct {
    char text[96]; /* "game.sgf, game 2, move 30" or "position 12, move 30" */
} PositionLabel;

typedef struct {
    Position *positions; /* owned by the set */
    PositionLabel *labels;
    int count, width, height; /* width and height are the largest of all boards */
} PositionSet;                /* {0} is an empty set */
void position_set_clear(PositionSet *set);

/* Takes at most `max` positions, evenly spread over the main lines of all games in the files, which
 * are read by sgf_collection_open(). A game that cannot be read is skipped with a message on stderr
 * that begins with `command`. ERR_ARGUMENT: there is no position. */
MUST_USE Status positions_of_games(const char *command, const char *const *paths, int path_count,
                                   int max, PositionSet *out, Error *err);
/* Takes the positions that sample_positions() makes for each call, one call after another. */
MUST_USE Status positions_of_policy(const Net *net, const SampleCall *calls, int call_count,
                                    PositionSet *out, Error *err);

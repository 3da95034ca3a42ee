/* query_replay.h - the positions of a query's game. Workers replay the games, since a long game
 * takes a while and would hold up the thread that reads queries. A replay keeps the position that
 * it reached last, since the turns of a game are usually analysed one after the other.
 * Threading: a QueryReplay is confined; those of several threads may share a query. */
#pragma once
#include "protocol/analysis/analysis_query.h"

typedef struct {
    AnalysisQuery *query; /* the replay is one of its holders; NULL at first */
    int turn;
    Position position; /* after `turn` moves, but before position_end_replay() */
} QueryReplay;         /* {0} is empty */

/* Makes the position after `turn` moves. `*out` must be initialised or {0}; its memory is reused.
 * The first call for a query plays all its moves.
 * ERR_ILLEGAL: one of the moves, which may come after `turn`, cannot be played. The message names
 * the first such move in KataGo's words.
 * ERR_STOPPED: `*stop` has become true. */
MUST_USE Status query_replay_turn(QueryReplay *replay, AnalysisQuery *query, int turn,
                                  const atomic_bool *stop, Position *out, Error *err);
void query_replay_clear(QueryReplay *replay);

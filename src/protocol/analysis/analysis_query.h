/* analysis_query.h - a query for analysis, and the positions that it is about. query_parse() makes
 * one. Each user calls query_hold() when it keeps the query and query_release() at the end.
 * Threading: immutable once parsed, but for the atomic number of holders and the client. */
#pragma once
#include "go/position.h"
#include "protocol/analysis/analysis_client.h"
#include "protocol/analysis/analysis_settings.h"
#include "search/core/search.h"
#include <stdatomic.h>

typedef struct {
    atomic_int holders;     /* number of users that keep the query */
    AnalysisClient *client; /* NULL: it is gone; guarded by the engine's lock */
    char *id;
    int width, height;
    Rules rules;
    Color first; /* the player to move at turn 0 */
    Move *stones, *moves;
    int stone_count, move_count;
    bool *wanted_turns;  /* move_count + 1 */
    int64_t *priorities; /* of each turn, move_count + 1 */
    bool policy, ownership, ownership_stdev, moves_ownership, moves_ownership_stdev, line_visits,
        no_result;
    double report_first, report_every; /* seconds; 0: no reports during the search */
    SearchSettings search;
    AnalysisSettings analysis;
    SearchAvoid *avoid; /* NULL: none */
} AnalysisQuery;

AnalysisQuery *query_hold(AnalysisQuery *query); /* returns `query` */
/* The last holder frees the query. NULL is fine. */
void query_release(AnalysisQuery *query);

/* Makes the position after `turn` moves. ERR_ILLEGAL: a move cannot be played; `*illegal` is its
 * index, or -1 for another error. */
MUST_USE Status query_position(const AnalysisQuery *query, int turn, Position *out, int *illegal,
                               Error *err);

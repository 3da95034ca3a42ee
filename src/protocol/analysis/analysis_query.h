/* analysis_query.h - a query for analysis, with the positions to be analysed. query_parse() makes
 * one. Threads share it: each user that keeps the query calls query_hold(), and query_release() in
 * the end.
 * Threading: immutable once parsed, except the atomic number of holders and fields that are
 * guarded. */
#pragma once
#include "go/position.h"
#include "protocol/analysis/analysis_client.h"
#include "protocol/analysis/analysis_settings.h"
#include "search/core/search.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    atomic_int holders;     /* number of users that keep the query */
    AnalysisClient *client; /* NULL after the client has left; guarded by the engine's lock */
    char *id;
    int width, height;
    Rules rules;
    Color first; /* the player to move at turn 0 */
    Move *stones, *moves;
    int stone_count, move_count;
    bool *wanted_turns;  /* [move_count + 1]: whether the position at a turn is analysed */
    int64_t *priorities; /* [move_count + 1] */
    bool policy, ownership, ownership_stdev, moves_ownership, moves_ownership_stdev, line_visits,
        no_result;
    /* Seconds until the first report during the search, and seconds between reports. If `first` is
     * 0, there are no reports. If `every` is 0, there is only one report. */
    struct {
        double first, every;
    } reports;
    SearchSettings search;
    AnalysisSettings analysis;
    SearchAvoid *avoid; /* moves that the search must not play; may be NULL */
    pthread_mutex_t check_lock;
    bool checked;     /* all moves were played once, by query_replay.c; guarded by check_lock */
    int illegal_move; /* the first move that cannot be played, or -1; guarded by check_lock */
    size_t bytes;     /* memory of the query and of its tasks; guarded by the engine's lock */
    int unfinished;   /* tasks without their last answer; guarded by the engine's lock */
    bool refused;     /* the client was told of an illegal move; guarded by the engine's lock */
} AnalysisQuery;

/* Makes a query with one holder. Fails only with ERR_MEMORY. */
MUST_USE Status query_new(AnalysisQuery **out, Error *err);
/* Adds a holder and returns `query`. */
AnalysisQuery *query_hold(AnalysisQuery *query);
/* Removes a holder. The last one frees the query. NULL is fine. */
void query_release(AnalysisQuery *query);

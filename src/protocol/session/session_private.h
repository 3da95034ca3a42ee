/* session_private.h - what the files of a session share. Threading: confined. */
#pragma once
#include "protocol/session/session.h"

enum { UNSEARCHED_MAX = 4 };

struct Session {
    SessionSetup setup;
    Position start, now;
    Move *moves;
    size_t move_count, move_capacity;
    /* How many moves, from the first on, come from a game record. There a color may move twice in a
     * row. */
    size_t record_count;
    Evaluator *evaluators[SEARCH_THREADS_MAX]; /* one for each thread */
    Driver *driver;
    Search *search;
    Report *report;
    Rng rng;
    ResignHistory resign_history;
    /* The settings give a playout doubling advantage to the player to move, not to a fixed
     * color. */
    bool advantage_follows_mover;
    bool hides_history; /* the last search showed the nets no moves before the root */
    /* The moves `unsearched` lead from the root of the search to `now`, so the next search can keep
     * a part of the tree. */
    bool in_search;
    Point unsearched[UNSEARCHED_MAX]; /* moves that the search has still to follow */
    int unsearched_count;
    const SessionSearch *call; /* during session_run(); otherwise NULL */
    bool unread;               /* nobody reads the reports of this search any more */
    TimeBudget budget;         /* of this search, if the call has one */
    double tree_seconds;       /* spent on the tree up to the end of the last search */
    int64_t tree_visits;       /* visits of its root at the end of the last search */
};

/* Sets session->advantage_follows_mover by these settings. */
void session_note_advantage(Session *session, const SearchSettings *search);

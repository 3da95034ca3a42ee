/* session_private.h - what the files of a session share. Threading: confined. */
#pragma once
#include "protocol/session/session.h"

enum { UNSEARCHED_MAX = 4 };

struct Session {
    SessionSetup setup;
    Position start, now;
    Move *moves;
    size_t move_count, move_capacity;
    size_t record_count; /* the first of them, which come from a game record: a color may repeat */
    Evaluator *evaluators[SEARCH_THREADS_MAX]; /* one for each thread */
    Driver *driver;
    Search *search;
    Report *report;
    Rng rng;
    ResignHistory resign_history;
    bool advantage_follows_mover; /* the playout doubling advantage is that of the player to move */
    bool hides_history;           /* the last search showed the nets no moves before the root */
    bool in_search; /* the search's root is this position, after the moves `unsearched` */
    Point unsearched[UNSEARCHED_MAX]; /* moves that the search has still to follow */
    int unsearched_count;
    const SessionSearch *call; /* during session_run(); otherwise NULL */
    TimeBudget budget;         /* of this search, where the call has one */
    double tree_seconds;       /* spent on the tree when the last search ended ... */
    int64_t tree_visits;       /* ... and the visits of its root then */
};

/* Sets `advantage_follows_mover` by these settings. */
void session_note_advantage(Session *session, const SearchSettings *search);

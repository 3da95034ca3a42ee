/* session_private.h - what the files of a session share. Threading: confined. */
#pragma once
#include "protocol/session/session.h"

enum { BEHIND_MAX = 4 };

struct Session {
    SessionSetup setup;
    Position start, now;
    Move *moves;
    size_t move_count, move_capacity;
    size_t followed; /* of them: those of a game record, where a color may repeat */
    Evaluator *evaluators[SEARCH_THREADS_MAX]; /* of each thread */
    Driver *driver;
    Search *search;
    Report *report;
    Rng rng;
    ResignHistory resign_history;
    bool side_matters;  /* to nets, in the search: an advantage is that of who is to move */
    bool hides_history; /* in the search's position */
    bool in_search;     /* the search stands at the position, but for: */
    Point behind[BEHIND_MAX];
    int behind_count;         /* moves that it has still to follow */
    const SessionSearch *how; /* while session_run() */
    TimeBudget budget;        /* what this search takes of its clock's, if it has one */
    double thought;           /* seconds about the tree so far ... */
    int64_t thought_visits;   /* ... which had so many visits then */
};

/* Whether nets are told of an advantage of who is to move, by these settings. */
void session_note_side(Session *session, const SearchSettings *search);

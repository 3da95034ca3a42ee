/* session.h - a game under way for one client: position, moves for undo, and a search that follows
 * it. Threading: confined. */
#pragma once
#include "base/rng.h"
#include "eval/evaluator.h"
#include "search/driver.h"

typedef struct {
    /* Makes an evaluator for boards of this size; the session frees it. */
    Status (*make_evaluator)(void *context, int width, int height, Evaluator **out, Error *err);
    void *context;
    SearchSettings search;
    int64_t visits; /* a move; 0: by time only */
    double seconds; /* a move; 0: by visits only */
    int leaves_at_once;
    uint64_t seed;
    int width, height;
    Rules rules;
} SessionSetup;

typedef struct Session Session;
MUST_USE Status session_new(const SessionSetup *setup, Session **out, Error *err);
void session_free(Session *session);
const Position *session_position(const Session *session);
/* An empty board of this size with the rules and komi as they are. */
MUST_USE Status session_resize(Session *session, int width, int height, Error *err);
MUST_USE Status session_clear(Session *session, Error *err);
MUST_USE Status session_set_komi(Session *session, float komi, Error *err);
MUST_USE Status session_set_rules(Session *session, const Rules *rules,
                                  Error *err); /* the game is replayed under them; komi stays */
MUST_USE Status session_play(Session *session, Move move, Error *err); /* tolerant; ERR_ILLEGAL */
MUST_USE Status session_undo(Session *session, Error *err); /* ERR_ILLEGAL: nothing to undo */
/* A start position, after which nothing can be undone. */
MUST_USE Status session_set_start(Session *session, const Position *start, Error *err);
/* The start and moves of a finished or running game; they can be undone. ERR_ILLEGAL: a move cannot
 * be played; all is as before. */
MUST_USE Status session_follow(Session *session, const Position *start, const Move *moves,
                               int count, Error *err);
/* Searches for `color`; the report is the session's until the next call. `seconds` > 0 bounds this
 * search besides the set-up. */
MUST_USE Status session_search(Session *session, Color color, double seconds, const Report **report,
                               Error *err);
MUST_USE Status session_choose(Session *session, Color color, double seconds, Point *out,
                               Error *err);
/* One evaluation with ownership, White's lead and who owns what (+1 White). */
MUST_USE Status session_judge(Session *session, float *white_lead,
                              float white_ownership[BOARD_POINTS_MAX], Error *err);

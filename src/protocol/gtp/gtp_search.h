/* gtp_search.h - what a command does after a search for a move. After session_run() it calls
 * gtp_is_cancelled() and, if that returns false, gtp_take_move().
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* A move that was searched for. */
typedef struct {
    Color color;
    bool plays;               /* the move is played, and its time is taken from the clock */
    double start;             /* clock_seconds() when the command came */
    const TimeBudget *budget; /* NULL if there is no clock */
} GtpMove;

/* How a command searches for a move, and what it does with the move. */
typedef struct {
    bool plays;       /* the move is played */
    bool by_clock;    /* the clock limits the search */
    bool cancellable; /* the next line ends the search, and no move is chosen then */
} GtpSearchKind;

/* Whether a search of this kind ends without a move because the next line has come. */
bool gtp_is_cancelled(const Gtp *gtp, GtpSearchKind kind);
/* Chooses a move from the report, and waits as the setting gtp.delay_scale says. If the engine
 * resigns, adds "resign" to `out`. Otherwise adds the vertex of the move to `out`. If
 * `move->plays`, also plays the move. */
MUST_USE Status gtp_take_move(Gtp *gtp, const GtpMove *move, const Report *report, StrBuf *out,
                              Error *err);

/* gtp_search.h - how a GTP engine ends the search for a move. After session_run() a command asks
 * gtp_is_cancelled(), and if it is not, calls gtp_take_move(). Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* A move that was searched for. */
typedef struct {
    Color color;
    bool plays;               /* the move is played, and the clock goes on */
    double start;             /* clock_seconds() when the command came */
    const TimeBudget *budget; /* NULL: none */
} GtpMove;

typedef struct {
    bool plays, by_clock;
    bool cancellable; /* the next line ends the search, and then no move is chosen */
} GtpSearchKind;

/* Whether a search of this kind ends without a move because the next line has come. */
bool gtp_is_cancelled(const Gtp *gtp, GtpSearchKind kind);
/* Chooses a move from the report, plays it if `move->plays`, and adds its vertex or "resign" to
 * `out`. */
MUST_USE Status gtp_take_move(Gtp *gtp, const GtpMove *move, const Report *report, StrBuf *out,
                              Error *err);

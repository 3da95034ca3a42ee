/* gtp_engine.h - the state of a GTP engine, and what the files with its commands share: reading
 * colors and vertices, joining words, and answers that are streams. A command that streams calls
 * gtp_stream_begin() once and then gtp_stream_write() for each line; gtp_line() adds the end.
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "protocol/session/session.h"
#include <stdio.h>

enum { GTP_ARGUMENTS_MAX = 1000 };
/* A comment line that ends the search for a move, which then answers with the best move so far. */
#define GTP_INTERRUPT "# interrupt"

/* What is remembered of our last move. The doublings of the next move depend on it. */
typedef struct {
    bool known; /* else the other fields mean nothing */
    Move move;
    int index; /* of the move in the game */
    float white_win_loss;
    double doublings; /* of the player who began behind */
} Followed;

typedef struct Gtp Gtp;
struct Gtp {
    Session *session;
    const char *version;
    TimeControl control;
    TimeLeft left[3];    /* by color; our own clock keeps it between two commands time_left */
    double late_seconds; /* by how much recent moves took longer than their budget allows */
    uint64_t ponders_at; /* position_state_hash() after our move; 0: the engine does not ponder */
    SessionLimits
        usual_limits; /* those of the set-up; kata-set-param without a value restores them */
    int usual_threads;
    Followed followed;
    GtpSettings settings;
    Rng rng; /* of delays */
    bool quit;
    char id[16];
    StrBuf *out;  /* receives the answer to the current line */
    bool streams; /* the answer to the current line has begun as a stream */
    FILE *output; /* where a stream is written at once; NULL: it is added to `out` */
    const atomic_bool *input_ready; /* ends analysis; NULL: nothing does */
    const atomic_bool *stopped; /* ends every search: a signal, or GTP_INTERRUPT; NULL: nothing */
};

/* The words behind the name of a command. */
typedef struct {
    int count;
    char *words[GTP_ARGUMENTS_MAX];
} Arguments;

/* ERR_SYNTAX; *out is COLOR_EMPTY then. */
Status gtp_parse_color(const char *text, Color *out, Error *err);
Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err); /* ERR_SYNTAX */
int gtp_height(const Gtp *gtp); /* of the board */
/* Sets the komi to the setting gtp.forced_komi, if that forces one. ERR_ARGUMENT. */
Status gtp_force_komi(Gtp *gtp, Error *err);
/* Adds the words first .. count-1 to `out`, with blanks between them. */
void gtp_join(const Arguments *a, int first, StrBuf *out);
/* Begins a stream with the line "=ID". */
void gtp_stream_begin(Gtp *gtp);
/* Adds `text`, which brings its own line ends, and sends it at once where there is an output. */
void gtp_stream_write(Gtp *gtp, const char *text);

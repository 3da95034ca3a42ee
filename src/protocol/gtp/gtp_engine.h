/* gtp_engine.h - the state of a GTP engine, and what the files with its commands share: reading
 * colors and vertices, joining words, and streams. A stream is an answer whose lines the client
 * gets one by one while the command runs. Its command calls gtp_stream_begin() once and then
 * gtp_stream_write() for each line; gtp_line() adds the end.
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "protocol/session/session.h"
#include <stdio.h>

enum { GTP_ARGUMENTS_MAX = 1000, GTP_LINE_MAX = 1 << 16 };
/* A line that ends the search for a move; the engine then answers with the best move so far. The
 * line is a comment, so that other engines ignore it. */
#define GTP_INTERRUPT "# interrupt"

/* The engine's last move. The playout doubling advantage of its next move depends on it. */
typedef struct {
    bool known; /* if it is false, the other fields mean nothing */
    Move move;
    int index; /* turn of the move in the game */
    float white_win_loss;
    double doublings; /* advantage of the player whom the handicap put behind (gtp_doubling.h) */
} LastMove;

typedef struct Gtp Gtp;
struct Gtp {
    Session *session;
    const char *version;
    TimeControl control;
    /* The time left, by color. Between two time_left commands the engine subtracts the time of its
     * own moves. */
    TimeLeft left[3];
    /* By how many seconds recent moves exceeded the maximum of their budgets. Each move makes this
     * number fall by a fifth. If the excess of the move itself is larger, the number becomes this
     * excess. */
    double late_seconds;
    uint64_t ponders_at; /* position_state_hash() after the engine's move; 0 means not to ponder */
    SessionLimits default_limits; /* of the setup; kata-set-param without a value restores them */
    int default_threads;
    LastMove last_move;
    GtpSettings settings;
    Rng rng; /* for delays of answers */
    bool quit;
    char id[16];
    char line[GTP_LINE_MAX + 1]; /* the current line, cut into words */
    StrBuf *out;                 /* receives the answer to the current line */
    bool streams;                /* the answer to the current line has begun as a stream */
    FILE *output; /* where streams are written immediately; if NULL, they are added to `out` */
    const atomic_bool *input_ready; /* ends analysis and pondering when true; may be NULL */
    /* Ends every search when true, after a signal or GTP_INTERRUPT; may be NULL. */
    const atomic_bool *stopped;
};

/* The words of a line after the name of the command. */
typedef struct {
    int count;
    char *words[GTP_ARGUMENTS_MAX];
} Arguments;

/* Parses a color. ERR_SYNTAX: `text` is no color, and `*out` is COLOR_EMPTY. */
Status gtp_parse_color(const char *text, Color *out, Error *err);
/* Parses a point of the present board, or a pass. ERR_SYNTAX: `text` is neither. */
Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err);
int gtp_height(const Gtp *gtp); /* of the present board */
/* Sets the komi to gtp.forced_komi. Does nothing if that setting leaves the komi to the client.
 * ERR_ARGUMENT: no game can have this komi. */
Status gtp_force_komi(Gtp *gtp, Error *err);
/* Adds the words first .. count - 1 of `a` to `out`, with blanks between them. */
void gtp_join(const Arguments *a, int first, StrBuf *out);
/* Begins a stream with the line "=ID". */
void gtp_stream_begin(Gtp *gtp);
/* Adds `text`, which contains its line ends, to the answer. If gtp->output is set, `text` is
 * written immediately. */
void gtp_stream_write(Gtp *gtp, const char *text);

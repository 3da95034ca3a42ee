/* gtp_private.h - what the files of the GTP engine share. */
#pragma once
#include "protocol/gtp.h"
#include "search/timecontrol.h"

enum { GTP_ARGUMENTS_MOST = 1000 };
/* A comment line that ends the search for a move, which then answers with the best so far. */
#define GTP_INTERRUPT "# interrupt"

/* Our last move, for the advantage of the next. */
typedef struct {
    bool known;
    Move move;
    int index; /* of the move in the game */
    float white_win_loss;
    double doublings; /* of who began behind */
} Followed;

struct Gtp {
    Session *session;
    const char *version;
    TimeControl control;
    TimeLeft left[3];    /* by color; kept by our own clock between two of time_left */
    double late_seconds; /* by how much moves lately took longer than they may */
    uint64_t ponders_at; /* position_state_hash() after our move; 0: nothing to think about */
    SessionLimits usual_limits; /* those of the set-up, for kata-set-param without a value */
    int usual_threads;
    Followed followed;
    GtpSettings settings;
    Rng rng; /* of delays */
    bool quit;
    char id[16];
    StrBuf *out;                /* of the line at hand */
    bool streams;               /* its answer has begun, as a stream */
    FILE *output;               /* where a stream goes at once; NULL: to `out` */
    const atomic_bool *waits;   /* ends analysis; NULL: nothing does */
    const atomic_bool *stopped; /* ends every search: a signal, or GTP_INTERRUPT; NULL: nothing */
};

typedef struct {
    int count;
    char *words[GTP_ARGUMENTS_MOST];
} Arguments;

typedef struct {
    const char *name;
    Status (*run)(Gtp *gtp, const Arguments *arguments, StrBuf *out, Error *err);
    int least, most; /* arguments; those that need none ignore them all, as in KataGo */
    bool listed;
} GtpCommand;
/* Each ends with {0}. */
extern const GtpCommand GTP_SETUP_COMMANDS[], GTP_GAME_COMMANDS[], GTP_SCORE_COMMANDS[],
    GTP_RULES_COMMANDS[], GTP_TIME_COMMANDS[], GTP_SEARCH_COMMANDS[], GTP_ANALYZE_COMMANDS[],
    GTP_RAW_COMMANDS[], GTP_DEBUG_COMMANDS[], GTP_PARAM_COMMANDS[], GTP_GOGUI_COMMANDS[];

Status gtp_parse_color(const char *text, Color *out, Error *err);
Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err);
int gtp_height(const Gtp *gtp);
Status gtp_force_komi(Gtp *gtp, Error *err); /* if gtp.forced_komi says so */
/* Of this move by the clock, in `*out`, which is returned; NULL: there is no clock. */
const TimeBudget *gtp_budget(const Gtp *gtp, Color color, TimeBudget *out);
/* A move was made that was thought about since clock_seconds() said `start`, with that budget
 * (NULL: none): the clock goes on, and the opponent's time may be used. */
void gtp_moved(Gtp *gtp, Color color, double start, const TimeBudget *budget);
/* The advantage of `color` in this game by search.doublings_per_lead, in `*out`, which is returned;
 * NULL: as it was set. `plays`: a move will be made, and gtp_follow() told of it. */
const float *gtp_doublings(Gtp *gtp, Color color, bool plays, float *out);
void gtp_follow(Gtp *gtp, Move move, const Report *report); /* after it was played */
/* After a search for a move of `color` that began when clock_seconds() said `start`: its vertex, or
 * "resign". `plays`: the move is played, and the clock goes on. */
typedef struct {
    Color color;
    bool plays;
    double start;
    const TimeBudget *budget; /* NULL: none */
} GtpMove;
typedef struct {
    bool plays, by_clock;
    bool cancellable; /* by the next line, and then no move is chosen */
} GtpSearchKind;
/* Whether the next line has come, and ends such a search without a move. */
bool gtp_is_cancelled(const Gtp *gtp, GtpSearchKind kind);
MUST_USE Status gtp_take_move(Gtp *gtp, const GtpMove *move, const Report *report, StrBuf *out,
                              Error *err);
/* A stream: "=ID" and a line end, then what is written, line by line; its end is added later. */
void gtp_stream_begin(Gtp *gtp);
void gtp_stream_write(Gtp *gtp, const char *text);
/* Words first .. count-1 with blanks between them. */
void gtp_join(const Arguments *a, int first, StrBuf *out);

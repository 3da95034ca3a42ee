/* gtp_private.h - what the files of the GTP engine share. */
#pragma once
#include "protocol/gtp.h"

enum { GTP_ARGUMENTS_MOST = 1000 };

struct Gtp {
    Session *session;
    const char *version;
    double main_seconds, byo_seconds; /* time_settings; main < 0: none given */
    int byo_stones;                   /* of a period */
    double increment;                 /* Fischer's, seconds a move */
    bool by_periods;                  /* a period is for one stone and may be had again */
    int64_t usual_visits; /* the limits of the set-up, for kata-set-param without a value */
    double usual_seconds;
    double left[3]; /* time_left by color; < 0: not told */
    int left_stones[3];
    bool quit;
    char id[16];
    StrBuf *out;                /* of the line at hand */
    bool streams;               /* its answer has begun, as a stream */
    FILE *output;               /* where a stream goes at once; NULL: to `out` */
    const atomic_bool *waits;   /* ends analysis; NULL: nothing does */
    const atomic_bool *stopped; /* ends every search; NULL: nothing does */
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
extern const GtpCommand GTP_SETUP_COMMANDS[], GTP_GAME_COMMANDS[], GTP_RULES_COMMANDS[],
    GTP_TIME_COMMANDS[], GTP_SEARCH_COMMANDS[], GTP_ANALYZE_COMMANDS[], GTP_RAW_COMMANDS[],
    GTP_DEBUG_COMMANDS[], GTP_PARAM_COMMANDS[];

Status gtp_parse_color(const char *text, Color *out, Error *err);
Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err);
int gtp_height(const Gtp *gtp);
double gtp_seconds_for(const Gtp *gtp, Color color); /* of this move by the clock; 0: no limit */
/* A stream: "=ID" and a line end, then what is written, line by line; its end is added later. */
void gtp_stream_begin(Gtp *gtp);
void gtp_stream_write(Gtp *gtp, const char *text);
/* Words first .. count-1 with blanks between them. */
void gtp_join(const Arguments *a, int first, StrBuf *out);

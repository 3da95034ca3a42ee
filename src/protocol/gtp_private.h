/* gtp_private.h - what the files of the GTP engine share. */
#pragma once
#include "protocol/gtp.h"

enum { GTP_ARGUMENTS_MOST = 1000 };

struct Gtp {
    Session *session;
    const char *version;
    double main_seconds, byo_seconds; /* time_settings; main < 0: none given */
    int byo_stones;
    double left[3]; /* time_left by color; < 0: not told */
    int left_stones[3];
    bool quit;
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
extern const GtpCommand GTP_SETUP_COMMANDS[], GTP_GAME_COMMANDS[];

Status gtp_parse_color(const char *text, Color *out, Error *err);
Status gtp_parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err);
int gtp_height(const Gtp *gtp);

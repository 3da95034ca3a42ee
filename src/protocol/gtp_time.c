/* GTP: clocks. */
#include "base/settings.h"
#include "protocol/gtp_private.h"
#include <math.h>
#include <string.h>
#include <time.h>

/* Seconds for a move from the clock that the client told about; 0: none. */
double gtp_seconds_for(const Gtp *gtp, Color color) {
    if (gtp->main_seconds < 0) return 0;
    double left = gtp->left[color] >= 0 ? gtp->left[color] : gtp->main_seconds;
    int stones = gtp->left[color] >= 0 ? gtp->left_stones[color] : 0;
    if (stones > 0) /* overtime: of this period only where each period is for one stone */
        return fmax(0.05, left / (gtp->by_periods ? 1 : stones) * 0.9 - 0.05);
    const Board *board = &session_position(gtp->session)->board;
    double moves = fmax(10, 0.5 * (0.95 * board->width * board->height + 20 - board->stones));
    double byo = gtp->byo_stones > 0 ? gtp->byo_seconds / gtp->byo_stones * 0.9 : 0;
    double share = left / moves + fmin(0.9 * gtp->increment, 0.5 * left);
    return fmax(0.05, fmax(share, left > 0 ? 0 : byo) - 0.05);
}

typedef struct {
    double main_seconds, byo_seconds, increment;
    int stones;
    bool by_periods;
} Clock;

static void set_clock(Gtp *gtp, const Clock *told) {
    gtp->main_seconds = told->main_seconds;
    gtp->byo_seconds = told->byo_seconds;
    gtp->byo_stones = told->stones;
    gtp->increment = told->increment;
    gtp->by_periods = told->by_periods;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = -1;
}

static Status do_time_settings(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Clock told = {0};
    long long stones;
    Status status = parse_double(a->words[0], "main time", 0, 1e9, &told.main_seconds, err);
    if (!status)
        status = parse_double(a->words[1], "byo-yomi time", 0, 1e9, &told.byo_seconds, err);
    if (!status) status = parse_int(a->words[2], "byo-yomi stones", 0, 100000, &stones, err);
    if (status) return status;
    if (told.byo_seconds > 0 && stones == 0) told.main_seconds = -1; /* GTP: no time limit */
    told.stones = (int)stones;
    set_clock(gtp, &told);
    return OK;
}

/* The number at word `at`; `negative`: one below 0 means that there is no bound. */
static Status take_seconds(const Arguments *a, int at, const char *what, bool negative, double *out,
                           Error *err) {
    if (at >= a->count)
        return fail(err, ERR_SYNTAX, "Expected float for %s as argument %d", what, at);
    return parse_double(a->words[at], what, negative ? -1e25 : 0, 1e25, out, err);
}

static Status take_overtime(const Arguments *a, const char *what, Clock *told, Error *err) {
    long long count;
    Status status = take_seconds(a, 2, "overtime", false, &told->byo_seconds, err);
    if (status) return status;
    if (a->count < 4) return fail(err, ERR_SYNTAX, "Expected int for %s as argument 3", what);
    status = parse_int(a->words[3], what, 0, 100000, &count, err);
    if (!status) told->stones = told->by_periods && count ? 1 : (int)count;
    return status;
}

/* fischer M I, fischer-capped M I LIMIT MAX: the caps only ever leave less time on the clock. */
static Status take_fischer(const Arguments *a, bool capped, Clock *told, Error *err) {
    double limit = -1, most = -1;
    Status status = take_seconds(a, 2, "increment time", false, &told->increment, err);
    if (!status && capped) status = take_seconds(a, 3, "main time limit", true, &limit, err);
    if (!status && capped) status = take_seconds(a, 4, "maximum time per move", true, &most, err);
    if (!status && limit >= 0 && limit < told->main_seconds)
        status = fail(err, ERR_ARGUMENT, "main time limit is smaller than main time");
    return status;
}

static Status unknown_clock(bool fischer, Error *err) {
    const char *more = fischer ? ", 'fischer', 'fischer-capped'" : "";
    return fail(err, ERR_SYNTAX,
                "Expected 'none', 'absolute', 'byoyomi', 'canadian'%s as first argument", more);
}

static Status set_named_clock(Gtp *gtp, const Arguments *a, bool fischer, Error *err) {
    const char *kind = a->count ? a->words[0] : "";
    Clock told = {.main_seconds = -1};
    bool absolute = strcmp(kind, "absolute") == 0, canadian = strcmp(kind, "canadian") == 0;
    bool capped = fischer && strcmp(kind, "fischer-capped") == 0;
    bool increments = capped || (fischer && strcmp(kind, "fischer") == 0);
    Status status = OK;
    told.by_periods = strcmp(kind, "byoyomi") == 0;
    if (strcmp(kind, "none") != 0) {
        if (!absolute && !canadian && !told.by_periods && !increments)
            return unknown_clock(fischer, err);
        status = take_seconds(a, 1, "main time", false, &told.main_seconds, err);
    }
    if (!status && canadian) status = take_overtime(a, "byo-yomi overtime stones", &told, err);
    if (!status && told.by_periods)
        status = take_overtime(a, "byo-yomi overtime periods", &told, err);
    if (!status && increments) status = take_fischer(a, capped, &told, err);
    if (!status) set_clock(gtp, &told);
    return status;
}

static Status do_kgs_time(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return set_named_clock(gtp, a, false, err);
}

static Status do_kata_time(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return set_named_clock(gtp, a, true, err);
}

static Status do_list_time(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, "none absolute byoyomi canadian fischer fischer-capped");
    return OK;
}

static Status do_time_left(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Color color;
    double seconds;
    long long stones;
    Status status = gtp_parse_color(a->words[0], &color, err);
    if (!status) status = parse_double(a->words[1], "time", -1e9, 1e9, &seconds, err);
    if (!status) status = parse_int(a->words[2], "stones", 0, 100000, &stones, err);
    if (status) return status;
    gtp->left[color] = fmax(0, seconds);
    gtp->left_stones[color] = (int)stones;
    return OK;
}

static Status do_print_clock(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    for (Color color = COLOR_BLACK; color <= COLOR_WHITE; color++) {
        double left = gtp->left[color] >= 0 ? gtp->left[color] : gtp->main_seconds;
        strbuf_addf(out, "%s%s ", color == COLOR_WHITE ? "\n" : "",
                    color == COLOR_WHITE ? "White" : "Black");
        if (gtp->main_seconds < 0)
            strbuf_add(out, "no limit");
        else
            strbuf_addf(out,
                        "originalMainTime %g perPeriodTime %g numStonesPerPeriod %d "
                        "increment %g timeLeft %g thisMove %g",
                        gtp->main_seconds, gtp->byo_seconds, gtp->byo_stones, gtp->increment, left,
                        gtp_seconds_for(gtp, color));
    }
    return OK;
}

static Status do_cputime(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_addf(out, "%.6f", (double)clock() / CLOCKS_PER_SEC);
    return OK;
}

const GtpCommand GTP_TIME_COMMANDS[] = {
    {"time_settings", do_time_settings, 3, 3, true},
    {"kgs-time_settings", do_kgs_time, 0, GTP_ARGUMENTS_MOST, true},
    {"kata-time_settings", do_kata_time, 0, GTP_ARGUMENTS_MOST, true},
    {"kata-list_time_settings", do_list_time, 0, GTP_ARGUMENTS_MOST, true},
    {"time_left", do_time_left, 3, 3, true},
    {"kata-debug-print-tc", do_print_clock, 0, GTP_ARGUMENTS_MOST, true},
    {"cputime", do_cputime, 0, GTP_ARGUMENTS_MOST, true},
    {"gomill-cpu_time", do_cputime, 0, GTP_ARGUMENTS_MOST, true},
    {0},
};

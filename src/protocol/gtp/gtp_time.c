/* The GTP commands for time controls and clocks. */
#include "protocol/gtp/gtp_time.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/settings.h"
#include "protocol/gtp/gtp_command.h"

const TimeBudget *gtp_budget(const Gtp *gtp, Color color, TimeBudget *out) {
    const Position *position = session_position(gtp->session);
    const Board *board = &position->board;
    TimeSettings settings = session_setup(gtp->session)->time;
    if (!gtp->control.limited) return NULL;
    settings.lag_seconds += gtp->late_seconds;
    *out = time_budget(&gtp->control, &gtp->left[color], &settings, board->width * board->height,
                       board->stones, position->move_count);
    time_budget_keep_reserve(out, &gtp->control, &gtp->left[color], gtp->late_seconds);
    return out;
}

void gtp_moved(Gtp *gtp, Color color, double start, const TimeBudget *budget) {
    double elapsed = clock_seconds() - start;
    if (budget) gtp->late_seconds = fmax(elapsed - budget->max, 0.8 * gtp->late_seconds);
    if (gtp->control.limited && !time_spend(&gtp->control, &gtp->left[color], elapsed))
        /* The clock has run out. It stays at 0 until the client says otherwise. */
        gtp->left[color] = time_left_from_gtp(&gtp->control, 0, 0);
    gtp->ponders_at = position_state_hash(session_position(gtp->session));
}

static void set_clock(Gtp *gtp, const TimeControl *control) {
    gtp->control = *control;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = time_at_start(control);
}

static Status do_time_settings(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    TimeControl control = {.limited = true};
    long long stones;
    Status status = parse_double(a->words[0], "main time", 0, 1e9, &control.main_seconds, err);
    if (!status)
        status = parse_double(a->words[1], "byo-yomi time", 0, 1e9, &control.period_seconds, err);
    if (!status) status = parse_int(a->words[2], "byo-yomi stones", 0, 100000, &stones, err);
    if (status) return status;
    control.limited = control.period_seconds <= 0 ||
                      stones > 0; /* GTP: time for 0 stones means that there is no limit */
    control.stones = control.period_seconds > 0 ? (int)stones : 0;
    control.periods = control.stones > 0;
    set_clock(gtp, &control);
    return OK;
}

/* Parses the seconds in word `at`. If `negative`, numbers below 0 are allowed and mean that there
 * is no limit. Error messages call the number `what`. */
static Status parse_seconds(const Arguments *a, int at, const char *what, bool negative,
                            double *out, Error *err) {
    if (at >= a->count)
        return fail(err, ERR_SYNTAX, "Expected float for %s as argument %d", what, at);
    return parse_double(a->words[at], what, negative ? -1e25 : 0, 1e25, out, err);
}

static Status parse_overtime(const Arguments *a, const char *what, bool by_periods,
                             TimeControl *control, Error *err) {
    long long count;
    Status status = parse_seconds(a, 2, "overtime", false, &control->period_seconds, err);
    if (status) return status;
    if (a->count < 4) return fail(err, ERR_SYNTAX, "Expected int for %s as argument 3", what);
    status = parse_int(a->words[3], what, 0, 100000, &count, err);
    if (status || control->period_seconds <= 0) return status;
    control->stones = by_periods && count ? 1 : (int)count;
    control->periods = by_periods ? (int)count : count > 0;
    return OK;
}

/* Parses the words after the main time M in
 *     fischer M INCREMENT
 *     fischer-capped M INCREMENT LIMIT MAX
 * LIMIT is the maximum time on the clock, and MAX the maximum time of a move. Below 0 they mean
 * that there is no maximum. */
static Status parse_fischer(const Arguments *a, bool capped, TimeControl *control, Error *err) {
    double limit = -1, max = -1;
    Status status = parse_seconds(a, 2, "increment time", false, &control->increment_seconds, err);
    if (!status && capped) status = parse_seconds(a, 3, "main time limit", true, &limit, err);
    if (!status && capped) status = parse_seconds(a, 4, "maximum time per move", true, &max, err);
    if (!status && limit >= 0 && limit < control->main_seconds)
        status = fail(err, ERR_ARGUMENT, "main time limit is smaller than main time");
    control->main_cap_seconds = limit;
    control->move_cap_seconds = max;
    return status;
}

static Status unknown_clock(bool fischer, Error *err) {
    const char *more = fischer ? ", 'fischer', 'fischer-capped'" : "";
    return fail(err, ERR_SYNTAX,
                "Expected 'none', 'absolute', 'byoyomi', 'canadian'%s as first argument", more);
}

static Status set_named_clock(Gtp *gtp, const Arguments *a, bool fischer, Error *err) {
    const char *kind = a->count ? a->words[0] : "";
    TimeControl control = {0};
    bool absolute = strcmp(kind, "absolute") == 0, canadian = strcmp(kind, "canadian") == 0;
    bool capped = fischer && strcmp(kind, "fischer-capped") == 0;
    bool increments = capped || (fischer && strcmp(kind, "fischer") == 0);
    bool periods = strcmp(kind, "byoyomi") == 0;
    Status status = OK;
    if (strcmp(kind, "none") != 0) {
        if (!absolute && !canadian && !periods && !increments) return unknown_clock(fischer, err);
        control.limited = true;
        status = parse_seconds(a, 1, "main time", false, &control.main_seconds, err);
    }
    if (!status && canadian)
        status = parse_overtime(a, "byo-yomi overtime stones", false, &control, err);
    if (!status && periods)
        status = parse_overtime(a, "byo-yomi overtime periods", true, &control, err);
    if (!status && increments) status = parse_fischer(a, capped, &control, err);
    if (!status) set_clock(gtp, &control);
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
    if (!status) status = parse_double(a->words[1], "time", -1e9, 1e25, &seconds, err);
    if (!status) status = parse_int(a->words[2], "stones", 0, 100000, &stones, err);
    if (status) return status;
    if (stones > 0 && gtp->control.limited && !gtp->control.stones)
        return fail(err, ERR_ARGUMENT,
                    "stones left in period is > 0 but the time control used does not have any "
                    "overtime periods");
    gtp->left[color] = time_left_from_gtp(&gtp->control, seconds, (int)stones);
    return OK;
}

static void add_clock(const Gtp *gtp, Color color, StrBuf *out) {
    const TimeControl *control = &gtp->control;
    const TimeLeft *left = &gtp->left[color];
    TimeBudget budget;
    if (!gtp_budget(gtp, color, &budget)) {
        strbuf_add(out, "no limit");
        return;
    }
    strbuf_addf(out,
                "originalMainTime %g perPeriodTime %g numStonesPerPeriod %d increment %g timeLeft "
                "%g periodsLeft %d stonesLeft %d thisMove %g thisMoveMax %g",
                control->main_seconds, control->period_seconds, control->stones,
                control->increment_seconds,
                left->overtime ? left->period_seconds : left->main_seconds, left->periods,
                left->stones, budget.wanted, budget.max);
}

static Status do_print_clock(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, "Black ");
    add_clock(gtp, COLOR_BLACK, out);
    strbuf_add(out, "\nWhite ");
    add_clock(gtp, COLOR_WHITE, out);
    return OK;
}

static Status do_cputime(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_addf(out, "%.6f", (double)clock() / CLOCKS_PER_SEC);
    return OK;
}

const GtpCommand GTP_TIME_COMMANDS[] = {
    {"time_settings", do_time_settings, 3, 3, true},
    {"kgs-time_settings", do_kgs_time, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-time_settings", do_kata_time, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-list_time_settings", do_list_time, 0, GTP_ARGUMENTS_MAX, true},
    {"time_left", do_time_left, 3, 3, true},
    {"kata-debug-print-tc", do_print_clock, 0, GTP_ARGUMENTS_MAX, true},
    {"cputime", do_cputime, 0, GTP_ARGUMENTS_MAX, true},
    {"gomill-cpu_time", do_cputime, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};

/* The GTP commands for searches that answer with a move. */
#include "protocol/gtp/gtp_search.h"

#include <math.h>

#include "base/clock.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/gtp/gtp_doubling.h"
#include "protocol/gtp/gtp_time.h"

/* Waits before an answer as a human player would, but not longer than the clock allows. Waits only
 * in gtp_serve(), where GTP_INTERRUPT or a signal can end the wait. */
static void delay_answer(const Gtp *gtp, const GtpMove *move, double seconds) {
    double now = clock_seconds(), until = now + seconds;
    if (move->budget) until = fmin(until, move->start + move->budget->max);
    for (; gtp->stopped && now < until; now = clock_seconds()) {
        if (atomic_load_explicit(gtp->stopped, memory_order_relaxed)) return;
        clock_sleep_ms((int)fmin(20, 1 + 1000 * (until - now)));
    }
}

Status gtp_take_move(Gtp *gtp, const GtpMove *move, const Report *report, StrBuf *out, Error *err) {
    Point point = session_pick(gtp->session, report);
    double prior = (double)session_prior(gtp->session, report, point);
    delay_answer(gtp, move, gtp_delay(&gtp->settings, prior, &gtp->rng));
    if (session_resigns(gtp->session, report)) {
        strbuf_add(out, "resign");
        return OK;
    }
    Status status = OK;
    if (move->plays) status = session_play(gtp->session, (Move){point, move->color}, err);
    if (!status && move->plays) gtp_remember_move(gtp, (Move){point, move->color}, report);
    if (!status && move->plays) gtp_moved(gtp, move->color, move->start, move->budget);
    if (!status) strbuf_add(out, point_text(point, gtp_height(gtp)).text);
    return status;
}

bool gtp_is_cancelled(const Gtp *gtp, GtpSearchKind kind) {
    return kind.cancellable && gtp->input_ready &&
           atomic_load_explicit(gtp->input_ready, memory_order_relaxed);
}

static Status search_for_move(Gtp *gtp, const Arguments *a, GtpSearchKind kind, StrBuf *out,
                              Error *err) {
    SearchSettings search = gtp_move_search(&gtp->settings, &session_setup(gtp->session)->search);
    SessionSearch call = {.search = &search,
                          .for_move = true,
                          .stop = kind.cancellable ? gtp->input_ready : gtp->stopped};
    TimeBudget budget;
    float doublings;
    double start = clock_seconds();
    const Report *report;
    Status status = gtp_parse_color(a->words[0], &call.color, err);
    if (status) return status;
    if (kind.by_clock) call.budget = gtp_budget(gtp, call.color, &budget);
    call.doublings = gtp_doublings(gtp, call.color, kind.plays, &doublings);
    status = session_run(gtp->session, &call, &report, err);
    if (status) return status;
    if (gtp_is_cancelled(gtp, kind)) {
        strbuf_add(out, "cancelled");
        return OK;
    }
    return gtp_take_move(gtp, &(GtpMove){call.color, kind.plays, start, call.budget}, report, out,
                         err);
}

static Status do_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_for_move(gtp, a, (GtpSearchKind){.plays = true, .by_clock = true}, out, err);
}

static Status do_reg_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_for_move(gtp, a, (GtpSearchKind){0}, out, err);
}

static Status do_kata_search(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_for_move(gtp, a, (GtpSearchKind){.by_clock = true}, out, err);
}

static Status do_kata_search_cancellable(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_for_move(gtp, a, (GtpSearchKind){.by_clock = true, .cancellable = true}, out,
                           err);
}

static Status do_clear_cache(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out, (void)err;
    session_clear_tree(gtp->session);
    return OK;
}

const GtpCommand GTP_SEARCH_COMMANDS[] = {
    {"genmove", do_genmove, 1, 1, true},
    {"reg_genmove", do_reg_genmove, 1, 1, true},
    {"kata-search", do_kata_search, 1, 1, true},
    {"kata-search_cancellable", do_kata_search_cancellable, 1, 1, true},
    {"clear_cache", do_clear_cache, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};

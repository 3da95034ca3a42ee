/* The GTP commands that show how the engine works: searches with a report, policies, speed. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/settings.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/gtp/gtp_doubling.h"
#include "protocol/gtp/gtp_info.h"
#include "protocol/gtp/gtp_search.h"
#include "protocol/gtp/gtp_time.h"

/* Writes the moves that a search considered to stderr, as a line of kata-analyze. */
static void show_report(const Gtp *gtp, const Report *report) {
    const Board *board = &session_position(gtp->session)->board;
    AnalyzeRequest request = {.dialect = DIALECT_KATA, .max_moves = INT_MAX};
    GtpInfoView view = {.request = &request,
                        .line_length = REPORT_LINE_MAX,
                        .report = report,
                        .session = gtp->session,
                        .settings = &session_setup(gtp->session)->search,
                        .width = board->width,
                        .height = board->height};
    StrBuf line = {0};
    gtp_info_write(&view, &line);
    fputs(strbuf_text(&line), stderr);
    strbuf_clear(&line);
}

static Status search_with_report(Gtp *gtp, const Arguments *a, bool plays, StrBuf *out,
                                 Error *err) {
    SearchSettings search = gtp_move_search(&gtp->settings, &session_setup(gtp->session)->search);
    SessionSearch call = {.search = &search, .for_move = true, .stop = gtp->stopped};
    TimeBudget budget;
    float doublings;
    double start = clock_seconds();
    const Report *report;
    Status status = gtp_parse_color(a->words[0], &call.color, err);
    if (status) return status;
    call.budget = gtp_budget(gtp, call.color, &budget);
    call.doublings = gtp_doublings(gtp, call.color, plays, &doublings);
    status = session_run(gtp->session, &call, &report, err);
    if (status) return status;
    show_report(gtp, report);
    return gtp_take_move(gtp, &(GtpMove){call.color, plays, start, call.budget}, report, out, err);
}

static Status do_genmove_debug(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_with_report(gtp, a, true, out, err);
}

static Status do_search_debug(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    return search_with_report(gtp, a, false, out, err);
}

static Status do_get_models(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    const SessionSetup *setup = session_setup(gtp->session);
    const ModelFormat *model_format = setup->model_format;
    const char *path = setup->net_name, *title = setup->net_title ? setup->net_title : path;
    json_t *models =
        path ? json_pack("[{s:s,s:i,s:s,s:b,s:s,s:i}]", "internalName", title, "maxBatchSize",
                         search_settings_batch(1), "name", path, "usesHumanSLProfile",
                         model_format && model_format->metadata, "usingFP16", "auto", "version",
                         model_format ? model_format->version : 0)
             : json_array();
    char *text = models ? json_dumps(models, JSON_COMPACT) : NULL;
    if (text) strbuf_add(out, text);
    Status status =
        text ? OK : fail(err, ERR_UNSUPPORTED, "the path of the net is not valid UTF-8");
    free(text);
    json_decref(models);
    return status;
}

/* As in Leela Zero, answers with the policy in thousandths, row by row. */
static Status do_heatmap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    Evaluation evaluation;
    long long symmetry = -1;
    if (a->count && parse_int(a->words[0], "symmetry", 0, 7, &symmetry, NULL)) symmetry = -1;
    Color mover = session_position(gtp->session)->mover;
    Status status = session_evaluate(gtp->session, mover, (int)symmetry, NULL, &evaluation, err);
    if (status) return status;
    int points = evaluation.width * evaluation.height;
    for (int i = 0; i < points; i++) {
        if (i % evaluation.width == 0) strbuf_add(out, "\n");
        strbuf_addf(out, "%4.0f ", round(1000 * fmax(0, (double)evaluation.policy[i])));
    }
    strbuf_addf(out, "\npass: %.0f\nwinrate: %f",
                round(1000 * fmax(0, (double)evaluation.policy[points])),
                0.5 * (1 + (double)(evaluation.win - evaluation.loss)));
    return OK;
}

/* Searches the position with an empty tree and answers with the visits per second. */
static Status do_benchmark(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    long long visits;
    const Report *report;
    char text[160];
    if (parse_int(a->words[0], "visits", 1, 1000000000, &visits, NULL))
        return fail(err, ERR_SYNTAX, "Expected number of visits for kata-benchmark but got '%.40s'",
                    a->words[0]);
    session_clear_tree(gtp->session);
    gtp_stream_begin(gtp);
    double start = clock_seconds();
    SessionSearch call = {
        .color = session_position(gtp->session)->mover, .visits = visits, .stop = gtp->stopped};
    Status status = session_run(gtp->session, &call, &report, err);
    double seconds = fmax(1e-9, clock_seconds() - start);
    if (status) return status;
    snprintf(text, sizeof text, "visits %lld seconds %.3f visits/s %.1f\n",
             (long long)report->playouts, seconds, (double)report->playouts / seconds);
    gtp_stream_write(gtp, text);
    session_clear_tree(gtp->session);
    return OK;
}

const GtpCommand GTP_DEBUG_COMMANDS[] = {
    {"kata-get-models", do_get_models, 0, GTP_ARGUMENTS_MAX, true},
    {"genmove_debug", do_genmove_debug, 1, 1, true},
    {"kata-search_debug", do_search_debug, 1, 1, true},
    {"heatmap", do_heatmap, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-benchmark", do_benchmark, 1, 1, true},
    {0},
};

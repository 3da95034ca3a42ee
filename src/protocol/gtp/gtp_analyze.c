/* The GTP commands for searches that report while they run. */
#include "base/clock.h"
#include "base/log.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/gtp/gtp_doubling.h"
#include "protocol/gtp/gtp_info.h"
#include "protocol/gtp/gtp_search.h"
#include "protocol/gtp/gtp_time.h"

/* A running analysis. */
typedef struct {
    Gtp *gtp;
    const AnalyzeRequest *request;
    Evaluation raw;
    StrBuf line;
} Analysis;

static bool is_flipped(AnalysisView view, Color mover) {
    return (view == VIEW_WHITE && mover == COLOR_BLACK) ||
           (view == VIEW_BLACK && mover == COLOR_WHITE);
}

/* Returns false if the client does not read any more. */
static bool write_report(void *context, const Report *report) {
    Analysis *analysis = context;
    const Board *board = &session_position(analysis->gtp->session)->board;
    GtpInfoView view = {
        .request = analysis->request,
        .report = report,
        .raw = &analysis->raw,
        .session = analysis->gtp->session,
        .line_length = 1 + analysis->gtp->settings.analysis_line_length,
        .flipped = is_flipped(analysis->gtp->settings.analysis_view, report->mover),
        .settings = &session_setup(analysis->gtp->session)->search,
        .width = board->width,
        .height = board->height,
    };
    strbuf_reset(&analysis->line);
    gtp_info_write(&view, &analysis->line);
    if (strbuf_status(&analysis->line, NULL))
        log_error("there is no memory for a report");
    else if (analysis->line.length)
        gtp_stream_write(analysis->gtp, strbuf_text(&analysis->line));
    return !analysis->gtp->output || !ferror(analysis->gtp->output);
}

/* Lets the search keep ownership. ERR_UNSUPPORTED: the net has none. */
static Status keep_ownership(Session *session, Color color, Error *err) {
    Evaluation evaluation;
    Status status = session_evaluate(session, color, 0, NULL, &evaluation, err);
    if (status) return status;
    if (evaluation.lacks_ownership)
        return fail(err, ERR_UNSUPPORTED, "the net has no head \"ownership\"");
    session_keep_ownership(session);
    return OK;
}

/* Prepares what the reports need besides the search: ownership, and the evaluation of the root. */
static Status prepare_reports(Analysis *analysis, Error *err) {
    const AnalyzeRequest *request = analysis->request;
    bool keeps = request->ownership || request->ownership_stdev || request->moves_ownership ||
                 request->moves_ownership_stdev;
    Status status = keeps ? keep_ownership(analysis->gtp->session, request->color, err) : OK;
    if (status) return status;
    if (!request->root_info) return OK;
    return session_evaluate(analysis->gtp->session, request->color, -1, NULL, &analysis->raw, err);
}

/* Runs an analysis with the arguments [color] [interval] [key value ...]. Answers with reports
 * until the next line comes. */
static Status run_analysis(Gtp *gtp, const Arguments *a, AnalyzeDialect dialect, Error *err) {
    AnalyzeRequest request;
    Color mover = session_position(gtp->session)->mover;
    Status status = analyze_request_parse(gtp, a, dialect, mover, "analyze", &request, err);
    if (status) return status;
    Analysis analysis = {.gtp = gtp, .request = &request};
    const Report *report;
    status = prepare_reports(&analysis, err);
    if (status) return status;
    gtp_stream_begin(gtp);
    SearchSettings search =
        gtp_analysis_search(&gtp->settings, &session_setup(gtp->session)->search);
    SessionSearch call = {.color = request.color,
                          .search = &search,
                          .endless = true,
                          .avoid = request.avoids ? &request.avoid : NULL,
                          .stop = gtp->input_ready,
                          .interval_seconds = request.interval_seconds,
                          .on_report = write_report,
                          .context = &analysis};
    status = session_run(gtp->session, &call, &report, err);
    if (!status && !gtp->input_ready && request.interval_seconds > 0)
        (void)write_report(&analysis, report);
    strbuf_clear(&analysis.line);
    return status;
}

static const GtpSearchKind GENMOVE = {.plays = true, .by_clock = true}, SEARCH = {.by_clock = true},
                           SEARCH_CANCELLABLE = {.by_clock = true, .cancellable = true};

/* Searches for a move, with the same arguments as run_analysis(). Answers with reports during the
 * search, a last report at its end, and `play VERTEX` or `play resign`. If the search is cancelled,
 * the last line is `play cancelled` instead, without a last report. */
static Status run_search_analysis(Gtp *gtp, const Arguments *a, AnalyzeDialect dialect,
                                  GtpSearchKind kind, Error *err) {
    AnalyzeRequest request;
    TimeBudget budget;
    float doublings;
    double start = clock_seconds();
    Color mover = session_position(gtp->session)->mover;
    Status status = analyze_request_parse(gtp, a, dialect, mover, "genmove_analyze", &request, err);
    if (status) return status;
    Analysis analysis = {.gtp = gtp, .request = &request};
    const Report *report;
    status = prepare_reports(&analysis, err);
    if (status) return status;
    gtp_stream_begin(gtp);
    SearchSettings search = gtp_move_search(&gtp->settings, &session_setup(gtp->session)->search);
    SessionSearch call = {.color = request.color,
                          .search = &search,
                          .for_move = true,
                          .budget = gtp_budget(gtp, request.color, &budget),
                          .doublings = gtp_doublings(gtp, request.color, kind.plays, &doublings),
                          .avoid = request.avoids ? &request.avoid : NULL,
                          .stop = kind.cancellable ? gtp->input_ready : gtp->stopped,
                          .interval_seconds = request.interval_seconds,
                          .on_report = write_report,
                          .context = &analysis};
    status = session_run(gtp->session, &call, &report, err);
    if (!status && gtp_is_cancelled(gtp, kind)) {
        gtp_stream_write(gtp, "play cancelled\n");
    } else if (!status) {
        (void)write_report(&analysis, report);
        strbuf_reset(&analysis.line);
        strbuf_add(&analysis.line, "play ");
        status = gtp_take_move(gtp, &(GtpMove){request.color, kind.plays, start, call.budget},
                               report, &analysis.line, err);
        strbuf_add(&analysis.line, "\n");
        if (!status) gtp_stream_write(gtp, strbuf_text(&analysis.line));
    }
    strbuf_clear(&analysis.line);
    return status;
}

static Status do_lz_analyze(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_analysis(gtp, a, DIALECT_LZ, err);
}

static Status do_kata_analyze(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_analysis(gtp, a, DIALECT_KATA, err);
}

static Status do_analyze(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_analysis(gtp, a, DIALECT_SABAKI, err);
}

static Status do_lz_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_search_analysis(gtp, a, DIALECT_LZ, GENMOVE, err);
}

static Status do_kata_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_search_analysis(gtp, a, DIALECT_KATA, GENMOVE, err);
}

static Status do_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_search_analysis(gtp, a, DIALECT_SABAKI, GENMOVE, err);
}

static Status do_kata_search(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_search_analysis(gtp, a, DIALECT_KATA, SEARCH, err);
}

static Status do_kata_search_cancellable(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    return run_search_analysis(gtp, a, DIALECT_KATA, SEARCH_CANCELLABLE, err);
}

/* Commands without a prefix are answered but not listed. A client that finds them in the list would
 * read their numbers in Leela Zero's units. */
const GtpCommand GTP_ANALYZE_COMMANDS[] = {
    {"lz-genmove_analyze", do_lz_genmove, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-genmove_analyze", do_kata_genmove, 0, GTP_ARGUMENTS_MAX, true},
    {"genmove_analyze", do_genmove, 0, GTP_ARGUMENTS_MAX, false},
    {"kata-search_analyze", do_kata_search, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-search_analyze_cancellable", do_kata_search_cancellable, 0, GTP_ARGUMENTS_MAX, true},
    {"lz-analyze", do_lz_analyze, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-analyze", do_kata_analyze, 0, GTP_ARGUMENTS_MAX, true},
    {"analyze", do_analyze, 0, GTP_ARGUMENTS_MAX, false},
    {0},
};

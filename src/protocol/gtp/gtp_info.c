/* In each block the line `pv` and the lists that follow it come last, since clients read the line
 * up to the next `info`. */
#include "protocol/gtp/gtp_info.h"

#include <math.h>

#include "protocol/session/report_view.h"

static void add_number(const GtpInfoView *view, const char *name, double value, StrBuf *out) {
    if (view->request->dialect == DIALECT_SABAKI)
        strbuf_addf(out, " %s %#.6g", name, value + 0.0); /* + 0.0 turns -0 into 0 */
    else
        strbuf_addf(out, " %s %.6g", name, value + 0.0);
}

/* This function and the next one convert a value and a win rate of the player to move to those of
 * the side that the client wants to see. */
static double value_in_view(const GtpInfoView *view, double value) {
    return view->flipped ? -value : value;
}

static double fraction_in_view(const GtpInfoView *view, double fraction) {
    return view->flipped ? 1 - fraction : fraction;
}

static void add_map(const GtpInfoView *view, const char *name, const float *values, StrBuf *out) {
    strbuf_addf(out, " %s", name);
    for (int i = 0; i < view->width * view->height; i++)
        strbuf_addf(out, view->request->dialect == DIALECT_SABAKI ? " %#.6g" : " %.6g",
                    (double)values[i] + 0.0);
}

/* Adds what the request wants of the ownership: its mean, its standard deviation, or both. They are
 * taken over the playouts that begin with `point`, or over all playouts if it is POINT_NONE. */
static void add_ownership(const GtpInfoView *view, Point point, StrBuf *out) {
    const AnalyzeRequest *request = view->request;
    float mean[BOARD_POINTS_MAX] = {0}, stdev[BOARD_POINTS_MAX] = {0};
    bool root = point == POINT_NONE;
    bool wants_mean = root ? request->ownership : request->moves_ownership;
    bool wants_stdev = root ? request->ownership_stdev : request->moves_ownership_stdev;
    if (!wants_mean && !wants_stdev) return;
    if (!session_ownership(view->session, point, mean, stdev) && !root) return;
    for (int i = 0; view->flipped && i < view->width * view->height; i++)
        mean[i] = -mean[i];
    if (wants_mean) add_map(view, root ? "ownership" : "movesOwnership", mean, out);
    if (wants_stdev) add_map(view, root ? "ownershipStdev" : "movesOwnershipStdev", stdev, out);
}

static void add_line(const GtpInfoView *view, const MoveReport *move, StrBuf *out) {
    int length = move->line_length < view->line_length ? move->line_length : view->line_length;
    strbuf_add(out, " pv");
    for (int i = 0; i < length; i++)
        strbuf_addf(out, " %s", point_text(move->line[i], view->height).text);
    if (view->request->line_visits) strbuf_add(out, " pvVisits");
    for (int i = 0; view->request->line_visits && i < length; i++)
        strbuf_addf(out, " %d", move->line_visits[i]);
    if (view->request->line_edge_visits) strbuf_add(out, " pvEdgeVisits");
    for (int i = 0; view->request->line_edge_visits && i < length; i++)
        strbuf_addf(out, " %d", move->line_edge_visits[i]);
    add_ownership(view, move->point, out);
}

static void add_lz_move(const GtpInfoView *view, const MoveReport *move, StrBuf *out) {
    strbuf_addf(out, "info move %s visits %lld winrate %.0f prior %.0f lcb %.0f order %d",
                point_text(move->point, view->height).text, (long long)move->visits,
                round(10000 * fraction_in_view(view, (double)move->winrate)),
                round(10000 * (double)move->prior),
                round(10000 * fraction_in_view(view, report_winrate_bound(view->settings, move))),
                move->order);
    add_line(view, move, out);
}

static void add_kata_move(const GtpInfoView *view, const MoveReport *move, StrBuf *out) {
    strbuf_addf(out, "info move %s visits %d edgeVisits %lld",
                point_text(move->point, view->height).text, move->line_visits[0],
                (long long)move->visits);
    double lead = value_in_view(view, (double)move->lead);
    add_number(view, "utility", value_in_view(view, (double)move->utility), out);
    add_number(view, "winrate", fraction_in_view(view, (double)move->winrate), out);
    add_number(view, "scoreMean", lead, out); /* in KataGo too, this is the lead */
    add_number(view, "scoreStdev", (double)move->score_stdev, out);
    add_number(view, "scoreLead", lead, out);
    add_number(view, "scoreSelfplay", value_in_view(view, (double)move->score_mean), out);
    if (view->request->no_result) add_number(view, "noResultValue", (double)move->no_result, out);
    add_number(view, "prior", (double)move->prior, out);
    add_number(view, "lcb", fraction_in_view(view, report_winrate_bound(view->settings, move)),
               out);
    add_number(view, "utilityLcb", value_in_view(view, (double)move->lcb), out);
    add_number(view, "weight", (double)move->child_weight, out);
    strbuf_addf(out, " order %d", move->order);
    add_line(view, move, out);
}

static void add_move(const GtpInfoView *view, const MoveReport *move, StrBuf *out) {
    if (view->request->dialect == DIALECT_LZ)
        add_lz_move(view, move, out);
    else
        add_kata_move(view, move, out);
}

static void add_root(const GtpInfoView *view, StrBuf *out) {
    const Report *report = view->report;
    strbuf_addf(out, " rootInfo visits %lld", (long long)report->visits);
    double lead = value_in_view(view, (double)report->lead);
    add_number(view, "utility", value_in_view(view, (double)report->utility), out);
    add_number(view, "winrate", 0.5 * (1 + value_in_view(view, (double)report->win_loss)), out);
    add_number(view, "scoreMean", lead, out);
    add_number(view, "scoreStdev", (double)report->score_stdev, out);
    add_number(view, "scoreLead", lead, out);
    add_number(view, "scoreSelfplay", value_in_view(view, (double)report->score_mean), out);
    add_number(view, "weight", (double)report->weight, out);
    add_number(view, "rawStWrError", (double)view->raw->shortterm_winloss_error, out);
    add_number(view, "rawStScoreError", (double)view->raw->shortterm_score_error, out);
    add_number(view, "rawVarTimeLeft", (double)view->raw->var_time, out);
}

/* Returns the move of highest prior among those that are neither shown yet nor avoided, or
 * POINT_NONE if there is none. */
static Point next_unvisited(const GtpInfoView *view, const bool *shown) {
    int best = -1, count = view->width * view->height + 1;
    for (int i = 0; i < count; i++) {
        float prior = view->report->raw_policy[i];
        if (prior < 0 || shown[i] ||
            (view->request->avoids && view->request->avoid.until[view->report->mover][i]))
            continue;
        if (best < 0 || prior > view->report->raw_policy[best]) best = i;
    }
    return best < 0 ? POINT_NONE : move_at_index(best, view->width, view->height);
}

/* Makes the report of a move without visits, which has the values of the root. */
static MoveReport unvisited_move(const GtpInfoView *view, Point point, int order) {
    const Report *report = view->report;
    return (MoveReport){
        .point = point,
        .prior = report->raw_policy[move_index(point, view->width, view->height)],
        .winrate = 0.5f * (1 + report->win_loss),
        .no_result = report->no_result,
        .score_mean = report->score_mean,
        .score_stdev = report->score_stdev,
        .lead = report->lead,
        .utility = report->utility,
        .lcb = report->utility,
        .order = order,
        .line_length = 1,
        .line = {point},
    };
}

void gtp_info_write(const GtpInfoView *view, StrBuf *out) {
    const AnalyzeRequest *request = view->request;
    const Report *report = view->report;
    bool shown[MOVES_MAX] = {0};
    int count = 0;
    size_t before = out->length;
    for (; count < report->move_count && count < request->max_moves; count++) {
        const MoveReport *move = &report->moves[count];
        shown[move_index(move->point, view->width, view->height)] = true;
        if (count) strbuf_add(out, " ");
        add_move(view, move, out);
    }
    for (; report->visits && count < request->min_moves && count < request->max_moves; count++) {
        Point point = next_unvisited(view, shown);
        if (point == POINT_NONE) break;
        shown[move_index(point, view->width, view->height)] = true;
        MoveReport move = unvisited_move(view, point, count);
        if (count) strbuf_add(out, " ");
        add_move(view, &move, out);
    }
    if (!count) return;
    if (request->root_info) add_root(view, out);
    add_ownership(view, POINT_NONE, out);
    if (out->length > before) strbuf_add(out, "\n");
}

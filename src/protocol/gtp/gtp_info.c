/* In the `info` block of each move, the line of play (`pv`) and the lists that belong to it come
 * last, since clients read the moves of a line up to the next `info`. */
#include "protocol/gtp/gtp_info.h"

#include <math.h>

#include "go/symmetry.h"
#include "protocol/session/report_view.h"

static void add_number(const GtpInfoView *view, const char *name, double value, StrBuf *out) {
    if (view->request->dialect == DIALECT_SABAKI)
        strbuf_addf(out, " %s %#.6g", name, value + 0.0); /* + 0.0 turns -0 into 0 */
    else
        strbuf_addf(out, " %s %.6g", name, value + 0.0);
}

/* Returns a value of the player to move (`value`) as a value of the side from whose view the client
 * wants to see values. */
static double value_in_view(const GtpInfoView *view, double value) {
    return view->flipped ? -value : value;
}

/* Does the same with a win rate. */
static double fraction_in_view(const GtpInfoView *view, double fraction) {
    return view->flipped ? 1 - fraction : fraction;
}

/* A move of the report, or its image under a symmetry of the position. */
typedef struct {
    const MoveReport *report;
    Symmetry symmetry;
    int order;
} ShownMove;

static void add_vertex(const GtpInfoView *view, const char *name, Symmetry symmetry, Point point,
                       StrBuf *out) {
    Point image = symmetry_point(symmetry, point, view->width, view->height);
    strbuf_addf(out, "%s %s", name, point_text(image, view->height).text);
}

/* Adds the map as it looks after the symmetry. */
static void add_map(const GtpInfoView *view, const char *name, const float *values,
                    Symmetry symmetry, StrBuf *out) {
    Symmetry inverse = symmetry_inverse(symmetry, view->width, view->height);
    strbuf_addf(out, " %s", name);
    for (int i = 0; i < view->width * view->height; i++)
        strbuf_addf(out, view->request->dialect == DIALECT_SABAKI ? " %#.6g" : " %.6g",
                    (double)values[symmetry_index(inverse, i, view->width, view->height)] + 0.0);
}

/* Adds what the request wants of the ownership: its mean, its standard deviation, or both. They are
 * taken over the playouts that begin with `point`, or over all playouts if it is POINT_NONE. */
static void add_ownership(const GtpInfoView *view, Point point, Symmetry symmetry, StrBuf *out) {
    const AnalyzeRequest *request = view->request;
    float mean[BOARD_POINTS_MAX] = {0}, stdev[BOARD_POINTS_MAX] = {0};
    bool root = point == POINT_NONE;
    bool wants_mean = root ? request->ownership : request->moves_ownership;
    bool wants_stdev = root ? request->ownership_stdev : request->moves_ownership_stdev;
    if (!wants_mean && !wants_stdev) return;
    if (!session_ownership(view->session, point, mean, stdev) && !root) return;
    for (int i = 0; view->flipped && i < view->width * view->height; i++)
        mean[i] = -mean[i];
    if (wants_mean) add_map(view, root ? "ownership" : "movesOwnership", mean, symmetry, out);
    if (wants_stdev)
        add_map(view, root ? "ownershipStdev" : "movesOwnershipStdev", stdev, symmetry, out);
}

static void add_line(const GtpInfoView *view, const ShownMove *shown, StrBuf *out) {
    const MoveReport *move = shown->report;
    int length = move->line_length < view->line_length ? move->line_length : view->line_length;
    strbuf_add(out, " pv");
    for (int i = 0; i < length; i++)
        add_vertex(view, "", shown->symmetry, move->line[i], out);
    if (view->request->line_visits) strbuf_add(out, " pvVisits");
    for (int i = 0; view->request->line_visits && i < length; i++)
        strbuf_addf(out, " %d", move->line_visits[i]);
    if (view->request->line_edge_visits) strbuf_add(out, " pvEdgeVisits");
    for (int i = 0; view->request->line_edge_visits && i < length; i++)
        strbuf_addf(out, " %d", move->line_edge_visits[i]);
    add_ownership(view, move->point, shown->symmetry, out);
}

static void add_lz_move(const GtpInfoView *view, const ShownMove *shown, StrBuf *out) {
    const MoveReport *move = shown->report;
    add_vertex(view, "info move", shown->symmetry, move->point, out);
    strbuf_addf(out, " visits %lld winrate %.0f prior %.0f lcb %.0f order %d",
                (long long)move->visits,
                round(10000 * fraction_in_view(view, (double)move->winrate)),
                round(10000 * (double)move->prior),
                round(10000 * fraction_in_view(view, report_winrate_bound(view->settings, move))),
                shown->order);
    add_line(view, shown, out);
}

static void add_kata_move(const GtpInfoView *view, const ShownMove *shown, StrBuf *out) {
    const MoveReport *move = shown->report;
    add_vertex(view, "info move", shown->symmetry, move->point, out);
    strbuf_addf(out, " visits %d edgeVisits %lld", move->line_visits[0], (long long)move->visits);
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
    if (shown->symmetry) add_vertex(view, " isSymmetryOf", 0, move->point, out);
    strbuf_addf(out, " order %d", shown->order);
    add_line(view, shown, out);
}

static void add_move(const GtpInfoView *view, const ShownMove *shown, StrBuf *out) {
    if (shown->order) strbuf_add(out, " ");
    if (view->request->dialect == DIALECT_LZ)
        add_lz_move(view, shown, out);
    else
        add_kata_move(view, shown, out);
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

/* Returns the move of highest prior that is not shown yet and not avoided, or POINT_NONE if there
 * is no such move. */
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
static MoveReport unvisited_move(const GtpInfoView *view, Point point) {
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
        .line_length = 1,
        .line = {point},
    };
}

/* Adds a move, and after it its images under the symmetries of the position, which the search left
 * out as equivalent. Returns how many `info` blocks are now in the answer. */
static int add_with_images(const GtpInfoView *view, const MoveReport *move, bool *shown, int count,
                           StrBuf *out) {
    bool holds[SYMMETRY_COUNT];
    session_root_symmetries(view->session, holds);
    for (Symmetry s = 0; s < SYMMETRY_COUNT && count < view->request->max_moves; s++) {
        Point image = symmetry_point(s, move->point, view->width, view->height);
        bool *is_shown = &shown[move_index(image, view->width, view->height)];
        if (!holds[s] || *is_shown) continue;
        *is_shown = true;
        add_move(view, &(ShownMove){move, s, count++}, out);
    }
    return count;
}

void gtp_info_write(const GtpInfoView *view, StrBuf *out) {
    const AnalyzeRequest *request = view->request;
    const Report *report = view->report;
    bool shown[MOVES_MAX] = {0};
    int count = 0;
    size_t before = out->length;
    for (int i = 0; i < report->move_count; i++)
        count = add_with_images(view, &report->moves[i], shown, count, out);
    while (report->visits && count < request->min_moves && count < request->max_moves) {
        Point point = next_unvisited(view, shown);
        if (point == POINT_NONE) break;
        shown[move_index(point, view->width, view->height)] = true;
        MoveReport move = unvisited_move(view, point);
        add_move(view, &(ShownMove){&move, 0, count++}, out);
    }
    if (!count) return;
    if (request->root_info) add_root(view, out);
    add_ownership(view, POINT_NONE, 0, out);
    if (out->length > before) strbuf_add(out, "\n");
}

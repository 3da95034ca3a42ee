/* The format is KataGo's (docs/Analysis_Engine.md, "Responses"). Values in a report belong to the
 * mover. Here view_sign() converts them to values of the side that the client wants to see. */
#include "protocol/analysis/analysis_reply.h"

#include <math.h>
#include <stdio.h>

#include "base/hash.h"
#include "go/symmetry.h"
#include "protocol/session/report_view.h"

enum { LINE_MAX = 1001 }; /* the first move and at most 1000 (analysisPVLen) after it */

/* Returns 1 if the reply shows the values of the mover, and -1 if it shows those of the
 * opponent. */
static double view_sign(const ReplyView *view) {
    AnalysisView side = view->query->analysis.view;
    Color mover = view->root->mover;
    if (side == VIEW_SIDE_TO_MOVE) return 1;
    return (side == VIEW_WHITE) == (mover == COLOR_WHITE) ? 1 : -1;
}

/* Adds a number. Adding 0.0 turns -0 into 0. */
static void add_real(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, json_real(value + 0.0));
}

static void add_integer(json_t *object, const char *key, int64_t value) {
    json_object_set_new(object, key, json_integer(value));
}

static double round_to_millionths(double value) {
    return round(value * 1e6) / 1e6 + 0.0;
}

/* The point that the symmetry maps to `point`. A pass stays a pass. */
static Point symmetry_preimage(const AnalysisQuery *query, Symmetry symmetry, Point point) {
    if (point == POINT_PASS) return point;
    Symmetry inverse = symmetry_inverse(symmetry, query->width, query->height);
    return symmetry_point(inverse, point, query->width, query->height);
}

static json_t *ownership_list(const ReplyView *view, const float *values, Symmetry symmetry,
                              double sign) {
    const AnalysisQuery *query = view->query;
    json_t *list = json_array();
    for (int i = 0; i < query->width * query->height; i++) {
        Point point =
            symmetry_preimage(query, symmetry, move_at_index(i, query->width, query->height));
        double value = (double)values[move_index(point, query->width, query->height)];
        json_array_append_new(list, json_real(round_to_millionths(sign * value)));
    }
    return list;
}

/* Adds what the query wants of the ownership: its mean, its standard deviation, or both. They are
 * taken over the playouts that begin with `point`, or over all playouts if it is POINT_NONE. Adds
 * nothing for a move whose ownership the search has not kept. */
static void add_ownership(const ReplyView *view, Point point, Symmetry symmetry, json_t *object) {
    const AnalysisQuery *query = view->query;
    float mean[BOARD_POINTS_MAX] = {0}, stdev[BOARD_POINTS_MAX] = {0};
    bool root = point == POINT_NONE;
    bool wants_mean = root ? query->ownership : query->moves_ownership;
    bool wants_stdev = root ? query->ownership_stdev : query->moves_ownership_stdev;
    if (!wants_mean && !wants_stdev) return;
    if (!search_ownership(view->search, point, mean, stdev) && !root) return;
    if (wants_mean)
        json_object_set_new(object, "ownership",
                            ownership_list(view, mean, symmetry, view_sign(view)));
    if (wants_stdev)
        json_object_set_new(object, "ownershipStdev", ownership_list(view, stdev, symmetry, 1));
}

static Point symmetry_image(const AnalysisQuery *query, Symmetry symmetry, Point point) {
    return point == POINT_PASS ? point
                               : symmetry_point(symmetry, point, query->width, query->height);
}

static void add_vertex(json_t *list, const AnalysisQuery *query, Symmetry symmetry, Point point) {
    Point image = symmetry_image(query, symmetry, point);
    json_array_append_new(list, json_string(point_text(image, query->height).text));
}

/* Adds the line of play that begins with `first`. It comes from the search, since a query may ask
 * for more moves than a report keeps. */
static void add_line(const ReplyView *view, Point first, Symmetry symmetry, json_t *object) {
    const AnalysisQuery *query = view->query;
    LineStep steps[LINE_MAX];
    int count = search_line(view->search, first, steps, query->analysis.line_length + 1);
    json_t *line = json_array(), *visits = json_array(), *edge_visits = json_array();
    for (int i = 0; i < count; i++) {
        add_vertex(line, query, symmetry, steps[i].point);
        json_array_append_new(visits, json_integer(steps[i].visits));
        json_array_append_new(edge_visits, json_integer(steps[i].edge_visits));
    }
    json_object_set_new(object, "pv", line);
    if (query->line_visits) json_object_set(object, "pvVisits", visits);
    if (query->line_visits) json_object_set(object, "pvEdgeVisits", edge_visits);
    json_decref(visits);
    json_decref(edge_visits);
}

/* The values that both the moves and the root have. */
typedef struct {
    float win_loss, lead, score_mean, score_stdev, utility;
} Values;

static void add_values(json_t *object, const Values *values, double sign) {
    add_real(object, "winrate", 0.5 * (1 + sign * (double)values->win_loss));
    add_real(object, "scoreLead", sign * (double)values->lead);
    add_real(object, "scoreSelfplay", sign * (double)values->score_mean);
    add_real(object, "scoreStdev", (double)values->score_stdev);
    add_real(object, "utility", sign * (double)values->utility);
}

/* Returns the member of "moveInfos" for the image of `move` under the symmetry. */
static json_t *move_info(const ReplyView *view, const MoveReport *move, Symmetry symmetry,
                         int order) {
    const AnalysisQuery *query = view->query;
    Point image = symmetry_image(query, symmetry, move->point);
    json_t *info = json_object();
    double sign = view_sign(view), bound = report_winrate_bound(&query->search, move),
           visits = (double)move->visits, fraction = visits > 0 ? move->line_visits[0] / visits : 1;
    add_values(
        info,
        &(Values){move->win_loss, move->lead, move->score_mean, move->score_stdev, move->utility},
        sign);
    json_object_set_new(info, "move", json_string(point_text(image, query->height).text));
    if (image != move->point)
        json_object_set_new(info, "isSymmetryOf",
                            json_string(point_text(move->point, query->height).text));
    add_integer(info, "visits", move->line_visits[0]);
    add_integer(info, "edgeVisits", move->visits);
    add_real(info, "weight", (double)move->child_weight * fraction);
    add_real(info, "edgeWeight", (double)move->child_weight);
    add_real(info, "scoreMean", sign * (double)move->lead); /* in KataGo too, this is the lead */
    if (query->no_result) add_real(info, "noResultValue", (double)move->no_result);
    add_real(info, "prior", (double)move->prior);
    if (view->human) {
        int index = move_index(move->point, query->width, query->height);
        add_real(info, "humanPrior", (double)view->human->policy[index]);
    }
    add_real(info, "lcb", sign > 0 ? bound : 1 - bound);
    add_real(info, "utilityLcb", sign * (double)move->lcb);
    add_integer(info, "order", order);
    add_real(info, "playSelectionValue", (double)move->weight);
    add_line(view, move->point, symmetry, info);
    add_ownership(view, move->point, symmetry, info);
    return info;
}

static void add_human(json_t *info, const Evaluation *human, double sign) {
    add_real(info, "humanWinrate", 0.5 * (1 + sign * ((double)human->win - (double)human->loss)));
    add_real(info, "humanScoreMean", sign * (double)human->score_mean);
    add_real(info, "humanScoreStdev", evaluation_score_deviation(human));
    add_real(info, "humanStWrError", 0.5 * (double)human->shortterm_winloss_error);
    add_real(info, "humanStScoreError", (double)human->shortterm_score_error);
}

static json_t *root_info(const ReplyView *view) {
    json_t *info = json_object();
    const Report *report = view->report;
    const Evaluation *raw = view->raw;
    double sign = view_sign(view);
    add_values(info,
               &(Values){report->win_loss, report->lead, report->score_mean, report->score_stdev,
                         report->utility},
               sign);
    add_integer(info, "visits", report->visits);
    add_real(info, "weight", (double)report->weight);
    add_real(info, "rawWinrate", 0.5 * (1 + sign * ((double)raw->win - (double)raw->loss)));
    add_real(info, "rawLead", sign * (double)raw->lead);
    add_real(info, "rawScoreSelfplay", sign * (double)raw->score_mean);
    add_real(info, "rawScoreSelfplayStdev", evaluation_score_deviation(raw));
    add_real(info, "rawNoResultProb", (double)raw->no_result);
    add_real(info, "rawStWrError", 0.5 * (double)raw->shortterm_winloss_error);
    add_real(info, "rawStScoreError", (double)raw->shortterm_score_error);
    add_real(info, "rawVarTimeLeft", (double)raw->var_time);
    if (view->human) add_human(info, view->human, sign);
    json_object_set_new(info, "thisHash", json_string(situation_text(view->root, false).text));
    json_object_set_new(info, "symHash", json_string(situation_text(view->root, true).text));
    json_object_set_new(info, "currentPlayer",
                        json_string(view->root->mover == COLOR_BLACK ? "B" : "W"));
    return info;
}

static json_t *policy_list(const Evaluation *raw) {
    json_t *list = json_array();
    for (int i = 0; i <= raw->width * raw->height; i++)
        json_array_append_new(list, json_real((double)raw->policy[i]));
    return list;
}

static json_t *new_reply(const AnalysisQuery *query, int turn, bool during_search) {
    json_t *reply = json_object();
    json_object_set_new(reply, "id", json_string(query->id));
    add_integer(reply, "turnNumber", turn);
    json_object_set_new(reply, "isDuringSearch", json_boolean(during_search));
    return reply;
}

/* Lists the moves of the report. Each move is followed by its images under the symmetries of the
 * position, which the search leaves out as equivalent. */
static json_t *move_infos(const ReplyView *view) {
    const AnalysisQuery *query = view->query;
    bool is_symmetry[SYMMETRY_COUNT], listed[MOVES_MAX] = {0};
    json_t *infos = json_array();
    search_root_symmetries(view->search, is_symmetry);
    for (int i = 0; i < view->report->move_count; i++) {
        const MoveReport *move = &view->report->moves[i];
        for (Symmetry s = 0; s < SYMMETRY_COUNT; s++) {
            if (!is_symmetry[s]) continue;
            Point image = symmetry_image(query, s, move->point);
            bool *is_listed = &listed[move_index(image, query->width, query->height)];
            if (!*is_listed)
                json_array_append_new(infos, move_info(view, move, s, (int)json_array_size(infos)));
            *is_listed = true;
        }
    }
    return infos;
}

json_t *reply_of_search(const ReplyView *view) {
    json_t *reply = new_reply(view->query, view->turn, view->during_search);
    json_object_set_new(reply, "moveInfos", move_infos(view));
    json_object_set_new(reply, "rootInfo", root_info(view));
    if (view->query->policy) json_object_set_new(reply, "policy", policy_list(view->raw));
    if (view->query->policy && view->human)
        json_object_set_new(reply, "humanPolicy", policy_list(view->human));
    add_ownership(view, POINT_NONE, 0, reply);
    return reply;
}

json_t *reply_without_results(const AnalysisQuery *query, int turn) {
    json_t *reply = new_reply(query, turn, false);
    json_object_set_new(reply, "noResults", json_true());
    return reply;
}

typedef struct {
    uint64_t high, low;
} SituationHash;

/* The hash of the position after the symmetry is applied to its board. */
static SituationHash situation_hash(const Position *position, Symmetry symmetry) {
    const Board *board = &position->board;
    uint64_t sum =
        (uint64_t)position->mover << 32 | (uint64_t)board->width << 16 | (uint64_t)board->height;
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            Point point = point_at(x, y);
            uint64_t content = board->color[point] + (point == board->ko ? 3u : 0u);
            Point place = symmetry_point(symmetry, point, board->width, board->height);
            if (content) sum += hash_mix(hash_mix((uint64_t)place + 1) + content);
        }
    }
    return (SituationHash){hash_mix(sum), hash_mix(sum + 0x616a69)};
}

SituationText situation_text(const Position *position, bool smallest) {
    SituationText text;
    SituationHash best = situation_hash(position, 0);
    int count = position->board.width == position->board.height ? SYMMETRY_COUNT : 4;
    for (int symmetry = 1; smallest && symmetry < count; symmetry++) {
        SituationHash other = situation_hash(position, symmetry);
        if (other.high < best.high) best = other;
    }
    snprintf(text.text, sizeof text.text, "%016llX%016llX", (unsigned long long)best.high,
             (unsigned long long)best.low);
    return text;
}

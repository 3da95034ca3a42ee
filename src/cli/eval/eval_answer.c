#include "cli/eval/eval_answer.h"

#include <math.h>

#include "base/plural.h"
#include "cli/eval/eval_tree.h"
#include "eval/evaluators/score_distribution.h"
#include "eval/view/picture.h"
#include "sgf/sgf_game.h"

static const char *player_name(Color color) {
    return color == COLOR_BLACK ? "Black" : "White";
}

typedef struct {
    char text[32];
} PointsText;

/* Writes a lead as "Black by 2.5". `points` says by how many points the mover is ahead. */
static PointsText points_text(double points, Color mover) {
    PointsText out = {"even"};
    bool black = (points >= 0) == (mover == COLOR_BLACK);
    if (fabs(points) < 0.05) return out;
    snprintf(out.text, sizeof out.text, "%s by %.1f", black ? "Black" : "White", fabs(points));
    return out;
}

static void add_situation(const EvalAnswer *answer, StrBuf *out) {
    const Position *position = answer->position;
    Move last = position_last_move(position, 0);
    strbuf_addf(out, "%s to move, after move %d", player_name(position->mover), answer->turn);
    if (last.point != POINT_NONE)
        strbuf_addf(out, " (%s %s)", player_name(last.color),
                    point_text(last.point, position->board.height).text);
    strbuf_addf(out, "; %dx%d, komi %g, rules %s\n", position->board.width, position->board.height,
                (double)position->rules.komi, rules_words(&position->rules).text);
    if (!position->over) return;
    const Outcome *outcome = &position->outcome;
    if (outcome->no_result || outcome->winner == COLOR_EMPTY)
        strbuf_add(out, outcome->no_result ? "The game is over without a result.\n"
                                           : "The game is over: it is a draw.\n");
    else
        strbuf_addf(out, "The game is over: %s wins by %g with the stones as they are.\n",
                    player_name(outcome->winner), fabs((double)outcome->white_score));
}

static void add_values(const EvalAnswer *answer, StrBuf *out) {
    const Evaluation *evaluation = answer->evaluation;
    Color mover = answer->position->mover;
    double win = (double)evaluation->win, loss = (double)evaluation->loss;
    bool black = mover == COLOR_BLACK;
    if (evaluation->lacks_value)
        strbuf_add(out, "wins      not known: the net has no head \"value\"\n");
    else
        strbuf_addf(out, "wins      Black %.1f%%   White %.1f%%   no result %.1f%%\n",
                    100 * (black ? win : loss), 100 * (black ? loss : win),
                    100 * (double)evaluation->no_result);
    if (evaluation->lacks_score) {
        strbuf_add(out, "lead      not known: the net has no head \"score\"\n");
        return;
    }
    strbuf_addf(out, "lead      %s\n", points_text((double)evaluation->lead, mover).text);
    strbuf_addf(out, "score     %s", points_text((double)evaluation->score_mean, mover).text);
    if (evaluation_score_deviation(evaluation) >= 0.05) /* nets of version 3 do not predict it */
        strbuf_addf(out, ", deviation %.1f points", evaluation_score_deviation(evaluation));
    strbuf_addf(out, "\n");
    if (evaluation->shortterm_winloss_error >= 0)
        strbuf_addf(out,
                    "unsure    by %.1f%% in win - loss and %.1f points, against searches of the "
                    "next turns\n",
                    100 * (double)evaluation->shortterm_winloss_error,
                    (double)evaluation->shortterm_score_error);
    if (evaluation->moves_left >= 0)
        strbuf_addf(out, "ends in   %.0f turns\n", (double)evaluation->moves_left);
    if (evaluation->value_error >= 0)
        strbuf_addf(out, "error     of %.1f%% in win - loss, against a search of this position\n",
                    100 * (double)evaluation->value_error);
}

/* Adds how much the net expects the value of a search to change: the square roots of the squared
 * changes that it expects. The value is the utility, to which a win adds 1 and a loss -1. */
static void add_changes(const Evaluation *evaluation, StrBuf *out) {
    const float *squares = evaluation->root_variances;
    if (squares[0] < 0) return;
    strbuf_add(out, "changes   of the value in a search:");
    for (int i = 0; i < EVALUATION_ROOT_VARIANCES; i++)
        strbuf_addf(out, "%s %.3f from %d to %d visits", i ? "," : "", sqrt((double)squares[i]),
                    1 << 2 * i, 4 << 2 * i);
    strbuf_add(out, "\n");
}

/* Adds quantiles of the final score, from the best for White to the best for Black. */
static void add_scores(const EvalAnswer *answer, StrBuf *out) {
    static const double FRACTIONS[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    bool black = answer->position->mover == COLOR_BLACK;
    strbuf_add(out, "ends");
    for (int i = 0; i < 5; i++) {
        double points = black ? score_distribution_quantile(answer->scores, FRACTIONS[i])
                              : -score_distribution_quantile(answer->scores, 1 - FRACTIONS[i]);
        strbuf_addf(out, "%*.0f%%: %c+%.1f", i ? 5 : 8, 100 * FRACTIONS[i], points >= 0 ? 'B' : 'W',
                    fabs(points));
    }
    strbuf_add(out, "\n");
}

/* If the first move has fewer visits than another one, says why it is the first. */
static void explain_order(const Report *report, int height, StrBuf *out) {
    for (int i = 1; i < report->move_count; i++) {
        if (report->moves[i].visits <= report->moves[0].visits) continue;
        strbuf_addf(out,
                    "%s comes first although others have more visits: moves are ordered by %s\n",
                    point_text(report->moves[0].point, height).text,
                    report->gumbel ? "the improved policy of the Gumbel search"
                                   : "a lower bound of their win rate (search.lcb.*)");
        return;
    }
}

static void add_search(const EvalAnswer *answer, StrBuf *out) {
    const Report *report = answer->report;
    int height = answer->position->board.height;
    strbuf_addf(out, "\nsearch    %lld visit%s: %s wins %.1f%%; lead %s, score deviation %.1f\n",
                (long long)report->visits, plural_ending(report->visits),
                player_name(report->mover), 50 + 50 * (double)report->win_loss,
                points_text((double)report->lead, report->mover).text, (double)report->score_stdev);
    if (report->visits < 2) return; /* no move was searched */
    strbuf_addf(out, "%6s %8s %7s %7s %7s   best line; wins and lead are %s's\n", "move", "visits",
                "policy", "wins", "lead", player_name(report->mover));
    for (int i = 0; i < report->move_count && i < ANSWER_MOVES_MAX; i++) {
        const MoveReport *move = &report->moves[i];
        if (!move->visits) continue;
        strbuf_addf(out, "%6s %8lld %6.1f%% %6.1f%% %+7.1f  ", point_text(move->point, height).text,
                    (long long)move->visits, 100 * (double)move->prior, 100 * (double)move->winrate,
                    fabs((double)move->lead) < 0.05 ? 0 : (double)move->lead);
        for (int k = 0; k < move->line_length; k++)
            strbuf_addf(out, " %s", point_text(move->line[k], height).text);
        strbuf_add(out, "\n");
    }
    explain_order(report, height, out);
}

void eval_answer_text(const EvalAnswer *answer, bool shades, StrBuf *out) {
    add_situation(answer, out);
    strbuf_add(out, "\npolicy, per mille; ( ) is the last move\n");
    picture_policy(answer->position, answer->evaluation, out);
    if (answer->evaluation->has_ownership) {
        strbuf_add(out,
                   shades ? "\nownership: dark for Black; a stone in [ ] will be captured\n"
                          : "\nownership: X Black, O White (x, o: less likely), . open; a stone in "
                            "[ ] will be captured\n");
        picture_ownership(answer->position, answer->evaluation, shades, out);
    } else if (answer->evaluation->lacks_ownership) {
        strbuf_add(out, "\nownership: not known: the net has no head \"ownership\"\n");
    }
    strbuf_add(out, "\n");
    add_values(answer, out);
    add_changes(answer->evaluation, out);
    if (answer->scores) add_scores(answer, out);
    if (answer->report) add_search(answer, out);
    if (answer->tree)
        eval_tree_text(answer->tree, answer->tree_count, answer->position->mover,
                       answer->position->board.height, out);
}

static json_t *json_points(const EvalAnswer *answer, bool ownership) {
    const Evaluation *evaluation = answer->evaluation;
    int area = evaluation->width * evaluation->height;
    json_t *list = json_array();
    for (int i = 0; i < area + !ownership; i++) {
        float value = ownership ? value_for_black(evaluation->ownership[i], answer->position->mover)
                                : evaluation->policy[i];
        json_array_append_new(list, json_real((double)value));
    }
    return list;
}

static json_t *json_board(const Board *board) {
    json_t *rows = json_array();
    for (int y = 0; y < board->height; y++) {
        char row[BOARD_SIDE_MAX + 1] = "";
        for (int x = 0; x < board->width; x++)
            row[x] = ".XO"[board->color[point_at(x, y)]];
        json_array_append_new(rows, json_stringn(row, (size_t)board->width));
    }
    return rows;
}

static void set_real(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, json_real(value));
}

/* Lists pairs [points by which Black wins, probability] for the probabilities of at least 1e-4. */
static json_t *json_scores(const EvalAnswer *answer) {
    bool black = answer->position->mover == COLOR_BLACK;
    json_t *list = json_array();
    for (int k = 0; k < SCORE_BINS; k++) {
        int i = black ? k : SCORE_BINS - 1 - k;
        double points = i - SCORE_BINS_HALF + 0.5, probability = (double)answer->scores[i];
        if (probability < 1e-4) continue;
        json_t *pair = json_array();
        json_array_append_new(pair, json_real(black ? points : -points));
        json_array_append_new(pair, json_real(probability));
        json_array_append_new(list, pair);
    }
    return list;
}

static json_t *json_reals(const float *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real((double)values[i]));
    return list;
}

static json_t *json_evaluation(const EvalAnswer *answer) {
    const Evaluation *evaluation = answer->evaluation;
    Color mover = answer->position->mover;
    bool black = mover == COLOR_BLACK;
    json_t *object = json_object();
    if (!evaluation->lacks_value) {
        set_real(object, "black_win", (double)(black ? evaluation->win : evaluation->loss));
        set_real(object, "white_win", (double)(black ? evaluation->loss : evaluation->win));
        set_real(object, "no_result", (double)evaluation->no_result);
    }
    if (!evaluation->lacks_score) {
        set_real(object, "black_lead", (double)value_for_black(evaluation->lead, mover));
        set_real(object, "black_score", (double)value_for_black(evaluation->score_mean, mover));
        set_real(object, "score_deviation", evaluation_score_deviation(evaluation));
    }
    set_real(object, "shortterm_winloss_error", (double)evaluation->shortterm_winloss_error);
    set_real(object, "shortterm_score_error", (double)evaluation->shortterm_score_error);
    set_real(object, "var_time", (double)evaluation->var_time);
    if (evaluation->moves_left >= 0) set_real(object, "moves_left", (double)evaluation->moves_left);
    if (evaluation->value_error >= 0)
        set_real(object, "value_error", (double)evaluation->value_error);
    if (evaluation->root_variances[0] >= 0)
        json_object_set_new(object, "root_variances",
                            json_reals(evaluation->root_variances, EVALUATION_ROOT_VARIANCES));
    if (answer->scores)
        json_object_set_new(object, "black_score_distribution", json_scores(answer));
    json_object_set_new(object, "policy", json_points(answer, false));
    if (evaluation->has_ownership)
        json_object_set_new(object, "black_ownership", json_points(answer, true));
    return object;
}

static json_t *json_move(const MoveReport *move, Color mover, int height) {
    json_t *object = json_object(), *line = json_array();
    for (int k = 0; k < move->line_length; k++)
        json_array_append_new(line, json_string(point_text(move->line[k], height).text));
    json_object_set_new(object, "move", json_string(point_text(move->point, height).text));
    json_object_set_new(object, "visits", json_integer(move->visits));
    set_real(object, "prior", (double)move->prior);
    set_real(object, "black_winrate",
             (double)(mover == COLOR_BLACK ? move->winrate : 1 - move->winrate));
    set_real(object, "black_lead", (double)value_for_black(move->lead, mover));
    json_object_set_new(object, "line", line);
    return object;
}

static json_t *json_search(const EvalAnswer *answer) {
    const Report *report = answer->report;
    json_t *object = json_object(), *moves = json_array();
    for (int i = 0; i < report->move_count; i++) {
        if (report->moves[i].visits)
            json_array_append_new(
                moves, json_move(&report->moves[i], report->mover, answer->position->board.height));
    }
    json_object_set_new(object, "visits", json_integer(report->visits));
    set_real(object, "black_winrate",
             0.5 + 0.5 * (double)value_for_black(report->win_loss, report->mover));
    set_real(object, "black_lead", (double)value_for_black(report->lead, report->mover));
    set_real(object, "score_deviation", (double)report->score_stdev);
    json_object_set_new(object, "moves", moves);
    return object;
}

json_t *eval_answer_json(const EvalAnswer *answer) {
    const Position *position = answer->position;
    json_t *object = json_object();
    if (!object) return NULL;
    json_object_set_new(object, "net", json_string(answer->net));
    json_object_set_new(object, "width", json_integer(position->board.width));
    json_object_set_new(object, "height", json_integer(position->board.height));
    set_real(object, "komi", (double)position->rules.komi);
    json_object_set_new(object, "rules", json_string(rules_text(&position->rules).text));
    json_object_set_new(object, "move_count", json_integer(answer->turn));
    json_object_set_new(object, "mover", json_string(position->mover == COLOR_BLACK ? "B" : "W"));
    json_object_set_new(object, "board", json_board(&position->board));
    json_object_set_new(object, "evaluation", json_evaluation(answer));
    if (answer->report) json_object_set_new(object, "search", json_search(answer));
    if (answer->tree)
        json_object_set_new(
            object, "tree",
            eval_tree_json(answer->tree, answer->tree_count, position->board.height));
    return object;
}

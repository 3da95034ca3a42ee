/* The review as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "eval/view/value_graph.h"
#include "protocol/review/review.h"

static const char *color_name(Color color) {
    return color == COLOR_BLACK ? "Black" : "White";
}

typedef struct {
    char text[32];
} LeadText;

static LeadText lead_text(double black_lead) {
    LeadText out = {"0.0"};
    if (fabs(black_lead) >= 0.05)
        snprintf(out.text, sizeof out.text, "%c+%.1f", black_lead > 0 ? 'B' : 'W',
                 fabs(black_lead));
    return out;
}

void review_add_value(const ReviewTurn *turn, StrBuf *out) {
    strbuf_addf(out, "Black %.1f%%, %s", 100 * turn->black_winrate,
                lead_text(turn->black_lead).text);
}

void review_add_line(const Review *review, const ReviewTurn *turn, StrBuf *out) {
    for (int i = 0; i < turn->line_length; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", point_text(turn->line[i], review->height).text);
}

static void add_row(const Review *review, int index, StrBuf *out) {
    static const char *const SIGNS[] = {"", "?!", "?", "??"};
    const ReviewTurn *turn = &review->turns[index], *after = turn + 1;
    bool best = turn->line_length && turn->line[0] == turn->played;
    strbuf_addf(out, "%5d  %c %-5s", index + 1, turn->mover == COLOR_BLACK ? 'B' : 'W',
                point_text(turn->played, review->height).text);
    if (!after->known) {
        strbuf_add(out, "      -       -\n");
        return;
    }
    strbuf_addf(out, " %5.1f%% %7s %6.1f %-2s", 100 * after->black_winrate,
                lead_text(after->black_lead).text, fmax(0, turn->points_lost), SIGNS[turn->grade]);
    if (best)
        strbuf_add(out, "  =");
    else if (turn->line_length)
        strbuf_addf(out, "  %s", point_text(turn->line[0], review->height).text);
    strbuf_add(out, "\n");
}

void review_add_table(const Review *review, StrBuf *out) {
    strbuf_add(out, " move  played   Black    lead   lost     best\n");
    const ReviewTurn *start = &review->turns[0];
    if (start->known)
        strbuf_addf(out, "    0          %5.1f%% %7s\n", 100 * start->black_winrate,
                    lead_text(start->black_lead).text);
    for (int i = 0; i + 1 < review->turn_count && review->turns[i].known; i++)
        add_row(review, i, out);
}

/* Returns the first of some round numbers that is not below `value`. */
static double round_up(double value) {
    static const double STEPS[] = {5, 10, 20, 30, 50, 70, 100, 200};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        if (value <= STEPS[i]) return STEPS[i];
    }
    return 500;
}

void review_add_graphs(const Review *review, int columns, StrBuf *out) {
    enum { ROWS = 9 };
    double *values = NULL, max = 0;
    bool *marked = NULL;
    int count = review->turn_count;
    if (mem_new((size_t)count, sizeof *values, &values, NULL) ||
        mem_new((size_t)count, sizeof *marked, &marked, NULL)) {
        out->failed = true;
        free(values);
        return;
    }
    for (int i = 0; i < count; i++) {
        const ReviewTurn *turn = &review->turns[i];
        values[i] = turn->known ? 100 * turn->black_winrate : (double)NAN;
        if (turn->known) max = fmax(max, fabs(turn->black_lead));
        marked[i] = i > 0 && review->turns[i - 1].is_key;
    }
    strbuf_add(out, "Black's win rate by move (^ key moves)\n");
    value_graph_draw(&(ValueGraph){values, marked, count, 0, 100, {"100%", "50%", "0%"}}, columns,
                     ROWS, out);
    char labels[2][8];
    max = round_up(max);
    snprintf(labels[0], sizeof labels[0], "B+%.0f", max);
    snprintf(labels[1], sizeof labels[1], "W+%.0f", max);
    for (int i = 0; i < count; i++)
        values[i] = review->turns[i].known ? review->turns[i].black_lead : (double)NAN;
    strbuf_add(out, "\nLead in points by move\n");
    value_graph_draw(&(ValueGraph){values, marked, count, -max, max, {labels[0], "0", labels[1]}},
                     columns, ROWS, out);
    free(values);
    free(marked);
}

void review_add_key_moves(const Review *review, StrBuf *out) {
    int mistakes = 0;
    for (int i = 0; i < review->turn_count; i++) {
        const ReviewTurn *turn = &review->turns[i];
        mistakes += turn->has_loss && turn->grade >= GRADE_MISTAKE;
        if (!turn->is_key) continue;
        strbuf_addf(out, "move %d, %s %s: %s, lost %.1f points and %.0f%% of the win rate\n", i + 1,
                    color_name(turn->mover), point_text(turn->played, review->height).text,
                    review_grade_name(turn->grade), fmax(0, turn->points_lost),
                    100 * fmax(0, turn->winrate_lost));
        strbuf_add(out, "    before ");
        review_add_value(turn, out);
        strbuf_add(out, "; after ");
        review_add_value(turn + 1, out);
        strbuf_add(out, "\n    better ");
        review_add_line(review, turn, out);
        strbuf_add(out, "\n");
    }
    if (!mistakes) strbuf_add(out, "no move lost as much as a mistake\n");
}

void review_add_players(const Review *review, StrBuf *out) {
    for (Color color = COLOR_BLACK; color <= COLOR_WHITE; color++) {
        ReviewPlayer player = review_player(review, color);
        if (!player.moves) continue;
        strbuf_addf(out,
                    "%s  %d moves; lost %.2f points per move; %.0f%% were the search's best move; "
                    "inaccuracies %d, mistakes %d, blunders %d\n",
                    color_name(color), player.moves, player.mean_loss,
                    100.0 * player.best_moves / player.moves, player.grades[GRADE_INACCURACY],
                    player.grades[GRADE_MISTAKE], player.grades[GRADE_BLUNDER]);
    }
}

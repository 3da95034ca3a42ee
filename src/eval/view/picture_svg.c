/* Draws the board as SVG. */
#include <math.h>
#include <string.h>

#include "eval/evaluators/score_distribution.h"
#include "eval/view/picture.h"
#include "eval/view/svg.h"

enum { CELL = 40, EDGE = 44, LINE = 20, CAPTION_LINES = 2, CHART_HEIGHT = 80 };

static int px(int x) {
    return EDGE + x * CELL;
}

static void add_grid(const Board *board, StrBuf *out) {
    int right = px(board->width - 1), bottom = px(board->height - 1);
    for (int x = 0; x < board->width; x++) {
        strbuf_addf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#543\"/>", px(x),
                    px(x), px(0), bottom);
        strbuf_addf(out, "<text x=\"%d\" y=\"16\" text-anchor=\"middle\">%c</text>\n", px(x),
                    *point_text(point_at(x, 0), board->height).text);
    }
    for (int y = 0; y < board->height; y++) {
        strbuf_addf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#543\"/>", px(0),
                    right, px(y), px(y));
        strbuf_addf(out, "<text x=\"12\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", px(y) + 4,
                    board->height - y);
    }
}

static void add_stone(const Position *position, int x, int y, StrBuf *out) {
    Point point = point_at(x, y);
    bool black = position->board.color[point] == COLOR_BLACK;
    strbuf_addf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"18\" fill=\"%s\" stroke=\"#222\"/>", px(x),
                px(y), black ? "#111" : "#fafafa");
    if (position_last_move(position, 0).point == point)
        strbuf_addf(
            out,
            "<circle cx=\"%d\" cy=\"%d\" r=\"9\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
            px(x), px(y), black ? "#fff" : "#111");
}

/* Adds a square of the owner's color. The square is larger if the ownership is surer. If the
 * ownership is between -0.1 and 0.1, or if the owner has a stone on the point, there is no
 * square. */
static void add_owner(const Position *position, const Evaluation *evaluation, int x, int y,
                      StrBuf *out) {
    double black = (double)picture_black_ownership(position, evaluation, point_at(x, y));
    double half = 2 + 9 * fmin(1, fabs(black));
    bool stone = position->board.color[point_at(x, y)] != COLOR_EMPTY;
    bool own = stone && (black > 0) == (position->board.color[point_at(x, y)] == COLOR_BLACK);
    if (fabs(black) < 0.1 || own) return;
    strbuf_addf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
                "fill-opacity=\"%s\"/>",
                px(x) - half, px(y) - half, 2 * half, 2 * half, black > 0 ? "#111" : "#fafafa",
                stone ? "1" : "0.6");
}

static void add_policy(float policy, int x, int y, StrBuf *out) {
    double mille = 1000 * (double)policy;
    if (mille < 0.5) return;
    double area = sqrt((double)policy);
    strbuf_addf(out,
                "<circle cx=\"%d\" cy=\"%d\" r=\"17\" fill=\"#1565c0\" fill-opacity=\"%.2f\"/>",
                px(x), px(y), 0.1 + 0.75 * area);
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#fff\" stroke=\"#123\" "
                "stroke-width=\"2.5\" paint-order=\"stroke\">%.0f</text>\n",
                px(x), px(y) + 4, mille);
}

static void add_values(const Position *position, const Evaluation *evaluation, const char *caption,
                       int top, StrBuf *out) {
    bool black = position->mover == COLOR_BLACK;
    double win = black ? (double)evaluation->win : (double)evaluation->loss,
           lead = (double)value_for_black(evaluation->lead, position->mover);
    double loss = black ? (double)evaluation->loss : (double)evaluation->win;
    double pass = (double)evaluation->policy[position->board.width * position->board.height];
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\">%s to move; pass %.0f per mille; stdev of the score "
                "%.1f</text>\n",
                EDGE - CELL / 2, top, black ? "Black" : "White", 1000 * fmax(0, pass),
                evaluation_score_deviation(evaluation));
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\">Black wins %.1f%%, White %.1f%%, no result %.1f%%; lead "
                "%s+%.1f</text>\n",
                EDGE - CELL / 2, top + LINE, 100 * win, 100 * loss,
                100 * (double)evaluation->no_result, lead >= 0 ? "B" : "W", fabs(lead));
    for (int line = 2; caption && line < 2 + CAPTION_LINES; line++) {
        size_t length = strcspn(caption, "\n");
        strbuf_addf(out, "<text x=\"%d\" y=\"%d\">", EDGE - CELL / 2, top + line * LINE);
        strbuf_add_xml(out, caption, length);
        strbuf_add(out, "</text>\n");
        caption = caption[length] ? caption + length + 1 : NULL;
    }
}

/* Returns the probability of bin k, counted from White's largest win to Black's. The bins are
 * symmetric about 0. */
static double bin_probability(const Position *position, const float *scores, int k) {
    return (double)scores[position->mover == COLOR_BLACK ? k : SCORE_BINS - 1 - k];
}

/* Adds a bar for each score, and leaves out the outermost 1% of probability at either end. */
static void add_scores(const Position *position, const float *scores, int left, int right, int top,
                       StrBuf *out) {
    int first = 0, last = SCORE_BINS - 1, bottom = top + CHART_HEIGHT;
    double below = 0, above = 0, max = 1e-9;
    while (first < last && (below += bin_probability(position, scores, first)) < 0.01)
        first++;
    while (last > first && (above += bin_probability(position, scores, last)) < 0.01)
        last--;
    for (int k = first; k <= last; k++)
        max = fmax(max, bin_probability(position, scores, k));
    double step = (double)(right - left) / (last - first + 1);
    for (int k = first; k <= last; k++) {
        double height = CHART_HEIGHT * bin_probability(position, scores, k) / max;
        strbuf_addf(out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"/>",
                    left + step * (k - first), bottom - height, step, height,
                    k < SCORE_BINS_HALF ? "#b0b0b0" : "#222");
    }
    double ends[2] = {first - SCORE_BINS_HALF + 0.5, last - SCORE_BINS_HALF + 0.5};
    for (int i = 0; i < 2; i++)
        strbuf_addf(out, "\n<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%c+%.1f</text>",
                    i ? right : left, bottom + 14, i ? "end" : "start", ends[i] < 0 ? 'W' : 'B',
                    fabs(ends[i]));
    strbuf_addf(out,
                "\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">final score; the highest bar is "
                "%.1f%%</text>\n",
                (left + right) / 2, bottom + 14, 100 * max);
}

void picture_svg(const Position *position, const Evaluation *evaluation, const float *scores,
                 const char *caption, StrBuf *out) {
    const Board *board = &position->board;
    int right = px(board->width - 1) + EDGE - CELL / 4,
        bottom = px(board->height - 1) + CELL / 2 + 4;
    int width = right < 420 ? 420 : right, values = bottom + 4 * LINE + 10,
        height = values + (scores ? CHART_HEIGHT + 2 * LINE : 0);
    svg_begin(width, height, 12, out);
    strbuf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#dcb35c\"/>\n",
                EDGE - CELL / 2, EDGE - CELL / 2, board->width * CELL, board->height * CELL);
    add_grid(board, out);
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            bool stone = board->color[point_at(x, y)] != COLOR_EMPTY;
            if (stone) add_stone(position, x, y, out);
            if (evaluation->has_ownership) add_owner(position, evaluation, x, y, out);
            if (!stone) add_policy(evaluation->policy[y * board->width + x], x, y, out);
        }
    }
    add_values(position, evaluation, caption, bottom + LINE, out);
    if (scores) add_scores(position, scores, EDGE - CELL / 2, width - EDGE + CELL / 2, values, out);
    strbuf_add(out, "</svg>\n");
}

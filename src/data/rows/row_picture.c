#include "data/rows/row_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const Rows *rows;
    size_t row, area;
    RowBoard board;
    const float *targets, *globals;
    const int16_t *policy, *q_values;
    const int8_t *values, *score;
    bool has_q_values; /* at least one move has visits in q_values */
} View;

/* A panel may need nothing special in a row, values of moves (Rows.q_values), or a column of
 * row_points.h. NEEDS_POINTS + C stands for column number C of row_points.h. */
enum { NEEDS_NOTHING, NEEDS_Q_VALUES, NEEDS_POINTS };

/* A drawing of the board that shows one of the row's values in each cell. */
typedef struct {
    const char *title;
    int width; /* of a cell, in characters */
    void (*cell)(const View *view, size_t at, char out[8]);
    int needs;
} Panel;

static bool plane_at(const View *v, size_t plane, size_t at) {
    size_t bytes = (v->area + 7) / 8;
    const uint8_t *planes = v->rows->planes + v->row * FEATURE_PLANES * bytes;
    return planes[plane * bytes + at / 8] >> (7 - at % 8) & 1;
}

static char stone_at(const View *v, size_t at) {
    return plane_at(v, 1, at) ? 'X' : plane_at(v, 2, at) ? 'O' : '.';
}

/* Writes the stone, then a mark. The mark is
 *   1 to 5  for the last five moves; 1 is the last move
 *   !       for a point that a ko forbids
 *   *       for a stone that may not be captured back in an encore */
static void cell_stone(const View *v, size_t at, char out[8]) {
    char back = ' ';
    for (size_t k = 5; k-- > 0;)
        if (plane_at(v, 9 + k, at)) back = (char)('1' + k);
    if (plane_at(v, 7, at)) back = '*';
    if (plane_at(v, 6, at)) back = '!';
    snprintf(out, 8, "%c%c", stone_at(v, at), back);
}

/* Writes the policy target of a channel at this point or for the pass, in per mille of the target's
 * sum. If this number of per mille is 0, writes the stone of the point instead, and for the pass
 * writes 0. */
static void cell_per_mille(const View *v, int channel, size_t at, char out[8]) {
    const int16_t *policy = v->policy + (size_t)channel * (v->area + 1);
    long sum = 0;
    for (size_t i = 0; i <= v->area; i++)
        sum += policy[i];
    long value = sum ? lround(1000.0 * policy[at] / (double)sum) : 0;
    if (value)
        snprintf(out, 8, "%4ld", value);
    else
        snprintf(out, 8, "   %c", at < v->area ? stone_at(v, at) : '0');
}

static void cell_policy(const View *v, size_t at, char out[8]) {
    cell_per_mille(v, 0, at, out);
}

static void cell_reply(const View *v, size_t at, char out[8]) {
    cell_per_mille(v, 1, at, out);
}

static void cell_sign(const View *v, size_t plane, size_t at, char out[8]) {
    int value = v->values[plane * v->area + at];
    snprintf(out, 8, "%c ", value > 0 ? 'X' : value < 0 ? 'O' : '.');
}

static void cell_owner(const View *v, size_t at, char out[8]) {
    cell_sign(v, 0, at, out);
}

static void cell_seki(const View *v, size_t at, char out[8]) {
    cell_sign(v, 1, at, out);
}

static void cell_near(const View *v, size_t at, char out[8]) {
    cell_sign(v, 2, at, out);
}

static void cell_far(const View *v, size_t at, char out[8]) {
    cell_sign(v, 3, at, out);
}

static void cell_scoring(const View *v, size_t at, char out[8]) {
    snprintf(out, 8, "%5d", (int)v->values[4 * v->area + at]);
}

/* Returns what the search found for a move. Channel 0 is win - loss, 1 the score, 2 the visits. */
static int q_value_at(const View *v, size_t channel, size_t at) {
    return v->q_values[channel * (v->area + 1) + at];
}

static void cell_q_winloss(const View *v, size_t at, char out[8]) {
    if (q_value_at(v, 2, at) > 0)
        snprintf(out, 8, "%+5ld", lround(q_value_at(v, 0, at) / 32.0));
    else
        snprintf(out, 8, "%5c", at < v->area ? stone_at(v, at) : '-');
}

static void cell_q_score(const View *v, size_t at, char out[8]) {
    if (q_value_at(v, 2, at) > 0)
        snprintf(out, 8, "%+6.1f", q_value_at(v, 1, at) / 60.0);
    else
        snprintf(out, 8, "%6c", at < v->area ? stone_at(v, at) : '-');
}

static void cell_q_visits(const View *v, size_t at, char out[8]) {
    if (q_value_at(v, 2, at) > 0)
        snprintf(out, 8, "%6d", (int16_t)q_value_at(v, 2, at)); /* as it was stored */
    else
        snprintf(out, 8, "%6c", at < v->area ? stone_at(v, at) : '-');
}

static int number_at(const View *v, RowPointColumn column, size_t at) {
    return v->rows->points[column][v->row * v->area + at];
}

static void cell_next_occupant(const View *v, size_t at, char out[8]) {
    static const char SIGNS[NEXT_OCCUPANTS] = {[NEXT_OCCUPANT_UNKNOWN] = '?',
                                               [NEXT_OCCUPANT_MOVER] = 'X',
                                               [NEXT_OCCUPANT_OPPONENT] = 'O',
                                               [NEXT_OCCUPANT_NOBODY] = '.'};
    snprintf(out, 8, "%c ", SIGNS[number_at(v, ROW_NEXT_OCCUPANT, at)]);
}

static void cell_time_on_board(const View *v, size_t at, char out[8]) {
    int time = number_at(v, ROW_TIME_ON_BOARD, at);
    if (time == TIME_ON_BOARD_ALWAYS)
        snprintf(out, 8, "  end");
    else if (time)
        snprintf(out, 8, "%5d", (int16_t)time);
    else
        snprintf(out, 8, "    %c", stone_at(v, at) == '.' ? '.' : '?');
}

/* Writes a name of the chain, from A on in the order of the chains' first points. */
static void cell_same_chain(const View *v, size_t at, char out[8]) {
    static const char NAMES[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    int chain = number_at(v, ROW_SAME_CHAIN, at), earlier = 0, largest = 0;
    for (size_t i = 0; i < v->area && chain >= SAME_CHAIN_FIRST; i++) {
        int other = number_at(v, ROW_SAME_CHAIN, i);
        if (other < SAME_CHAIN_FIRST || other >= chain || other <= largest) continue;
        largest = other; /* the numbers grow in the order of the chains' first points */
        earlier++;
    }
    char name = chain == SAME_CHAIN_NONE   ? '.'
                : chain < SAME_CHAIN_FIRST ? '?'
                                           : NAMES[earlier % (int)(sizeof NAMES - 1)];
    snprintf(out, 8, "%c ", name);
}

static const Panel PANELS[] = {
    {"position; 1-5: last moves, !: ko ban, *: no recapture", 2, cell_stone, NEEDS_NOTHING},
    {"policy target, per mille", 4, cell_policy, NEEDS_NOTHING},
    {"target of the reply, per mille", 4, cell_reply, NEEDS_NOTHING},
    {"owner at the end", 2, cell_owner, NEEDS_NOTHING},
    {"area that counts for nobody (seki)", 2, cell_seki, NEEDS_NOTHING},
    {"stones 8 turns later", 2, cell_near, NEEDS_NOTHING},
    {"stones 32 turns later", 2, cell_far, NEEDS_NOTHING},
    {"scoring, in 1/120 points", 5, cell_scoring, NEEDS_NOTHING},
    {"win - loss of moves, per mille", 5, cell_q_winloss, NEEDS_Q_VALUES},
    {"score of moves", 6, cell_q_score, NEEDS_Q_VALUES},
    {"visits of moves", 6, cell_q_visits, NEEDS_Q_VALUES},
    {"next occupants", 2, cell_next_occupant, NEEDS_POINTS + ROW_NEXT_OCCUPANT},
    {"moves until stones are removed", 5, cell_time_on_board, NEEDS_POINTS + ROW_TIME_ON_BOARD},
    {"chains at the end", 2, cell_same_chain, NEEDS_POINTS + ROW_SAME_CHAIN},
};
enum { PANEL_COUNT = sizeof PANELS / sizeof *PANELS };

static bool has_needs(const View *v, const Panel *panel) {
    if (panel->needs < NEEDS_POINTS) return panel->needs == NEEDS_NOTHING || v->has_q_values;
    return v->rows->point_columns >> (panel->needs - NEEDS_POINTS) & 1;
}

enum { MARGIN = 3 }; /* for the number of a line, left of each board */

static int panel_width(const View *v, const Panel *panel) {
    int cells = MARGIN + v->board.width * panel->width, title = (int)strlen(panel->title);
    return (cells > title ? cells : title) + 3;
}

/* Adds the letters of the columns, as in GTP, above the board of a panel. A letter stands above the
 * stones of its column. In a cell of two characters the stone is the first character, before a mark
 * or a blank. In a wider cell it is the last character. */
static void add_letters(const View *v, const Panel *panel, StrBuf *out) {
    strbuf_addf(out, "%*s", MARGIN, "");
    for (int x = 0; x < v->board.width; x++) {
        char letter = *point_text(point_at(x, 0), v->board.height).text;
        bool is_first = panel->width == 2;
        strbuf_addf(out, "%*c%s", is_first ? 1 : panel->width, letter, is_first ? " " : "");
    }
    int used = MARGIN + v->board.width * panel->width;
    strbuf_addf(out, "%*s", panel_width(v, panel) - used, "");
}

static void add_panels(const View *v, const Panel *panels, int count, StrBuf *out) {
    for (int i = 0; i < count; i++)
        strbuf_addf(out, "%-*s", panel_width(v, &panels[i]), panels[i].title);
    strbuf_add(out, "\n");
    for (int i = 0; i < count; i++)
        add_letters(v, &panels[i], out);
    for (int y = 0; y < v->board.height; y++) {
        strbuf_add(out, "\n");
        for (int i = 0; i < count; i++) {
            int used = MARGIN + v->board.width * panels[i].width;
            strbuf_addf(out, "%2d ", v->board.height - y);
            for (int x = 0; x < v->board.width; x++) {
                char text[8];
                panels[i].cell(v, (size_t)(y * v->rows->length + x), text);
                strbuf_add(out, text);
            }
            strbuf_addf(out, "%*s", panel_width(v, &panels[i]) - used, "");
        }
    }
    strbuf_add(out, "\n\n");
}

static void add_boards(const View *v, int columns, StrBuf *out) {
    Panel shown[PANEL_COUNT];
    int panels = 0;
    for (int i = 0; i < PANEL_COUNT; i++) {
        if (has_needs(v, &PANELS[i])) shown[panels++] = PANELS[i];
    }
    for (int first = 0; first < panels;) {
        int count = 0, used = 0;
        while (first + count < panels) {
            used += panel_width(v, &shown[first + count]);
            if (count && used > columns) break;
            count++;
        }
        add_panels(v, &shown[first], count, out);
        first += count;
    }
}

static void add_outcome(const View *v, const char *name, int at, StrBuf *out) {
    const float *to = v->targets + at;
    strbuf_addf(out, "  %-28s win %.3f  loss %.3f  no result %.3f  score %+.2f\n", name,
                (double)to[0], (double)to[1], (double)to[2], (double)to[3]);
}

static void add_pass(const View *v, StrBuf *out) {
    char pass[8], reply[8], winloss[8], score[8], visits[8];
    cell_policy(v, v->area, pass);
    cell_reply(v, v->area, reply);
    strbuf_addf(out, "  pass %s, target of the reply %s per mille\n", pass, reply);
    if (!v->has_q_values) {
        strbuf_add(out, "  the row has no values of moves\n");
        return;
    }
    cell_q_winloss(v, v->area, winloss);
    cell_q_score(v, v->area, score);
    cell_q_visits(v, v->area, visits);
    strbuf_addf(out, "  value of the pass: win - loss %s per mille, score %s, visits %s\n", winloss,
                score, visits);
}

/* Lists the bins of the score distribution that are not empty. */
static void add_score(const View *v, StrBuf *out) {
    int half = (int)v->area + ROW_SCORE_PAD;
    strbuf_add(out, "  distribution of the score");
    for (int i = 0; i < 2 * half; i++) {
        if (v->score[i])
            strbuf_addf(out, "  %+.1f: %d%%", (double)(i - half) + 0.5, (int)v->score[i]);
    }
    strbuf_add(out, "\n");
}

/* Lists the visits of the search by the values that they found, if the row has them. */
static void add_search_values(const View *v, StrBuf *out) {
    const int16_t *visits = v->rows->search_values + v->row * REPORT_VALUE_BUCKETS;
    bool any = false;
    for (int i = 0; i < REPORT_VALUE_BUCKETS; i++) {
        if (!visits[i]) continue;
        double center = (2 * i + 1.0) / REPORT_VALUE_BUCKETS - 1;
        strbuf_addf(out, "%s  %+.2f: %d", any ? "" : "  visits by win - loss", center, visits[i]);
        any = true;
    }
    if (any) strbuf_add(out, "\n");
}

/* Shows the squared changes of the root's utility while the search grew, if the row has them. */
static void add_root_variances(const View *v, StrBuf *out) {
    float known = v->targets[TARGET_ROOT_VARIANCE_COUNT];
    for (int i = 0; i < ROOT_VARIANCES && (float)i < known; i++)
        strbuf_addf(out, "%s %.3g from %d to %d visits",
                    i ? "," : "  squared change of the root's value:",
                    (double)v->targets[TARGET_ROOT_VARIANCES + i], 1 << 2 * i, 4 << 2 * i);
    if (known > 0) strbuf_add(out, "\n");
}

static void add_rules(const View *v, StrBuf *out) {
    const float *g = v->globals;
    const char *ko = g[6] == 0 ? "simple" : g[7] > 0 ? "positional" : "situational";
    const char *tax = g[10] == 0 ? "none" : g[11] == 0 ? "seki" : "all";
    strbuf_addf(out, "  rules: ko %s, %s scoring, tax %s, %ssuicide%s; komi for the mover %+.1f\n",
                ko, g[9] != 0 ? "territory" : "area", tax, g[8] != 0 ? "" : "no ",
                g[17] != 0 ? ", button" : "", (double)v->targets[TARGET_KOMI]);
    if (g[12] != 0) strbuf_addf(out, "  encore, phase %d\n", g[13] != 0 ? 2 : 1);
    if (g[15] != 0)
        strbuf_addf(out, "  playout doubling advantage of the mover %+.2f\n", 2 * (double)g[16]);
}

static void add_numbers(const View *v, StrBuf *out) {
    const float *t = v->targets;
    add_pass(v, out);
    add_rules(v, out);
    add_outcome(v, "end of the game", TARGET_FINAL, out);
    add_outcome(v, "later searches, long", TARGET_TD_LONG, out);
    add_outcome(v, "later searches, middle", TARGET_TD_MIDDLE, out);
    add_outcome(v, "later searches, short", TARGET_TD_SHORT, out);
    add_outcome(v, "this search", TARGET_SEARCH, out);
    add_search_values(v, out);
    add_root_variances(v, out);
    add_score(v, out);
    if (t[TARGET_WEIGHT_LEAD] > 0) strbuf_addf(out, "  lead %+.2f\n", (double)t[TARGET_LEAD]);
    strbuf_addf(out,
                "  weights: row %g, policy %g, reply %g, board %g, lead %g, future %g, scoring %g, "
                "later searches %g, outcome %g\n",
                (double)t[TARGET_WEIGHT], (double)t[TARGET_WEIGHT_POLICY],
                (double)t[TARGET_WEIGHT_REPLY], (double)t[TARGET_WEIGHT_BOARD],
                (double)t[TARGET_WEIGHT_LEAD], (double)t[TARGET_WEIGHT_FUTURE],
                (double)t[TARGET_WEIGHT_SCORING], 1 - (double)t[TARGET_NO_TD],
                1 - (double)t[TARGET_NO_VALUE]);
    strbuf_addf(out,
                "  turn %d of a game that begins at turn %d (%s%s), %d visits\n"
                "  surprise %.3f, entropy of the net %.3f, of the search %.3f, variance time "
                "%.2f\n",
                (int)t[TARGET_TURN], (int)t[TARGET_START_TURN], game_mode_name(row_mode(t)),
                t[TARGET_MAIN_LINE] > 0 ? ""
                : t[TARGET_CUT_OFF] > 0 ? ", cut off"
                                        : ", side position",
                (int)t[TARGET_VISITS], (double)t[TARGET_SURPRISE], (double)t[TARGET_NET_ENTROPY],
                (double)t[TARGET_SEARCH_ENTROPY], (double)t[TARGET_VARIANCE_TIME]);
}

Status row_picture(const Rows *rows, size_t row, int columns, StrBuf *out, Error *err) {
    if (row >= rows->count)
        return fail(err, ERR_ARGUMENT,
                    "there is no row %zu (counted from 0): the file has %zu rows", row,
                    rows->count);
    size_t area = (size_t)rows->length * (size_t)rows->length;
    View view = {.rows = rows,
                 .row = row,
                 .area = area,
                 .board = rows_board(rows, row),
                 .targets = rows->targets + row * ROW_GLOBAL_TARGETS,
                 .globals = rows->globals + row * FEATURE_GLOBALS,
                 .policy = rows->policy + row * 2 * (area + 1),
                 .q_values = rows->q_values + row * 3 * (area + 1),
                 .values = rows->values + row * 5 * area,
                 .score = rows->score + row * (2 * area + 2 * ROW_SCORE_PAD)};
    for (size_t i = 0; i <= area; i++)
        view.has_q_values |= q_value_at(&view, 2, i) > 0;
    strbuf_addf(out, "row %zu of %zu, %dx%d, the mover has X\n\n", row, rows->count,
                view.board.width, view.board.height);
    add_boards(&view, columns, out);
    add_numbers(&view, out);
    return strbuf_status(out, err);
}

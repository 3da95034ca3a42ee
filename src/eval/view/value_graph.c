#include "eval/view/value_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_COLUMNS = 8, COLUMNS_MAX = 400 };

/* How the `count` moves are spread over the columns. Each move has `stretch` columns; if `stretch`
 * is 0, several moves share a column. */
typedef struct {
    int columns, stretch, count;
} Scale;

static Scale make_scale(int count, int columns) {
    int width = columns - LABEL_COLUMNS;
    if (width > COLUMNS_MAX) width = COLUMNS_MAX;
    int stretch = width / count;
    if (stretch > 2) stretch = 2;
    return stretch >= 1 ? (Scale){count * stretch, stretch, count} : (Scale){width, 0, count};
}

/* Finds the moves first .. end - 1 that the column shows. */
static void column_moves(const Scale *scale, int column, int *first, int *end) {
    if (scale->stretch) {
        *first = column / scale->stretch;
        *end = *first + 1;
    } else {
        *first = (int)((long long)column * scale->count / scale->columns);
        *end = (int)((long long)(column + 1) * scale->count / scale->columns);
    }
}

/* Returns the mean of the known values in the column, or NAN if there are none. */
static double column_value(const ValueGraph *graph, const Scale *scale, int column) {
    int first, end, known = 0;
    double sum = 0;
    column_moves(scale, column, &first, &end);
    for (int i = first; i < end; i++) {
        if (isnan(graph->values[i])) continue;
        sum += graph->values[i];
        known++;
    }
    return known ? sum / known : (double)NAN;
}

/* Returns the row of a value, 0 at the top, or -1 if the value is not known. */
static int value_row(const ValueGraph *graph, double value, int rows) {
    if (isnan(value)) return -1;
    double part = (graph->max - value) / (graph->max - graph->min);
    return (int)lround(fmax(0, fmin(1, part)) * (rows - 1));
}

static void end_line(StrBuf *out) {
    while (out->length && !out->failed && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    strbuf_add(out, "\n");
}

static bool is_marked(const ValueGraph *graph, const Scale *scale, int column) {
    int first, end;
    column_moves(scale, column, &first, &end);
    if (scale->stretch && column % scale->stretch) return false;
    for (int i = first; i < end; i++) {
        if (graph->marked && graph->marked[i]) return true;
    }
    return false;
}

static void add_marks(const ValueGraph *graph, const Scale *scale, StrBuf *out) {
    bool any = false;
    for (int i = 0; i < graph->count; i++)
        any = any || (graph->marked && graph->marked[i]);
    if (!any) return;
    strbuf_addf(out, "%*s", LABEL_COLUMNS, "");
    for (int column = 0; column < scale->columns; column++)
        strbuf_add(out, is_marked(graph, scale, column) ? "^" : " ");
    end_line(out);
}

/* Writes the numbers of moves below their columns, in the smallest of the steps 10, 20, 50 ... at
 * which the numbers have room. */
static void add_numbers(const Scale *scale, StrBuf *out) {
    static const int STEPS[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    char line[COLUMNS_MAX + 16];
    size_t step = 0;
    double width = (double)scale->columns / scale->count;
    while (STEPS[step] * width < 6 && step + 1 < sizeof STEPS / sizeof *STEPS)
        step++;
    memset(line, ' ', sizeof line);
    for (int move = 0; move < scale->count; move += STEPS[step]) {
        char number[16];
        int length = snprintf(number, sizeof number, "%d", move);
        int column = (int)(move * width);
        if (column + length > scale->columns && move) break;
        memcpy(line + column, number, (size_t)length);
    }
    line[sizeof line - 1] = 0;
    strbuf_addf(out, "%*s%s", LABEL_COLUMNS, "", line);
    end_line(out);
}

void value_graph_draw(const ValueGraph *graph, int columns, int rows, StrBuf *out) {
    Scale scale = make_scale(graph->count, columns);
    for (int row = 0; row < rows; row++) {
        bool middle = row == rows / 2;
        const char *label = row == 0          ? graph->labels[0]
                            : middle          ? graph->labels[1]
                            : row == rows - 1 ? graph->labels[2]
                                              : "";
        strbuf_addf(out, "%*.*s |", LABEL_COLUMNS - 2, LABEL_COLUMNS - 2, label);
        for (int column = 0; column < scale.columns; column++) {
            double value = column_value(graph, &scale, column);
            strbuf_add(out, value_row(graph, value, rows) == row ? "*" : middle ? "-" : " ");
        }
        end_line(out);
    }
    add_marks(graph, &scale, out);
    add_numbers(&scale, out);
}

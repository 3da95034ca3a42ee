/* value_graph.h - a small graph of values by move, as ASCII text for terminals. Threading: any
 * thread. */
#pragma once
#include "base/strbuf.h"

typedef struct {
    const double *values;  /* values[i] is the value after i moves; NAN: not known */
    const bool *marked;    /* moves to mark below the graph by ^, by the same index; may be NULL */
    int count;             /* of the values; at least 1 */
    double min, max;       /* the values at the bottom and the top; values beyond are clipped */
    const char *labels[3]; /* of the top, the middle and the bottom; at most 6 characters each */
} ValueGraph;

/* Draws the graph with `rows` rows and at most `columns` columns in all. `rows` is odd and at least
 * 3; `columns` is at least 20. If several moves share a column, it shows the mean of their values.
 * The marks and the numbers of moves stand below the graph. */
void value_graph_draw(const ValueGraph *graph, int columns, int rows, StrBuf *out);

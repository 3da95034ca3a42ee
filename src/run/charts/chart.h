/* chart.h - draws curves as SVG, for reports. Threading: free functions. */
#pragma once
#include "base/strbuf.h"

typedef struct {
    double x, y;
} ChartPoint;
typedef struct {
    const char *title, *x_unit, *y_unit;
} ChartWords;
/* Writes a small chart of one curve, with grid lines and labels. Points that are not finite are
 * left out. If there are at most 30 points, circles mark them. If no point can be shown, the chart
 * says so. */
void chart_svg(StrBuf *out, const ChartWords *words, const ChartPoint *points, int count);

typedef struct {
    const char *name;         /* name in the legend; NULL if the legend does not list the curve */
    const ChartPoint *points; /* in increasing order of x */
    const double *bars;       /* half the height of each point's error bar; may be NULL */
    int count;
    int color; /* any number; curves with the same number have the same color */
    bool thin;
} ChartSeries;
/* Writes a large chart of several curves, with a legend and error bars. Circles mark the points of
 * all curves that are not thin. */
void chart_series_svg(StrBuf *out, const ChartWords *words, const ChartSeries *series, int count);
/* Writes the beginning of an HTML page for charts: everything before its body. The style makes
 * charts shrink to a narrow screen, and makes the page dark if the reader's browser prefers
 * that. */
void chart_page_begin(StrBuf *out, const char *title);
/* Returns the color of this number, like "#2266aa". */
const char *chart_series_color(int color);

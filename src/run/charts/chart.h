/* chart.h - curves as SVG, for reports. Threading: free functions. */
#pragma once
#include "base/strbuf.h"

typedef struct {
    double x, y;
} ChartPoint;
typedef struct {
    const char *title, *x_unit, *y_unit;
} ChartWords;
/* One small curve with axes and labels. Points that are not finite are left out, without any it
 * says so; where they are few they are marked. */
void chart_svg(StrBuf *out, const ChartWords *words, const ChartPoint *points, int count);

typedef struct {
    const char *name;         /* NULL: not in the legend */
    const ChartPoint *points; /* by x */
    const double *bars;       /* half the height of each point's bar; NULL: none */
    int count;
    int color; /* any number: curves that belong together share it */
    bool thin;
} ChartSeries;
/* The same of several curves, with a legend and bars of error; all points are marked. */
void chart_series_svg(StrBuf *out, const ChartWords *words, const ChartSeries *series, int count);
/* "#2266aa" */
const char *chart_series_color(int color);

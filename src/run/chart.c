#include "run/chart.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 560, HEIGHT = 240, LEFT = 60, BOTTOM = 36, TOP = 26, RIGHT = 12 };

typedef struct {
    double low, high;
} Range;

static Range range_of(const ChartPoint *points, int count, bool vertical) {
    Range range = {1e300, -1e300};
    for (int i = 0; i < count; i++) {
        double value = vertical ? points[i].y : points[i].x;
        range.low = fmin(range.low, value);
        range.high = fmax(range.high, value);
    }
    if (range.high - range.low < 1e-12) range.high = range.low + 1;
    return range;
}

static double place(Range range, double value, double from, double to) {
    return from + (value - range.low) / (range.high - range.low) * (to - from);
}

void chart_svg(StrBuf *out, const char *title, const char *x_unit, const char *y_unit,
               const ChartPoint *points, int count) {
    strbuf_addf(
        out,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" xmlns=\"http://www.w3.org/2000/svg\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"%d\" y=\"16\" font-size=\"13\">",
        WIDTH, HEIGHT, WIDTH, LEFT);
    strbuf_add_xml(out, title, strlen(title));
    strbuf_add(out, "</text>\n");
    if (count < 2) {
        strbuf_addf(out, "<text x=\"%d\" y=\"%d\">not enough points yet</text></svg>\n", LEFT,
                    HEIGHT / 2);
        return;
    }
    Range xs = range_of(points, count, false), ys = range_of(points, count, true);
    for (int i = 0; i <= 4; i++) {
        double y = ys.low + (ys.high - ys.low) * i / 4, x = xs.low + (xs.high - xs.low) * i / 4;
        double py = place(ys, y, HEIGHT - BOTTOM, TOP), px = place(xs, x, LEFT, WIDTH - RIGHT);
        strbuf_addf(out,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text "
                    "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                    LEFT, WIDTH - RIGHT, py, py, LEFT - 6, py + 4, y);
        strbuf_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n", px,
                    HEIGHT - BOTTOM + 16, x);
    }
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text><text x=\"4\" "
                "y=\"%d\">%s</text>\n<polyline fill=\"none\" stroke=\"#2266aa\" "
                "stroke-width=\"1.6\" points=\"",
                WIDTH - RIGHT, HEIGHT - 4, x_unit, TOP - 2, y_unit);
    for (int i = 0; i < count; i++)
        strbuf_addf(out, "%.1f,%.1f ", place(xs, points[i].x, LEFT, WIDTH - RIGHT),
                    place(ys, points[i].y, HEIGHT - BOTTOM, TOP));
    strbuf_add(out, "\"/></svg>\n");
}

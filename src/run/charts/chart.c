#include "run/charts/chart.h"

#include <math.h>
#include <string.h>

enum { LEFT = 66, BOTTOM = 40, TOP = 28, CIRCLES_MAX = 30 };

typedef struct {
    double low, high;
} Range;

typedef struct {
    int width, height, right; /* pixels; `right` is the free margin for a legend */
    int grid_lines;           /* minimum distance of labels: 1 / grid_lines of the axis */
    bool has_circles;         /* whether points are marked */
    Range x, y;               /* of the values */
} Frame;

const char *chart_series_color(int color) {
    static const char *const COLORS[] = {"#2266aa", "#cc5522", "#338844", "#aa3399",
                                         "#887711", "#117788", "#dd3355", "#555555",
                                         "#7755cc", "#44aa22", "#bb8833", "#226644"};
    int count = sizeof COLORS / sizeof *COLORS;
    return COLORS[((color % count) + count) % count];
}

static double bar_half_height(const ChartSeries *series, int i) {
    return series->bars && isfinite(series->bars[i]) ? series->bars[i] : 0;
}

static bool is_shown(const ChartSeries *series, int i) {
    return isfinite(series->points[i].x) && isfinite(series->points[i].y);
}

static void widen_range(Range *range, double low, double high) {
    range->low = fmin(range->low, low);
    range->high = fmax(range->high, high);
}

/* If all values of a range are nearly equal, widens the range, so that the labels of its ends
 * differ. */
static void separate_ends(Range *range) {
    double least = fmax(1e-12, 1e-3 * fmax(fabs(range->low), fabs(range->high)));
    if (range->high - range->low < least) range->high = range->low + fmax(1, 100 * least);
}

static int find_ranges(const ChartSeries *series, int count, Frame *frame) {
    int points_shown = 0;
    frame->x = frame->y = (Range){1e300, -1e300};
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < series[s].count; i++) {
            const ChartPoint *p = &series[s].points[i];
            if (!is_shown(&series[s], i)) continue;
            widen_range(&frame->x, p->x, p->x);
            widen_range(&frame->y, p->y - bar_half_height(&series[s], i),
                        p->y + bar_half_height(&series[s], i));
            points_shown++;
        }
    }
    frame->x.low = fmin(frame->x.low, 0); /* time and cost begin at 0 */
    separate_ends(&frame->x);
    separate_ends(&frame->y);
    return points_shown;
}

static double pixel_x(const Frame *frame, double x) {
    return LEFT + (x - frame->x.low) / (frame->x.high - frame->x.low) *
                      (frame->width - frame->right - LEFT);
}

static double pixel_y(const Frame *frame, double y) {
    return frame->height - BOTTOM -
           (y - frame->y.low) / (frame->y.high - frame->y.low) * (frame->height - BOTTOM - TOP);
}

/* Returns the smallest step of 1, 2 or 5 times a power of ten that is not shorter than the range
 * divided by `steps`. */
static double round_step(Range range, int steps) {
    double min = (range.high - range.low) / steps, power = pow(10, floor(log10(min)));
    for (int i = 0; i < 3; i++) {
        double step = (const double[]){1, 2, 5}[i] * power;
        if (step >= min * (1 - 1e-9)) return step;
    }
    return 10 * power;
}

/* Returns the value at step `i`. It is never -0, because a label would show the sign. */
static double label_at(double i, double step) {
    return i == 0 ? 0 : i * step;
}

/* Adds labels at round numbers on both axes, a grid line for each label of the y axis, and the unit
 * of the x axis. */
static void add_grid(StrBuf *out, const Frame *frame, const ChartWords *words) {
    int right = frame->width - frame->right;
    double x_step = round_step(frame->x, frame->grid_lines),
           y_step = round_step(frame->y, frame->grid_lines);
    for (double i = ceil(frame->y.low / y_step - 1e-9); i * y_step <= frame->y.high + y_step * 1e-9;
         i++) {
        double y = pixel_y(frame, i * y_step);
        strbuf_addf(out,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text "
                    "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                    LEFT, right, y, y, LEFT - 6, y + 4, label_at(i, y_step));
    }
    for (double i = ceil(frame->x.low / x_step - 1e-9); i * x_step <= frame->x.high + x_step * 1e-9;
         i++)
        strbuf_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                    pixel_x(frame, i * x_step), frame->height - BOTTOM + 16, label_at(i, x_step));
    strbuf_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", right, frame->height - 6);
    strbuf_add_xml(out, words->x_unit, strlen(words->x_unit));
    strbuf_add(out, "</text>\n");
}

static void add_curve(StrBuf *out, const Frame *frame, const ChartSeries *series) {
    const char *color = chart_series_color(series->color);
    strbuf_addf(
        out,
        "<g stroke=\"%s\" fill=\"none\" stroke-width=\"%s\" opacity=\"%s\"><polyline points=\"",
        color, series->thin ? "0.8" : "2", series->thin ? "0.5" : "1");
    for (int i = 0; i < series->count; i++) {
        if (is_shown(series, i))
            strbuf_addf(out, "%.1f,%.1f ", pixel_x(frame, series->points[i].x),
                        pixel_y(frame, series->points[i].y));
    }
    strbuf_add(out, "\"/>\n");
    for (int i = 0; i < series->count; i++) {
        double half = bar_half_height(series, i);
        if (!is_shown(series, i)) continue;
        double x = pixel_x(frame, series->points[i].x);
        if (half > 0)
            strbuf_addf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x,
                        pixel_y(frame, series->points[i].y - half),
                        pixel_y(frame, series->points[i].y + half));
        if (frame->has_circles && !series->thin)
            strbuf_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x,
                        pixel_y(frame, series->points[i].y), color);
    }
    strbuf_add(out, "</g>\n");
}

static void add_legend(StrBuf *out, const Frame *frame, const ChartSeries *series, int count) {
    int named = 0;
    for (int s = 0; s < count; s++) {
        if (!series[s].name) continue;
        int x = frame->width - frame->right, y = TOP + 8 + 16 * named++;
        strbuf_addf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
                    "x=\"%d\" y=\"%d\">",
                    x + 14, y - 9, chart_series_color(series[s].color), x + 30, y);
        strbuf_add_xml(out, series[s].name, strlen(series[s].name));
        strbuf_add(out, "</text>\n");
    }
}

static void draw_chart(StrBuf *out, const ChartWords *words, Frame *frame,
                       const ChartSeries *series, int count) {
    strbuf_addf(out,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" xmlns=\"http://www.w3.org/2000/svg\" "
                "font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"%d\" y=\"16\" "
                "font-size=\"13\">",
                frame->width, frame->height, frame->width, LEFT);
    strbuf_add_xml(out, words->title, strlen(words->title));
    if (*words->y_unit) {
        strbuf_add(out, " (");
        strbuf_add_xml(out, words->y_unit, strlen(words->y_unit));
        strbuf_add(out, ")");
    }
    strbuf_add(out, "</text>\n");
    if (find_ranges(series, count, frame)) {
        add_grid(out, frame, words);
        for (int s = 0; s < count; s++)
            add_curve(out, frame, &series[s]);
        add_legend(out, frame, series, count);
    } else {
        strbuf_addf(out, "<text x=\"%d\" y=\"%d\">no points yet</text>\n", LEFT, frame->height / 2);
    }
    strbuf_add(out, "</svg>\n");
}

void chart_page_begin(StrBuf *out, const char *title) {
    strbuf_add(out, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
                    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                    "<title>");
    strbuf_add_xml(out, title, strlen(title));
    strbuf_add(out, " - Aji</title>\n<style>"
                    "body{font-family:sans-serif;max-width:1180px;margin:1em auto;padding:0 1em;"
                    "color:#222;background:#fff}"
                    "svg{margin:.4em;max-width:100%;height:auto}svg text{fill:currentColor}"
                    "pre{background:#f6f6f6;padding:.6em;overflow:auto}"
                    "@media (prefers-color-scheme:dark){body{color:#ddd;background:#181a1d}"
                    "pre{background:#24272b}svg line[stroke=\"#ddd\"]{stroke:#444}}"
                    "</style>\n");
}

void chart_svg(StrBuf *out, const ChartWords *words, const ChartPoint *points, int count) {
    Frame frame = {.width = 560,
                   .height = 240,
                   .right = 24,
                   .grid_lines = 5,
                   .has_circles = count <= CIRCLES_MAX};
    draw_chart(out, words, &frame, &(ChartSeries){.points = points, .count = count}, 1);
}

void chart_series_svg(StrBuf *out, const ChartWords *words, const ChartSeries *series, int count) {
    Frame frame = {.width = 900, .height = 420, .right = 190, .grid_lines = 5, .has_circles = true};
    draw_chart(out, words, &frame, series, count);
}

#include "eval/view/weight_picture.h"

#include <math.h>
#include <string.h>

#include "base/statistic.h"
#include "eval/view/heat_map.h"
#include "eval/view/svg.h"

enum { CELLS_MAX = 4096, PIXELS_WANTED = 900, EDGE = 20, TOP = 84, BAR_LENGTH = 120, LINE = 16 };

/* A parameter as rows and columns of tiles. A tile is the kernel from one input to one output.
 * Neighbouring cells of a tile are `columns` elements apart in memory. */
typedef struct {
    int rows, columns, tile_h, tile_w;
    WeightOrder order; /* of a picture */
} Layout;

static int ordered(const int *order, int place) {
    return order ? order[place] : place;
}

static Layout layout_of(const ParameterSpec *spec) {
    const int *d = spec->dims;
    if (spec->rank == 4) return (Layout){d[0], d[3], d[1], d[2], {0}};
    if (spec->rank == 3) return (Layout){d[0], d[1] * d[2], 1, 1, {0}};
    if (spec->rank == 2) return (Layout){d[0], d[1], 1, 1, {0}};
    return (Layout){1, (int)spec->count, 1, 1, {0}};
}

static float cell_of(const Layout *layout, const float *values, int row, int column, int place) {
    size_t tile = (size_t)layout->tile_h * (size_t)layout->tile_w;
    return values[((size_t)row * tile + (size_t)place) * (size_t)layout->columns + (size_t)column];
}

static double row_rms(const Layout *layout, const float *values, int row) {
    size_t count = (size_t)layout->columns * (size_t)layout->tile_h * (size_t)layout->tile_w;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double w = (double)values[(size_t)row * count + i];
        sum += w * w;
    }
    return sqrt(sum / (double)count);
}

WeightStatistic weight_statistic(const ParameterSpec *spec, const float *values) {
    Layout layout = layout_of(spec);
    WeightStatistic out = {.rows = layout.rows, .row_rms_min = (double)INFINITY};
    RunningMean mean = {0};
    double squares = 0;
    for (size_t i = 0; i < spec->count; i++) {
        double w = (double)values[i];
        running_mean_add(&mean, w);
        squares += w * w;
        out.largest = fmax(out.largest, fabs(w));
    }
    out.mean = mean.mean;
    out.deviation = sqrt(mean.sum_squares / fmax(1, mean.count));
    out.norm = sqrt(squares);
    for (int row = 0; row < layout.rows; row++) {
        double rms = row_rms(&layout, values, row);
        out.row_rms_min = fmin(out.row_rms_min, rms);
        out.row_rms_max = fmax(out.row_rms_max, rms);
        out.rows_at_zero += rms < 1e-8;
    }
    return out;
}

void weight_kernel_rms(const ParameterSpec *spec, const float *values, double *out) {
    Layout layout = layout_of(spec);
    double count = (double)layout.rows * layout.columns;
    for (int place = 0; place < layout.tile_h * layout.tile_w; place++) {
        double sum = 0;
        for (int row = 0; row < layout.rows; row++) {
            for (int column = 0; column < layout.columns; column++) {
                double w = (double)cell_of(&layout, values, row, column, place);
                sum += w * w;
            }
        }
        out[place] = sqrt(sum / count);
    }
}

/* Returns how many of `count` tiles fit into the picture, with one cell between tiles. */
static int shown_tiles(int count, int tile) {
    int step = tile > 1 ? tile + 1 : 1, max = CELLS_MAX / step;
    return count < max ? count : max;
}

static void paint_row(HeatMap *map, const Layout *layout, const float *values, int row, double full,
                      int columns) {
    int step_x = layout->tile_w > 1 ? layout->tile_w + 1 : 1,
        step_y = layout->tile_h > 1 ? layout->tile_h + 1 : 1;
    for (int column = 0; column < columns; column++) {
        for (int place = 0; place < layout->tile_h * layout->tile_w; place++) {
            double w = (double)cell_of(layout, values, ordered(layout->order.rows, row),
                                       ordered(layout->order.columns, column), place);
            heat_map_set(map, column * step_x + place % layout->tile_w,
                         row * step_y + place / layout->tile_w, w / full);
        }
    }
}

/* Adds a small table with the root mean square at each place in the kernel. */
static void add_kernel(const ParameterSpec *spec, const float *values, int top, StrBuf *out) {
    double rms[19 * 19];
    Layout layout = layout_of(spec);
    if (layout.tile_h * layout.tile_w < 2 || layout.tile_h > 19 || layout.tile_w > 19) return;
    weight_kernel_rms(spec, values, rms);
    strbuf_addf(out, "<text x=\"%d\" y=\"%d\">root mean square by place in the kernel</text>\n",
                EDGE, top);
    for (int y = 0; y < layout.tile_h; y++) {
        for (int x = 0; x < layout.tile_w; x++)
            strbuf_addf(out, "<text x=\"%d\" y=\"%d\">%.4f</text>", EDGE + 52 * x,
                        top + LINE * (y + 1), rms[y * layout.tile_w + x]);
        strbuf_add(out, "\n");
    }
}

/* Adds a bar for each row, as long as its root mean square. */
static void add_row_bars(const Layout *layout, const float *values, int rows, double max, double x,
                         double step, StrBuf *out) {
    strbuf_add(out, "<path fill=\"#888\" d=\"");
    for (int row = 0; row < rows; row++) {
        double rms = row_rms(layout, values, ordered(layout->order.rows, row));
        strbuf_addf(out, "M%.1f %.2fh%.2fv%.2fh-%.2fz", x, TOP + row * step, BAR_LENGTH * rms / max,
                    step, BAR_LENGTH * rms / max);
    }
    strbuf_add(out, "\"/>\n");
}

Status weight_picture_svg(const ParameterSpec *spec, const float *values, const WeightOrder *order,
                          StrBuf *out, Error *err) {
    HeatMap map;
    Layout layout = layout_of(spec);
    WeightStatistic statistic = weight_statistic(spec, values);
    if (order) layout.order = *order;
    int rows = shown_tiles(layout.rows, layout.tile_h),
        columns = shown_tiles(layout.columns, layout.tile_w);
    int across = columns * (layout.tile_w + (layout.tile_w > 1)),
        down = rows * (layout.tile_h + (layout.tile_h > 1));
    int cell = PIXELS_WANTED / (across > down ? across : down);
    cell = cell < 1 ? 1 : cell > 12 ? 12 : cell;
    double full = 3 * statistic.norm / sqrt((double)spec->count);
    int kernel_lines = layout.tile_h > 1 ? LINE * (layout.tile_h + 2) : 0;
    int width = 3 * EDGE + across * cell + BAR_LENGTH;
    if (full <= 0) full = 1;
    svg_begin(width < 620 ? 620 : width, TOP + down * cell + kernel_lines + EDGE, 11, out);
    svg_title(EDGE, 22, spec->name, out);
    strbuf_addf(out,
                "<text x=\"%d\" y=\"40\">%d outputs down, %d inputs across; norm %.4g, mean %.3g, "
                "deviation %.3g, largest %.3g</text>\n",
                EDGE, layout.rows, layout.columns, statistic.norm, statistic.mean,
                statistic.deviation, statistic.largest);
    strbuf_addf(out,
                "<text x=\"%d\" y=\"58\">red above 0, blue below 0, full color at %.3g; bars: "
                "root mean square of each output, %.3g to %.3g</text>\n",
                EDGE, full, statistic.row_rms_min, statistic.row_rms_max);
    if (rows < layout.rows || columns < layout.columns)
        strbuf_addf(out, "<text x=\"%d\" y=\"74\">the first %d outputs and %d inputs</text>\n",
                    EDGE, rows, columns);
    Status status = heat_map_init(&map, across, down, err);
    for (int row = 0; row < rows && !status; row++)
        paint_row(&map, &layout, values, row, full, columns);
    if (!status) status = heat_map_add_svg(&map, EDGE, TOP, cell, out, err);
    heat_map_clear(&map);
    if (status) return status;
    add_row_bars(&layout, values, rows, fmax(statistic.row_rms_max, 1e-30),
                 2 * EDGE + across * cell, (double)(down * cell) / rows, out);
    add_kernel(spec, values, TOP + down * cell + LINE, out);
    strbuf_add(out, "</svg>\n");
    return strbuf_status(out, err);
}

Status weight_norms_svg(const Net *net, const char *caption, StrBuf *out, Error *err) {
    enum { NAMES = 240, BARS = 420, FIRST = 64 };
    const Program *program = net_program(net);
    double max = 1e-30;
    int count = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (spec->rank < 2) continue;
        count++;
        max = fmax(max, weight_statistic(spec, net_values_const(net, i)).row_rms_max);
    }
    svg_begin(2 * EDGE + NAMES + BARS + 80, FIRST + LINE * count + EDGE, 11, out);
    svg_title(EDGE, 22, caption, out);
    strbuf_addf(out,
                "<text x=\"%d\" y=\"42\">bar: root mean square of a layer's weights; line: from "
                "the smallest to the largest root mean square of an output</text>\n",
                EDGE);
    for (int i = 0, y = FIRST; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (spec->rank < 2) continue;
        WeightStatistic statistic = weight_statistic(spec, net_values_const(net, i));
        double rms = statistic.norm / sqrt((double)spec->count), scale = BARS / max;
        strbuf_addf(out, "<text x=\"%d\" y=\"%d\">", EDGE, y + 11);
        strbuf_add_xml(out, spec->name, strlen(spec->name));
        strbuf_addf(out,
                    "</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"10\" fill=\"#69c\"/>"
                    "<path stroke=\"#222\" d=\"M%.1f %dH%.1f\"/><text x=\"%.1f\" y=\"%d\">%.4f"
                    "</text>\n",
                    EDGE + NAMES, y + 2, rms * scale, EDGE + NAMES + statistic.row_rms_min * scale,
                    y + 7, EDGE + NAMES + statistic.row_rms_max * scale,
                    EDGE + NAMES + statistic.row_rms_max * scale + 6, y + 11, rms);
        y += LINE;
    }
    strbuf_add(out, "</svg>\n");
    return strbuf_status(out, err);
}

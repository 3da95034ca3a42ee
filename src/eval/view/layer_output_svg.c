/* Draws the output of a layer as heat maps. */
#include <math.h>

#include "eval/view/heat_map.h"
#include "eval/view/layer_output.h"
#include "eval/view/svg.h"

enum {
    BOARD_PIXELS = 152, /* approximate width of one board */
    GAP = 12,           /* between boards */
    LABEL = 16,         /* a line of text */
    ACROSS = 8,         /* boards in a row */
    EDGE = 20
};

typedef struct {
    int width, height;
} Size;

static void begin(Size size, const char *caption, StrBuf *out) {
    svg_begin(size.width, size.height, 11, out);
    svg_title(EDGE, 20, caption, out);
    strbuf_addf(
        out,
        "<text x=\"%d\" y=\"38\">red is above 0, blue below 0; the number below a board is the "
        "absolute value with the full color</text>\n",
        EDGE);
}

/* Defines the stones once; every board refers to them. */
static void define_stones(const Board *board, double cell, StrBuf *out) {
    strbuf_add(out, "<defs><g id=\"stones\">");
    for (int i = 0; i < board->width * board->height; i++) {
        int x = i % board->width, y = i / board->width;
        Color color = (Color)board->color[point_at(x, y)];
        if (color == COLOR_EMPTY) continue;
        strbuf_addf(out,
                    "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"%s\" stroke=\"#555\" "
                    "stroke-width=\"0.5\"/>",
                    cell * (x + 0.5), cell * (y + 0.5), cell * 0.22,
                    color == COLOR_BLACK ? "#000" : "#fff");
    }
    strbuf_add(out, "</g></defs>\n");
}

static Status add_board(const LayerOutput *layer, int channel, double cell, Size at, StrBuf *out,
                        Error *err) {
    HeatMap map;
    ChannelStatistic statistic = layer_output_channel(layer, channel);
    double scale = statistic.largest > 0 ? statistic.largest : 1;
    Status status = heat_map_init(&map, layer->width, layer->height, err);
    for (int i = 0; i < layer->rows && !status; i++) {
        double x = (double)layer->values[i * layer->channels + channel];
        heat_map_set(&map, i % layer->width, i / layer->width, x / scale);
    }
    if (!status) status = heat_map_add_svg(&map, at.width, at.height, cell, out, err);
    heat_map_clear(&map);
    strbuf_addf(out, "<use href=\"#stones\" x=\"%d\" y=\"%d\"/>\n", at.width, at.height);
    strbuf_addf(out, "<text x=\"%d\" y=\"%g\">channel %d: %.3g</text>\n", at.width,
                at.height + cell * layer->height + 12, channel, statistic.largest);
    return status;
}

static Status boards_svg(const LayerOutput *layer, const Position *position, const char *caption,
                         StrBuf *out, Error *err) {
    int size = layer->width > layer->height ? layer->width : layer->height;
    int cell = BOARD_PIXELS / size > 1 ? BOARD_PIXELS / size : 1, top = 52;
    int step_x = cell * layer->width + GAP, step_y = cell * layer->height + GAP + LABEL;
    int across = layer->channels < ACROSS ? layer->channels : ACROSS;
    int down = (layer->channels + across - 1) / across;
    int width = 2 * EDGE + across * step_x;
    Status status = OK;
    begin((Size){width < 560 ? 560 : width, top + down * step_y + EDGE}, caption, out);
    define_stones(&position->board, cell, out);
    for (int c = 0; c < layer->channels && !status; c++)
        status = add_board(layer, c, cell,
                           (Size){EDGE + c % across * step_x, top + c / across * step_y}, out, err);
    return status;
}

/* Draws the values one after another, at most 64 in a line. */
static Status strip_svg(const LayerOutput *layer, const char *caption, StrBuf *out, Error *err) {
    enum { LINE_MAX = 64, CELL = 12, TOP = 52 };
    HeatMap map;
    int count = layer->rows * layer->channels;
    int across = count < LINE_MAX ? count : LINE_MAX, down = (count + across - 1) / across;
    double scale = 0;
    for (int i = 0; i < count; i++)
        scale = fmax(scale, fabs((double)layer->values[i]));
    begin((Size){2 * EDGE + LINE_MAX * CELL, TOP + down * CELL + 2 * EDGE}, caption, out);
    Status status = heat_map_init(&map, across, down, err);
    for (int i = 0; i < count && !status; i++)
        heat_map_set(&map, i % across, i / across,
                     (double)layer->values[i] / (scale > 0 ? scale : 1));
    if (!status) status = heat_map_add_svg(&map, EDGE, TOP, CELL, out, err);
    heat_map_clear(&map);
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\">%d numbers, %d in a line; full color at %.3g</text>\n",
                EDGE, TOP + down * CELL + LABEL, count, across, scale);
    return status;
}

Status layer_output_svg(const LayerOutput *layer, const Position *position, const char *caption,
                        StrBuf *out, Error *err) {
    Status status = layer->kind == KIND_SPATIAL ? boards_svg(layer, position, caption, out, err)
                                                : strip_svg(layer, caption, out, err);
    if (status) return status;
    strbuf_add(out, "</svg>\n");
    return strbuf_status(out, err);
}

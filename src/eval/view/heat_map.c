#include "eval/view/heat_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/formats/png.h"
#include "base/memory.h"

enum { BACKGROUND = 0xe0 };

HeatColor heat_color(double value) {
    static const unsigned char RED[3] = {178, 24, 43}, BLUE[3] = {33, 102, 172};
    const unsigned char *full = value < 0 ? BLUE : RED;
    double strength = fmin(1, fabs(value));
    unsigned char mixed[3];
    for (int i = 0; i < 3; i++)
        mixed[i] = (unsigned char)lround(255 + strength * (full[i] - 255));
    return (HeatColor){mixed[0], mixed[1], mixed[2]};
}

Status heat_map_init(HeatMap *map, int width, int height, Error *err) {
    *map = (HeatMap){.width = width, .height = height};
    size_t bytes = mem_array_bytes(mem_array_bytes((size_t)width, (size_t)height), 3);
    Status status = mem_new(bytes, 1, &map->rgb, err);
    if (!status) memset(map->rgb, BACKGROUND, bytes);
    return status;
}

void heat_map_clear(HeatMap *map) {
    free(map->rgb);
    *map = (HeatMap){0};
}

void heat_map_set(HeatMap *map, int x, int y, double value) {
    HeatColor color = heat_color(value);
    unsigned char *to = map->rgb + 3 * ((size_t)y * (size_t)map->width + (size_t)x);
    to[0] = color.red;
    to[1] = color.green;
    to[2] = color.blue;
}

/* RFC 4648 defines base64. */
static void add_base64(const unsigned char *bytes, size_t count, StrBuf *out) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned bits = (unsigned)bytes[i] << 16;
        if (i + 1 < count) bits |= (unsigned)bytes[i + 1] << 8;
        if (i + 2 < count) bits |= bytes[i + 2];
        char group[4] = {DIGITS[bits >> 18], DIGITS[bits >> 12 & 63], DIGITS[bits >> 6 & 63],
                         DIGITS[bits & 63]};
        if (i + 1 >= count) group[2] = '=';
        if (i + 2 >= count) group[3] = '=';
        strbuf_add_bytes(out, group, sizeof group);
    }
}

Status heat_map_add_svg(const HeatMap *map, double x, double y, double cell, StrBuf *out,
                        Error *err) {
    StrBuf png = {0};
    Status status = png_encode(map->rgb, map->width, map->height, &png, err);
    if (!status) {
        strbuf_addf(out,
                    "<image x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" "
                    "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
                    "href=\"data:image/png;base64,",
                    x, y, cell * map->width, cell * map->height);
        add_base64((const unsigned char *)png.text, png.length, out);
        strbuf_add(out, "\"/>\n");
        status = strbuf_status(out, err);
    }
    strbuf_clear(&png);
    return status;
}

/* heat_map.h - shows a grid of values as colors inside an SVG: red above 0, blue below, white at 0.
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"

typedef struct {
    int width, height;  /* in cells */
    unsigned char *rgb; /* three bytes for each cell */
} HeatMap;

typedef struct {
    unsigned char red, green, blue;
} HeatColor;
HeatColor heat_color(double value); /* values are clipped to -1..1 */

/* Makes a map in which all cells have a background color. ERR_MEMORY. */
MUST_USE Status heat_map_init(HeatMap *map, int width, int height, Error *err);
void heat_map_clear(HeatMap *map);
void heat_map_set(HeatMap *map, int x, int y, double value); /* (0, 0) is the upper left cell */
/* Adds an <image> at (x, y) with cells of size `cell` x `cell`. */
MUST_USE Status heat_map_add_svg(const HeatMap *map, double x, double y, double cell, StrBuf *out,
                                 Error *err);

/* symmetry.h - the 8 symmetries of a square, as sets of bits: 1 flips y, then 2 flips x, then 4
 * transposes (KataGo's numbering). On a rectangle the transpose is ignored. Immutable. */
#pragma once
#include "go/point.h"
#include <stdint.h>

typedef int Symmetry;
#define SYMMETRY_COUNT 8

/* Where the symmetry puts the index y * width + x of a width x height buffer. The index of the
 * pass, width * height, stays. */
int symmetry_index(Symmetry symmetry, int index, int width, int height);
/* The symmetry that takes every index back. */
Symmetry symmetry_inverse(Symmetry symmetry, int width, int height);
/* Where the symmetry puts a point of a board; POINT_PASS and POINT_NONE stay. */
Point symmetry_point(Symmetry symmetry, Point point, int width, int height);

/* For a width x height board at the top left of a buffer: out[y * width + x] is where
 * symmetry_index() of the buffer puts the point (x, y). */
void symmetry_places(Symmetry symmetry, int width, int height, int buffer_width, int buffer_height,
                     int16_t *out);

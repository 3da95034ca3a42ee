/* symmetry.h - the 8 symmetries of a square. A symmetry is a sum of numbers, of which each stands
 * for an operation: 1 (flip y), 2 (flip x) and 4 (transpose). The operations are done in this
 * order, as in KataGo. On a rectangle that is no square, the transpose is left out. Immutable. */
#pragma once
#include "go/point.h"
#include <stdint.h>

typedef int Symmetry;
#define SYMMETRY_COUNT 8

/* Where the symmetry moves the index y * width + x of a width x height buffer. The index of the
 * pass, width * height, stays. */
int symmetry_index(Symmetry symmetry, int index, int width, int height);
/* The symmetry that moves every index back. */
Symmetry symmetry_inverse(Symmetry symmetry, int width, int height);
/* Where the symmetry moves a point of a board. POINT_PASS and POINT_NONE stay. */
Point symmetry_point(Symmetry symmetry, Point point, int width, int height);

/* Computes symmetry_index() for all points of a width x height board at the top left of a buffer:
 * out[y * width + x] is the index of the buffer to which the symmetry moves the point (x, y). */
void symmetry_places(Symmetry symmetry, int width, int height, int buffer_width, int buffer_height,
                     int16_t *out);

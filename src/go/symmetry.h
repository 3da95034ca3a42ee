/* symmetry.h - the 8 symmetries. Bits: 1 flips y, 2 flips x, 4 transposes, in that order (KataGo's
 * numbering). Immutable. */
#pragma once
#include "go/point.h"

typedef int Symmetry;
#define SYMMETRY_COUNT 8

/* Index in a width x height buffer to where the symmetry puts it; the transpose is ignored when
 * width != height. The pass index stays. */
int symmetry_index(Symmetry symmetry, int index, int width, int height);
Symmetry symmetry_inverse(Symmetry symmetry);
Point symmetry_point(Symmetry symmetry, Point point, int width, int height);

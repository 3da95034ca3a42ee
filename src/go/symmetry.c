#include "go/symmetry.h"

enum { FLIP_Y = 1, FLIP_X = 2, TRANSPOSE = 4 };

int symmetry_index(Symmetry symmetry, int index, int width, int height) {
    if (index >= width * height) return index;
    int x = index % width, y = index / width;
    if (symmetry & FLIP_Y) y = height - 1 - y;
    if (symmetry & FLIP_X) x = width - 1 - x;
    if ((symmetry & TRANSPOSE) && width == height) return x * width + y;
    return y * width + x;
}

void symmetry_places(Symmetry symmetry, int width, int height, int buffer_width, int buffer_height,
                     int16_t *out) {
    bool turned = (symmetry & TRANSPOSE) && buffer_width == buffer_height;
    int right = turned ? buffer_width : 1, down = turned ? 1 : buffer_width, first = 0;
    if (symmetry & FLIP_X) {
        first += (buffer_width - 1) * right;
        right = -right;
    }
    if (symmetry & FLIP_Y) {
        first += (buffer_height - 1) * down;
        down = -down;
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            *out++ = (int16_t)(first + y * down + x * right);
    }
}

Symmetry symmetry_inverse(Symmetry symmetry, int width, int height) {
    if (width != height) return symmetry; /* a flip is its own inverse */
    if (symmetry == (TRANSPOSE | FLIP_Y)) return TRANSPOSE | FLIP_X;
    if (symmetry == (TRANSPOSE | FLIP_X)) return TRANSPOSE | FLIP_Y;
    return symmetry;
}

Point symmetry_point(Symmetry symmetry, Point point, int width, int height) {
    if (point == POINT_PASS || point == POINT_NONE) return point;
    int index = symmetry_index(symmetry, point_y(point) * width + point_x(point), width, height);
    return point_at(index % width, index / width);
}

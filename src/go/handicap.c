#include "go/handicap.h"

int handicap_fixed_max(int width, int height) {
    if (width < 7 || height < 7) return 0;
    bool middle = width % 2 && height % 2 && width > 7 && height > 7;
    return middle ? 9 : 4;
}

/* GTP 2, section 4.1.1: stones go first to the corners, then to the middles of the sides. From 5
 * stones on, an odd number has one stone in the center. */
int handicap_fixed(int width, int height, int stones, Point out[9]) {
    if (stones < 2 || stones > handicap_fixed_max(width, height)) return 0;
    int dx = width >= 13 ? 3 : 2, dy = height >= 13 ? 3 : 2;
    int left = dx, right = width - 1 - dx, top = dy, bottom = height - 1 - dy, cx = width / 2,
        cy = height / 2;
    const Point PLACES[8] = {point_at(left, bottom),  point_at(right, top), point_at(left, top),
                             point_at(right, bottom), point_at(left, cy),   point_at(right, cy),
                             point_at(cx, bottom),    point_at(cx, top)};
    int around = stones >= 5 && stones % 2 ? stones - 1 : stones, count = 0;
    if (stones == 3) around = 3;
    for (int i = 0; i < around; i++)
        out[count++] = PLACES[i];
    if (count < stones) out[count++] = point_at(cx, cy);
    return count;
}

#include "go/komi.h"

double komi_fair(int width, int height) {
    static const double SQUARES[] = {
        [2] = 1, [3] = 9, [4] = 2, [5] = 24, [6] = 4, [7] = 9, [8] = 10};
    bool known = width == height && width >= 2 && width < (int)(sizeof SQUARES / sizeof *SQUARES);
    return known ? SQUARES[width] : 7;
}

double komi_usual(const Rules *rules, int width, int height, int handicap) {
    if (handicap) return 0.5;
    return width < 9 || height < 9 ? komi_fair(width, height) : (double)rules->komi;
}

#include "go/area.h"

#include <assert.h>
#include <string.h>

#include "go/large_board.h"
#include "go/small_board.h"

void area_compute(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]) {
    if (small_board_fits(board))
        small_board_area(board, options, area);
    else
        large_board_area(board, options, area);
}

void passalive_compute(const Board *board, bool suicide, uint8_t area[POINT_COUNT]) {
    area_compute(board, &(AreaOptions){.suicide = suicide}, area);
}

/* Whether this point puts its whole area in seki: it is a stone of the area's owner in atari, or it
 * lies beside a neutral empty point. */
static bool is_in_seki(const Board *board, const uint8_t *basic, Point point) {
    if (board->color[point] == basic[point] && board_liberties(board, point) == 1) return true;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == COLOR_EMPTY && basic[near] == COLOR_EMPTY) return true;
    }
    return false;
}

/* Marks the area that holds `start`, of which no point is marked yet. */
static void flood(const uint8_t *basic, Point start, uint8_t *marks, uint8_t mark) {
    assert(basic[start] != COLOR_EMPTY && !marks[start]);
    int16_t queue[BOARD_POINTS_MAX];
    int count = 0;
    queue[count++] = (int16_t)start;
    marks[start] = mark;
    for (int at = 0; at < count; at++) {
        for (int i = 0; i < 4; i++) {
            Point near = queue[at] + POINT_STEPS[i];
            if (basic[near] != basic[start] || marks[near]) continue;
            marks[near] = mark;
            queue[count++] = (int16_t)near;
        }
    }
}

int area_independent_life(const Board *board, bool keep_territories, bool keep_stones, bool suicide,
                          uint8_t area[POINT_COUNT]) {
    enum { SEKI = 1, ALIVE = 2 };
    uint8_t basic[POINT_COUNT], marks[POINT_COUNT] = {0};
    area_compute(board,
                 &(AreaOptions){.nonpassalive_stones = true,
                                .safe_big_territories = true,
                                .unsafe_big_territories = true,
                                .suicide = suicide},
                 basic);
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (basic[p] != COLOR_EMPTY && !marks[p] && is_in_seki(board, basic, p))
            flood(basic, p, marks, SEKI);
    }
    int white_regions = 0;
    memset(area, COLOR_EMPTY, POINT_COUNT);
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (basic[p] == COLOR_EMPTY) continue;
        if (!marks[p]) {
            flood(basic, p, marks, ALIVE);
            white_regions += basic[p] == COLOR_WHITE ? 1 : -1;
        }
        bool own_stone = board->color[p] == basic[p];
        if (marks[p] == ALIVE || (keep_territories && !own_stone) || (keep_stones && own_stone))
            area[p] = basic[p];
    }
    return white_regions;
}

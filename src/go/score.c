#include "go/score.h"

#include <string.h>

#include "go/area.h"

bool score_suicide(const Position *position) {
    return position->rules.suicide || position->passalive_under_suicide;
}

static int sum_area(const uint8_t area[POINT_COUNT]) {
    int sum = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        sum += (area[p] == COLOR_WHITE) - (area[p] == COLOR_BLACK);
    return sum;
}

/* Gives each neutral point with a stone to the player of the stone. In the second encore, this is
 * done only for stones that stood there when the second encore began. */
static void keep_start_stones(const Position *position, uint8_t area[POINT_COUNT]) {
    for (Point p = 0; p < POINT_COUNT; p++) {
        uint8_t color = position->board.color[p];
        if (area[p] != COLOR_EMPTY || (color != COLOR_BLACK && color != COLOR_WHITE)) continue;
        if (position->encore_phase < 2 || position->second_encore_start[p] == color)
            area[p] = color;
    }
}

static int area_scoring(const Position *position, uint8_t area[POINT_COUNT]) {
    bool suicide = score_suicide(position);
    if (position->rules.tax != TAX_NONE)
        return area_independent_life(&position->board, false, true, suicide, area);
    area_compute(&position->board,
                 &(AreaOptions){.nonpassalive_stones = true,
                                .safe_big_territories = true,
                                .unsafe_big_territories = true,
                                .suicide = suicide},
                 area);
    return 0;
}

static int territory_scoring(const Position *position, uint8_t area[POINT_COUNT]) {
    bool keep = position->rules.tax == TAX_NONE;
    int regions =
        area_independent_life(&position->board, keep, false, score_suicide(position), area);
    keep_start_stones(position, area);
    return regions;
}

int score_feature_area(const Position *position, uint8_t area[POINT_COUNT]) {
    int regions = 0;
    if (position->rules.scoring == SCORING_AREA)
        regions = area_scoring(position, area);
    else if (position->encore_phase >= 2)
        regions = territory_scoring(position, area);
    else
        memset(area, COLOR_EMPTY, POINT_COUNT);
    return position->rules.tax == TAX_ALL ? regions : 0;
}

float score_position(const Position *position, uint8_t owner[POINT_COUNT]) {
    uint8_t area[POINT_COUNT];
    int regions = position->rules.scoring == SCORING_AREA ? area_scoring(position, area)
                                                          : territory_scoring(position, area);
    float score = (float)sum_area(area);
    if (position->rules.tax == TAX_ALL) score -= 2 * (float)regions;
    if (position->button) score += position->mover == COLOR_WHITE ? 0.5f : -0.5f;
    if (owner) memcpy(owner, area, POINT_COUNT);
    return score + position->white_bonus + position->white_handicap_bonus + position->rules.komi;
}

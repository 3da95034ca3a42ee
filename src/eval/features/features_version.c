#include "eval/features/features_version.h"

#include <string.h>

#include "go/area.h"
#include "go/score.h"

enum { UNUSED = 8 /* a plane that version 7 leaves empty */ };

static const struct {
    int planes, globals;
    /* The plane with index i in this version has index plane[i] in version 7, and the global with
     * index i has index global[i]. `plane` is read only if moves_planes is set, `global` only if
     * moves_globals is. */
    int8_t plane[FEATURE_PLANES], global[FEATURE_GLOBALS];
    bool moves_planes, moves_globals;
} VERSIONS[] = {
    [3] = {22, 14, .global = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 18}, .moves_globals = true},
    [4] = {22, 14, .global = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 18}, .moves_globals = true},
    [5] = {13, 12, .plane = {0, 1, 2, 6, 7, UNUSED, 9, 10, 11, 12, 13, 20, 21},
           .global = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13}, .moves_planes = true,
           .moves_globals = true},
    [6] = {22, 16, .global = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18},
           .moves_globals = true},
    [7] = {FEATURE_PLANES, FEATURE_GLOBALS, {0}, {0}, false, false},
};

int feature_planes(int version) {
    return VERSIONS[version].planes;
}

int feature_globals(int version) {
    return VERSIONS[version].globals;
}

int feature_area(const Position *position, int version, uint8_t area[POINT_COUNT]) {
    if (version > 4) return score_feature_area(position, area);
    bool all = version == 3 && position->rules.scoring == SCORING_AREA;
    area_compute(&position->board,
                 &(AreaOptions){.nonpassalive_stones = all,
                                .safe_big_territories = true,
                                .unsafe_big_territories = all,
                                .suicide = score_suicide(position)},
                 area);
    return 0;
}

void features_to_version(int version, uint64_t planes[FEATURE_PLANES][6],
                         float globals[FEATURE_GLOBALS]) {
    if (VERSIONS[version].moves_planes) {
        uint64_t moved[FEATURE_PLANES][6] = {{0}};
        for (int i = 0; i < VERSIONS[version].planes; i++)
            memcpy(moved[i], planes[VERSIONS[version].plane[i]], sizeof moved[i]);
        memcpy(planes, moved, sizeof moved);
    }
    if (VERSIONS[version].moves_globals) {
        float moved[FEATURE_GLOBALS] = {0};
        for (int i = 0; i < VERSIONS[version].globals; i++)
            moved[i] = globals[VERSIONS[version].global[i]];
        memcpy(globals, moved, sizeof moved);
    }
}

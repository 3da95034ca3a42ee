/* area.h - whose area is each point: pass-alive groups, stones with their territory, and areas that
 * live on their own. All maps are indexed by Point and hold COLOR_BLACK, COLOR_WHITE or, for
 * neutral points, COLOR_EMPTY. Threading: free functions. */
#pragma once
#include "go/benson.h"

/* The areas that the options ask for; see benson.h. */
void area_compute(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
/* Pass-alive stones and pass-alive territory only. */
void passalive_compute(const Board *board, bool suicide, uint8_t area[POINT_COUNT]);
/* Areas that are not in seki. A connected area, stones with their territory, is in seki if one of
 * its stones is in atari or if it touches a neutral empty point. Of an area in seki,
 * `keep_territories` keeps all points but its own stones, and `keep_stones` keeps its own stones.
 * Returns how many areas of White live on their own, minus those of Black: group tax counts
 * them. */
int area_independent_life(const Board *board, bool keep_territories, bool keep_stones, bool suicide,
                          uint8_t area[POINT_COUNT]);

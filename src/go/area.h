/* area.h - maps of the player to whom each point belongs. Three functions make such maps;
 * they differ in what they mark. All maps are indexed by Point and hold COLOR_BLACK,
 * COLOR_WHITE or, for neutral points, COLOR_EMPTY. Threading: any thread. */
#pragma once
#include "go/area_options.h"
#include "go/board.h"

/* Marks the areas that the options ask for; see area_options.h. */
void area_compute(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
/* Marks only pass-alive stones and pass-alive territory. `suicide` is that of AreaOptions. */
void passalive_compute(const Board *board, bool suicide, uint8_t area[POINT_COUNT]);
/* Marks the areas that are not in seki. An area is a connected set of one player's stones and
 * territory. It is in seki if one of its owner's stones is in atari or if it touches a neutral
 * empty point. Areas in seki are left out, but `keep_stones` keeps the owner's stones in them, and
 * `keep_territories` keeps all their other points. `suicide` is that of AreaOptions. Counts the
 * areas that are not in seki, and returns White's number of areas minus Black's. The group tax
 * needs this difference. */
int area_independent_life(const Board *board, bool keep_territories, bool keep_stones, bool suicide,
                          uint8_t area[POINT_COUNT]);

/* score.h - who owns which point, and what the board is worth, under the rules of a position.
 * Threading: free functions. */
#pragma once
#include "go/position.h"

/* Whether pass-alive areas of this position are computed as if suicide of several stones were
 * legal. */
bool score_suicide(const Position *position);
/* The area map that input features show: empty before the second encore of territory scoring.
 * Returns White's regions minus Black's under TAX_ALL, else 0. */
int score_feature_area(const Position *position, uint8_t area[POINT_COUNT]);
/* White's score minus Black's if the game ended now, komi and bonuses included; `owner` (may be
 * NULL, indexed by Point) gets the color that each point counts for, COLOR_EMPTY for neutral. Dead
 * stones are not removed except where the rules' phases say so. */
float score_position(const Position *position, uint8_t owner[POINT_COUNT]);

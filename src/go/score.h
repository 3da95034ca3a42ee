/* score.h - the owner of each point and the score of the board, by the rules of a position.
 * Threading: free functions. */
#pragma once
#include "go/position.h"

/* Whether pass-alive areas of this position are computed as if suicide of several stones were
 * legal. */
bool score_suicide(const Position *position);
/* Computes the map of areas that the input features of nets show. With territory scoring it is
 * empty before the second encore. Returns the number of White's areas minus that of Black's under
 * TAX_ALL, otherwise 0. */
int score_feature_area(const Position *position, uint8_t area[POINT_COUNT]);
/* White's score minus Black's if the game ended now, komi and bonuses included. `owner` is indexed
 * by Point and gets the color that each point counts for, or COLOR_EMPTY for neutral points; it may
 * be NULL. Stones count as alive unless they lie in the opponent's pass-alive territory. A stone in
 * seki that was placed in the second encore counts for nobody. */
float score_position(const Position *position, uint8_t owner[POINT_COUNT]);

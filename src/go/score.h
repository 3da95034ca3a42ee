/* score.h - the owner of each point and the score of the board, by the rules of a position.
 * Threading: any thread. */
#pragma once
#include "go/position.h"

/* Whether pass-alive areas of this position are computed as if suicide of several stones were
 * legal. */
bool score_suicide(const Position *position);
/* Computes the map of areas that the input features of nets show. With territory scoring it is
 * empty before the second encore. Under TAX_ALL this function counts the areas that are not in
 * seki, and returns White's number of areas minus Black's. Under other taxes, and before the second
 * encore of territory scoring, it returns 0. */
int score_feature_area(const Position *position, uint8_t area[POINT_COUNT]);
/* White's score minus Black's if the game ended now, komi and bonuses included. A button that
 * nobody has taken counts for the mover. `owner` is indexed by Point and gets the color that each
 * point counts for, or COLOR_EMPTY for neutral points; it may be NULL. Stones in the opponent's
 * pass-alive territory count as dead, and all other stones count as alive. A stone in seki that was
 * placed in the second encore counts for nobody. */
float score_position(const Position *position, uint8_t owner[POINT_COUNT]);

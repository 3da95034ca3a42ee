/* value_ahead.h - the value targets of a turn that come from the rest of the game. They are
 * exponentially weighted means of the values that the turn's own search and the later searches
 * found, and of the result of the game (KataGo, cpp/dataio/trainingwrite.cpp and
 * docs/KataGoMethods.md). A value has four parts for White: win, loss, no result, score.
 * Begin with value_ahead_result(), then call value_ahead_add() for each turn, the last turn first.
 * Threading: free functions. */
#pragma once
#include "data/game_record.h"

enum { VALUE_PARTS = 4, VALUE_HORIZONS = 4 };
/* HORIZON_NONE takes the value of a single search instead of a mean. This is the search at the turn
 * itself or, if the turn had no search, the next search. If no search follows, it takes the result
 * of the game. */
enum { HORIZON_LONG, HORIZON_MIDDLE, HORIZON_SHORT, HORIZON_NONE };

/* Clamps a score to the range that the score bins of a 19x19 row cover. */
double value_ahead_score(double score);
/* Writes the result of the game as a value. A draw is divided into a win and a loss, by what a draw
 * is worth to White in this game. */
void value_ahead_result(const GameRecord *record, double out[VALUE_PARTS]);
/* Returns the weight of a turn's own search in its mean:
 *     1 / (1 + k area)
 * where k is a constant of the horizon. The mean of the next turn has the rest of the weight. */
double value_ahead_rate(int horizon, int area);
/* Goes one turn back: moves the mean towards the value that the turn's search found. `rate` is the
 * fraction of the distance by which it moves. A turn without search changes nothing. */
void value_ahead_add(const TurnRecord *turn, double rate, double mean[VALUE_PARTS]);

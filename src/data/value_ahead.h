/* value_ahead.h - the value targets that the rest of a game gives to a turn: exponentially weighted
 * means of later searches, which end in the result of the game (KataGo,
 * cpp/dataio/trainingwrite.cpp and docs/KataGoMethods.md). A value has four parts for White: win,
 * loss, no result, score.
 * Use: begin with value_ahead_result(), then value_ahead_add() for each turn, last turn first.
 * Threading: free functions. */
#pragma once
#include "data/game_record.h"

enum { VALUE_PARTS = 4, VALUE_HORIZONS = 4 };
/* HORIZON_NONE: the mean is the turn's own search alone. */
enum { HORIZON_LONG, HORIZON_MIDDLE, HORIZON_SHORT, HORIZON_NONE };

/* Clamps a score to what rows have room for. */
double value_ahead_score(double score);
/* The result of the game. A draw is divided by what it is worth to White. */
void value_ahead_result(const GameRecord *record, double out[VALUE_PARTS]);
/* The weight of one search in the mean, with k the constant of the horizon:
 *     1 / (1 + k area) */
double value_ahead_rate(int horizon, int area);
/* Goes one turn back: moves the mean by `rate` towards the turn's search. A turn without search
 * changes nothing. */
void value_ahead_add(const TurnRecord *turn, double rate, double mean[VALUE_PARTS]);

/* value_ahead.h - what the rest of a game made of a turn's value: running means of later searches'
 * answers that begin with the result (KataGo, cpp/dataio/trainingwrite.cpp and
 * docs/KataGoMethods.md). Four numbers for White: win, loss, no result, score. Threading: free
 * functions. */
#pragma once
#include "data/game_record.h"

enum { VALUE_PARTS = 4, VALUE_HORIZONS = 4 };
enum { HORIZON_LONG, HORIZON_MIDDLE, HORIZON_SHORT, HORIZON_NONE }; /* none: one search alone */

/* Within what rows have room for. */
double value_ahead_score(double score);
/* The result, draws shared out by what one is worth to White. */
void value_ahead_result(const GameRecord *record, double out[VALUE_PARTS]);
/* The weight of one search in the mean: 1 / (1 + k area). */
double value_ahead_rate(int horizon, int area);
/* One turn back: moves the mean by `rate` towards the turn's search; a turn without one changes
 * nothing. */
void value_ahead_add(const TurnRecord *turn, double rate, double mean[VALUE_PARTS]);

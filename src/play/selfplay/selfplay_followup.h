/* selfplay_followup.h - the searches of a self-play game after its end. They search side positions,
 * that is, positions after moves that the game did not play, and find the leads of some turns.
 * Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Draws whether the game gets a side position at this turn and, if so, which: the position after a
 * move other than `played`. Call it when the turn was searched, before `played` is played. */
MUST_USE Status selfplay_followup_side(SelfplayGame *game, const Report *report, Point played,
                                       Error *err);
/* Begins the next search after the game. `report` is what the last search for STAGE_SIDE or
 * STAGE_LEAD found, or NULL if the game has just ended. Sets `*over` to true if no search is
 * left. */
MUST_USE Status selfplay_followup_next(SelfplayGame *game, const Report *report, bool *over,
                                       Error *err);
void selfplay_followup_clear(SelfplayGame *game);

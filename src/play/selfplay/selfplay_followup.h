/* selfplay_followup.h - the searches of a self-play game after its end: of side positions, which
 * were noted during the game, and for the leads of turns. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* To be called when a turn was searched and before `played` is played: may note the position
 * after another move as a side position. */
MUST_USE Status selfplay_followup_side(SelfplayGame *game, const Report *report, Point played,
                                       Error *err);
/* Begins the next search after the game. `report`: what the last search for STAGE_SIDE or
 * STAGE_LEAD found; NULL if the game has just ended. *over: there is no other search. */
MUST_USE Status selfplay_followup_next(SelfplayGame *game, const Report *report, bool *over,
                                       Error *err);
void selfplay_followup_clear(SelfplayGame *game);

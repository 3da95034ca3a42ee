/* selfplay_followup.h - the searches that a self-play game has after its end: of positions beside it
 * that are noted during the game, and for the leads of turns. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* A turn was searched and will be `played`: perhaps another move of it is looked at later. */
MUST_USE Status selfplay_followup_side(SelfplayGame *game, const Report *report, Point played,
                                       Error *err);
/* Begins the next search after the game. `report` is NULL when the game has just ended, else it is
 * what the last search for STAGE_SIDE or STAGE_LEAD found. *over: there is no other search. */
MUST_USE Status selfplay_followup_next(SelfplayGame *game, const Report *report, bool *over,
                                       Error *err);
void selfplay_followup_clear(SelfplayGame *game);

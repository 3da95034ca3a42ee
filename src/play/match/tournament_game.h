/* tournament_game.h - one game of a tournament: its opening, turns and end. Threading: a worker is
 * confined. */
#pragma once
#include "play/match/tournament_state.h"

/* The side that is to move. */
int tournament_side(const Slot *slot);
/* Begins a game; the opening is the same for both games of a pair. */
MUST_USE Status tournament_begin(TournamentWorker *worker, Slot *slot, const GamePlace *place,
                                 Error *err);
/* One step of a game that has to choose: an engine begins its search, the others move at once. */
MUST_USE Status tournament_advance(TournamentWorker *worker, Slot *slot, Error *err);

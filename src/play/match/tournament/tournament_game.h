/* tournament_game.h - one game of a tournament: its opening, moves and end. Threading: a worker is
 * confined. */
#pragma once
#include "play/match/tournament/tournament_state.h"

/* Returns the side to move: 0 is the pairing's first player, 1 its second. */
int tournament_side(const ActiveGame *game);
/* Begins the scheduled game in `*game`. Games 2k and 2k + 1 of a pairing have the same opening.
 * Fails if a program cannot be started or refuses the board. */
MUST_USE Status tournament_begin(TournamentWorker *worker, ActiveGame *game,
                                 const ScheduledGame *scheduled, Error *err);
/* Moves a game on if possible. If an engine is to move, begins its search or, when that is done,
 * plays its move. Other players move immediately. A game that ends is saved and counted, and its
 * number becomes -1. */
MUST_USE Status tournament_advance(TournamentWorker *worker, ActiveGame *game, Error *err);

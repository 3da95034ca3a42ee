/* seki_fork.h - seki forks. An earlier game has ended with neutral points, as after a seki; a seki
 * fork plays the end of that game again. Its scoring, tax and button rules are drawn anew, so that
 * nets learn what sekis count under each rule (KataGo, cpp/program/play.cpp, maybeSekiForkGame).
 * Threading: confined. */
#pragma once
#include "play/setup/exploit.h"
#include "play/setup/game_setup.h"

enum { SEKI_FORKS_KEPT = 1000, SEKI_FORKS_PER_GAME = 2 };

/* Returns after how many of a game's `moves` the new game begins:
 *     floor(moves * (1 - 0.1 e) - 1),   at least 0
 * where the caller draws `e` from the exponential distribution with mean 1. */
int seki_fork_moves(int moves, double e);
/* If the finished game was scored and has a neutral point, adds positions near its end to the
 * archive. `end` is its last position. Games that were cut off or began in the second encore phase
 * add none. */
MUST_USE Status seki_fork_keep(const GameRecord *record, const Position *end,
                               const GameChoices *choices, ExploitArchive *archive, Rng *rng,
                               Error *err);

/* seki_fork.h - games that play the end of other games again: of those with points that are
 * nobody's, under rules whose scoring, tax and button are drawn anew, so that nets see sekis and
 * what they count by each rule (KataGo, cpp/program/play.cpp: maybeSekiForkGame). Threading:
 * confined. */
#pragma once
#include "play/setup/exploit.h"
#include "play/setup/game_setup.h"

enum { SEKI_FORKS_KEPT = 1000, SEKI_FORKS_PER_GAME = 2 };

/* After how many of a game's moves another begins: floor(moves (1 - 0.1 e) - 1), 0 at least; `e`:
 * exponential with mean 1. */
int seki_fork_moves(int moves, double e);
/* A finished game, `end` its last position: if it was scored and some point is nobody's, positions
 * near its end go into the archive. */
MUST_USE Status seki_fork_keep(const GameRecord *record, const Position *end,
                               const GameChoices *choices, ExploitArchive *archive, Rng *rng,
                               Error *err);

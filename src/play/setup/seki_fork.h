/* seki_fork.h - games that play the end of earlier games again: of games with neutral points,
 * under rules whose scoring, tax and button are drawn anew. So nets see sekis and what they
 * count under each rule (KataGo, cpp/program/play.cpp: maybeSekiForkGame). Threading: confined. */
#pragma once
#include "play/setup/exploit.h"
#include "play/setup/game_setup.h"

enum { SEKI_FORKS_KEPT = 1000, SEKI_FORKS_PER_GAME = 2 };

/* After how many of a game's moves another game begins: floor(moves (1 - 0.1 e) - 1), at least
 * 0; `e` is drawn from the exponential distribution with mean 1. */
int seki_fork_moves(int moves, double e);
/* If the finished game was scored and has a neutral point, adds positions near its end to the
 * archive. `end`: its last position. */
MUST_USE Status seki_fork_keep(const GameRecord *record, const Position *end,
                               const GameChoices *choices, ExploitArchive *archive, Rng *rng,
                               Error *err);

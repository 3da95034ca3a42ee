/* tournament_count.h - what the games of a tournament come to: the sequential test while they are
 * played, the sums in the end. Threading: as each function says. */
#pragma once
#include "play/match/tournament_state.h"

/* Keeps what a game came to, and adds it to the standing. The lock is held, or nobody plays yet. */
void tournament_keep(Tournament *tournament, int pairing, int number, const GameResult *result);
/* Keeps what a game that was played came to, asks the test, and tells the standing. */
void tournament_count(Tournament *tournament, const Slot *slot, const GameResult *result);
/* A hash of the moves of a game: of those before `move`, at first 0, and this one. */
uint64_t tournament_course(uint64_t course, Move move);
/* The sums of a pairing's games, those before the test has decided. ERR_MEMORY. */
MUST_USE Status tournament_add_up(const Tournament *tournament, int pairing, MatchResult *out,
                                  Error *err);
/* Looks at the pairs of games that are finished in the order of their numbers. The lock is held, or
 * nobody plays yet. */
void tournament_test(Tournament *tournament);

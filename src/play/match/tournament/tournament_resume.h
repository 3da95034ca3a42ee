/* tournament_resume.h - reads the finished games in the folder of a tournament, and checks that
 * they were played under the same conditions. Threading: free functions. */
#pragma once
#include "play/match/tournament/tournament_state.h"

typedef struct {
    char text[64];
    size_t settings_length; /* length of the text before " seed" */
} Conditions;
/* Returns the text "conditions HASH seed SEED", which is written to the comment of each game. The
 * hash covers the players' settings, the rules, the number of opening moves, the move limit, the
 * settings of resigning, and whether each pairing has its own openings. */
Conditions tournament_conditions(const TournamentSetup *setup, int black, int white);
/* Reads the finished games of the folder. Games whose files cannot be read are played again.
 * ERR_ARGUMENT: a game was played under other conditions. */
MUST_USE Status tournament_resume(Tournament *tournament, Error *err);
/* Writes the path of a game. It is OUT/HASH-00042.sgf, with a hash of the names of the two players,
 * or OUT/game-00042.sgf in a match. */
MUST_USE Status tournament_path(const Tournament *tournament, int pairing, int number, Path *out,
                                Error *err);

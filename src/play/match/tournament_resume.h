/* tournament_resume.h - the games of a tournament that its folder holds, and whether they were played
 * as now. Threading: free functions. */
#pragma once
#include "play/match/tournament_state.h"

typedef struct {
    char text[64];
    size_t settings_length; /* of what comes before " seed" */
} Conditions;
/* By what two players play: "conditions", a hash of their settings, the rules, the moves of the
 * opening, the limit of moves, when they resign and whose the openings are, and " seed 1". It
 * stands in the games' comments. */
Conditions tournament_conditions(const TournamentSetup *setup, int black, int white);
/* Reads the finished games of the folder. ERR_ARGUMENT: those there were played by other
 * conditions. */
MUST_USE Status tournament_resume(Tournament *tournament, Error *err);
/* OUT/HASH-00042.sgf, the hash of the two names; of a match OUT/game-00042.sgf. */
MUST_USE Status tournament_path(const Tournament *tournament, int pairing, int number, Path *out,
                                Error *err);

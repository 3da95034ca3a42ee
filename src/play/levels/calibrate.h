/* calibrate.h - measures how strong a net is at each strength of level_set(), by games. Nine
 * strengths play each other; random play and, if there is one, the anchor join them. One fit to all
 * games (play/match/elo.h) rates them. Then the ratings are made to rise with the strength, by the
 * pool-adjacent-violators algorithm (Ayer and others 1955).
 * Threading: confined (threads inside). */
#pragma once
#include "play/levels/level_scale.h"
#include "play/match/tournament/tournament_setup.h"

typedef struct {
    const char *net;          /* its file */
    const PlayerSpec *anchor; /* GNU Go (play/match/gnu_go.h), which gets the Elo 0; NULL: there is
                                 no anchor, and random play gets the Elo 0 */
    int games;                /* of each pair of strengths */
    /* Board, rules, opening, threads, seed, folder and on_game. If the folder has games of an
     * earlier call with the same setup, they are not played again. */
    TournamentSetup tournament;
} CalibrateSetup;

/* Returns the number of games of a calibration. on_game reports how many of all these games are
 * done. */
int calibrate_games(const CalibrateSetup *setup);
/* Plays the games and sets `*out`, except for net_hash. ERR_UNSUPPORTED: the anchor failed, or it
 * refused moves that the rules allow. The other errors are those of tournament_run(). */
MUST_USE Status calibrate(const CalibrateSetup *setup, LevelScale *out, Error *err);

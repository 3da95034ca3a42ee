/* selfplay_branches.h - the positions of a self-play game at which later games begin. During the
 * game selfplay_branches_keep() is called after each turn, and after the game the other
 * functions. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"
#include "play/setup/exploit.h"

/* To be called after the turn was played in the game's position and before it is played in the
 * search: perhaps keeps the position for the archive. */
MUST_USE Status selfplay_branches_keep(SelfplayGame *game, const Report *report, Error *err);
void selfplay_branches_clear(SelfplayGame *game);

/* Draws a position at which another game begins, with the probabilities of the settings. Returns
 * false if there is none. `*out` is {0} or initialised. */
bool selfplay_branches_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin);
/* After the game: if it ended with neutral points, adds positions near its end to the archive
 * (seki_fork.h). */
MUST_USE Status selfplay_branches_keep_seki(SelfplayGame *game, ExploitArchive *archive,
                                            Error *err);
/* After the game: adds its positions to the archive of Go-Exploit. */
MUST_USE Status selfplay_branches_archive(SelfplayGame *game, ExploitArchive *archive, Error *err);

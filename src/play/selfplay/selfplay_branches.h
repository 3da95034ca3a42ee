/* selfplay_branches.h - the positions of a self-play game at which later games begin. Call
 * selfplay_branches_keep() after each turn, and the other functions after the game.
 * Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"
#include "play/setup/exploit.h"

/* Draws whether to keep a position for the archive of Go-Exploit (exploit.h). This is the position
 * of the game after the turn or, depending on exploit.kind, one of the search's tree. Call this
 * function after the move has been played in the game's position, and before it is played in the
 * search. */
MUST_USE Status selfplay_branches_keep(SelfplayGame *game, const Report *report, Error *err);
void selfplay_branches_clear(SelfplayGame *game);

/* After the game: decides whether another game branches off from it, and at which position. If the
 * game had a hint and did not play it, this is the position after the hint. Otherwise it is drawn
 * with the probabilities of the settings. Games that begin in an encore have no forks. Writes the
 * position to `*out`, which is {0} or initialised. Returns false if no game branches off. */
bool selfplay_branches_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin);
/* After the game: if it ended with neutral points, adds positions near its end to the archive
 * (seki_fork.h). A game that is itself a seki fork adds none. */
MUST_USE Status selfplay_branches_keep_seki(SelfplayGame *game, ExploitArchive *archive,
                                            Error *err);
/* After the game: adds the positions that were kept, or others (ExploitAddition), to the archive of
 * Go-Exploit. */
MUST_USE Status selfplay_branches_archive(SelfplayGame *game, ExploitArchive *archive, Error *err);

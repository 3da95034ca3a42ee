/* selfplay_branches.h - positions that a self-play game leaves for games that begin inside it. During
 * the game, selfplay_branches_keep() after each turn; after the game the others. Threading: confined.
 */
#pragma once
#include "play/selfplay/selfplay_state.h"
#include "play/setup/exploit.h"

/* The turn was played in the game's position, not yet in the search: perhaps the position is kept
 * for the archive. */
MUST_USE Status selfplay_branches_keep(SelfplayGame *game, const Report *report, Error *err);
void selfplay_branches_clear(SelfplayGame *game);

/* A position for another game to begin at, chosen after the game with the settings' probabilities;
 * false: none. `*out` is {0} or initialised. */
bool selfplay_branches_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin);
/* After the game: ends to be played again, with neutral points, go into the archive (seki_fork.h).
 */
MUST_USE Status selfplay_branches_keep_seki(SelfplayGame *game, ExploitArchive *archive,
                                            Error *err);
/* After the game: what it leaves goes into the archive of Go-Exploit. */
MUST_USE Status selfplay_branches_archive(SelfplayGame *game, ExploitArchive *archive, Error *err);

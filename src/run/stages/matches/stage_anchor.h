/* stage_anchor.h - games of rated nets against the anchor, a player outside of the run such as GNU
 * Go. Through them the run's nets can be compared with a player that others know.
 * Threading: confined (threads inside). */
#pragma once
#include "play/match/player.h"
#include "run/stages/matches/net_match.h"

/* Finds the player that the setting run.anchor names. Sets `*exists` to false if there is no such
 * player: if the setting is "none", or if it is "auto" and GNU Go is not installed. The errors are
 * those of player_parse(). */
MUST_USE Status anchor_player(const char *setting, PlayerSpec *out, bool *exists, Error *err);
/* Lets net `number` play the anchor. `rating` is the setup of the net's rating games. Does nothing
 * if the run has no anchor, or if this net has played the anchor already. Also does nothing if,
 * with these games, all games against the anchor would take more than the fraction run.anchor_share
 * of the run's working time. If the anchor cannot play or fails during a game, this is logged and
 * `*failed` is set. Later calls then do nothing. The errors are those of the index and of
 * anchor_player(), ERR_STOPPED and ERR_MEMORY. */
MUST_USE Status stage_anchor(const NetMatchSetup *rating, const RunClock *clock, int number,
                             bool *failed, Error *err);

/* sgf_players.h - the players and circumstances of a game, as far as its file tells, in the form in
 * which nets read them (eval/features/metadata.h). Threading: any thread. */
#pragma once
#include "eval/features/metadata.h"
#include "sgf/sgf_game.h"

/* Reads the ranks (BR, WR), the date (DT), the main time (TM), the overtime (OT) and the server.
 * Without a readable date it is 1970-01-01, as in KataGo. Ranks that are missing or cannot be read
 * are unknown. Both players count as people, and whether the game was rated is unknown. */
GameMetadata sgf_players_of(const SgfGame *game);

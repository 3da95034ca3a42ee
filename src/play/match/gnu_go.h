/* gnu_go.h - GNU Go as a player of matches, if it is installed. Threading: free functions. */
#pragma once
#include "play/match/player.h"

/* Sets `*out` to GNU Go, level 10, with Chinese rules and the name "GNU Go level 10". Sets
 * `*exists` to false if it is not installed. The errors are those of player_parse(). */
MUST_USE Status gnu_go_player(PlayerSpec *out, bool *exists, Error *err);

/* game_limit.h - how long a game with a client may become. A position of a longer game would take
 * too long to reach: superko looks at all earlier boards. SGF has the same limit (sgf/sgf_game.h).
 * Threading: a constant. */
#pragma once

enum { GAME_MOVES_MAX = 20000 };

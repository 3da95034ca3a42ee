/* page_games.h - the requests of the page about its games against the engine.
 * Threading: confined. */
#pragma once
#include "serve/page/page_request.h"

extern const PageOp PAGE_GAME_OPS[]; /* ends with {0} */

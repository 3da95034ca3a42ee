/* ladder_memory.h - a cache of the ladders of a few thousand boards. The features of a position
 * need the ladders of the boards before it too, so the ladders of a board are needed several times.
 * Threading: confined. */
#pragma once
#include "go/ladder.h"

typedef struct LadderMemory LadderMemory; /* opaque, 0.6 MB */

MUST_USE Status ladder_memory_new(LadderMemory **out, Error *err); /* ERR_MEMORY */
void ladder_memory_free(LadderMemory *memory);                     /* NULL is fine */
/* Does the same as ladder_find(), and keeps the answer for the next time. If `memory` is NULL,
 * nothing is kept. */
void ladder_recall(LadderMemory *memory, const Board *board, LadderMap *out);

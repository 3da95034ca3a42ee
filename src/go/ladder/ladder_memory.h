/* ladder_memory.h - a cache of the ladders of up to 4096 boards. The features of a position also
 * need the ladders of the boards before it, so the ladders of a board are needed several times.
 * Threading: confined. */
#pragma once
#include "go/ladder/ladder.h"

typedef struct LadderMemory LadderMemory; /* opaque, 0.6 MB */

MUST_USE Status ladder_memory_new(LadderMemory **out, Error *err); /* ERR_MEMORY */
void ladder_memory_free(LadderMemory *memory);                     /* NULL is fine */
/* Does the same as ladder_find(). If the answer is in `memory`, it is taken from there. If not, it
 * is stored there for the next time. If `memory` is NULL, this function is just ladder_find(). */
void ladder_recall(LadderMemory *memory, const Board *board, LadderMap *out);

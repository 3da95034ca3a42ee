/* ladder_memory.h - the ladders of the last few thousand boards, kept because the features of the
 * next moves ask for them again. Threading: confined. */
#pragma once
#include "go/ladder.h"

typedef struct LadderMemory LadderMemory; /* opaque, 0.6 MB */

MUST_USE Status ladder_memory_new(LadderMemory **out, Error *err); /* ERR_MEMORY */
void ladder_memory_free(LadderMemory *memory);                     /* NULL is fine */
/* As ladder_find(). With `memory` NULL nothing is kept. */
void ladder_recall(LadderMemory *memory, const Board *board, LadderMap *out);

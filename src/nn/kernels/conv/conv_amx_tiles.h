/* conv_amx_tiles.h - how the kernels with AMX use a thread's eight tiles. The tiles 0 to 3 hold
 * sums: tile 2 * i + j is the product of tile 4 + i and tile 6 + j. Only for x86-64 with AMX; on
 * other processors the functions do nothing.
 * Threading: between amx_set_tiles() and amx_end(), a thread must not call other code that uses
 * AMX. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { AMX_ROW_BYTES = 64, AMX_UNIT_BYTES = 4 };

typedef struct {
    int rows[2]; /* of the tiles 4 and 5, and of the sums that they give */
    int depth;   /* rows of the tiles 6 and 7, and units of four bytes in a row of tiles 4 and 5 */
} AmxTiles;

void amx_set_tiles(const AmxTiles *tiles); /* sets the sizes of this thread's tiles */
void amx_end(void);                        /* gives the tiles back */

#if defined(__x86_64__)
#include <immintrin.h>

#define AMX_TARGET __attribute__((target("amx-tile,amx-int8,amx-bf16")))

/* gcc does not know which memory its intrinsics for AMX read. So it may move writes behind them. It
 * moves no write across this statement, neither those at `pointer` nor others. */
#define AMX_FINISH_WRITES(pointer) __asm__ volatile("" ::"r"(pointer) : "memory")
#endif

/* aligned_room.h - memory for the kernels that tests call. */
#pragma once
#include <stdlib.h>
#include <string.h>

/* Returns `floats` zeros, aligned to 64 bytes. The caller frees them by free(). Ends the program if
 * there is no memory. */
static inline float *room(size_t floats) {
    float *made = aligned_alloc(64, (floats * sizeof(float) + 63) / 64 * 64);
    if (!made) abort();
    memset(made, 0, floats * sizeof *made);
    return made;
}

/* memory.h - sizes that cannot overflow, allocation that reports failure, and arenas.
 * Threading: an Arena is confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>

/* count * size, or on overflow SIZE_MAX, which no allocation grants. */
size_t mem_array_bytes(size_t count, size_t size);

/* Allocates zeroed memory, freed with free(). `out_pointer` is the address of a pointer of any
 * type, which is NULL on failure. ERR_MEMORY: the message has the size. */
MUST_USE Status mem_new(size_t count, size_t size, void *out_pointer, Error *err);

/* Does the same as mem_new(), but aligns the memory to 64 bytes, as kernels want it. */
MUST_USE Status mem_new_aligned(size_t count, size_t size, void *out_pointer, Error *err);

/* Grows an array by doubling, to hold at least `wanted` elements of `size` bytes. `array_pointer`
 * is the address of the pointer to it, `*capacity` its number of elements. New elements are not
 * zeroed. On failure both are unchanged. */
MUST_USE Status mem_grow(void *array_pointer, size_t *capacity, size_t wanted, size_t size,
                         Error *err);

typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *block;  /* newest block; {0} is an empty arena */
    size_t bytes;       /* handed out so far */
    size_t limit_bytes; /* maximum of `bytes`; 0: no limit */
} Arena;

/* Allocates zeroed memory, aligned for any type, that lives until arena_clear(). NULL: there is no
 * more memory, or the limit is reached. */
void *arena_alloc(Arena *arena, size_t bytes);
/* Copies `length` characters and adds the final 0. NULL: as arena_alloc(). */
char *arena_copy(Arena *arena, const char *text, size_t length);
void arena_clear(Arena *arena);

/* memory.h - sizes that cannot overflow, allocation that reports, and arenas.
 * Threading: an Arena is confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>

/* count * size, or SIZE_MAX (which no allocation grants) on overflow. */
size_t mem_array_bytes(size_t count, size_t size);

/* Zeroed memory; ERR_MEMORY with the size in the message. `*out` is NULL on failure. Freed by
 * free(). */
MUST_USE Status mem_new(size_t count, size_t size, void *out_pointer, Error *err);

/* The same, on a 64-byte boundary, for kernels. Freed by free(). */
MUST_USE Status mem_new_aligned(size_t count, size_t size, void *out_pointer, Error *err);

/* Grows *array (of *capacity elements) to hold at least `wanted`; doubles. The array is unchanged
 * on failure. */
MUST_USE Status mem_grow(void *array_pointer, size_t *capacity, size_t wanted, size_t size,
                         Error *err);

typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *block;  /* newest block; {0} is an empty arena */
    size_t bytes;       /* handed out so far */
    size_t limit_bytes; /* 0: none; beyond it arena_alloc() returns NULL */
} Arena;

/* Zeroed, aligned for any type; NULL when memory or the limit is out. Lives until arena_clear(). */
void *arena_alloc(Arena *arena, size_t bytes);
char *arena_copy(Arena *arena, const char *text,
                 size_t length); /* adds the closing 0; NULL: no room */
void arena_clear(Arena *arena);

/* memory.h - sizes that cannot overflow, allocation that reports failure, and arenas.
 * Threading: an Arena is confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

/* Returns count * size, or SIZE_MAX on overflow. An allocation of SIZE_MAX bytes always fails. */
size_t mem_array_bytes(size_t count, size_t size);

/* Allocates zeroed memory, which the caller frees with free(). `out_pointer` is the address of a
 * pointer of any type; the pointer is NULL on failure. The message of ERR_MEMORY has the size. */
MUST_USE Status mem_new(size_t count, size_t size, void *out_pointer, Error *err);

/* Does the same as mem_new(), but aligns the memory to 64 bytes, as kernels want it. */
MUST_USE Status mem_new_aligned(size_t count, size_t size, void *out_pointer, Error *err);

/* Returns how many bytes of memory new work can have without swapping, as the system estimates it
 * (MemAvailable in /proc/meminfo), or INT64_MAX if the system does not say. */
int64_t mem_available(void);

/* Grows an array by doubling until it holds at least `wanted` elements of `size` bytes.
 * `array_pointer` is the address of the pointer to the array, and `*capacity` is the number of
 * elements that it has room for. New elements are not zeroed. On failure the array and `*capacity`
 * are unchanged. */
MUST_USE Status mem_grow(void *array_pointer, size_t *capacity, size_t wanted, size_t size,
                         Error *err);

typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *block;  /* the newest block */
    size_t bytes;       /* allocated from the arena since it was empty */
    size_t limit_bytes; /* maximum of `bytes`; 0 means no limit */
} Arena;                /* {0} is an empty arena */

/* Allocates zeroed memory, aligned for any type, that lives until arena_clear(). Returns NULL if
 * memory runs out or the limit would be exceeded. */
void *arena_alloc(Arena *arena, size_t bytes);
/* Copies `length` characters and adds a final 0. Returns NULL in the same cases. */
char *arena_copy(Arena *arena, const char *text, size_t length);
void arena_clear(Arena *arena);

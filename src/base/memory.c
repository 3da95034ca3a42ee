#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t mem_array_bytes(size_t count, size_t size) {
    return size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

/* Stores `memory` in a pointer of any type. Fails if `memory` is NULL. */
static Status store_pointer(void *memory, size_t bytes, void *out_pointer, Error *err) {
    memcpy(out_pointer, &memory, sizeof memory);
    return memory ? OK : fail(err, ERR_MEMORY, "no memory for %zu bytes", bytes);
}

Status mem_new(size_t count, size_t size, void *out_pointer, Error *err) {
    size_t bytes = mem_array_bytes(count, size);
    return store_pointer(bytes > PTRDIFF_MAX ? NULL : calloc(1, bytes ? bytes : 1), bytes,
                         out_pointer, err);
}

Status mem_new_aligned(size_t count, size_t size, void *out_pointer, Error *err) {
    size_t bytes = mem_array_bytes(count, size);
    void *memory = NULL;
    if (bytes < PTRDIFF_MAX) memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (memory) memset(memory, 0, bytes);
    return store_pointer(memory, bytes, out_pointer, err);
}

int64_t mem_available(void) {
    char line[256];
    int64_t kib = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kib < 0 && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %" SCNd64, &kib) != 1) kib = -1;
    }
    if (file) fclose(file);
    return kib < 0 || kib > INT64_MAX / 1024 ? INT64_MAX : kib * 1024;
}

Status mem_grow(void *array_pointer, size_t *capacity, size_t wanted, size_t size, Error *err) {
    if (wanted <= *capacity) return OK;
    size_t grown = *capacity ? *capacity : 16;
    while (grown < wanted)
        grown = grown > SIZE_MAX / 2 ? wanted : 2 * grown;
    void *old, *memory;
    memcpy(&old, array_pointer, sizeof old);
    size_t bytes = mem_array_bytes(grown, size);
    memory = bytes > PTRDIFF_MAX ? NULL : realloc(old, bytes);
    if (!memory) return fail(err, ERR_MEMORY, "no memory for %zu bytes", bytes);
    memcpy(array_pointer, &memory, sizeof memory);
    *capacity = grown;
    return OK;
}

struct ArenaBlock {
    ArenaBlock *older;
    size_t used, size;
    max_align_t bytes[];
};

void *arena_alloc(Arena *arena, size_t bytes) {
    if (bytes > PTRDIFF_MAX / 2) return NULL;
    size_t rounded = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (arena->limit_bytes &&
        (rounded > arena->limit_bytes || arena->bytes > arena->limit_bytes - rounded))
        return NULL;
    ArenaBlock *block = arena->block;
    if (!block || block->size - block->used < rounded) {
        size_t size = rounded > 16384 ? rounded : 16384;
        block = calloc(1, sizeof *block + size);
        if (!block) return NULL;
        block->size = size;
        block->older = arena->block;
        arena->block = block;
    }
    void *memory = (char *)block->bytes + block->used;
    block->used += rounded;
    arena->bytes += rounded;
    return memory;
}

char *arena_copy(Arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1) : NULL;
    if (copy) memcpy(copy, text, length);
    return copy;
}

void arena_clear(Arena *arena) {
    while (arena->block) {
        ArenaBlock *older = arena->block->older;
        free(arena->block);
        arena->block = older;
    }
    arena->bytes = 0;
}

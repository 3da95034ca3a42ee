#include "data/shards/game_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"

/* The file consists of the magic, the origin (64 characters), GameIndex.length and the number of
 * games as 8 bytes each, the entries, and the SHA-256 of all this as 64 characters. */
static const char MAGIC[8] = {'A', 'J', 'I', 'S', 'G', 'F', '0', '1'};
enum { HASH_CHARACTERS = 64, HEAD_BYTES = 8 + HASH_CHARACTERS + 8 + 8 };
#define MAX_BYTES ((size_t)1 << 36)

bool game_index_is_validation(const uint64_t hash[2], double fraction) {
    uint64_t draw = hash_mix(hash[1] ^ 0x76616c6964617465u);
    return (double)(draw >> 11) < fraction * (double)((uint64_t)1 << 53);
}

Status game_index_add(GameIndex *index, const GameIndexEntry *entry, Error *err) {
    Status status =
        mem_grow(&index->entries, &index->capacity, index->count + 1, sizeof *entry, err);
    if (!status) index->entries[index->count++] = *entry;
    return status;
}

Status game_index_save(const GameIndex *index, const char *path, Error *err) {
    StrBuf text = {0};
    int64_t numbers[2] = {index->length, (int64_t)index->count};
    strbuf_add_bytes(&text, MAGIC, sizeof MAGIC);
    strbuf_add_bytes(&text, index->origin.text, HASH_CHARACTERS);
    strbuf_add_bytes(&text, numbers, sizeof numbers);
    if (index->count)
        strbuf_add_bytes(&text, index->entries, index->count * sizeof *index->entries);
    Status status = strbuf_status(&text, err);
    if (!status) {
        strbuf_add(&text, hash_sha256(text.text, text.length).text);
        status = strbuf_status(&text, err);
    }
    if (!status) status = file_write(path, text.text, text.length, err);
    strbuf_clear(&text);
    return status;
}

/* Takes the list from the bytes of its file. */
static Status parse(const char *path, const char *text, size_t length, GameIndex *out, Error *err) {
    int64_t numbers[2];
    size_t body = length - HASH_CHARACTERS;
    bool good = length >= HEAD_BYTES + HASH_CHARACTERS && memcmp(text, MAGIC, sizeof MAGIC) == 0 &&
                memcmp(text + body, hash_sha256(text, body).text, HASH_CHARACTERS) == 0;
    if (!good) return fail(err, ERR_SYNTAX, "%s is damaged or is no list of games", path);
    memcpy(out->origin.text, text + sizeof MAGIC, HASH_CHARACTERS);
    memcpy(numbers, text + sizeof MAGIC + HASH_CHARACTERS, sizeof numbers);
    out->length = (int32_t)numbers[0];
    out->count = out->capacity = (size_t)numbers[1];
    size_t bytes = mem_array_bytes(out->count, sizeof *out->entries);
    if (bytes != body - HEAD_BYTES)
        return fail(err, ERR_SYNTAX, "%s has a wrong number of games", path);
    Status status = mem_new(out->count + 1, sizeof *out->entries, &out->entries, err);
    if (!status) memcpy(out->entries, text + HEAD_BYTES, bytes);
    return status;
}

Status game_index_load(const char *path, GameIndex *out, Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    *out = (GameIndex){0};
    Status status = file_read(path, MAX_BYTES, &arena, &text, &length, err);
    if (!status) status = parse(path, text, length, out, err);
    arena_clear(&arena);
    if (status) game_index_clear(out);
    return status;
}

static int by_hash(const void *a, const void *b) {
    const GameIndexEntry *x = a, *y = b;
    if (x->hash[0] != y->hash[0]) return x->hash[0] < y->hash[0] ? -1 : 1;
    return x->hash[1] < y->hash[1] ? -1 : x->hash[1] > y->hash[1];
}

void game_index_shuffle(GameIndex *index, uint64_t seed) {
    uint64_t key = hash_mix(seed);
    for (size_t i = 0; i < index->count; i++)
        index->entries[i].hash[0] = hash_mix(index->entries[i].hash[0] ^ key);
    if (index->count) qsort(index->entries, index->count, sizeof *index->entries, by_hash);
}

void game_index_clear(GameIndex *index) {
    free(index->entries);
    *index = (GameIndex){0};
}

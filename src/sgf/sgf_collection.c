#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sgf/sgf_charset.h"
#include "sgf/sgf_game.h"
#include "sgf/sgf_read.h"

#define MAX_GAME_BYTES ((size_t)32 << 20) /* of a file from which only the first game is read */
#define MAX_COLLECTION_BYTES ((size_t)1 << 30)

static Status parse_first(const char *text, size_t length, const char *name, int line,
                          const SgfOptions *options, SgfGame *out, Error *err) {
    StrBuf decoded = {0};
    bool none = false;
    *out = (SgfGame){0};
    SgfSource source = {.name = name, .line = line};
    Status status = sgf_charset_text(text, length, &decoded, &source.text, &source.length, err);
    if (!status) status = sgf_read_next(&source, options, out, &none, err);
    if (!status && !none && memchr(source.text + source.at, '(', source.length - source.at))
        out->partial = true;
    if (none) status = fail(err, ERR_SYNTAX, "%s:%d: no game: \"(;\" was not found", name, line);
    strbuf_clear(&decoded);
    return status;
}

Status sgf_game_parse(const char *text, size_t length, const SgfOptions *options, SgfGame *out,
                      Error *err) {
    return parse_first(text, length, "sgf", 1, options, out, err);
}

Status sgf_game_load(const char *path, const SgfOptions *options, SgfGame *out, Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    *out = (SgfGame){0};
    Status status = file_read(path, MAX_GAME_BYTES, &arena, &text, &length, err);
    if (!status) status = parse_first(text, length, path, 1, options, out, err);
    arena_clear(&arena);
    return status;
}

struct SgfCollection {
    Arena arena;
    Arena bytes; /* the file, unless `decoded` has its text */
    SgfOptions options;
    Rules rules;
    const char *path;
    bool lines;     /* whether the file is an .sgfs: each line is a game with its own charset */
    StrBuf decoded; /* the whole text of an .sgf in UTF-8, if its bytes had to be converted */
    SgfSource source;
    int count;
};

/* Returns the next line that is not blank, or NULL if there is none. */
static const char *next_line(SgfSource *source, size_t *length, int *line) {
    while (source->at < source->length) {
        const char *begin = source->text + source->at,
                   *end = memchr(begin, '\n', source->length - source->at);
        *length = end ? (size_t)(end - begin) : source->length - source->at;
        *line = source->line++;
        source->at += *length + (end != NULL);
        for (size_t i = 0; i < *length; i++) {
            if (!strchr(" \t\r", begin[i])) return begin;
        }
    }
    return NULL;
}

/* Counts the games that sgf_collection_next() will read, in the same way. Games that cannot be
 * parsed count too. */
static int count_games(const SgfCollection *collection) {
    SgfSource source = collection->source;
    int count = 0, line;
    size_t length;
    if (collection->lines) {
        while (next_line(&source, &length, &line))
            count++;
        return count;
    }
    for (;;) {
        SgfTree tree;
        bool failed = sgf_parse_next(&source, &tree, NULL) != OK,
             none = !failed && !tree.game_count;
        sgf_tree_clear(&tree);
        if (none) return count;
        count++;
    }
}

/* Sets up the collection for the bytes `text`, which are in collection->bytes or belong to the
 * caller. */
static Status take(SgfCollection *collection, const char *path, const char *text, size_t length,
                   const SgfOptions *options, Error *err) {
    Status status = OK;
    collection->path = arena_copy(&collection->arena, path, strlen(path));
    if (!collection->path) return fail(err, ERR_MEMORY, "no memory to read %s", path);
    if (options) collection->options = *options;
    if (collection->options.rules) {
        /* The rules are copied, because the rules of the caller may not live long enough. */
        collection->rules = *collection->options.rules;
        collection->options.rules = &collection->rules;
    }
    collection->lines = path_has_ending(path, ".sgfs");
    collection->source =
        (SgfSource){.name = collection->path, .text = text, .length = length, .line = 1};
    if (!collection->lines) {
        SgfSource *source = &collection->source;
        status = sgf_charset_text(text, length, &collection->decoded, &source->text,
                                  &source->length, err);
        if (status) return status;
        if (source->text != text) arena_clear(&collection->bytes);
    }
    collection->count = count_games(collection);
    return collection->count ? OK : fail(err, ERR_SYNTAX, "%s: no game in this file", path);
}

static Status open_text(const char *path, const char *text, size_t length,
                        const SgfOptions *options, SgfCollection **out, Error *err) {
    SgfCollection *collection;
    *out = NULL;
    Status status = mem_new(1, sizeof *collection, &collection, err);
    if (status) return status;
    if (!text) {
        char *read;
        status = file_read(path, MAX_COLLECTION_BYTES, &collection->bytes, &read, &length, err);
        text = read;
    }
    if (!status) status = take(collection, path, text, length, options, err);
    if (status)
        sgf_collection_close(collection);
    else
        *out = collection;
    return status;
}

Status sgf_collection_open(const char *path, const SgfOptions *options, SgfCollection **out,
                           Error *err) {
    return open_text(path, NULL, 0, options, out, err);
}

Status sgf_collection_open_text(const char *name, const char *text, size_t length,
                                const SgfOptions *options, SgfCollection **out, Error *err) {
    return open_text(name, text, length, options, out, err);
}

Status sgf_collection_next(SgfCollection *collection, SgfGame *out, bool *done, Error *err) {
    *done = false;
    if (!collection->lines)
        return sgf_read_next(&collection->source, &collection->options, out, done, err);
    size_t length;
    int line;
    *out = (SgfGame){0};
    const char *begin = next_line(&collection->source, &length, &line);
    *done = !begin;
    return begin
               ? parse_first(begin, length, collection->path, line, &collection->options, out, err)
               : OK;
}

int sgf_collection_count(const SgfCollection *collection) {
    return collection->count;
}

void sgf_collection_close(SgfCollection *collection) {
    if (!collection) return;
    strbuf_clear(&collection->decoded);
    arena_clear(&collection->bytes);
    arena_clear(&collection->arena);
    free(collection);
}

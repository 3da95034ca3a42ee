#include "cli/settings/translate_json.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"

enum { ENTRIES_MAX = 2000, DEPTH_MAX = 8, KEY_MAX = 256, VALUE_MAX = 256 };

typedef struct {
    const char *name, *text; /* of the file */
    Arena *arena;
    YamlEntry *entries;
    int count;
} Reader;

/* The line on which the first member of this name stands. jansson does not tell the lines. */
static int line_of(const Reader *reader, const char *key) {
    char quoted[KEY_MAX + 2];
    int line = 1;
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *found = reader->text;
    while ((found = strstr(found, quoted)) != NULL) {
        const char *after = found + strlen(quoted);
        if (after[strspn(after, " \t\r\n")] == ':') break; /* else it is a value */
        found = after;
    }
    for (const char *at = reader->text; found && at < found; at++)
        line += *at == '\n';
    return line;
}

/* Writes a scalar, or a list of scalars with ":" between them. */
static bool write_value(const json_t *value, bool may_be_list, StrBuf *out) {
    if (json_is_string(value)) {
        strbuf_add(out, json_string_value(value));
    } else if (json_is_number(value)) {
        strbuf_addf(out, "%.17g", json_number_value(value));
    } else if (json_is_boolean(value)) {
        strbuf_add(out, json_is_true(value) ? "true" : "false");
    } else if (json_is_array(value) && may_be_list) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i) strbuf_add(out, ":");
            if (!write_value(json_array_get(value, i), false, out)) return false;
        }
    } else {
        return false;
    }
    return true;
}

static Status keep_value(const Reader *reader, const char *key, const json_t *value,
                         const char **out, Error *err) {
    StrBuf text = {0};
    bool is_good = write_value(value, true, &text) && text.length < VALUE_MAX;
    Status status = strbuf_status(&text, err);
    if (!status && !is_good)
        status = fail(err, ERR_SYNTAX,
                      "%s:%d: %s is not a short text, a number, true or false, or a "
                      "list of these",
                      reader->name, line_of(reader, key), key);
    *out = status ? NULL : arena_copy(reader->arena, strbuf_text(&text), text.length);
    strbuf_clear(&text);
    return status || *out ? status : fail(err, ERR_MEMORY, "no memory for settings");
}

static Status add_entry(Reader *reader, const char *path, const char *key, const json_t *value,
                        Error *err) {
    YamlEntry *entry = &reader->entries[reader->count];
    bool is_list = json_is_array(value);
    int count = is_list ? (int)json_array_size(value) : 1;
    if (reader->count == ENTRIES_MAX)
        return fail(err, ERR_SYNTAX, "%s has more than %d settings", reader->name, ENTRIES_MAX);
    *entry = (YamlEntry){.key = arena_copy(reader->arena, path, strlen(path)),
                         .line = line_of(reader, key),
                         .values = arena_alloc(reader->arena, ((size_t)count + 1) * sizeof(char *)),
                         .count = count,
                         .is_list = is_list};
    if (!entry->key || !entry->values) return fail(err, ERR_MEMORY, "no memory for settings");
    Status status = OK;
    for (int i = 0; i < count && !status; i++)
        status = keep_value(reader, key, is_list ? json_array_get(value, (size_t)i) : value,
                            &entry->values[i], err);
    reader->count++;
    return status;
}

static Status add_members(Reader *reader, const char *prefix, json_t *object, int depth,
                          Error *err) {
    const char *key;
    json_t *value;
    Status status = OK;
    if (depth > DEPTH_MAX)
        return fail(err, ERR_SYNTAX, "%s: objects are more than %d deep", reader->name, DEPTH_MAX);
    json_object_foreach(object, key, value) {
        char path[KEY_MAX];
        if (snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", key) >= KEY_MAX)
            return fail(err, ERR_SYNTAX, "%s: a name is too long", reader->name);
        status = json_is_object(value) ? add_members(reader, path, value, depth + 1, err)
                                       : add_entry(reader, path, key, value, err);
        if (status) break;
    }
    return status;
}

Status translate_read_json(const char *text, size_t length, const char *name, Arena *arena,
                           YamlEntry **out, int *count, Error *err) {
    json_t *object;
    Reader reader = {.name = name, .text = text, .arena = arena};
    Status status = json_parse(text, length, &object, err);
    if (status) return fail_within(err, status, "%s", name);
    reader.entries = arena_alloc(arena, ENTRIES_MAX * sizeof *reader.entries);
    if (!reader.entries)
        status = fail(err, ERR_MEMORY, "no memory for settings");
    else if (!json_is_object(object))
        status = fail(err, ERR_SYNTAX, "%s is no JSON object", name);
    else
        status = add_members(&reader, "", object, 1, err);
    json_decref(object);
    *out = reader.entries;
    *count = reader.count;
    return status;
}

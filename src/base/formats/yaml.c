#include "base/formats/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH_MAX = 8, KEY_MAX = 512, ENTRIES_MAX = 2000 };

/* The parser with the event that was read last. */
typedef struct {
    yaml_parser_t parser;
    yaml_event_t event;
    const char *name; /* of the file */
    Arena *arena;
    YamlEntry *entries;
    size_t count, capacity;
    char key[KEY_MAX]; /* the keys that lead to the present value */
} Yaml;

static int line_of(const Yaml *yaml) {
    return (int)yaml->event.start_mark.line + 1;
}

static Status refuse(const Yaml *yaml, const char *what, Error *err) {
    return fail(err, ERR_SYNTAX, "%s:%d: %s", yaml->name, line_of(yaml), what);
}

/* Reads the next event. */
static Status next(Yaml *yaml, Error *err) {
    yaml_event_delete(&yaml->event);
    memset(&yaml->event, 0, sizeof yaml->event);
    if (!yaml_parser_parse(&yaml->parser, &yaml->event)) {
        const yaml_parser_t *parser = &yaml->parser;
        if (parser->error == YAML_MEMORY_ERROR)
            return fail(err, ERR_MEMORY, "no memory to read %s", yaml->name);
        return fail(err, ERR_SYNTAX, "%s:%d: this is not YAML: %s", yaml->name,
                    (int)parser->problem_mark.line + 1,
                    parser->problem ? parser->problem : "it cannot be read");
    }
    return yaml->event.type == YAML_ALIAS_EVENT ? refuse(yaml, "aliases are not read", err) : OK;
}

static const char *copy_scalar(Yaml *yaml) {
    return arena_copy(yaml->arena, (const char *)yaml->event.data.scalar.value,
                      yaml->event.data.scalar.length);
}

/* Adds a value to the newest entry. */
static Status add_value(Yaml *yaml, const char *value, Error *err) {
    YamlEntry *entry = &yaml->entries[yaml->count - 1];
    size_t wanted = (size_t)entry->count + 1;
    if ((wanted & (wanted - 1)) == 0 || entry->count == 0) { /* room for twice as many */
        const char **larger = arena_alloc(yaml->arena, mem_array_bytes(2 * wanted, sizeof *larger));
        if (!larger) return fail(err, ERR_MEMORY, "no memory to read %s", yaml->name);
        if (entry->count) memcpy(larger, entry->values, (size_t)entry->count * sizeof *larger);
        entry->values = larger;
    }
    if (!value) return fail(err, ERR_MEMORY, "no memory to read %s", yaml->name);
    entry->values[entry->count++] = value;
    return OK;
}

static Status add_entry(Yaml *yaml, int line, bool is_list, Error *err) {
    for (size_t i = 0; i < yaml->count; i++) {
        if (strcmp(yaml->entries[i].key, yaml->key) == 0)
            return fail(err, ERR_SYNTAX, "%s:%d: %s occurs a second time", yaml->name, line,
                        yaml->key);
    }
    if (yaml->count == ENTRIES_MAX) return refuse(yaml, "there are more than 2000 keys", err);
    Status status =
        mem_grow(&yaml->entries, &yaml->capacity, yaml->count + 1, sizeof *yaml->entries, err);
    if (status) return status;
    const char *key = arena_copy(yaml->arena, yaml->key, strlen(yaml->key));
    if (!key) return fail(err, ERR_MEMORY, "no memory to read %s", yaml->name);
    yaml->entries[yaml->count++] = (YamlEntry){.key = key, .line = line, .is_list = is_list};
    return OK;
}

static Status read_list(Yaml *yaml, Error *err) {
    for (;;) {
        Status status = next(yaml, err);
        if (status || yaml->event.type == YAML_SEQUENCE_END_EVENT) return status;
        if (yaml->event.type != YAML_SCALAR_EVENT)
            return refuse(yaml, "lists may have only numbers and texts", err);
        status = add_value(yaml, copy_scalar(yaml), err);
        if (status) return status;
    }
}

/* The event is a key. Appends this key to yaml->key, after the first `length` characters, which are
 * the outer keys. */
static Status add_key(Yaml *yaml, size_t length, Error *err) {
    const char *word = (const char *)yaml->event.data.scalar.value;
    size_t bytes = yaml->event.data.scalar.length;
    if (!bytes || memchr(word, 0, bytes) || length + bytes + 2 > KEY_MAX)
        return refuse(yaml, "a key is empty or too long", err);
    if (length) yaml->key[length++] = '.';
    memcpy(yaml->key + length, word, bytes);
    yaml->key[length + bytes] = 0;
    return OK;
}

/* Reads the keys and values of a mapping whose first event has been read. */
static Status read_mapping(Yaml *yaml, int depth, Error *err) {
    size_t length = strlen(yaml->key);
    if (depth > DEPTH_MAX) return refuse(yaml, "mappings are too deep", err);
    for (;;) {
        yaml->key[length] = 0;
        Status status = next(yaml, err);
        if (status || yaml->event.type == YAML_MAPPING_END_EVENT) return status;
        if (yaml->event.type != YAML_SCALAR_EVENT) return refuse(yaml, "a key is no text", err);
        int line = line_of(yaml);
        status = add_key(yaml, length, err);
        if (!status) status = next(yaml, err);
        if (status) return status;
        if (yaml->event.type == YAML_MAPPING_START_EVENT) {
            status = read_mapping(yaml, depth + 1, err);
        } else if (yaml->event.type == YAML_SEQUENCE_START_EVENT) {
            status = add_entry(yaml, line, true, err);
            if (!status) status = read_list(yaml, err);
        } else {
            status = add_entry(yaml, line, false, err);
            if (!status) status = add_value(yaml, copy_scalar(yaml), err);
        }
        if (status) return status;
    }
}

static Status read_document(Yaml *yaml, Error *err) {
    Status status = next(yaml, err);
    while (!status && (yaml->event.type == YAML_STREAM_START_EVENT ||
                       yaml->event.type == YAML_DOCUMENT_START_EVENT))
        status = next(yaml, err);
    if (status) return status;
    if (yaml->event.type != YAML_MAPPING_START_EVENT)
        return refuse(yaml, "this is no list of keys with values", err);
    status = read_mapping(yaml, 1, err);
    if (!status) status = next(yaml, err);
    if (!status) status = next(yaml, err);
    return status || yaml->event.type == YAML_STREAM_END_EVENT
               ? status
               : refuse(yaml, "a second document begins", err);
}

Status yaml_parse(const char *text, size_t length, const char *name, Arena *arena, YamlEntry **out,
                  int *count, Error *err) {
    Yaml yaml = {.name = name, .arena = arena};
    if (!yaml_parser_initialize(&yaml.parser))
        return fail(err, ERR_MEMORY, "no memory to read %s", name);
    yaml_parser_set_input_string(&yaml.parser, (const unsigned char *)text, length);
    Status status = read_document(&yaml, err);
    yaml_event_delete(&yaml.event);
    yaml_parser_delete(&yaml.parser);
    if (!status) {
        size_t bytes = mem_array_bytes(yaml.count + 1, sizeof *yaml.entries);
        *out = arena_alloc(arena, bytes);
        *count = (int)yaml.count;
        if (*out && yaml.count) memcpy(*out, yaml.entries, yaml.count * sizeof *yaml.entries);
        if (!*out) status = fail(err, ERR_MEMORY, "no memory to read %s", name);
    }
    free(yaml.entries);
    return status;
}

const char *yaml_version(void) {
    return yaml_get_version_string();
}

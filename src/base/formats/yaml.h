/* yaml.h - the scalars of a YAML file, read by libyaml. Only yaml.c includes libyaml. A file is
 * read as a list of entries in the order of the file. An entry is a scalar, or a list of scalars,
 * with the keys that lead to it, joined by dots. Threading: free functions. */
#pragma once
#include "base/memory.h"

typedef struct {
    const char *key;     /* such as "training.lr_values" */
    int line;            /* of the key, counted from 1 */
    const char **values; /* their texts, without quotes */
    int count;           /* of values; 1 for a scalar */
    bool is_list;
} YamlEntry;

/* Reads the text of a file into entries, which live in `arena`. A key without a value has the value
 * "". Messages begin with `name` and the line. ERR_SYNTAX: the text is not YAML or is no mapping;
 * mappings are more than 8 deep; there are more than 2000 keys; a key occurs twice; a list holds
 * anything but scalars; there is an alias; or a second document begins. */
MUST_USE Status yaml_parse(const char *text, size_t length, const char *name, Arena *arena,
                           YamlEntry **out, int *count, Error *err);
const char *yaml_version(void); /* of libyaml */

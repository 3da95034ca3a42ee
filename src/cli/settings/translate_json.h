/* translate_json.h - reads a JSON file of settings into the items that translate.c translates.
 * Threading: free functions. */
#pragma once
#include "base/formats/yaml.h"

/* Reads the members of the object in the text into entries, which live in `arena`. Keys of objects
 * in objects are joined by dots. An element of a list that is a list itself becomes one text, with
 * ":" between its elements, such as "200:0.001" for [200, 1e-3]. Messages begin with `name`.
 * ERR_SYNTAX: the text is not a JSON object; there are more than 2000 members; a member occurs
 * twice, is null, or is nested more than 8 deep. ERR_MEMORY. */
MUST_USE Status translate_read_json(const char *text, size_t length, const char *name, Arena *arena,
                                    YamlEntry **out, int *count, Error *err);

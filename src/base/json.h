/* json.h - reading JSON with jansson. Code that builds replies uses jansson itself. Depth and size
 * of a text are limited. Threading: confined. */
#pragma once
#include "base/error.h"
#include <jansson.h>

/* Parses a text. The caller calls json_decref() on `*out`. ERR_SYNTAX: not JSON, or too large. */
MUST_USE Status json_parse(const char *text, size_t length, json_t **out, Error *err);
/* Reads a text member of an object; `*out` is borrowed from it. If the member is missing, `*out`
 * stays as it is when `wanted` is false, else this is ERR_SYNTAX. */
MUST_USE Status json_member_text(const json_t *object, const char *key, bool wanted,
                                 const char **out, Error *err);

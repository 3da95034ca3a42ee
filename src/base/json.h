/* json.h - reading JSON with jansson, with limits on the depth of a text and on the number of its
 * values. Code that writes JSON calls jansson directly. Threading: confined. */
#pragma once
#include "base/error.h"
#include <jansson.h>

/* Parses a text. The caller owns `*out` and releases it with json_decref(). ERR_SYNTAX: the text is
 * not JSON, is nested too deeply, has a key twice in an object, or has more than 131,072 lists and
 * objects or more than 1,048,576 commas between values. */
MUST_USE Status json_parse(const char *text, size_t length, json_t **out, Error *err);
/* Reads a text member of an object; `*out` is borrowed from the object. If the member is missing
 * and not `wanted`, `*out` stays as it is. ERR_SYNTAX: a wanted member is missing, or the member is
 * not a text. */
MUST_USE Status json_member_text(const json_t *object, const char *key, bool wanted,
                                 const char **out, Error *err);

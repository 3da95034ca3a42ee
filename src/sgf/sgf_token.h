/* sgf_token.h - functions that find the pieces of SGF text, for the parser and for walks through
 * text that it has parsed.
 * All functions stop at `end`. Threading: any thread. */
#pragma once
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#define SGF_NAME_LENGTH_MAX 64

static inline const char *sgf_skip_blanks(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

static inline const char *sgf_skip_name(const char *at, const char *end) {
    while (at < end && isalnum((unsigned char)*at))
        at++;
    return at;
}

/* Moves from the first character of a value to the "]" that ends it, or to `end`. */
static inline const char *sgf_skip_value(const char *at, const char *end) {
    while (at < end && *at != ']')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at;
}

/* Copies the name of a property with a final 0. If the name has capitals, its lower-case letters
 * are dropped. If it has none, its letters become capitals. Digits before the first letter are
 * dropped. Returns false if the name is longer than SGF_NAME_LENGTH_MAX. */
bool sgf_copy_name(const char *begin, const char *end, char name[SGF_NAME_LENGTH_MAX + 1]);

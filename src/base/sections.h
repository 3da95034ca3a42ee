/* sections.h - a settings file with named sections. Lines before the first `[NAME]` are for all,
 * those below it for NAME alone. Pass the text and the line of each section to
 * settings_parse_from(). Threading: confined. */
#pragma once
#include "base/memory.h"

typedef struct {
    const char *name; /* "": the lines before the first heading */
    int line;         /* line of the heading, counted from 1; `text` begins on it */
    const char *text; /* what follows the heading */
} Section;

/* The sections live in `arena`. sections[0] has the lines before the first heading, so that *count
 * is 1 or more. ERR_SYNTAX: a name is empty, longer than 40 characters, used twice, or has other
 * characters than letters, digits and "._+-"; or this is no text file. */
MUST_USE Status sections_load(const char *path, Arena *arena, Section **out, int *count,
                              Error *err);
/* The same for a text in memory; `path` is named in messages. */
MUST_USE Status sections_parse(const char *text, const char *path, Arena *arena, Section **out,
                               int *count, Error *err);

/* sections.h - a settings file with named sections. A section begins with a heading `[NAME]`. Lines
 * before the first heading are for all sections. The caller passes the text and the line of each
 * section to settings_parse_from(). Threading: confined. */
#pragma once
#include "base/memory.h"

typedef struct {
    const char *name; /* "" for the lines before the first heading */
    int line;         /* line of the heading, counted from 1; 1 if there is no heading */
    const char *text; /* from the line break after the heading to the next heading */
} Section;

/* Reads a file into sections, which live in `arena`. The first one has the lines before the first
 * heading, so `*count` is at least 1. ERR_SYNTAX: a heading is malformed; a name is empty, longer
 * than 40 characters, used twice, or has characters other than letters, digits and "._+-"; there
 * are more than 999 names; or this is not a text file. ERR_IO: the file cannot be read, or is
 * larger than 1 MiB. */
MUST_USE Status sections_load(const char *path, Arena *arena, Section **out, int *count,
                              Error *err);
/* Does the same with a text in memory. Messages call it `path`. */
MUST_USE Status sections_parse(const char *text, const char *path, Arena *arena, Section **out,
                               int *count, Error *err);

/* settings.h - one table a configuration struct: name, type, default, bounds, help, source, alias.
 * Defaults, `key = value` files, flags, help and checks all read it. A full name is "prefix.field"
 * (search.c_puct); KataGo's name for the same setting is an alias. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    FIELD_TYPE_INT = 1,
    FIELD_TYPE_INT64,
    FIELD_TYPE_FLOAT,
    FIELD_TYPE_BOOL,
    FIELD_TYPE_TEXT,
    FIELD_TYPE_CHOICE
} FieldType;

#define SETTINGS_TEXT_SIZE 256 /* a TEXT field is char name[SETTINGS_TEXT_SIZE] */

typedef struct {
    const char *name; /* NULL ends a table */
    FieldType type;
    size_t offset;
    double number, least, most; /* default and bounds, inclusive */
    const char *text;   /* default of TEXT; "a|b|c" of CHOICE, whose value is an int index */
    const char *help;   /* one line, with the unit */
    const char *source; /* paper, equation or page; NULL: our own */
    const char *alias;  /* KataGo's name; several are separated by '|'; NULL: none */
    bool omit_default;  /* the note of a net leaves it out where it has its default */
    bool clears_tree;   /* a change of it makes a search tree worthless that grew without it */
} ConfigField;

/* Use: FIELD_INT(SearchConfig, visits, 800, 1, 1 << 24, "evaluations a move", .alias = "maxVisits")
 */
#define FIELD_INT(T, f, value, lo, hi, ...)                                                        \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_INT, .offset = offsetof(T, f), .number = (value),           \
        .least = (lo), .most = (hi), .help = __VA_ARGS__                                           \
    }
#define FIELD_INT64(T, f, value, lo, hi, ...)                                                      \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_INT64, .offset = offsetof(T, f), .number = (value),         \
        .least = (lo), .most = (hi), .help = __VA_ARGS__                                           \
    }
#define FIELD_FLOAT(T, f, value, lo, hi, ...)                                                      \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_FLOAT, .offset = offsetof(T, f), .number = (value),         \
        .least = (lo), .most = (hi), .help = __VA_ARGS__                                           \
    }
#define FIELD_BOOL(T, f, value, ...)                                                               \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_BOOL, .offset = offsetof(T, f), .number = (value),          \
        .most = 1, .help = __VA_ARGS__                                                             \
    }
#define FIELD_TEXT(T, f, value, ...)                                                               \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_TEXT, .offset = offsetof(T, f), .text = (value),            \
        .help = __VA_ARGS__                                                                        \
    }
#define FIELD_CHOICE(T, f, value, words, ...)                                                      \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_CHOICE, .offset = offsetof(T, f), .number = (value),        \
        .text = (words), .help = __VA_ARGS__                                                       \
    }

typedef struct {
    const char *prefix; /* "search" */
    const ConfigField *fields;
    void *target; /* the struct; NULL: only described */
} SettingsGroup;  /* arrays of groups end with {0} */

void settings_defaults(const ConfigField *fields, void *target);
/* Whether a field has the same value in both structs. */
bool settings_same(const ConfigField *field, const void *a, const void *b);

/* Sets one value by full name, alias, or bare field name where only one group has it. Unknown:
 * ERR_ARGUMENT, with the nearest name. Out of bounds: the bounds. */
MUST_USE Status settings_set(const SettingsGroup *groups, const char *key, const char *value,
                             Error *err);
MUST_USE Status settings_assign(const SettingsGroup *groups, const char *assignment,
                                Error *err); /* "key=value" */

/* A file of `key = value`, `#` comments, `@include FILE` (relative to the file). A value in quotes
 * keeps its blanks and `#`; `\"` and `\\` in it are a quote and a backslash. Errors name file and
 * line. */
MUST_USE Status settings_load(const SettingsGroup *groups, const char *path, Error *err);
MUST_USE Status settings_parse(const SettingsGroup *groups, const char *text, const char *name,
                               Error *err);
/* The same of a part of a file that begins at this line, counted from 1. */
MUST_USE Status settings_parse_from(const SettingsGroup *groups, const char *text, const char *name,
                                    int line, Error *err);

void settings_write(const SettingsGroup *groups,
                    StrBuf *out); /* all values, resolved; loads back the same */
/* One value, as settings_set() takes it. */
MUST_USE Status settings_get(const SettingsGroup *groups, const char *key, StrBuf *value,
                             Error *err);

/* Text to numbers: the whole text must be a number in range. `what` is named in the message. */
MUST_USE Status parse_int(const char *text, const char *what, long long least, long long most,
                          long long *out, Error *err);
MUST_USE Status parse_double(const char *text, const char *what, double least, double most,
                             double *out, Error *err);
MUST_USE Status parse_duration(const char *text, const char *what, double *seconds,
                               Error *err); /* "90", "10m", "1h30m" */
/* For people: a whole number below 1e16 in all its digits, else at most nine of them. */
typedef struct {
    char text[32];
} NumberText;
NumberText number_text(double value);
const char *nearest_word(const char *word, const char *const *words,
                         int count); /* edit distance; NULL: none near */

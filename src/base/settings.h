/* settings.h - the settings of the program. Each struct of settings has one table of its fields,
 * with name, type, default, bounds, help, source and alias. Defaults, `key = value` files, options,
 * help and checks all read this table. A group is a struct with a prefix, and the full name of a
 * field is "prefix.field", for example search.c_puct. An alias is KataGo's name of the same
 * setting. Call settings_defaults() for each struct, then settings_load(), settings_assign() and so
 * on for an array of groups. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    FIELD_TYPE_INT = 1,
    FIELD_TYPE_INT64,
    FIELD_TYPE_DOUBLE,
    FIELD_TYPE_BOOL,
    FIELD_TYPE_TEXT,
    FIELD_TYPE_CHOICE
} FieldType;

/* A field of type TEXT is an array of one of these sizes; its last character is the final 0. */
#define SETTINGS_TEXT_SIZE 256
#define SETTINGS_LONG_TEXT_SIZE 4096

typedef struct {
    const char *name; /* NULL ends a table */
    FieldType type;
    size_t offset;
    size_t size;             /* of the array of a TEXT */
    double number, min, max; /* default and inclusive bounds; for CHOICE the default's index */
    const char *text;        /* for TEXT the default; for CHOICE "a|b|c", where b is the value 1 */
    const char *help;        /* one line, with the unit */
    const char *source;      /* paper, equation or page; NULL if the setting is our own */
    const char *alias;       /* KataGo's name; several are separated by '|'; may be NULL */
    /* Earlier names of the field, which still work: oldest first, separated by '|'. May be NULL. */
    const char *former;
    /* Whether the note "architecture" in the file of a net omits this field if the field has its
     * default value. */
    bool omit_default;
    bool clears_tree; /* if the setting changes, the tree that a search has built cannot be kept */
} SettingsField;

/* The offset of the member `f` of a struct `T`. Compiles only if the member has the type `type`. */
#define FIELD_OFFSET(T, f, type) (offsetof(T, f) * _Generic(((T *)0)->f, type : 1))

/* These macros make the rows of a table, for example
 *     FIELD_INT(SearchSettings, visits, 800, 1, 1 << 24, "evaluations per move",
 *               .alias = "maxVisits") */
#define FIELD_INT(T, f, value, lo, hi, ...)                                                        \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_INT, .offset = FIELD_OFFSET(T, f, int), .number = (value),  \
        .min = (lo), .max = (hi), .help = __VA_ARGS__                                              \
    }
#define FIELD_INT64(T, f, value, lo, hi, ...)                                                      \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_INT64, .offset = FIELD_OFFSET(T, f, int64_t),               \
        .number = (value), .min = (lo), .max = (hi), .help = __VA_ARGS__                           \
    }
#define FIELD_DOUBLE(T, f, value, lo, hi, ...)                                                     \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_DOUBLE, .offset = FIELD_OFFSET(T, f, double),               \
        .number = (value), .min = (lo), .max = (hi), .help = __VA_ARGS__                           \
    }
#define FIELD_BOOL(T, f, value, ...)                                                               \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_BOOL, .offset = FIELD_OFFSET(T, f, bool),                   \
        .number = (value), .max = 1, .help = __VA_ARGS__                                           \
    }
#define FIELD_TEXT(T, f, value, ...)                                                               \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_TEXT, .offset = offsetof(T, f),                             \
        .size = sizeof(((T *)0)->f), .text = (value), .help = __VA_ARGS__                          \
    }
#define FIELD_CHOICE(T, f, value, words, ...)                                                      \
    {                                                                                              \
        .name = #f, .type = FIELD_TYPE_CHOICE, .offset = offsetof(T, f), .number = (value),        \
        .text = (words), .help = __VA_ARGS__                                                       \
    }

typedef struct {
    const char *prefix; /* for example "search" */
    const SettingsField *fields;
    void *target; /* the struct; if it is NULL, the settings can be described but not set */
} SettingsGroup;  /* an array of groups ends with {0} */

void settings_defaults(const SettingsField *fields, void *target);
/* Whether `key` is the name of the field, without the prefix, or one of its earlier names. */
bool settings_field_is(const SettingsField *field, const char *key);
/* Whether a field has the same value in both structs. */
bool settings_same(const SettingsField *field, const void *a, const void *b);
/* ERR_ARGUMENT: a number in the struct is out of its bounds; the message names its field. */
MUST_USE Status settings_check(const SettingsField *fields, const char *prefix, const void *target,
                               Error *err);

/* Sets one value. `key` is a full name, an alias, or the name of a field without its prefix if only
 * one group has such a field.
 *   ERR_ARGUMENT: the key is unknown or fits several fields; its group has no target; or the value
 *   is out of bounds, is not one of the choices, has line breaks, or is a text that is too long for
 *   its field. If the key is unknown, the message has the most similar name, if there is one.
 *   ERR_SYNTAX: the value is not of the field's type. */
MUST_USE Status settings_set(const SettingsGroup *groups, const char *key, const char *value,
                             Error *err);
/* Does the same with an assignment "key=value", where the value may be in quotes. ERR_SYNTAX: also
 * if the assignment is malformed or too long. */
MUST_USE Status settings_assign(const SettingsGroup *groups, const char *assignment, Error *err);

/* Reads a file with lines of `key = value` and `@include FILE`; the path FILE is relative to the
 * including file. Comments begin with `#`. A value in quotes keeps its blanks and `#`; `\"` and
 * `\\` in it stand for a quote and a backslash. Messages name file and line. On failure, the lines
 * before the bad one have taken effect. ERR_SYNTAX: also if files include each other more than 16
 * deep, or if more than 1,000 files are included. */
MUST_USE Status settings_load(const SettingsGroup *groups, const char *path, Error *err);
/* Does the same with a text in memory. Messages call it `name`. */
MUST_USE Status settings_parse(const SettingsGroup *groups, const char *text, const char *name,
                               Error *err);
/* Does the same with a text that comes from a file of another kind, such as a net. ERR_SYNTAX: also
 * if it has an @include, so that no such file can make the program open others. */
MUST_USE Status settings_parse_note(const SettingsGroup *groups, const char *text, const char *name,
                                    Error *err);
/* Does the same as settings_parse() with a part of a file that begins at `line`, counted from 1. */
MUST_USE Status settings_parse_from(const SettingsGroup *groups, const char *text, const char *name,
                                    int line, Error *err);

/* Writes all values as text that settings_parse() reads back unchanged. Groups without a target are
 * left out. */
void settings_write(const SettingsGroup *groups, StrBuf *out);
/* Writes the values of `target` that differ from those of `standard`, each as a line NAME=VALUE
 * with the oldest name of the setting and without a prefix. So the text stays the same if a later
 * version adds a setting that has its standard value, or gives a setting a new name. */
void settings_write_changed(const SettingsField *fields, const void *target, const void *standard,
                            StrBuf *out);
/* Writes one value in the form that settings_set() reads. If `key` has no prefix and is the name of
 * several settings, the value of the last of these settings is written. ERR_ARGUMENT: the key is
 * unknown, or its group has no target. */
MUST_USE Status settings_get(const SettingsGroup *groups, const char *key, StrBuf *value,
                             Error *err);

/* Converts a text to a number. The whole text must be one number within the bounds. `what` names
 * the number in messages. ERR_SYNTAX: the text is no number. ERR_ARGUMENT: the number is out of
 * bounds. */
MUST_USE Status parse_int(const char *text, const char *what, long long min, long long max,
                          long long *out, Error *err);
MUST_USE Status parse_double(const char *text, const char *what, double min, double max,
                             double *out, Error *err);
/* Converts text such as "90", "10m" or "1h30m" to seconds. ERR_SYNTAX: the text is no time. */
MUST_USE Status parse_duration(const char *text, const char *what, double *seconds, Error *err);
/* Formats a number for people: whole numbers below 1e16 with all digits, other numbers with at most
 * nine digits. */
typedef struct {
    char text[32];
} NumberText;
NumberText number_text(double value);
/* Formats a number with the fewest digits that read back as the same number. */
NumberText number_exact(double value);
/* Returns the word with the smallest edit distance to `word`, or NULL if none is near. */
const char *nearest_word(const char *word, const char *const *words, int count);

/* arch_source.h - notes which part of a net's description sets which setting. So messages about
 * mistakes can tell the place of the mistake. Such messages have the form
 *     net: character 7, "start_kernel=4": start_kernel is 4, an odd number is wanted
 * Characters are counted from 1. Threading: confined. */
#pragma once
#include "eval/arch/arch_settings.h"

enum { ARCH_FIELDS_MAX = 64 };
typedef struct {
    int begin, length; /* begin counts from 0; length 0: there is no place */
} TextPlace;
typedef struct {
    const char *text; /* the whole description */
    /* for each field, by its index in ARCH_FIELDS: the last part of the text that sets it */
    TextPlace fields[ARCH_FIELDS_MAX];
} ArchSource;

/* Notes that the part of the text at `place` sets the setting `name`. */
void arch_source_note(ArchSource *source, const char *name, TextPlace place);
/* Whether the text sets this setting. */
bool arch_source_sets(const ArchSource *source, const char *name);
/* Returns the index in the text at which the value of a setting begins: after "=", blanks and an
 * opening quote. If the part has no "=", as in "k5", the index is that of the part. */
int arch_source_value(const ArchSource *source, const char *name);

/* Fails with a message that tells the place. */
MUST_USE Status arch_fail_at(const ArchSource *source, TextPlace place, Error *err, Status status,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Puts the place before the message that `err` holds, or only "net: " if `source` is NULL. Returns
 * `status`. */
MUST_USE Status arch_fail_within(const ArchSource *source, TextPlace place, Error *err,
                                 Status status);
/* Fails because of the setting `name`. If `word` is NULL, the message tells the part of the text
 * that sets the setting. Otherwise it tells the place of `word` as a whole word: in that part or,
 * if the part does not contain `word`, in the whole text. If there is no such place, or if `source`
 * is NULL, the message begins only with "net: ". */
MUST_USE Status arch_fail(const ArchSource *source, const char *name, const char *word, Error *err,
                          Status status, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#include "eval/arch/arch_source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 40 }; /* how many characters of the text a message repeats at most */

/* Returns the index of a setting in ARCH_FIELDS, or -1. The name may begin with "arch.". */
static int field_index(const char *name) {
    if (strncmp(name, "arch.", 5) == 0) name += 5;
    for (int i = 0; ARCH_FIELDS[i].name && i < ARCH_FIELDS_MAX; i++) {
        if (settings_field_is(&ARCH_FIELDS[i], name)) return i;
    }
    return -1;
}

void arch_source_note(ArchSource *source, const char *name, TextPlace place) {
    int index = field_index(name);
    if (index >= 0) source->fields[index] = place;
}

static TextPlace place_of(const ArchSource *source, const char *name) {
    int index = source ? field_index(name) : -1;
    return index >= 0 ? source->fields[index] : (TextPlace){0, 0};
}

bool arch_source_sets(const ArchSource *source, const char *name) {
    return place_of(source, name).length > 0;
}

int arch_source_value(const ArchSource *source, const char *name) {
    TextPlace place = place_of(source, name);
    const char *part = source->text + place.begin, *equals = strchr(part, '=');
    if (!equals || equals >= part + place.length) return place.begin;
    const char *at = equals + 1;
    while (isspace((unsigned char)*at))
        at++;
    return (int)(at - source->text) + (*at == '"');
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Finds the last place within a part of the text where `word` stands as a whole word. */
static TextPlace find_word(const char *text, TextPlace part, const char *word) {
    TextPlace found = {0, 0};
    int length = (int)strlen(word);
    for (int at = part.begin; at + length <= part.begin + part.length; at++) {
        bool whole = (at == 0 || !is_of_word(text[at - 1])) && !is_of_word(text[at + length]);
        if (whole && strncmp(text + at, word, (size_t)length) == 0) found = (TextPlace){at, length};
    }
    return found;
}

/* Returns the part that sets the setting. If `word` is not NULL, returns instead the place of
 * `word`: in that part or, if the part does not contain it, in the whole text. */
static TextPlace place_in(const ArchSource *source, const char *name, const char *word) {
    TextPlace part = place_of(source, name), found = part;
    if (!source || !word) return part;
    if (part.length) found = find_word(source->text, part, word);
    const TextPlace all = {0, (int)strlen(source->text)};
    return found.length ? found : find_word(source->text, all, word);
}

Status arch_fail_within(const ArchSource *source, TextPlace place, Error *err, Status status) {
    if (!source) return fail_within(err, status, "net");
    int shown = place.length > SHOWN_MAX ? SHOWN_MAX : place.length;
    return fail_within(err, status, "net: character %d, \"%.*s%s\"", place.begin + 1, shown,
                       source->text + place.begin, place.length > shown ? "..." : "");
}

/* Does what fail() does, with the arguments of a function that takes any number of them. */
__attribute__((format(printf, 3, 0))) static void fail_with(Error *err, Status status,
                                                            const char *format, va_list arguments) {
    char message[sizeof err->message];
    vsnprintf(message, sizeof message, format, arguments);
    fail(err, status, "%s", message);
}

Status arch_fail_at(const ArchSource *source, TextPlace place, Error *err, Status status,
                    const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(err, status, format, arguments);
    va_end(arguments);
    return arch_fail_within(source, place, err, status);
}

Status arch_fail(const ArchSource *source, const char *name, const char *word, Error *err,
                 Status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(err, status, format, arguments);
    va_end(arguments);
    const TextPlace place = place_in(source, name, word);
    return arch_fail_within(place.length ? source : NULL, place, err, status);
}

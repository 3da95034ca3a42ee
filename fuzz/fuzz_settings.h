/* fuzz_settings.h - a check for the entries that read settings: settings do not change when they
 * are written and read again. */
#pragma once
#include "fuzz.h"

#include "base/settings.h"

/* Writes the settings in `groups`, reads them into `fresh`, and checks that both are equal.
 * `fresh` has the same groups, and its structs must hold the defaults. The defaults must be the
 * same in every call. Only settings that differ from the defaults are read, because reading all
 * hundreds of settings would take too long. */
static inline void fuzz_check_settings(const SettingsGroup *groups, const SettingsGroup *fresh) {
    static StrBuf defaults, all, changed, again;
    if (!defaults.length) settings_write(fresh, &defaults);
    strbuf_reset(&all);
    strbuf_reset(&changed);
    settings_write(groups, &all);
    const char *line = strbuf_text(&all), *other = strbuf_text(&defaults);
    while (*line) {
        size_t length = strcspn(line, "\n"), other_length = strcspn(other, "\n");
        if (length != other_length || memcmp(line, other, length) != 0) {
            strbuf_add_bytes(&changed, line, length);
            strbuf_add(&changed, "\n");
        }
        line += length + (line[length] == '\n');
        other += other_length + (other[other_length] == '\n');
    }
    if (!changed.length) return;
    CHECK(!settings_parse(fresh, strbuf_text(&changed), "again", NULL));
    strbuf_reset(&again);
    settings_write(fresh, &again);
    CHECK(strcmp(strbuf_text(&all), strbuf_text(&again)) == 0);
}

/* fuzz_settings.h - checks that settings survive being written and read, for the entries that read
 * settings. */
#pragma once
#include "fuzz.h"

#include "base/settings.h"

/* Checks that the settings in `groups` are the same after they were written and read again.
 * `fresh` has the same groups, over structs with the defaults, and receives what is read. The
 * defaults must be the same in every call. Reading hundreds of settings takes long, so only those
 * that differ from the defaults are read. */
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

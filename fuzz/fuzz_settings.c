/* fuzz_settings.c - reads any bytes as a settings file of a run, as a file with named sections,
 * and as single values. All values that were read must be within their bounds. The settings of a
 * run must not change when they are written and read again. Sections must be in the order of the
 * file, and together they must not be longer than the file. */
#include "fuzz_settings.h"

#include "base/sections.h"
#include "run/cycle/run_check.h"

/* Writes the defaults to `config`. They are computed only in the first call, because that takes
 * long. */
static void config_begin(RunConfig *config, SettingsGroup groups[RUN_GROUPS]) {
    static RunConfig defaults;
    static bool known;
    if (!known) run_config_defaults(&defaults);
    known = true;
    *config = defaults;
    run_config_groups(config, groups);
}

static void check_file(const char *text) {
    RunConfig config, fresh;
    SettingsGroup groups[RUN_GROUPS], fresh_groups[RUN_GROUPS];
    Error fault = {0};
    config_begin(&config, groups);
    if (settings_parse(groups, text, "fuzz", NULL)) return;
    config_begin(&fresh, fresh_groups);
    fuzz_check_settings(groups, fresh_groups);
    if (run_check_settings(&config, &fault)) CHECK(*fault.message != 0);
}

static void check_parts(const char *text) {
    Arena arena = {0};
    Section *parts;
    int count;
    size_t bytes = 0;
    if (!sections_parse(text, "fuzz", &arena, &parts, &count, NULL)) {
        CHECK(count >= 1 && !*parts[0].name && parts[0].line == 1);
        for (int i = 0; i < count; i++) {
            bytes += strlen(parts[i].name) + strlen(parts[i].text);
            CHECK(!i || (*parts[i].name && parts[i].line >= parts[i - 1].line));
        }
        CHECK(bytes <= strlen(text));
    }
    arena_clear(&arena);
}

static void check_values(const char *text) {
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    Error fault = {0};
    long long whole;
    double real;
    config_begin(&config, groups);
    if (settings_assign(groups, text, &fault)) CHECK(*fault.message != 0);
    if (!parse_int(text, "it", -5, 70, &whole, NULL)) CHECK(whole >= -5 && whole <= 70);
    if (!parse_double(text, "it", -5, 70, &real, NULL)) CHECK(real >= -5 && real <= 70);
    if (!parse_duration(text, "it", &real, NULL)) CHECK(real >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    char *text = fuzz_text(bytes, count);
    if (!strstr(text, "@include")) check_file(text); /* it must not read files of the machine */
    check_parts(text);
    check_values(text);
    free(text);
    return 0;
}

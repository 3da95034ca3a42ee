/* fuzz_katago_config.c - reads any text as a config file of KataGo. If the text begins with '%',
 * the rest is read as the value of KataGo's option -override-config. The settings that follow
 * from the text must be within their bounds. They must not change when they are written in Aji's
 * own format and read again. */
#include "fuzz_settings.h"

#include "cli/engine/katago_options.h"
#include "cli/engine/start_settings.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/sgf_shapes.h"
#include "search/tree/search_presets.h"

typedef struct {
    SearchSettings search;
    TimeSettings time;
    ResignSettings resign;
    GtpSettings gtp;
    MoveLimits limits;
    StartSettings start;
    ShapeSettings shapes;
} Config;
enum { GROUPS = 8 };

/* Writes the defaults to `config`. They are computed only in the first call, because that takes
 * long. */
static void config_begin(Config *config, SettingsGroup groups[GROUPS]) {
    static Config defaults;
    static bool known;
    const SettingsGroup all[GROUPS] = {
        {"search", SEARCH_FIELDS, &config->search},     {"time", TIME_FIELDS, &config->time},
        {"resign", RESIGN_FIELDS, &config->resign},     {"gtp", GTP_FIELDS, &config->gtp},
        {"limits", MOVE_LIMIT_FIELDS, &config->limits}, {"start", START_FIELDS, &config->start},
        {"shapes", SHAPE_FIELDS, &config->shapes},      {0}};
    memcpy(groups, all, sizeof all);
    if (known) {
        *config = defaults;
        return;
    }
    memset(config, 0, sizeof *config);
    search_preset_begin(SEARCH_PRESET_PEOPLE, &config->search);
    for (const SettingsGroup *group = groups + 1; group->fields; group++)
        settings_defaults(group->fields, group->target);
    defaults = *config;
    known = true;
}

static void check_config(const Config *config, const SettingsGroup *groups) {
    Config fresh;
    SettingsGroup fresh_groups[GROUPS];
    Rules rules = rules_tromp_taylor();
    Error fault = {0};
    for (const SettingsGroup *group = groups; group->fields; group++)
        CHECK(!settings_check(group->fields, group->prefix, group->target, NULL));
    config_begin(&fresh, fresh_groups);
    fuzz_check_settings(groups, fresh_groups);
    if (start_rules(&config->start, &rules, &fault)) CHECK(*fault.message != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const KatagoOption OPTIONS[] = {
        {"-config", KATAGO_CONFIG}, {"-override-config", KATAGO_OVERRIDE}, {0}};
    static char name[] = "gtp", config_word[] = "-config", override_word[] = "-override-config";
    Config config;
    SettingsGroup groups[GROUPS];
    Error fault = {0};
    Path path = fuzz_path("katago.cfg");
    bool override = count && *bytes == '%';
    char *text = fuzz_text(bytes + override, count - override);
    char *words[] = {name, override ? override_word : config_word, override ? text : path.text};
    int words_count = 3;
    if (!override) fuzz_write(path.text, bytes, count);
    config_begin(&config, groups);
    if (katago_options_take(OPTIONS, groups, &words_count, words, &fault))
        CHECK(*fault.message != 0);
    else
        CHECK(words_count == 1);
    check_config(&config, groups);
    free(text);
    return 0;
}

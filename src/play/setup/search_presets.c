#include "play/setup/search_presets.h"

#include <assert.h>
#include <stddef.h>

#define NO_NOISE                                                                                   \
    "root_noise=false", "root_temperature=1", "root_temperature_early=1", "forced_playouts=0"

static const char *const MATCH[] = {"temperature=0.1", "temperature_early=0.1", NULL};
static const char *const WITHOUT_NOISE[] = {NO_NOISE, NULL};
/* Wu 2019, section 3.1. The FPU at the root and the Gumbel settings follow those of full searches:
 * turn_searches(). */
static const char *const CHEAP[] = {NO_NOISE, "root_symmetries=1", NULL};

static const char *const *const PRESETS[SEARCH_PRESETS] = {
    [SEARCH_PRESET_MATCH] = MATCH,
    [SEARCH_PRESET_NO_NOISE] = WITHOUT_NOISE,
    [SEARCH_PRESET_CHEAP] = CHEAP,
};

const char *const *search_preset_lines(SearchPreset preset) {
    return PRESETS[preset];
}

void search_preset_apply(SearchPreset preset, SearchSettings *settings) {
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, settings}, {0}};
    for (const char *const *line = PRESETS[preset]; *line; line++) {
        Status status = settings_assign(groups, *line, NULL);
        assert(!status); /* all of them are settings with values in their bounds */
        (void)status;
    }
}

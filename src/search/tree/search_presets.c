#include "search/tree/search_presets.h"

#include <assert.h>
#include <stddef.h>

#define NO_NOISE                                                                                   \
    "noise.on=false", "root_temperature=1", "root_temperature_early=1", "forced_playouts=0"
/* For games with people, and for analysis. A pass that comes too early annoys people (KataGo,
 * cpp/command/gtp.cpp, analysis.cpp). If a net finds all moves equal, it may pass too early; the
 * search avoids this by looking at the opponent's answer. `leaves` makes searches of one position
 * faster. */
#define FOR_PEOPLE                                                                                 \
    "conservative_pass=true", "passing_hacks=true", "more_passing_hacks=true", "leaves=4"

static const char *const PLAY[] = {NULL};
static const char *const PEOPLE[] = {FOR_PEOPLE, NULL};
static const char *const ANALYSIS[] = {FOR_PEOPLE, "wide_root_noise=0.04",
                                       "root_symmetry_pruning=true", "ignore_history=true", NULL};
/* KataGo, cpp/configs/training. */
static const char *const SELFPLAY[] = {"c_puct=1.1",
                                       "c_puct_log=0",
                                       "c_puct_stdev_scale=0",
                                       "fpu.root_reduction=0",
                                       "noise.on=true",
                                       "root_temperature=1.1",
                                       "root_temperature_early=1.25",
                                       "forced_playouts=2",
                                       "root_symmetries=4",
                                       "gumbel.scale=1",
                                       "gumbel.min_visits=0",
                                       "static_score_factor=0",
                                       "dynamic_score_factor=0.4",
                                       "score_center_zero_weight=0.25",
                                       "score_center_scale=0.5",
                                       "value_weight_exponent=0.5",
                                       "noise_pruning.on=false",
                                       "uncertainty.on=false",
                                       "temperature=0.15",
                                       "temperature_early=0.75",
                                       "tree_memory_mb=256",
                                       NULL};

static const char *const MATCH[] = {"temperature=0.1", "temperature_early=0.1", NULL};
static const char *const WITHOUT_NOISE[] = {NO_NOISE, NULL};
/* Wu 2019, section 3.1. turn_searches() also derives two things for cheap searches from the
 * settings of full searches: the FPU (first play urgency) at the root and the Gumbel settings. */
static const char *const CHEAP[] = {NO_NOISE, "root_symmetries=1", NULL};

static const char *const *const PRESETS[SEARCH_PRESETS] = {
    [SEARCH_PRESET_PLAY] = PLAY,         [SEARCH_PRESET_PEOPLE] = PEOPLE,
    [SEARCH_PRESET_ANALYSIS] = ANALYSIS, [SEARCH_PRESET_SELFPLAY] = SELFPLAY,
    [SEARCH_PRESET_MATCH] = MATCH,       [SEARCH_PRESET_NO_NOISE] = WITHOUT_NOISE,
    [SEARCH_PRESET_CHEAP] = CHEAP,
};

const char *const *search_preset_lines(SearchPreset preset) {
    return PRESETS[preset];
}

void search_preset_apply(SearchPreset preset, SearchSettings *settings) {
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, settings}, {0}};
    for (const char *const *line = PRESETS[preset]; *line; line++) {
        Status status = settings_assign(groups, *line, NULL);
        assert(!status); /* every line is a setting with a value in its bounds */
        (void)status;
    }
}

void search_preset_begin(SearchPreset preset, SearchSettings *out) {
    settings_defaults(SEARCH_FIELDS, out);
    search_preset_apply(preset, out);
}

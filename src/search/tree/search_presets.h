/* search_presets.h - presets: the settings of searches for one purpose, such as self-play or
 * analysis. Each preset is a list of settings as a user would write them. Threading: free
 * functions. */
#pragma once
#include "search/tree/search_settings.h"

typedef enum {
    /* The following presets start from the defaults: see search_preset_begin(). */
    SEARCH_PRESET_PLAY,     /* play and matches; the defaults themselves */
    SEARCH_PRESET_PEOPLE,   /* games with people */
    SEARCH_PRESET_ANALYSIS, /* analysis for people */
    SEARCH_PRESET_SELFPLAY, /* full searches of self-play */
    /* The following presets change some settings of a caller: see search_preset_apply(). */
    /* Matches. Nearly always the best move is played, because the openings already differ. */
    SEARCH_PRESET_MATCH,
    SEARCH_PRESET_NO_NOISE, /* self-play searches without exploration at the root */
    SEARCH_PRESET_CHEAP,    /* as NO_NOISE, for cheap searches: search.root_symmetries is 1 */
    SEARCH_PRESETS
} SearchPreset;

/* Sets `out` to the defaults, and then applies the preset. */
void search_preset_begin(SearchPreset preset, SearchSettings *out);
/* Changes the settings that the preset names, and nothing else. */
void search_preset_apply(SearchPreset preset, SearchSettings *settings);
/* The lines of the preset, "NAME=VALUE" each; ends with NULL. */
const char *const *search_preset_lines(SearchPreset preset);

/* search_presets.h - settings of searches that belong together, by what the search is for. Each
 * preset is a table of settings as a user would write them; it is put on top of other settings.
 * Settings to begin with ("play", "people", "selfplay") are in search/search_settings.c.
 * Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"

typedef enum {
    SEARCH_PRESET_MATCH,    /* games that count: nearly the best move, as openings differ already */
    SEARCH_PRESET_NO_NOISE, /* searches of self-play without its exploration at the root */
    SEARCH_PRESET_CHEAP,    /* the same for turns that are searched with few visits */
    SEARCH_PRESETS
} SearchPreset;

void search_preset_apply(SearchPreset preset, SearchSettings *settings);
/* Its settings, "NAME=VALUE" each; ends with NULL. */
const char *const *search_preset_lines(SearchPreset preset);

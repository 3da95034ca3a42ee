/* search_presets.h - settings of searches that belong together, by what a search is for. Each
 * preset is a table of settings as a user would write them.
 * Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"

typedef enum {
    /* To begin with, on top of the defaults: search_preset_begin(). */
    SEARCH_PRESET_PLAY,     /* play and matches; the defaults themselves */
    SEARCH_PRESET_PEOPLE,   /* games with people */
    SEARCH_PRESET_ANALYSIS, /* analysis for people */
    SEARCH_PRESET_SELFPLAY, /* full searches of self-play */
    /* To put on top of other settings: search_preset_apply(). */
    SEARCH_PRESET_MATCH,    /* games that count: nearly the best move, as openings differ already */
    SEARCH_PRESET_NO_NOISE, /* searches of self-play without its exploration at the root */
    SEARCH_PRESET_CHEAP,    /* the same for turns that are searched with few visits */
    SEARCH_PRESETS
} SearchPreset;

/* The defaults with the preset on top of them. */
void search_preset_begin(SearchPreset preset, SearchSettings *out);
/* Changes what the preset names, and nothing else. */
void search_preset_apply(SearchPreset preset, SearchSettings *settings);
/* Its settings, "NAME=VALUE" each; ends with NULL. */
const char *const *search_preset_lines(SearchPreset preset);

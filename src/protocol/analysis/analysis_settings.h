/* analysis_settings.h - the settings that only the analysis engine has.
 * Threading: plain values and immutable tables. */
#pragma once
#include "protocol/session/param.h"
#include "search/tree/search_settings.h"

/* Settings that a query may change, besides those of the search. */
typedef struct {
    MoveLimits limits; /* of a position */
    AnalysisView view;
    int line_length; /* moves of a line after the first */
    bool prevent_encore, handicap_of_moves;
} AnalysisSettings;
extern const SettingsField ANALYSIS_FIELDS[];

/* Settings of the engine as a whole, which no query can change. */
typedef struct {
    int threads;   /* 0: as many as this process may use */
    int positions; /* searched at once, over all threads; 0: one a thread */
    int64_t cache_mb, seed;
    bool warn_unused, randomize;
    int symmetry; /* -1: any */
} AnalysisEngineSettings;
extern const SettingsField ANALYSIS_ENGINE_FIELDS[];

/* analysis_settings.h - the settings that only the analysis engine has.
 * Threading: plain values and immutable tables. */
#pragma once
#include "protocol/session/param.h"
#include "search/tree/search_settings.h"

/* Settings that a query may change, besides those of the search. */
typedef struct {
    MoveLimits limits; /* of the search of one position */
    AnalysisView view;
    int line_length; /* maximum number of moves of a line after its first */
    bool prevent_encore, handicap_of_moves;
} AnalysisSettings;
extern const SettingsField ANALYSIS_FIELDS[];

/* Settings of the engine as a whole, which no query can change. */
typedef struct {
    int threads;   /* 0 means one per processor that this process may use */
    int positions; /* searched at once by all threads together; 0 means one per thread */
    int64_t cache_mb, seed;
    bool warn_unused, randomize;
    int symmetry; /* the symmetry under which nets evaluate; -1 means as `randomize` says */
} AnalysisEngineSettings;
extern const SettingsField ANALYSIS_ENGINE_FIELDS[];

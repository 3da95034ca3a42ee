#include "protocol/analysis/analysis_settings.h"

#include <stddef.h>

#define ENGINE "KataGo, docs/Analysis_Engine.md"

const SettingsField ANALYSIS_FIELDS[] = {
    FIELD_CHOICE(AnalysisSettings, view, VIEW_SIDE_TO_MOVE, VIEW_WORDS,
                 "side from whose view win rates, scores and ownership are given", .source = ENGINE,
                 .alias = "reportAnalysisWinratesAs"),
    FIELD_INT(AnalysisSettings, line_length, 15, 1, 1000,
              "maximum number of moves of a line after its first", .source = ENGINE,
              .alias = "analysisPVLen"),
    FIELD_BOOL(
        AnalysisSettings, prevent_encore, true,
        "under territory scoring, end games without the encore phases that settle dead stones",
        .source = ENGINE, .alias = "preventCleanupPhase"),
    FIELD_BOOL(AnalysisSettings, handicap_of_moves, true,
               "treat several black moves before White's first as handicap stones",
               .source = ENGINE, .alias = "assumeMultipleStartingBlackMovesAreHandicap"),
    {0},
};

const SettingsField ANALYSIS_ENGINE_FIELDS[] = {
    FIELD_INT(AnalysisEngineSettings, threads, 0, 0, 4096,
              "threads that search; 0: one per processor that this process may use"),
    FIELD_INT(AnalysisEngineSettings, positions, 0, 0, 65536,
              "positions that are searched at once, by all threads together; 0: one per thread",
              .source = ENGINE, .alias = "numAnalysisThreads"),
    FIELD_INT64(AnalysisEngineSettings, cache_mb, 256, 0, 1 << 24,
                "memory of the cache of evaluations, MB; 0: no cache"),
    FIELD_INT64(AnalysisEngineSettings, seed, 1, 0, 2e9, "seed of random choices among moves"),
    FIELD_BOOL(AnalysisEngineSettings, warn_unused, true,
               "warn of fields of queries that have no effect", .source = ENGINE,
               .alias = "warnUnusedFields"),
    FIELD_BOOL(AnalysisEngineSettings, randomize, true,
               "evaluate under a random symmetry; false: under the identity",
               .source = "KataGo, cpp/configs", .alias = "nnRandomize"),
    FIELD_INT(AnalysisEngineSettings, symmetry, -1, -1, 7,
              "evaluate under this symmetry; -1: as engine.randomize says",
              .source = "KataGo, cpp/configs", .alias = "nnForcedSymmetry"),
    {0},
};

/* evaluator_spec.h - what a session or the analysis engine asks for when it needs an evaluator.
 * Threading: plain values. */
#pragma once
#include "search/tree/search_settings.h"

typedef struct {
    int width, height; /* of the boards */
    int symmetry;      /* 0..7; -1 means a random one for each evaluation */
    /* The evaluator depends on the settings that search_settings_evaluator() reads. */
    const SearchSettings *search;
} EvaluatorSpec;

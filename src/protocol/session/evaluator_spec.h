/* evaluator_spec.h - what a session or the analysis engine asks for when it needs an evaluator.
 * Threading: plain values. */
#pragma once
#include "search/tree/search_settings.h"

typedef struct {
    int width, height;            /* of the boards */
    int symmetry;                 /* 0..7; -1 means a random one for each evaluation */
    const SearchSettings *search; /* search_settings_evaluator() uses some of them */
} EvaluatorSpec;

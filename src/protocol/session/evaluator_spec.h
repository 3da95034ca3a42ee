/* evaluator_spec.h - what a session or the analysis engine asks for when it needs an evaluator.
 * Threading: plain values. */
#pragma once
#include "search/tree/search_settings.h"

typedef struct {
    int width, height;            /* of the boards */
    int symmetry;                 /* 0..7; -1: a random one for each evaluation */
    const SearchSettings *search; /* search_settings_evaluator() reads those that matter */
} EvaluatorSpec;

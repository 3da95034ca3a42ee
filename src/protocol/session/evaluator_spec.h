/* evaluator_spec.h - what a session or the analysis engine asks for when it needs an evaluator.
 * Threading: plain values. */
#pragma once
#include "search/tree/search_settings.h"

typedef struct {
    int width, height;            /* of the boards */
    int symmetry;                 /* 0..7; -1: a random one each time */
    const SearchSettings *search; /* search_settings_evaluator() says which of them matter */
} EvaluatorSpec;

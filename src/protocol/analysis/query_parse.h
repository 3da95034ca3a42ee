/* query_parse.h - makes a query of a JSON object. Threading: free functions. */
#pragma once
#include "protocol/analysis/query_reader.h"

/* Parses `object`, whose "id" is a text. Adds an object for each warning to the array `warnings`.
 * NULL: `*fault` says what is wrong; without a text there was no memory. */
AnalysisQuery *query_parse(const AnalysisSetup *setup, json_t *object, json_t *warnings,
                           QueryFault *fault);

/* query_parse.h - turns a JSON object into a query.
 * Threading: free functions. */
#pragma once
#include "protocol/analysis/query/query_reader.h"

/* Parses `object`, whose "id" must be a string. Adds an object for each warning to the array
 * `warnings`. The caller calls query_release() for the query. Returns NULL if the query is wrong or
 * there is no memory. `*fault` then says what is wrong; if its text is NULL, there was no
 * memory. Whether the moves can be played is found later, by query_replay_turn(). */
AnalysisQuery *query_parse(const AnalysisSetup *setup, json_t *object, json_t *warnings,
                           QueryFault *fault);

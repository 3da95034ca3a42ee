/* analysis_action.h - queries that ask for an action instead of an analysis: {"id", "action", ...}.
 * Threading: as analysis_line(). */
#pragma once
#include "protocol/analysis/analysis_engine.h"

/* Carries out the action `name` of the query `line`. Answers the client with the query, to which it
 * adds the results, or with an error. */
void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line);

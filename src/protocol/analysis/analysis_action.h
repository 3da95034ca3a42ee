/* analysis_action.h - queries that ask the engine to do something other than an analysis, such as
 * to end searches. They name it in their member "action".
 * Threading: see analysis_line(). */
#pragma once
#include "protocol/analysis/analysis_engine.h"

/* Carries out the action `name` of the query `line`. The answer to the client is the query with the
 * results added to it, or an error. */
void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line);

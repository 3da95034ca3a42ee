/* analysis_action.h - queries that ask the engine to do something other than an analysis, such as
 * to end searches. Their member "action" says what.
 * Threading: see analysis_line(). */
#pragma once
#include "protocol/analysis/analysis_engine.h"

/* If `line` asks to terminate positions, terminates those that are queued or searched now and
 * returns true, but does not answer the line. Called for lines that wait because the client has no
 * room for more queries now (analysis_has_room()); analysis_act() follows when the line has its
 * turn. */
bool analysis_act_ahead(AnalysisEngine *engine, AnalysisClient *client, json_t *line);
/* Carries out the action `name` of the query `line`. The answer to the client is the query with the
 * results added to it, or an error. */
void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line);

/* analysis_action.h - what a line can ask for besides positions: {"id", "action", ...}.
 * Threading: as analysis_line(). */
#pragma once
#include "protocol/analysis/analysis_engine.h"

/* Does the action `name` of `line` and answers the client, with the line and what it asked for. */
void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line);

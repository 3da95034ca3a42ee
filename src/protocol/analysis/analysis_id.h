/* analysis_id.h - the id of a query that is not parsed because its line is too long and was cut.
 * Threading: free functions. */
#pragma once
#include "base/json.h"

/* Finds the string "id" of an object whose text may be cut short. The caller calls json_decref().
 * NULL: there is no such string. */
json_t *analysis_find_id(const char *line);

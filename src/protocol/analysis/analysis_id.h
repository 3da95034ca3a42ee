/* analysis_id.h - finds the id of a query whose line was too long and is not parsed.
 * Threading: free functions. */
#pragma once
#include "base/json.h"

/* Finds the string "id" of an object whose text may be cut short. The caller calls json_decref().
 * NULL: there is no such string. */
json_t *analysis_find_id(const char *line);

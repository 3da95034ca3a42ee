/* analysis_id.h - finds the id of a query whose line is too long to be parsed.
 * Threading: free functions. */
#pragma once
#include "base/json.h"

/* Finds the string member "id" of a JSON object whose text may be cut short. The caller calls
 * json_decref(). Returns NULL if there is no such string. */
json_t *analysis_find_id(const char *line);

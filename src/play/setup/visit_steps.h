/* visit_steps.h - visits that change in steps during a run (Wu 2019, first version, section 6.1). A
 * list such as "900@90e6, 1200@130e6" says from how many rows of the run on a search has how many
 * visits. Threading: free functions. */
#pragma once
#include "base/error.h"
#include <stdint.h>

/* Checks the list of the setting `name`. It may be empty. ERR_ARGUMENT: an entry is not
 * VISITS@ROWS, or its ROWS are not above those of the entry before. */
MUST_USE Status visit_steps_check(const char *steps, const char *name, Error *err);
/* Returns the visits of a search in a run with `rows` rows: those of the last entry of the checked
 * list that has begun, or `visits` if none has. With -1 rows all entries have begun. */
int visit_steps_at(const char *steps, int visits, int64_t rows);

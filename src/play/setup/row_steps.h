/* row_steps.h - numbers that change in steps during a run (Wu 2019, first version, sections 5.4 and
 * 6.1). A list such as "900@90e6, 1200@130e6" says from how many rows of the run on a setting has
 * which number. Threading: free functions. */
#pragma once
#include "base/error.h"
#include <stdint.h>

typedef enum {
    STEPS_OF_VISITS, /* whole numbers, 1 to 1,000,000 */
    STEPS_OF_FACTORS /* 0 to 10 */
} RowStepsKind;

/* Checks the list of the setting `name`. It may be empty. ERR_ARGUMENT: an entry is not
 * NUMBER@ROWS, its number is not of this kind, or its ROWS are not above those of the entry
 * before. */
MUST_USE Status row_steps_check(const char *steps, RowStepsKind kind, const char *name, Error *err);
/* Returns the number of a setting in a run with `rows` rows: that of the last entry of the checked
 * list that has begun, or `number` if none has. With -1 rows all entries have begun. */
double row_steps_at(const char *steps, double number, int64_t rows);

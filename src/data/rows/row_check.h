/* row_check.h - checks that rows read from a file have values that training can use.
 * Threading: free functions. */
#pragma once
#include "data/rows/row.h"

/* ERR_SYNTAX: a value is impossible, and the message names its row and column. Examples are NaN, a
 * plane 0 that shows no board, bits or moves off the board, an empty policy target, and a score
 * distribution whose sum is not 100. Rows whose targets have a later version than ROW_VERSION are
 * refused, too, and the message gives the version. */
MUST_USE Status rows_check(const Rows *rows, Error *err);

/* row_check.h - checks that rows from outside have values that training can use.
 * Threading: free functions. */
#pragma once
#include "data/row.h"

/* ERR_SYNTAX names row and column of the first impossible value: NaN, no board, bits or moves off
 * the board, an empty policy target, a distribution that does not sum to 100 ... */
MUST_USE Status rows_check(const Rows *rows, Error *err);

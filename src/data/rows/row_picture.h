/* row_picture.h - a training row as a text that people can read: boards that show its targets, and
 * its single numbers. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "data/rows/row.h"

/* Adds the text to `out`. The mover has X and the opponent O; all values belong to the mover.
 * `columns` is the width of the text: as many boards stand side by side as fit into this width.
 * ERR_ARGUMENT: there is no such row. */
MUST_USE Status row_picture(const Rows *rows, size_t row, int columns, StrBuf *out, Error *err);

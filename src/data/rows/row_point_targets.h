/* row_point_targets.h - the optional columns of row_points.h, found from the boards of a game. Call
 * row_point_targets_prepare() once for each game, then one of the other two functions for each row.
 * Threading: confined. */
#pragma once
#include "data/rows/row_writer.h"

/* Sets `points` of the writer for the columns that its rows have. `boards` must be set. The caller
 * frees the arrays, also on failure. ERR_MEMORY. */
MUST_USE Status row_point_targets_prepare(RowWriter *writer, Error *err);
/* Writes the columns of row n, which is that of turn t, from the view of `own`. */
void row_point_targets_write(const RowWriter *writer, int t, Color own, size_t n);
/* Writes those of a side position (game_record.h), after which no game is known: all are 0. */
void row_point_targets_write_side(const RowWriter *writer, size_t n);

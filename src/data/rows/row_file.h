/* row_file.h - rows in KataGo's .npz format: a zip archive with one NumPy array for each column.
 * Members are written without the ending ".npy" and read with or without it. A damaged file is an
 * error with a message, never a crash. Threading: any thread, but two threads must not write the
 * same path at the same time. */
#pragma once
#include "data/rows/row.h"

/* Returns the maximum number of rows with frames of this length in a file. A file with this number
 * of rows takes at most 1 GiB when unpacked. */
size_t row_file_max_rows(int length);
/* Writes the file atomically. ERR_ARGUMENT: there are more rows than row_file_read() accepts. */
MUST_USE Status row_file_write(const char *path, const Rows *rows, Error *err);
/* Reads a file into `out`, which the call initialises and the caller clears. */
MUST_USE Status row_file_read(const char *path, Rows *out, Error *err);
/* Sets `*rows` to the number of rows that the file says it has, and `*length` to the width and
 * height of the rows' frames. `length` may be NULL. Reads only the list of members and one
 * header. */
MUST_USE Status row_file_count(const char *path, int64_t *rows, int *length, Error *err);

/* row_file.h - rows in KataGo's .npz format: a zip archive with one NumPy array for each column.
 * Members are written without the ending ".npy" and read with or without it. A damaged file is an
 * error with a message, never a crash. Threading: any thread, but two threads must not write the
 * same path at once. */
#pragma once
#include "data/row.h"

/* How many rows of this length a file may have: 1 GiB of them, unpacked. */
size_t row_file_max_rows(int length);
/* Writes atomically. ERR_ARGUMENT: more rows than row_file_read() accepts. */
MUST_USE Status row_file_write(const char *path, const Rows *rows, Error *err);
/* Initialises `out`; the caller clears it. */
MUST_USE Status row_file_read(const char *path, Rows *out, Error *err);
/* How many rows the file says it has. Reads only the list of members and one header. */
MUST_USE Status row_file_count(const char *path, int64_t *rows, Error *err);

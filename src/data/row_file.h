/* row_file.h - KataGo's .npz: one zip, members without ".npy" (read with it too). Any fault of a
 * file is a message, never a crash. Threading: any thread; two writers of one path must not meet.
 */
#pragma once
#include "data/row.h"

/* So many rows of this edge a file may have at most: 1 GiB of them. */
size_t row_file_most(int length);
/* Atomic. ERR_ARGUMENT: more rows than row_file_read() would take. */
MUST_USE Status row_file_write(const char *path, const Rows *rows, Error *err);
MUST_USE Status row_file_read(const char *path, Rows *out,
                              Error *err); /* `out` is initialised here */
/* How many rows it says that it has; of them only the list of members and one header are read. */
MUST_USE Status row_file_count(const char *path, int64_t *rows, Error *err);

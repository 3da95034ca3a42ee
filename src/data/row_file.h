/* row_file.h - KataGo's .npz: one zip, members without ".npy" (read with it too). Any fault of a
 * file is a message, never a crash. Threading: any thread; two writers of one path must not meet.
 */
#pragma once
#include "data/row.h"

MUST_USE Status row_file_write(const char *path, const Rows *rows, Error *err); /* atomic */
MUST_USE Status row_file_read(const char *path, Rows *out,
                              Error *err); /* `out` is initialised here */
/* How many rows it says that it has; of them only the list of members and one header are read. */
MUST_USE Status row_file_count(const char *path, int64_t *rows, Error *err);

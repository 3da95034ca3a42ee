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
/* The size of the rows of a file, as the file states it. */
typedef struct {
    int64_t rows;
    int length;    /* width and height of the frames */
    int64_t bytes; /* what the rows take in memory. If the file has optional columns and lacks a
                    * column that is then 0 in memory, it is a little more than this. */
} RowFileSize;
/* Reads only the list of members and one header. ERR_SYNTAX: the file is damaged. */
MUST_USE Status row_file_size(const char *path, RowFileSize *out, Error *err);

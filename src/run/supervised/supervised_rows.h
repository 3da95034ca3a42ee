/* supervised_rows.h - the rows for training on a fixed set of rows. It finds the files, and gives
 * batches for training and for validation. The frame of a row is the square in which the row stores
 * its board. Threading: confined. */
#pragma once
#include "data/loader.h"
#include "nn/graph/net.h"

/* The files that the user has named. A folder stands for all .npz files below it. */
typedef struct {
    const char *const *paths;
    int count;
} RowPaths;

typedef struct {
    RowPaths training;
    RowPaths validation;   /* if it is empty, loader.validation says which fraction of the
                              training games is used */
    LoaderSettings loader; /* `length` 0: the length of the rows' frames */
    const Net *net;        /* the heads of the net decide which targets batches must have */
} SupervisedRowsSetup;

typedef struct {
    Loader *training;
    Loader *validation; /* NULL if the validation rows in memory of `training` are used */
    int64_t rows;       /* of all files for training */
    int files, length;
} SupervisedRows;

/* Sets `*length` to the width and height of the largest frames in the files. ERR_SYNTAX: every file
 * is damaged. ERR_IO: there are no files, or a file cannot be read. */
MUST_USE Status supervised_rows_length(const RowPaths *paths, int *length, Error *err);
/* Opens the files. If all rows for training fit in the memory that the loader may use, the files
 * for training are read now. Otherwise they are read when they are needed. Files for validation are
 * always read now. If this function finds that a file cannot be used, it leaves the file out and
 * logs this. The caller closes `*out`, also after a failure. ERR_SYNTAX: no file can be used.
 * ERR_IO: there are no files, or a file cannot be read. ERR_UNSUPPORTED: the inputs or outputs of
 * the net are not those of a Go net. */
MUST_USE Status supervised_rows_open(const SupervisedRowsSetup *setup, SupervisedRows *out,
                                     Error *err);
/* Logs each training file that was damaged or missing when its rows were needed. The loader has
 * left out the rows of this file since then. Waits for the batch that the loader is making. */
void supervised_rows_tell_of_bad(const SupervisedRows *rows);
void supervised_rows_close(SupervisedRows *rows);
/* Gives batch `number` (counted from 0) of the validation rows, as loader_validation() does. */
MUST_USE Status supervised_rows_validation(const SupervisedRows *rows, int number, Batch *out,
                                           Error *err);
/* Sets `*out` to the number of validation rows. ERR_MEMORY. */
MUST_USE Status supervised_rows_validation_count(const SupervisedRows *rows, int64_t *out,
                                                 Error *err);

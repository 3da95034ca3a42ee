/* row_private.h - the table of a row's columns. Threading: confined. */
#pragma once
#include "data/row.h"

/* The arrays that a row consists of. Rows are allocated, packed and written by this one table. If
 * the last column is 0 in all rows, row_file_write() and rows_to_bytes() leave it out. */
enum { ROW_COLUMNS = 8, ROW_COLUMNS_MIN = 7 };
typedef struct {
    const char *name;    /* KataGo's name of the array */
    const char *descr;   /* NumPy's name of its element type */
    void *array_pointer; /* address of the pointer in Rows */
    size_t size;         /* bytes of an element */
    int rank;
    size_t dims[4]; /* the shape of one row; `rank` of them are used */
} RowColumn;
void row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]); /* borrows `rows` */
size_t row_column_bytes(const RowColumn *column);         /* bytes of one row */
int row_columns_used(const Rows *rows);                   /* ROW_COLUMNS_MIN or ROW_COLUMNS */
char *row_column_array(const RowColumn *column);          /* NULL if there are no rows yet */

MUST_USE Status rows_reserve(Rows *rows, size_t wanted, Error *err);

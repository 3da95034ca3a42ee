/* row_private.h - the columns of rows. Threading: confined. */
#pragma once
#include "data/row.h"

/* What a row is made of, one array after the other: the one table, by which rows are held, packed
 * and written. */
enum { ROW_COLUMNS = 8, ROW_COLUMNS_LEAST = 7 }; /* the last one is left out where it is empty */
typedef struct {
    const char *name, *descr; /* KataGo's, and the numbers as NumPy calls them */
    void *array_pointer;      /* address of the pointer in the rows */
    size_t size;              /* of a number */
    int rank;
    size_t dims[4]; /* after the rows */
} RowColumn;
void row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]); /* borrows `rows` */
size_t row_column_bytes(const RowColumn *column);         /* a row */
int row_columns_used(const Rows *rows);
char *row_column_array(const RowColumn *column); /* NULL: there are no rows yet */

MUST_USE Status rows_reserve(Rows *rows, size_t wanted, Error *err);

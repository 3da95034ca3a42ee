/* row_private.h - the table of a row's columns. Threading: confined. */
#pragma once
#include "data/rows/row.h"

/* The arrays that a row consists of. All code that allocates, packs or writes rows uses this one
 * table. */
enum {
    ROW_COLUMN_TARGETS = 3,
    ROW_COLUMN_Q_VALUES = 6,
    ROW_COLUMN_SEARCH_VALUES,
    ROW_COLUMN_PLAYERS,
    ROW_COLUMN_POINTS, /* the first of the columns of row_points.h */
    ROW_COLUMNS = ROW_COLUMN_POINTS + ROW_POINT_COLUMNS
};
typedef struct {
    int id;              /* its number in the enumeration above */
    const char *name;    /* KataGo's name of the array */
    const char *descr;   /* NumPy's name of its element type */
    void *array_pointer; /* address of the pointer in Rows */
    size_t size;         /* bytes of an element */
    int rank;
    size_t dims[4]; /* the shape of one row; `rank` of them are used */
} RowColumn;
/* Lists the columns in the order of their ids, and returns their number. The players and the
 * columns of row_points.h are left out if these rows do not have them. The list points into
 * `rows`. */
int row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]);
size_t row_column_bytes(const RowColumn *column); /* bytes of one row */
bool rows_have_search_values(const Rows *rows);   /* whether any of them is not 0 */
char *row_column_array(const RowColumn *column);  /* NULL if there are no rows yet */

MUST_USE Status rows_reserve(Rows *rows, size_t wanted, Error *err);

/* row_pack.h - a training row as few bytes, to keep many rows in memory. Most bytes of a row are 0,
 * and runs of them are stored as their length. Threading: free functions. */
#pragma once
#include "data/row.h"

/* Adds the packed row to `out`. strbuf_status() says whether there was memory. */
void row_pack(const Rows *rows, size_t row, StrBuf *out);
/* Adds to `rows` the row that row_pack() packed from rows of the same length. ERR_SYNTAX: the bytes
 * are no such row. ERR_MEMORY. */
MUST_USE Status row_unpack(Rows *rows, const void *bytes, size_t count, Error *err);

/* row_pack.h - packs training rows, so that more of them fit in memory. Most bytes of a row are 0.
 * Of a long run of zeros only the length is stored. Threading: free functions. */
#pragma once
#include "data/rows/row.h"

/* Adds the packed row to `out`. strbuf_status() says whether there was memory. */
void row_pack(const Rows *rows, size_t row, StrBuf *out);
/* Unpacks a row and adds it to `rows`. row_pack() must have packed it from rows of the same length.
 * ERR_SYNTAX: the bytes are no packed row of this length. ERR_MEMORY. */
MUST_USE Status row_unpack(Rows *rows, const void *bytes, size_t count, Error *err);

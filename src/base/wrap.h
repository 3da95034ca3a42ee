/* wrap.h - lines of text that are broken at blanks to fit into a number of columns. A character in
 * UTF-8 takes one column, and a sequence for colors (from ESC to 'm') takes none. Threading: free
 * functions. */
#pragma once
#include "base/strbuf.h"

/* The number of columns that `length` bytes of text take. */
int wrap_columns(const char *text, size_t length);
/* Adds the text in lines of at most `columns` columns, each ended by '\n'; 0 means no limit. A
 * blank at which a line is broken is left out. A word that is longer than a line is broken itself.
 * In lines that begin with a blank and explain a word, as in "  show   draws one row", the
 * explanation stays in its column, if half of the columns remain for it. */
void wrap_text(const char *text, int columns, StrBuf *out);

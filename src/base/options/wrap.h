/* wrap.h - breaks lines of text at blanks, so that they fit into a number of columns. A character
 * in UTF-8 takes one column, and a sequence for colors (from ESC to 'm') takes none. Threading:
 * free functions. */
#pragma once
#include "base/strbuf.h"

/* The number of columns that `length` bytes of text take. */
int wrap_columns(const char *text, size_t length);
/* Adds the text in lines of at most `columns` columns, each ended by '\n'; 0 means no limit. The
 * blanks at which a line is broken are left out. A word that is longer than a line is broken, too.
 * A line that begins with a blank may explain a word, as in "  show   draws one row". When such a
 * line is broken, the explanation stays in its column if half of the columns remain for it. */
void wrap_text(const char *text, int columns, StrBuf *out);

/* lc0_summary.h - says in a few words what a net of lc0 is: its trunk, its heads and its size.
 * Threading: free functions. */
#pragma once
#include "eval/formats/lc0/lc0_format.h"

/* Adds a line for each part to `out`. */
void lc0_summary_add(const Lc0File *file, const Lc0Format *format, StrBuf *out);
/* Refuses a net for chess as a net for Go, with a message that says what the net is. */
MUST_USE Status lc0_summary_refuse(const Lc0File *file, const Lc0Format *format, Error *err);

/* sgf_lines.h - finds the number of the line in which a character of a text is. A line ends with
 * LF, CR LF or CR. Threading: confined. */
#pragma once
#include <stddef.h>

/* The line of a character is computed when a caller asks for it: the ends of lines are counted from
 * the character of the call before. So one pass over the text is enough if the calls are in the
 * order of the text. At the first jump back by more than 8192 bytes, `marks` is made. It has the
 * line in which each piece of 8192 bytes begins, so that counting can start at any piece. */
typedef struct {
    const char *text; /* borrowed */
    size_t length;
    size_t at;  /* index of the character of the last call */
    int line;   /* of text[at] */
    int first;  /* line of text[0] */
    int *marks; /* NULL before the first jump back */
} SgfLines;

/* Begins with text[0] in line `first`. */
SgfLines sgf_lines_init(const char *text, size_t length, int first);
/* Returns the line of text[at]. `at` may be the length. */
int sgf_lines_at(SgfLines *lines, size_t at);
void sgf_lines_clear(SgfLines *lines); /* {0} is fine */

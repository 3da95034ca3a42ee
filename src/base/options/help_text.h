/* help_text.h - texts of help on a terminal: paragraphs and explained words that are wrapped to its
 * width. Threading: confined. */
#pragma once

/* The width of the terminal in columns. If the environment variable COLUMNS has a width, that is
 * used instead. If no width is known, or if it is less than 40, this returns 100. */
int help_text_width(void);
/* The width of texts of help: at most 100, because longer lines are hard to read. */
int help_text_columns(void);
/* Prints the text of a help on stdout. Lines that begin without a blank form paragraphs, which are
 * wrapped to the terminal, at most to 100 columns. In a line that begins with blanks and explains a
 * word, such as "  show   draws one row", only the explanation is wrapped. Other lines that begin
 * with blanks stay as they are. */
void help_text_print(const char *text);
/* Prints a text on stdout and breaks it at blanks into lines of at most `width` columns. The first
 * line continues at column `at`, where the cursor is now; the others begin at column `indent`. */
void help_text_wrap(const char *text, int at, int indent, int width);
/* The column at which the explanation begins in a line such as "  show   draws one row". It is 0 if
 * the line is an example, which stays as it is. */
int help_text_explanation(const char *line, int length);

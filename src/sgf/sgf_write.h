/* sgf_write.h - writes trees and texts as SGF. Threading: confined. */
#pragma once
#include "sgf/sgf_tree.h"

/* Adds the text with ']' and '\' escaped. If `one_line`, line breaks become spaces. */
void sgf_write_text(const char *text, bool one_line, StrBuf *out);
/* Adds all games of the tree. Their values are copied unchanged. sgf_parse() reads the same tree
 * from the result.
 * ERR_MEMORY. */
MUST_USE Status sgf_write_tree(const SgfTree *tree, StrBuf *out, Error *err);

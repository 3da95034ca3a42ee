/* sgf_parse.h - SGF text, FF[1] to FF[4], to a tree. Threading: confined. */
#pragma once
#include "sgf/sgf_tree.h"

/* UTF-8 text on its way through the parser. */
typedef struct {
    const char *name; /* of the text, for messages */
    const char *text;
    size_t length;
    size_t at; /* what was read so far */
    int line;  /* of text[at], counted from 1 */
} SgfSource;

/* Reads the next game into `*out`, whose values point into the text. What stands before its "(;" is
 * passed over; lower-case letters in names of properties are dropped (FF[1] to FF[3]: "AddBlack" is
 * AB). No game left: the tree is empty. On failure too, and the source stands at the next line that
 * begins a game. ERR_SYNTAX: a bad character, a value or a game that does not end. ERR_MEMORY. */
MUST_USE Status sgf_parse_next(SgfSource *source, SgfTree *out, Error *err);

/* All games of bytes in any charset; the tree keeps the text. ERR_SYNTAX also if there is no game.
 */
MUST_USE Status sgf_parse(const char *bytes, size_t count, const char *name, SgfTree *out,
                          Error *err);

/* sgf_parse.h - parses SGF text, FF[1] to FF[4], into a tree. sgf_parse() parses a whole file in
 * any charset. sgf_parse_next() parses the games of a UTF-8 text one by one.
 * Threading: confined. */
#pragma once
#include "sgf/sgf_tree.h"

/* A UTF-8 text, and how far it has been parsed. */
typedef struct {
    const char *name; /* the file's name, for messages */
    const char *text;
    size_t length;
    size_t at; /* index of the next character */
    int line;  /* of text[at], counted from 1 */
} SgfSource;

/* Reads the next game into `*out`, which borrows the text. Skips everything before the "(;" of the
 * game. If the name of a property has capitals, its lower-case letters are dropped (in FF[1] to
 * FF[3], "AddBlack" is AB). If no game is left, the tree is empty. On failure the tree is empty
 * too, and the next call begins at the next line that begins a game, or at the end of the text.
 *   ERR_SYNTAX: there is an unexpected character, or a value or game does not end. A game also does
 *   not end if a variation begins a line and its first node has SZ, GM or FF: the variation is the
 *   next game.
 *   ERR_UNSUPPORTED: there are more than SGF_BRANCHES_LIMIT variations, or the rest of the text
 *   has 4 GiB or more.
 *   ERR_MEMORY. */
MUST_USE Status sgf_parse_next(SgfSource *source, SgfTree *out, Error *err);

/* Reads all games of a file whose bytes are in any charset. The tree owns the decoded text. Fails
 * as sgf_parse_next() does, and also with ERR_SYNTAX if there is no game. */
MUST_USE Status sgf_parse(const char *bytes, size_t count, const char *name, SgfTree *out,
                          Error *err);

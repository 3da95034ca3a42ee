/* review_sgf.h - writes a game as SGF with its review in it. Threading: free functions. */
#pragma once
#include "protocol/review/review.h"

/* Adds the game with the review to `out`. Each position gets a comment, after the comment that it
 * had; Black's lead as V and SBKS, and Black's win rate in percent as SBKV (Sabaki,
 * src/modules/sabaki.js), in place of values that it had; and DO, BM or BM[2] for an
 * inaccuracy, mistake or blunder if the node has no such mark. Each key move gets the better
 * variation beside it. `heading` goes into the comment of the root.
 * `text`, of `length` bytes in any charset, is the file that the game was read from, and `number`,
 * from 1 on, that of the game in it: everything in it stays. If `text` is NULL, or if its main line
 * is not `game`, then what `game` has is written instead: without other variations. */
MUST_USE Status review_sgf_write(const Review *review, const SgfGame *game, const char *heading,
                                 const char *text, size_t length, int number, StrBuf *out,
                                 Error *err);

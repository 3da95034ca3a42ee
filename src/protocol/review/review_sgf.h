/* review_sgf.h - writes a game as SGF with its review in it. Threading: free functions. */
#pragma once
#include "protocol/review/review.h"

/* Adds the game with the review to `out`. The node of each position that was searched gets:
 *   - a comment, after the comment that it had;
 *   - Black's lead as V and SBKS, and Black's win rate in percent as SBKV (Sabaki,
 *     src/modules/sabaki.js), in place of the values that it had;
 *   - DO, BM[1] or BM[2] for an inaccuracy, mistake or blunder, unless it has DO, BM, TE or IT.
 * Each key move gets the better variation beside it. `heading` goes into the comment of the root.
 * `text` is the file from which the game was read; it has `length` bytes in any charset. `number`,
 * counted from 1, says which game of the file is meant. Everything else in that game stays. If
 * `text` is NULL, or if the main line of that game is not `game`, the function writes `game`
 * instead. Then there are no other variations. */
MUST_USE Status review_sgf_write(const Review *review, const SgfGame *game, const char *heading,
                                 const char *text, size_t length, int number, StrBuf *out,
                                 Error *err);

/* picture.h - draws an evaluation on its board, as text or as SVG. Points are labelled as in
 * GTP. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "eval/evaluators/evaluation.h"

/* Draws a text board with stones. Empty points show the policy in per mille, as "." below 0.5; a
 * point where the mover may not play shows "-". The last move is in round brackets, and the policy
 * of the pass stands below the board. */
void picture_policy(const Position *position, const Evaluation *evaluation, StrBuf *out);

/* Draws a text board of ownership. The probability that a point is Black's is
 *     p = (1 + Black's ownership) / 2
 * and decides its letter:
 *     X above 0.9, x above 0.7, . from 0.3, o from 0.1, O below.
 * A stone is in square brackets if it probably dies, that is, if the probability that its point
 * belongs to its own color is below 0.3. `shades` is for ANSI terminals with 256 colors: grey
 * backgrounds show p, and X and O are the stones. Needs has_ownership. */
void picture_ownership(const Position *position, const Evaluation *evaluation, bool shades,
                       StrBuf *out);

/* Returns Black's ownership of a point, -1..1. */
float picture_black_ownership(const Position *position, const Evaluation *evaluation, Point point);

/* Writes a whole SVG file. It shows the stones, the policy (discs with per mille on empty points),
 * the ownership (squares) if the evaluation has it, and two lines of values. Below stands the
 * distribution of the final score, with White's wins on the left and Black's wins on the right.
 * `scores` is the answer of score_distribution(), or NULL for a picture without distribution.
 * `caption` has at most two more lines of text, which are escaped; it may be NULL. */
void picture_svg(const Position *position, const Evaluation *evaluation, const float *scores,
                 const char *caption, StrBuf *out);

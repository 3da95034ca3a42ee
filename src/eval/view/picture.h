/* picture.h - draws an evaluation on its board, as text or as SVG. Points are labelled as in
 * drawing.h. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "eval/evaluators/evaluation.h"

/* A text board with stones. Empty points show the policy in per mille: "." below 0.5, "-" if the
 * mover may not play there. The last move is in brackets; the pass stands below the board. */
void picture_policy(const Position *position, const Evaluation *evaluation, StrBuf *out);

/* A text board of ownership. With p = (1 + Black's ownership) / 2, the probability that a point is
 * Black's, the letters are
 *     X above 0.9, x above 0.7, . from 0.3, o from 0.1, O below.
 * Stones that probably die (probability below 0.3 for their own color) are in brackets. `shades`:
 * use grey backgrounds instead of letters (ANSI terminals, 256 colors). Needs has_ownership. */
void picture_ownership(const Position *position, const Evaluation *evaluation, bool shades,
                       StrBuf *out);

/* Black's ownership of a point, -1..1. */
float picture_black_ownership(const Position *position, const Evaluation *evaluation, Point point);

/* A whole SVG file: stones, policy (discs with per mille on empty points), ownership (squares) if
 * the evaluation has it, two lines of values, and the distribution of the final score, from White's
 * wins on the left to Black's on the right. `scores`: by score_distribution(); NULL: no
 * distribution. `caption`: at most two more lines, which are escaped; NULL: none. */
void picture_svg(const Position *position, const Evaluation *evaluation, const float *scores,
                 const char *caption, StrBuf *out);

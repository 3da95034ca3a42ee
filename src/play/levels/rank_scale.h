/* rank_scale.h - the rank of a player whose Elo distance to GNU Go 3.8, level 10, is known. Such a
 * rank is an estimate: GNU Go counts as 8k on every board, as in KaTrain, and the rest follows from
 * the scale of the European Go Federation (EGF). A rank is a number here: 8k is 13, 1k is 20, 1d is
 * 21 and 9d is 29. Threading: free functions. */
#pragma once
#include "base/error.h"

/* Returns the rank of a player who is `elo` stronger than GNU Go, on a board of `area` points:
 *     elo * 0.75 = sqrt(area) / 19 * (beta(rank) - beta(13)),
 *     beta(rank) = -7 ln(33 - rank) * 400 / ln 10
 * beta is the EGF's scale of 2021 for 19x19, in Elo. The other two factors are guesses. 0.75:
 * distances in Elo are larger between programs than between programs and people. sqrt(area) / 19: a
 * rank is worth less Elo on a small board, in proportion to the square root of the length of a
 * game. */
double rank_of_elo(double elo, int area);
double rank_elo(double rank, int area); /* the inverse; rank < 33 */

typedef struct {
    char text[16];
} RankText;
/* Writes the nearest of the ranks 30k to 9d. */
RankText rank_text(double rank);
/* Reads a rank from 30k to 9d, such as "9k". Returns false if the text is not such a rank. */
bool rank_parse(const char *text, double *out);

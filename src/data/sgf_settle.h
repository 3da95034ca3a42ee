/* sgf_settle.h - finds the dead stones that were left on the board at the end of a game, and so the
 * owners of the points. People agree on dead stones at the end of a game, but SGF does not say
 * which they were. So they are guessed, and a guess is accepted only if the board without these
 * stones has exactly the points of the result. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "data/sgf_record.h"

/* Guesses the dead stones from random games that begin at the last position: a chain is dead if, at
 * the ends of these games, its points belong to the opponent more often than to its own side. If
 * the guess agrees with the result, sets `dead`, `owner` and `owner_unknown` of the record and
 * returns true. Otherwise the record is unchanged. Also returns false if the game did not end with
 * passes, if its result does not say the points, or if the owners are known already. The method is
 * from B. Bouzy and B. Helmstetter 2003, "Monte-Carlo Go Developments". */
bool sgf_settle_by_playouts(SgfRecord *record, int playouts, Rng *rng);

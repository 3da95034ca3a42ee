/* sgf_settle.h - finds the dead stones that were left on the board at the end of a game, and so the
 * owners of the points. Games of people end with the agreement of the players, which SGF does not
 * tell; but the result does: a guess counts only if the board without its dead stones has exactly
 * the points of the result. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "data/sgf_record.h"

/* Guesses the dead stones from random games that begin at the last position: a chain is dead if its
 * points belong to the opponent in most of them. If the guess agrees with the result, sets `dead`,
 * `owner` and `owner_unknown` of the record and returns true. Otherwise the record is as before.
 * It does not agree if the game did not end with passes, or if the points are not known. Random
 * games to find dead stones are an old method; see B. Bouzy and B. Helmstetter 2003, "Monte-Carlo
 * Go Developments". */
bool sgf_settle_by_playouts(SgfRecord *record, int playouts, Rng *rng);

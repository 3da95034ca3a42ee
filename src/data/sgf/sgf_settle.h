/* sgf_settle.h - finds the dead stones that were left on the board at the end of a game. With them
 * the owners of the points become known. People agree on the dead stones at the end of a game, but
 * the SGF file does not name them. So they are guessed. A guess is accepted only if the score of
 * the board without these stones is exactly that of the result. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "data/sgf/sgf_record.h"
#include "eval/evaluators/evaluator.h"

/* Guesses the dead stones from random games that begin at the last position: a chain is dead if, at
 * the ends of these games, its points belong to the opponent more often than to its own side. If
 * the guess agrees with the result, sets `dead`, `owner` and `owner_unknown` of the record and
 * returns true. Otherwise it leaves the record unchanged and returns false. It also does so if the
 * game did not end with passes, if its result has no points, or if the owners are known already.
 * The method is from B. Bouzy and B. Helmstetter 2003, "Monte-Carlo Go Developments". */
bool sgf_settle_by_playouts(SgfRecord *record, int playouts, Rng *rng);

/* Guesses the dead stones by playing the game on, with the move to which the evaluator gives the
 * highest probability, by Tromp-Taylor rules, until both sides pass: a chain of the last position
 * is dead if at the end its points belong to the opponent more often than to its own side. Sets
 * `*settled` to what sgf_settle_by_playouts() would return. The errors are those of
 * evaluator_evaluate(), and ERR_MEMORY. */
MUST_USE Status sgf_settle_by_net(SgfRecord *record, Evaluator *evaluator, bool *settled,
                                  Error *err);

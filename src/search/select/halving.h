/* halving.h - sequential halving: which of the moves left a visit is for. Karnin, Koren and Somekh
 * 2013, "Almost optimal exploration in multi-armed bandits"; Danihelka et al. 2022, section 3; the
 * page of p3achygo. Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"
#include <stdbool.h>
#include <stdint.h>

/* The visits that the move of simulation `t` has had so far, in sequential halving of `simulations`
 * over `considered` moves: each phase gives the same number to all moves left, of which half go on,
 * two at least. */
int64_t halving_scheduled(int64_t simulations, int considered, int64_t t);
/* The same by the rounds of p3achygo: over R = floor(log2 considered) rounds each of the k moves
 * left gets floor(n / (R k)) visits, below four moves all that is left; or n / (R k) rounded. Half
 * of k go on, and what the rounds leave is the winner's. */
int64_t halving_scheduled_rounds(bool rounded, int64_t simulations, int considered, int64_t t);
/* The most moves, of so many, whose halving never leaves three. */
int halving_without_three(int considered);

/* A round: from simulation `start` on, `each` visits for each of the `left` moves, which have had
 * `visits`. */
typedef struct {
    int64_t start, each, left, visits;
} HalvingRound;
/* That of simulation `t`, by gumbel_halving. */
HalvingRound halving_round(const SearchSettings *settings, int64_t simulations, int considered,
                           int64_t t);
/* R, by gumbel_halving; at least 1. */
int halving_rounds(const SearchSettings *settings, int considered);
/* How many of at most so many moves are halved: as many as get gumbel.min_visits in the first of
 * the rounds, n / (R m) each, two at least; no more than there are simulations; by
 * p3achygo_2026 as halving_without_three(). */
int halving_considered(const SearchSettings *settings, int64_t simulations, int max);

/* halving.h - sequential halving, which divides the visits of a Gumbel search into rounds. In each
 * round all remaining moves get the same number of visits. After the round the better half of the
 * moves stays. Karnin, Koren and Somekh 2013, "Almost optimal exploration in multi-armed bandits";
 * Danihelka et al. 2022, section 3; the web page of p3achygo, whose rules of 2023 and 2026 are here
 * too. Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"
#include <stdbool.h>
#include <stdint.h>

/* `simulations` visits are divided among `considered` moves. Returns how many visits a move must
 * have had before simulation `t` if this simulation is to choose it. In each round a move gets at
 * least one visit. After each round half of the moves stay, but at least two. */
int64_t halving_scheduled(int64_t simulations, int considered, int64_t t);
/* Does the same by the rules of p3achygo. For n simulations there are R = floor(log2 considered)
 * rounds. In a round each of the k remaining moves gets floor(n / (R k)) visits; but if k < 4, the
 * moves share all visits that are left. With `rounded` (the rules of 2026) each move gets n / (R k)
 * visits, rounded. By both rules a move gets at least one visit. After the round k / 2 moves stay.
 * Visits after the last round go to the winner. */
int64_t halving_scheduled_rounds(bool rounded, int64_t simulations, int considered, int64_t t);
/* Returns the largest number of moves, at most `considered`, for which repeated halving never
 * leaves three moves. */
int halving_without_three(int considered);

/* A round. It begins at simulation `start`. Each of the `left` remaining moves has had `visits`
 * visits before the round, and gets `each` visits in the round. */
typedef struct {
    int64_t start, each, left, visits;
} HalvingRound;
/* The round of simulation `t`, by search.gumbel.halving. */
HalvingRound halving_round(const SearchSettings *settings, int64_t simulations, int considered,
                           int64_t t);
/* The number of rounds, by search.gumbel.halving; at least 1. */
int halving_rounds(const SearchSettings *settings, int considered);
/* Returns the number of moves m with which a halving of n simulations begins. In the first of R
 * rounds each move gets about n / (R m) visits. m is the largest number for which this is at least
 * search.gumbel.min_visits; but this rule does not make m smaller than two. m is also at most `max`
 * and at most n. By the rules of p3achygo_2026, halving_without_three() may then reduce m. */
int halving_considered(const SearchSettings *settings, int64_t simulations, int max);

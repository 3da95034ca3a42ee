/* halving.h - sequential halving, which divides the visits of a Gumbel search into rounds. In each
 * round all remaining moves get the same number of visits, and then the better half of them stays.
 * Karnin, Koren and Somekh 2013, "Almost optimal exploration in multi-armed bandits"; Danihelka et
 * al. 2022, section 3; the web page of p3achygo, whose rules of 2023 and 2026 are here too.
 * Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"
#include <stdbool.h>
#include <stdint.h>

/* How many visits a move must have had so far to be chosen by simulation `t`, if `simulations`
 * visits are divided among `considered` moves. In each round a move gets at least one visit. After
 * each round half of the moves stay, but at least two. */
int64_t halving_scheduled(int64_t simulations, int considered, int64_t t);
/* The same by the rules of p3achygo. For n simulations there are R = floor(log2 considered) rounds.
 * In each of them the k remaining moves get floor(n / (R k)) visits each; if k < 4, they share all
 * visits that are left. With `rounded` (the rules of 2026) they get n / (R k) each, rounded. In
 * both cases they get at least one visit each. Then k / 2 moves stay. Visits after the last round
 * go to the winner. */
int64_t halving_scheduled_rounds(bool rounded, int64_t simulations, int considered, int64_t t);
/* The largest number of moves, at most `considered`, from which repeated halving never leaves
 * three. */
int halving_without_three(int considered);

/* A round. It begins at simulation `start`. Each of the `left` remaining moves has had `visits`
 * visits before it, and gets `each` visits in it. */
typedef struct {
    int64_t start, each, left, visits;
} HalvingRound;
/* The round of simulation `t`, by search.gumbel.halving. */
HalvingRound halving_round(const SearchSettings *settings, int64_t simulations, int considered,
                           int64_t t);
/* The number of rounds, by search.gumbel.halving; at least 1. */
int halving_rounds(const SearchSettings *settings, int considered);
/* Returns the number of moves m with which a halving of n simulations begins. In the first of R
 * rounds each move gets about n / (R m) visits. So m is the largest number, at most `max` and n,
 * for which this is search.gumbel.min_visits or more; but it is not reduced below two for that
 * reason. By the rules of p3achygo_2026 halving_without_three() may then reduce it. */
int halving_considered(const SearchSettings *settings, int64_t simulations, int max);

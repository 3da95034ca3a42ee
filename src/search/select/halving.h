/* halving.h - sequential halving: which of the remaining moves a visit is for. Karnin, Koren and
 * Somekh 2013, "Almost optimal exploration in multi-armed bandits"; Danihelka et al. 2022,
 * section 3; the page of p3achygo. Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"
#include <stdbool.h>
#include <stdint.h>

/* How many visits a move must have had so far to be chosen by simulation `t`, in sequential
 * halving of `simulations` visits over `considered` moves: each round gives the same number of
 * visits to all remaining moves, and then half of them stay, at least two. */
int64_t halving_scheduled(int64_t simulations, int considered, int64_t t);
/* The same by the rules of p3achygo: there are R = floor(log2 considered) rounds, and in each of
 * them the k remaining moves get floor(n / (R k)) visits each, or all visits that are left if k
 * < 4; with `rounded` they get n / (R k), rounded. Then k / 2 moves stay. Visits after the last
 * round go to the winner. */
int64_t halving_scheduled_rounds(bool rounded, int64_t simulations, int considered, int64_t t);
/* The largest number of moves, at most `considered`, whose halving never leaves three. */
int halving_without_three(int considered);

/* A round: from simulation `start` on each of the `left` moves gets `each` visits; each has had
 * `visits` before. */
typedef struct {
    int64_t start, each, left, visits;
} HalvingRound;
/* The round of simulation `t`, by search.gumbel.halving. */
HalvingRound halving_round(const SearchSettings *settings, int64_t simulations, int considered,
                           int64_t t);
/* The number of rounds, by search.gumbel.halving; at least 1. */
int halving_rounds(const SearchSettings *settings, int considered);
/* How many moves are halved, `max` at most: as many as get search.gumbel.min_visits each in the
 * first of the R rounds, n / (R m), but at least two; no more than there are simulations; by the
 * rules of p3achygo_2026 as in halving_without_three(). */
int halving_considered(const SearchSettings *settings, int64_t simulations, int max);

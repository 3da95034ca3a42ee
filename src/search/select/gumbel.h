/* gumbel.h - the choice at the root by Gumbel noise and sequential halving, and the rule that
 * follows the improved policy inside the tree. Danihelka et al. 2022, "Policy improvement by
 * planning with Gumbel"; the page of p3achygo. Values q here are the mover's on [0, 1]:
 *     (U / range + 1) / 2,   range: the largest utility
 * Other choices of search.gumbel.sigma take U itself, or its place between the smallest and the
 * largest value of the node. Threading: confined; in a split tree the functions for the root are
 * called under its lock. */
#pragma once
#include "base/rng.h"
#include "search/select/halving.h"
#include "search/select/puct.h"

/* A move that the root samples. */
typedef struct {
    int16_t move;  /* move_index() */
    int16_t edge;  /* index of its edge at the root; -1: it has none yet */
    bool out;      /* it turned out illegal */
    int32_t start; /* visits when the search began ... */
    int32_t base;  /* ... and when this halving began */
} Candidate;

typedef struct {
    int count; /* number of candidates; 0: gumbel_begin() was not called */
    /* There is no limit on visits: each new halving has twice the visits and more moves. */
    bool grows;
    int64_t simulations;     /* visits of the halving under way */
    int64_t extension;       /* visits of each move that were added to the round ... */
    int64_t extension_from;  /* ... which ends at this simulation */
    int move_count;          /* moves of the board, the pass included */
    float logits[MOVES_MAX]; /* ln P, by move_index(); -INFINITY: illegal */
    float scores[MOVES_MAX]; /* logits + noise */
    Candidate candidates[MOVES_MAX];
} Gumbel;

/* The weight of a value against the logits (equation 8 there):
 *     sigma(q) = (visit_offset + max_visits) * visit_scale * q
 * With GUMBEL_SIGMA_LOG 2 ln(max_visits) takes the place of max_visits (p3achygo, 2026).
 * max_visits: of the most visited move. */
double gumbel_sigma(const SearchSettings *settings, int64_t max_visits, double q);
/* The value of unvisited moves, from the node's own value v and the visited moves (appendix D
 * there):
 *     v_mix = (v + N sum P q / sum P) / (1 + N) */
double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value);

/* Turns off what Gumbel search replaces: Dirichlet noise, forced playouts, target pruning, root
 * temperature and LCB. */
void gumbel_override(SearchSettings *settings);
/* Draws the noise and the candidates of an expanded root. `policy` is raw, illegal moves have
 * -1. `simulations`: visits that will come; 0: none; -1: there is no limit. Then a halving of
 * twice the visits follows each halving, over as many moves as get search.gumbel.min_visits. */
void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng);
/* The index of the root's edge for the next simulation; the child is made if it does not exist.
 * -1: there is no move. */
int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeSlab *slab);
/* Ends the round under way if it is settled before its end. Returns how many visits it still
 * had; 0: it goes on. The test is made after every quarter of the round: the largest upper bound
 * of the moves of the lower half against the largest lower bound of those of the upper half, by
 * Student's t at a confidence of c^(1/R) for R rounds, divided among the moves of the half
 * (p3achygo, 2026). */
int64_t gumbel_end_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Extends a round that has just ended by a quarter of its visits, up to
 * search.gumbel.over_search times its visits, if none of its visits is under way and the same
 * test does not settle it. Returns how many visits that adds, or 0 (p3achygo, 2026,
 * over-search). */
int64_t gumbel_extend_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* The choice at an inner node: argmax pi'(a) - N(a) / (1 + N). Returns what puct_select()
 * returns. */
int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t node);
/* Writes the improved policy of the root, softmax(logits + sigma(completed q)), by move_index();
 * illegal moves have 0. */
void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy);
/* The move to play, by move_index(): of the candidates with the most visits in this search the
 * one with the largest noise + logit + sigma(q). -1: there is none. */
int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree);

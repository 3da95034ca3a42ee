/* gumbel.h - the root of a search by Gumbel noise and sequential halving, and the rule that follows
 * the improved policy inside the tree. Danihelka et al. 2022, "Policy improvement by planning with
 * Gumbel"; the page of p3achygo. Values here are the mover's on [0, 1]: (U / range + 1) / 2, range
 * the largest utility; other choices of gumbel_sigma take U itself, or the place between the node's
 * least and largest value. Threading: confined; the root's functions of a split tree under its
 * lock. */
#pragma once
#include "base/rng.h"
#include "search/halving.h"
#include "search/puct.h"

/* A move that the root samples. */
typedef struct {
    int16_t move;  /* move_index() */
    int16_t edge;  /* of the root; -1: not there yet */
    bool out;      /* turned out illegal */
    int32_t start; /* visits when the search began ... */
    int32_t base;  /* ... and when this halving began */
} Candidate;

typedef struct {
    int count;               /* candidates; 0: not prepared */
    bool grows;              /* nobody knows how many visits come: each halving has more moves */
    int64_t simulations;     /* of this halving */
    int64_t over, over_from; /* visits of each move by which the round that ends there, in
                                simulations, was drawn out so far */
    int move_count;          /* of the board */
    float logits[MOVES_MAX]; /* ln P, by move_index(); -INFINITY: illegal */
    float scores[MOVES_MAX]; /* logits + noise */
    Candidate candidates[MOVES_MAX];
} Gumbel;

/* sigma(q) = (visit_offset + most visits of a move) * visit_scale * q (equation 8 there); by
 * GUMBEL_SIGMA_LOG (visit_offset + 2 ln(most visits)) * visit_scale * q (p3achygo, 2026). */
double gumbel_sigma(const SearchSettings *settings, int64_t most_visits, double q);
/* v_mix = (v + N sum P q / sum P) / (1 + N), sums over the visited moves (appendix D there). */
double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value);

/* What Gumbel replaces is off: noise, forced playouts, pruning, root temperature, LCB. */
void gumbel_override(SearchSettings *settings);
/* Draws the noise and the candidates of an expanded root. `policy`: raw, illegal -1; `simulations`:
 * visits to come, 0: none, -1: nobody knows (halving begins anew with twice as many each time, over
 * as many moves as get gumbel_least_visits then). */
void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng);
/* The root's edge for the next simulation; the child is made when it is not there. -1: none. */
int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeShare *share);
/* Where the round under way is settled before its end, it ends: the visits that it still had, else
 * 0. Every quarter of it is looked at: the largest upper bound of the lower half against the
 * largest lower bound of the upper one, by Student's t at a confidence of c^(1/R) for R rounds,
 * shared among the half (p3achygo, 2026). */
int64_t gumbel_skip(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Where a round has just ended, none of its visits is under way and it is not settled, by the same
 * test, it goes on by a quarter, up to gumbel_over_search times its visits: how many more that is,
 * else 0 (p3achygo, 2026, over-search). */
int64_t gumbel_draw_out(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* An inner node's: argmax pi'(a) - N(a) / (1 + N), as puct_select() gives it. */
int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t node);
/* pi' = softmax(logits + sigma(completed q)) of the root, by move_index(); illegal 0. */
void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy);
/* The move to play, by move_index(): best noise + logits + sigma(q) of the candidates with the most
 * visits of this search. -1: there is none. */
int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree);

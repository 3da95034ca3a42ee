/* gumbel.h - the choice at the root by Gumbel noise and sequential halving, and the rule that
 * follows the improved policy inside the tree. Danihelka et al. 2022, "Policy improvement by
 * planning with Gumbel"; the page of p3achygo. Values here are the mover's on [0, 1]:
 *     (U / range + 1) / 2,   range: the largest utility
 * Other choices of gumbel_sigma take U itself, or its place between the smallest and the largest
 * value of the node. Threading: confined; in a split tree the functions of the root are called
 * under its lock. */
#pragma once
#include "base/rng.h"
#include "search/select/halving.h"
#include "search/select/puct.h"

/* A move that the root samples. */
typedef struct {
    int16_t move;  /* move_index() */
    int16_t edge;  /* of the root; -1: not there yet */
    bool out;      /* It turned out illegal. */
    int32_t start; /* visits when the search began ... */
    int32_t base;  /* ... and when this halving began */
} Candidate;

typedef struct {
    int count;               /* candidates; 0: not prepared */
    bool grows;              /* Nobody knows how many visits come: each halving has more moves. */
    int64_t simulations;     /* of this halving */
    int64_t extension;       /* visits of each move by which a round was drawn out so far ... */
    int64_t extension_from;  /* ... that ends at this simulation */
    int move_count;          /* of the board */
    float logits[MOVES_MAX]; /* ln P, by move_index(); -INFINITY: illegal */
    float scores[MOVES_MAX]; /* logits + noise */
    Candidate candidates[MOVES_MAX];
} Gumbel;

/* sigma(q) = (visit_offset + most visits of a move) * visit_scale * q (equation 8 there); by
 * GUMBEL_SIGMA_LOG (visit_offset + 2 ln(most visits)) * visit_scale * q (p3achygo, 2026). */
double gumbel_sigma(const SearchSettings *settings, int64_t max_visits, double q);
/* v_mix = (v + N sum P q / sum P) / (1 + N), sums over the visited moves (appendix D there). */
double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value);

/* Turns off what Gumbel replaces: noise, forced playouts, pruning, root temperature, LCB. */
void gumbel_override(SearchSettings *settings);
/* Draws the noise and the candidates of an expanded root. `policy` is raw, illegal moves have -1.
 * `simulations`: visits to come; 0: none; -1: nobody knows. Then halving begins anew with twice as
 * many each time, over as many moves as get gumbel.min_visits. */
void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng);
/* The root's edge for the next simulation; the child is made when it is not there. -1: none. */
int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeSlab *slab);
/* Ends the round under way if it is settled before its end. Returns the visits that it still had;
 * none: it goes on. After every quarter of the round the largest upper bound of the lower half is
 * compared with the largest lower bound of the upper one, by Student's t at a confidence of c^(1/R)
 * for R rounds, divided among the moves of the half (p3achygo, 2026). */
int64_t gumbel_end_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Draws out a round that has just ended by a quarter, up to gumbel_over_search times its visits, if
 * none of its visits is under way and it is not settled by the same test. Returns how many more
 * visits that is, or 0 (p3achygo, 2026, over-search). */
int64_t gumbel_extend_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* The choice at an inner node: argmax pi'(a) - N(a) / (1 + N), in the form of puct_select(). */
int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t node);
/* pi' = softmax(logits + sigma(completed q)) of the root, by move_index(); illegal 0. */
void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy);
/* The move to play, by move_index(): best noise + logits + sigma(q) of the candidates with the most
 * visits of this search. -1: there is none. */
int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree);

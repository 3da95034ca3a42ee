/* gumbel.h - the choice of moves at the root by Gumbel noise and sequential halving, and the rule
 * by which moves below the root follow the improved policy. Danihelka et al. 2022, "Policy
 * improvement by planning with Gumbel"; the web page of p3achygo. Values q here are those of the
 * mover on [0, 1], from the utility U:
 *     (U / range + 1) / 2,   range: the largest utility
 * With search.gumbel.sigma = raw, q is the mover's U itself. With rescaled, values are mapped so
 * that the smallest of the node is 0 and the largest 1. Threading: confined; in a split tree the
 * functions for the root are called under its lock. */
#pragma once
#include "base/rng.h"
#include "search/select/halving.h"
#include "search/select/puct.h"

/* A move that the root samples. */
typedef struct {
    int16_t move;  /* move_index() */
    int16_t edge;  /* index of its edge at the root; -1 if it has none yet */
    bool out;      /* it turned out illegal */
    int32_t start; /* its visits when the search began */
    /* Its visits when this halving began. A round that ends early lowers it, and one that is
     * extended raises it. */
    int32_t base;
} Candidate;

typedef struct {
    int count; /* number of candidates; 0 before gumbel_begin() */
    /* Whether a new halving, which has twice the visits, also gets more moves. This is so if there
     * is no limit on visits and search.gumbel.min_visits is above 0. */
    bool grows;
    int64_t simulations;     /* visits of the halving under way */
    int64_t extension;       /* by how many visits of each move a round has been extended */
    int64_t extension_from;  /* number of simulations at which that round ends */
    int move_count;          /* moves of the board, the pass included */
    float logits[MOVES_MAX]; /* ln P, by move_index(); -INFINITY if illegal */
    float scores[MOVES_MAX]; /* logits + noise */
    Candidate candidates[MOVES_MAX];
} Gumbel;

/* Puts a value on the scale of the logits (equation 8 of Danihelka et al.):
 *     sigma(q) = (visit_offset + max_visits) * visit_scale * q
 * max_visits is the number of visits of the most visited move. With GUMBEL_SIGMA_LOG it is replaced
 * by 2 ln(max_visits) (p3achygo, 2026). */
double gumbel_sigma(const SearchSettings *settings, int64_t max_visits, double q);
/* The value that stands for unvisited moves, from the node's own value v and those of the visited
 * moves, which have N visits in all (appendix D of the same paper):
 *     v_mix = (v + N sum P q / sum P) / (1 + N) */
double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value);

/* Turns off what Gumbel search replaces: Dirichlet noise, forced playouts, target pruning, root
 * temperature and LCB. */
void gumbel_override(SearchSettings *settings);
/* Draws the noise and the candidates of an expanded root. `policy` is that of the net, with -1 for
 * illegal moves. `simulations` is the number of visits to come, or -1 if there is no limit. Without
 * limit each halving is followed by one of twice the visits. The new one considers as many moves as
 * can have search.gumbel.min_visits each or, if that setting is 0, the same moves again. */
void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng);
/* Returns the index of the root's edge for the next simulation, whose child is made if it does not
 * exist. Returns -1 if there is no move or the tree is full. */
int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeSlab *slab);
/* Ends the round under way early if it is settled. Returns how many visits of it were left, or 0 if
 * it goes on. This is tested after every quarter of the round. With search.gumbel.over_search > 1
 * no round ends early. A round is settled if the largest upper bound in the lower half of its moves
 * is not above the largest lower bound in the upper half. The bounds are those of Student's t. With
 * R rounds and search.gumbel.stop_confidence c, a round has the confidence c^(1/R), and the moves
 * of a half share its probability of error (p3achygo, 2026). While one of its moves has fewer than
 * 10 visits, a round is not settled. */
int64_t gumbel_end_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Extends a round that has just ended by a quarter of its visits if it is not settled by the same
 * test and none of its visits is under way. In all it gets at most search.gumbel.over_search times
 * its visits. Returns how many visits are added, or 0 (p3achygo, 2026, over-search). */
int64_t gumbel_extend_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Chooses a move below the root,
 *     argmax pi'(a) - N(a) / (1 + N)
 * where pi' is the improved policy and N counts visits. Returns what puct_select() returns. */
int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t node);
/* Writes the improved policy of the root, softmax(logits + sigma(completed q)), by move_index();
 * illegal moves have 0. */
void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy);
/* Returns the move_index() of the move to play. Of the candidates with the most visits in this
 * search, it is the one with the largest noise + logit + sigma(q). Returns -1 if there is none. */
int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree);

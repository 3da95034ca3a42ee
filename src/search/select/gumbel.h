/* gumbel.h - the choice of moves at the root by Gumbel noise and sequential halving. Below the
 * root, moves are chosen by the improved policy. Danihelka et al. 2022, "Policy improvement by
 * planning with Gumbel"; the web page of p3achygo. A value q is the mover's value on [0, 1], which
 * comes from the utility U:
 *     (U / range + 1) / 2,   range: the largest utility
 * With search.gumbel.sigma = raw, q is the mover's U itself. With search.gumbel.sigma = rescaled,
 * the values of a node are mapped so that the smallest is 0 and the largest is 1.
 * Threading: confined. While several threads share a tree, the caller holds the lock of the root
 * when it calls a function for the root. */
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
    /* Its visits when this halving began. If a round ends early, `base` falls; if a round is
     * extended, `base` rises. */
    int32_t base;
} Candidate;

typedef struct {
    int count; /* number of candidates; 0 before gumbel_begin() */
    /* Whether a new halving, which has twice as many visits, also gets more moves: there is no
     * limit on visits, and search.gumbel.min_visits is above 0. */
    bool grows;
    int64_t simulations; /* visits planned for the halving under way, of all moves together */
    /* gumbel_extend_round() has given each move of a round `extension` more visits. This round ends
     * when the halving has had `extension_from` simulations; the visits that extensions have added
     * are not counted. */
    int64_t extension, extension_from;
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
/* Returns the value that stands for unvisited moves (appendix D of Danihelka et al.). v is the
 * node's own value. The sums run over the visited moves, whose priors are P and values q; N is the
 * number of all their visits:
 *     v_mix = (v + N sum P q / sum P) / (1 + N) */
double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value);

/* Turns off the methods that Gumbel search replaces: Dirichlet noise, forced playouts, target
 * pruning, root temperature and LCB. */
void gumbel_override(SearchSettings *settings);
/* Draws the noise and the candidates of an expanded root. `policy` is that of the net, with -1 for
 * illegal moves. `simulations` is the number of visits to come, or -1 if there is no limit. Without
 * a limit, each halving is followed by a halving with twice as many visits. The new halving
 * considers as many moves as can have search.gumbel.min_visits visits each. If this setting is 0,
 * it considers the moves of the old halving again.
 * With search.level.draw, the candidates are the pass and the moves that are drawn from P^(1/T),
 * where T is search.level.temperature. If n moves may be considered, there are n - 1 draws, which
 * can give the same move again. */
void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng);
/* Returns the index of the root's edge for the next simulation, and makes the child of the edge if
 * necessary. Returns -1 if there is no move or the tree is full. */
int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeSlab *slab);
/* Ends the present round early if it is settled. Returns how many visits of the round were left, or
 * 0 if the round goes on. The test is made after every quarter of the round. With
 * search.gumbel.over_search > 1 no round ends early. The moves of a round are ranked by g + ln P +
 * sigma(q), and each move has a lower and an upper bound of this sum. The round is settled if, in
 * the lower half of the moves, no upper bound is above the largest lower bound in the upper half.
 * The bounds are those of Student's t. Let R be the number of rounds, c the setting
 * search.gumbel.stop_confidence, and h half the number of moves of the round, rounded down. With
 * the probability (1 - c^(1/R)) / h, the true mean of a move lies outside its two bounds (p3achygo,
 * 2026). While a move of the round has fewer than 10 visits, the round is not settled. */
int64_t gumbel_end_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Extends a round that has just ended by a quarter of its visits, if the round is not settled by
 * the test of gumbel_end_round() and none of its visits is under way. With all extensions the round
 * has at most search.gumbel.over_search times its original visits. Returns how many visits are
 * added, or 0 (p3achygo, 2026, over-search). */
int64_t gumbel_extend_round(Gumbel *gumbel, const Frame *frame, const Tree *tree);
/* Chooses a move below the root,
 *     argmax pi'(a) - N(a) / (1 + N)
 * where pi' is the improved policy and N counts visits. Returns what puct_select() returns. */
int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t node);
/* Writes the improved policy of the root, softmax(logits + sigma(completed q)), by move_index();
 * illegal moves have 0. */
void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy);
/* Returns the move_index() of the move to play. Of the candidates with the most visits in this
 * search, this is the move with the largest noise + logit + sigma(q). Returns -1 if there is no
 * candidate. */
int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree);

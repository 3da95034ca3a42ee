/* fork_plan.h - the first move of a game that leaves another one: of some random legal moves the
 * one after which the net expects the best score for whoever made it (Wu 2019, appendix D).
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"

enum { FORK_MAX = 361 };

typedef struct {
    int min, max;          /* moves to choose from are drawn between these two numbers */
    int answers;           /* the same is done for this many moves after the first one */
    Point moves[FORK_MAX]; /* the same move may be there twice */
    int count, next;       /* moves[next] is to be evaluated; next == count: none is */
    int best;              /* of those that were evaluated */
    float best_score;
} ForkPlan; /* {0}: there is no fork */

/* Draws the moves for `position`. False: there is no move but the pass, and no plan. */
bool fork_plan_draw(ForkPlan *plan, const Position *position, Rng *rng);
bool fork_plan_waits(const ForkPlan *plan); /* a move is to be evaluated */
/* The position after that move. `*out` is {0} or initialised. */
MUST_USE Status fork_plan_candidate(const ForkPlan *plan, const Position *position, Position *out,
                                    Error *err);
/* The net expects `score` after that move, for the player who made it. */
void fork_plan_receive(ForkPlan *plan, float score);
/* The best of the moves, once none waits. */
Point fork_plan_move(const ForkPlan *plan);
/* There is no fork any more; the range of moves stays. */
void fork_plan_drop(ForkPlan *plan);

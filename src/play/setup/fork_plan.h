/* fork_plan.h - chooses the first move of a fork, which is a game that begins at a position of
 * another game. Some legal moves are drawn at random. The fork begins with the move after which the
 * net expects the best score for the player who made it (Wu 2019, appendix D).
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"

enum { FORK_MAX = 361 };

typedef struct {
    int min, max;          /* the number of moves to choose from is drawn between these */
    int answers;           /* how many moves after the first one are chosen in the same way */
    Point moves[FORK_MAX]; /* a move may occur twice */
    int count, next;       /* moves[next] is evaluated next; if next == count, all are evaluated */
    int best;              /* index of the best move evaluated so far */
    float best_score;
} ForkPlan; /* {0}: there is no fork */

/* Draws the moves for `position`. Returns false if only the pass is legal, so that there is no
 * fork. */
bool fork_plan_draw(ForkPlan *plan, const Position *position, Rng *rng);
bool fork_plan_waits(const ForkPlan *plan); /* whether a move is still to be evaluated */
/* Writes the position after the move that must be evaluated next. `*out` is {0} or initialised. */
MUST_USE Status fork_plan_candidate(const ForkPlan *plan, const Position *position, Position *out,
                                    Error *err);
/* Takes the score that the net expects after this move. The score is that of the player who made
 * the move. */
void fork_plan_receive(ForkPlan *plan, float score);
/* Returns the best of the moves, once all are evaluated. */
Point fork_plan_move(const ForkPlan *plan);
/* Removes the fork; `min` and `max` stay. */
void fork_plan_drop(ForkPlan *plan);

/* A fork goes as follows:
 * 1. fork_plan_draw() draws some random legal moves.
 * 2. For each of them the caller evaluates fork_plan_candidate(), and fork_plan_receive() keeps the
 *    best one.
 * 3. When all moves have been evaluated, the caller plays fork_plan_move(). If `answers` is not 0,
 *    it counts `answers` down and does the same for the next move. */
#include "play/setup/fork_plan.h"

bool fork_plan_draw(ForkPlan *plan, const Position *position, Rng *rng) {
    Point legal[MOVES_MAX];
    int count = position_legal_moves(position, legal) - 1; /* without the pass */
    if (count < 1) return false;
    int max = plan->max < plan->min ? plan->min : plan->max;
    plan->count = plan->min + rng_below(rng, max - plan->min + 1);
    plan->next = 0;
    if (plan->count > FORK_MAX) plan->count = FORK_MAX;
    for (int i = 0; i < plan->count; i++)
        plan->moves[i] = legal[rng_below(rng, count)];
    return true;
}

bool fork_plan_waits(const ForkPlan *plan) {
    return plan->next < plan->count;
}

Status fork_plan_candidate(const ForkPlan *plan, const Position *position, Position *out,
                           Error *err) {
    Status status = position_copy(out, position, err);
    return status ? status : position_play(out, plan->moves[plan->next], err);
}

void fork_plan_receive(ForkPlan *plan, float score) {
    if (!plan->next || score > plan->best_score) {
        plan->best_score = score;
        plan->best = plan->next;
    }
    plan->next++;
}

Point fork_plan_move(const ForkPlan *plan) {
    return plan->moves[plan->best];
}

void fork_plan_drop(ForkPlan *plan) {
    plan->count = plan->next = plan->answers = 0;
}

#include "play/setup/komi_plan.h"

#include <math.h>

enum { FAIR_ROUNDS = 3 }; /* evaluations by the net alone that find a fair komi */
/* Limit for the change of komi by the first evaluation, so large that it does not matter. */
static const float SHIFT_MAX = 1000;

static bool happens(KomiPlan *plan, double probability) {
    return probability > 0 && rng_uniform(plan->game.rng) < (double)probability;
}

static int area_of(const Position *position) {
    return position->board.width * position->board.height;
}

void komi_plan_init(KomiPlan *plan, const KomiPlanSetup *setup) {
    *plan = (KomiPlan){.game = *setup, .last_shift = SHIFT_MAX};
}

void komi_plan_clear(KomiPlan *plan) {
    position_clear(&plan->empty);
}

/* Sets the komi of the game, rounded at random to a multiple of half a point. With the probability
 * komi.whole_probability it may be a whole number; otherwise it is a whole number plus 1/2. */
static void set_komi(KomiPlan *plan, double komi) {
    int area = area_of(plan->game.now);
    float rounded = komi_rounded(komi, area, plan->game.rng);
    double whole = plan->game.settings->komi.whole_probability;
    bool may_be_whole = whole >= 1 || happens(plan, whole);
    float max = (float)area + 19.5f;
    if (!may_be_whole) rounded = fmaxf(-max, fminf(floorf((float)komi) + 0.5f, max));
    position_set_komi(plan->game.now, rounded);
    plan->game.draw->rules.komi = rounded;
}

/* Sets komi once the mean is known. If the game is made fair, evaluations or searches follow, which
 * will change this komi by what the handicap and the unequal playouts are worth. Otherwise noise is
 * added, and the komi of a handicap game may be varied. */
static void set_komi_from_mean(KomiPlan *plan, float mean) {
    const GameDraw *draw = plan->game.draw;
    bool fair = draw->make_fair;
    plan->varies =
        plan->game.settings->komi.varied && draw->handicap && !fair && happens(plan, 0.5);
    plan->rounds = fair || plan->varies ? FAIR_ROUNDS : 0;
    set_komi(plan, (double)(mean + (fair ? 0 : draw->komi_noise)));
}

/* With komi.auto_mean the mean is the fair komi on the empty board under the rules of the game,
 * without handicap stones and with equal playouts (KataGo, komiAuto). */
Status komi_plan_find_mean(KomiPlan *plan, Error *err) {
    const GameDraw *draw = plan->game.draw;
    float mean = (float)plan->game.settings->komi.mean;
    if (!plan->game.settings->komi.auto_mean) {
        set_komi_from_mean(plan, mean);
        return OK;
    }
    Rules rules = draw->rules;
    rules.komi = komi_rounded((double)mean, draw->width * draw->height, plan->game.rng);
    plan->finds_mean = true;
    plan->rounds = FAIR_ROUNDS;
    return position_init(&plan->empty, draw->width, draw->height, &rules, err);
}

void komi_plan_take_over(KomiPlan *plan, bool varies) {
    plan->varies = varies;
    if (plan->game.draw->make_fair || varies) plan->rounds = FAIR_ROUNDS;
}

void komi_plan_make_fair(KomiPlan *plan) {
    plan->rounds = FAIR_ROUNDS;
    plan->last_shift = SHIFT_MAX;
}

/* Returns the position for which a fair komi is being found. */
static Position *position_of(KomiPlan *plan) {
    return plan->finds_mean ? &plan->empty : plan->game.now;
}

KomiSearch komi_plan_next(KomiPlan *plan) {
    Position *position = position_of(plan);
    int visits = plan->game.settings->komi.visits;
    if (!visits) return (KomiSearch){position, position->rules.komi, 1};
    if (!plan->fair_begun) fair_komi_begin(&plan->fair, position, false);
    plan->fair_begun = true;
    return (KomiSearch){position, plan->fair.komi, visits};
}

/* Sets komi once the fair komi is known. A varied komi is drawn uniformly between the komi that the
 * game had before and the fair komi, and normal noise is added to it. The deviation of this noise
 * is 3/4 of the square root of the area (KataGo, fancyKomiVarying). */
static void set_fair_komi(KomiPlan *plan, float fair) {
    double komi = (double)(fair + plan->game.draw->komi_noise);
    plan->last_shift = SHIFT_MAX;
    if (plan->finds_mean) {
        plan->finds_mean = false;
        position_clear(&plan->empty);
        set_komi_from_mean(plan, fair);
        return;
    }
    if (plan->varies) {
        Rng *rng = plan->game.rng;
        double old = (double)plan->game.draw->rules.komi, fraction = rng_uniform(rng),
               board_scale = sqrt((double)area_of(plan->game.now));
        komi = old + fraction * ((double)fair - old) +
               0.75 * board_scale * rng_normal_truncated(rng, 2.5);
        plan->varies = false;
    }
    set_komi(plan, komi);
}

/* Moves komi by the score that the net expects, but never further than in the step before (KataGo,
 * getNaiveEvenKomi). Until the last evaluation only the position has the new komi, not
 * draw->rules. */
static void receive_evaluation(KomiPlan *plan, const Report *report) {
    Position *position = position_of(plan);
    float shift = -value_for_white(report->raw_score_mean, report->mover);
    if (fabsf(shift) > fabsf(plan->last_shift)) shift = copysignf(plan->last_shift, shift);
    plan->last_shift = shift;
    float komi = position->rules.komi + shift;
    if (--plan->rounds == 0) {
        set_fair_komi(plan, komi);
        return;
    }
    float rounded = komi_rounded((double)komi, area_of(position), plan->game.rng);
    position_set_komi(position, rounded);
}

static void receive_search(KomiPlan *plan, const Report *report) {
    double win_loss = (double)value_for_white(report->win_loss, report->mover),
           lead = (double)value_for_white(report->lead, report->mover);
    if (!fair_komi_receive(&plan->fair, win_loss, lead)) return;
    plan->fair_begun = false;
    plan->rounds = 0;
    set_fair_komi(plan, (float)plan->fair.even);
}

void komi_plan_receive(KomiPlan *plan, const Report *report) {
    if (plan->game.settings->komi.visits)
        receive_search(plan, report);
    else
        receive_evaluation(plan, report);
}

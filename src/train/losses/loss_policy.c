/* Losses of the policies: cross entropies over the pass and the points of the board, or only the
 * legal points (Wu 2019, appendix B; KataGo, python/katago/train/metrics_pytorch.py and
 * docs/KataGoMethods.md). */
#include "train/losses/row_loss.h"

typedef struct {
    double loss;
    double entropy;     /* of the target; it is the smallest possible loss */
    bool correct;       /* the policy's best move is the target's best move */
    bool in_top_4;      /* the target's best move is among the policy's four best moves */
    double at_best;     /* probability that the policy gives to the target's best move */
    double own_entropy; /* of the policy itself */
    double uniform;     /* cross entropy of the policy against a uniform target */
} PolicyLoss;

/* The target probabilities of the cells among which a policy chooses, in the order of `cells`. If
 * the net has the pass, the probability of the pass comes after them. */
typedef struct {
    const int16_t *cells;
    int count; /* of the cells */
    int total; /* of the moves: count + 1 with the pass, count without it */
    bool none; /* the net lacks the pass, and all of the target is on the pass */
    float moves[BOARD_POINTS_MAX + 1];
} Target;

/* For nets without the pass: divides the probabilities of the other moves by their sum. */
static void leave_out_pass(Target *target) {
    float sum = 0;
    for (int k = 0; k < target->count; k++)
        sum += target->moves[k];
    target->none = !(sum > 0);
    for (int k = 0; k < target->count && !target->none; k++)
        target->moves[k] /= sum;
}

static Target target_of(const RowLoss *r, int which) {
    const float *from = r->target_policy + which * (r->cells + 1);
    bool reply = which == POLICY_REPLY; /* the legal moves of the reply are not known */
    Target out = {.cells = reply ? r->board : r->moves,
                  .count = reply ? r->board_count : r->move_count};
    for (int k = 0; k < out.count; k++)
        out.moves[k] = from[out.cells[k]];
    out.total = out.count + (r->y[HEAD_PASS] != NULL);
    if (r->y[HEAD_PASS])
        out.moves[out.count] = from[r->cells];
    else
        leave_out_pass(&out);
    return out;
}

/* Returns the index of the largest of the numbers that belong to the moves of a target. If several
 * numbers are the largest, returns the index of the pass if it is one of them, and otherwise the
 * lowest index. */
static int index_of_best(const float *x, const Target *target) {
    int best = target->total > target->count ? target->count : 0;
    for (int k = 0; k < target->count; k++) {
        if (x[k] > x[best]) best = k;
    }
    return best;
}

static bool has_policy(const RowLoss *r, int policy) {
    return r->policies.at[policy] >= 0;
}

/* Copies the logits of a policy (policies.h) in the order of Target.moves. */
static void copy_logits(const RowLoss *r, int policy, const Target *target, float *logits) {
    int channel = r->policies.at[policy];
    for (int k = 0; k < target->count; k++)
        logits[k] = r->y[HEAD_POLICY][r->policies.count * target->cells[k] + channel];
    if (r->y[HEAD_PASS]) logits[target->count] = r->y[HEAD_PASS][channel];
}

/* Returns the gradient of the logit with this index. */
static float *slope_of(const RowLoss *r, int policy, const Target *target, int k) {
    int channel = r->policies.at[policy];
    return k < target->count ? &r->dy[HEAD_POLICY][r->policies.count * target->cells[k] + channel]
                             : &r->dy[HEAD_PASS][channel];
}

/* Flattens the target: its probabilities t become proportional to
 *     (t + 1e-7)^(1/4) */
static Target flatten(const Target *target) {
    float sum = 0;
    Target out = *target;
    for (int k = 0; k < out.total; k++)
        sum += out.moves[k] = sqrtf(sqrtf(target->moves[k] + 1e-7f));
    for (int k = 0; k < out.total; k++)
        out.moves[k] /= sum;
    return out;
}

/* Sets the fields of `out` that are needed only for the policy of the mover's move. `p` has
 *     exp(logit - largest logit)
 * of each move, not yet divided by the sum. `wanted` is the target's best move. */
static void measure_policy(const float *logits, const float *p, int count, int wanted,
                           PolicyLoss *out) {
    float sum = 0, total = 0, expected = 0, max = logits[0];
    int better = 0;
    for (int k = 0; k < count; k++) {
        max = fmaxf(max, logits[k]);
        better += logits[k] > logits[wanted];
        sum += p[k];
        total += logits[k];
        expected += p[k] * logits[k];
    }
    double log_sum = (double)(logf(sum) + max);
    out->in_top_4 = better < 4;
    out->at_best = (double)(p[wanted] / sum);
    out->own_entropy = log_sum - (double)(expected / sum);
    out->uniform = log_sum - (double)total / count;
}

/* Adds the gradient of the cross entropy, multiplied by `weight`. Returns the loss and the measures
 * of the policy, which are not multiplied by `weight`. */
static PolicyLoss cross_entropy(const RowLoss *r, int policy, const Target *target, double weight) {
    float p[BOARD_POINTS_MAX + 1], logits[BOARD_POINTS_MAX + 1], sum = 0;
    int total = target->total;
    copy_logits(r, policy, target, logits);
    int best = index_of_best(logits, target), wanted = index_of_best(target->moves, target);
    float max = logits[best];
    for (int k = 0; k < total; k++)
        sum += p[k] = expf(logits[k] - max);
    PolicyLoss out = {.correct = best == wanted};
    float log_sum = logf(sum) + max, inverse = 1 / sum;
    if (policy == POLICY_OWN) measure_policy(logits, p, total, wanted, &out);
    for (int k = 0; k < total; k++) {
        float t = target->moves[k];
        *slope_of(r, policy, target, k) += (float)weight * (p[k] * inverse - t);
        if (t <= 0) continue;
        out.loss -= (double)(t * (logits[k] - log_sum));
        out.entropy -= (double)(t * logf(t));
    }
    return out;
}

/* Moves the fraction `fraction` of the target to its best move. */
static Target sharpen(const Target *target, float fraction) {
    Target out = *target;
    int best = index_of_best(target->moves, target);
    for (int k = 0; k < out.total; k++)
        out.moves[k] = (1 - fraction) * target->moves[k] + (k == best ? fraction : 0);
    return out;
}

/* Returns the sum over the moves of
 *     e^2,   e = p - t
 * for the policy p of the mover's move and its target t. Adds `weight` times the gradient of this
 * sum, which at the logit of move a is
 *     2 p[a] (e[a] - sum over b of p[b] e[b]) */
static double squared_errors(const RowLoss *r, const Target *target, double weight) {
    float p[BOARD_POINTS_MAX + 1], sum = 0;
    int total = target->total;
    copy_logits(r, POLICY_OWN, target, p);
    float max = p[index_of_best(p, target)];
    for (int k = 0; k < total; k++)
        sum += p[k] = expf(p[k] - max);
    double loss = 0, mean = 0;
    for (int k = 0; k < total; k++) {
        p[k] /= sum;
        double error = (double)(p[k] - target->moves[k]);
        loss += error * error;
        mean += (double)p[k] * error;
    }
    for (int k = 0; k < total; k++)
        *slope_of(r, POLICY_OWN, target, k) +=
            (float)(weight * 2 * (double)p[k] * ((double)(p[k] - target->moves[k]) - mean));
    return loss;
}

static double clamp01(double x) {
    return fmin(fmax(x, 0), 1);
}

/* Weights of a row for the optimistic policies, from 0 to 1. They are the larger, the further the
 * results exceed the net's predictions, in units of the deviations that the net itself expects
 * (KataGo, docs/KataGoMethods.md, "Optimistic Policy"). No gradient flows from these weights to the
 * predictions. */
typedef struct {
    /* The square of the mover's result (1 for a win, 0 for a loss), plus a part that grows with the
     * final score; together at most 1. */
    double by_end;
    double by_next; /* depends on the values that the next searches find */
} Optimism;

static Optimism optimism_of(const RowLoss *r) {
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    const float *final = r->targets + TARGET_FINAL, *next = r->targets + TARGET_TD_SHORT;
    double mean = (double)(r->y[HEAD_SCORE][0] * (float)m->mean);
    double deviation = softplus((double)r->y[HEAD_SCORE][1]) * m->stdev;
    double value_error = softplus((double)r->y[HEAD_SCORE][4] * 0.5),
           score_error = softplus((double)r->y[HEAD_SCORE][5] * 0.5);
    double win = (double) final[0] + 0.5 * (double) final[2];
    double end = ((double)r->targets[TARGET_SCORE] - mean) / sqrt(deviation * deviation + 0.25);
    ValuePair prediction = row_shortterm_prediction(r);
    double value = ((double)(next[0] - next[1]) - prediction.win_loss) /
                   sqrt(value_error * value_error * m->shortterm_winloss + 1e-4);
    double score = ((double)next[3] - prediction.score) /
                   sqrt(score_error * score_error * m->shortterm_score + 0.25);
    return (Optimism){clamp01(win * win + sigmoid(3 * (end - 1.5))),
                      clamp01(sigmoid(3 * (value - 1.5)) + sigmoid(3 * (score - 1.5)))};
}

/* Adds the loss of one policy to the total, multiplied by w * setting. Returns the loss without
 * this weight. If `w` is 0 or the net does not have the policy, adds nothing and returns 0.
 * Flattened targets have a large entropy, so their entropy is subtracted from the loss that is
 * added. */
static PolicyLoss add_policy(const RowLoss *r, int policy, const Target *target, double w,
                             double setting) {
    double scale = w * setting;
    if (!(w > 0) || !has_policy(r, policy)) return (PolicyLoss){0};
    PolicyLoss loss = cross_entropy(r, policy, target, scale);
    bool soft = policy == POLICY_SOFT || policy == POLICY_SOFT_REPLY;
    r->sums->loss += scale * (loss.loss - (soft ? loss.entropy : 0));
    return loss;
}

void loss_policy(const RowLoss *r) {
    const ObjectiveSettings *c = r->settings;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_POLICY];
    double w_reply = r->weight * (double)r->targets[TARGET_WEIGHT_REPLY];
    Target searched = target_of(r, POLICY_OWN), reply = target_of(r, POLICY_REPLY),
           own = sharpen(&searched, (float)c->policy_best);
    if (searched.none) w = 0;
    if (reply.none) w_reply = 0;
    if (c->policy_l2 > 0 && w > 0) {
        double squares = squared_errors(r, &own, w * c->policy_l2);
        r->sums->policy_l2 += w * squares;
        r->sums->loss += w * c->policy_l2 * squares;
    }
    PolicyLoss loss = add_policy(r, POLICY_OWN, &own, w, c->policy);
    r->sums->policy += w * loss.loss;
    r->sums->policy_entropy_target += w * loss.entropy;
    r->sums->policy_over_entropy += w * (loss.loss - loss.entropy);
    r->sums->policy_accuracy += w * loss.correct;
    r->sums->policy_top_4 += w * loss.in_top_4;
    r->sums->policy_above_1 += w * (loss.at_best > 0.01);
    r->sums->policy_above_2 += w * (loss.at_best > 0.02);
    r->sums->policy_above_5 += w * (loss.at_best > 0.05);
    r->sums->policy_above_10 += w * (loss.at_best > 0.1);
    r->sums->search_policy += w / (loss.at_best + 0.003);
    r->sums->policy_entropy += w * loss.own_entropy;
    r->sums->policy_uniform += w * loss.uniform;
    loss = add_policy(r, POLICY_REPLY, &reply, w_reply, c->opponent_policy);
    r->sums->opponent_policy += w_reply * loss.loss;
    if (has_policy(r, POLICY_SOFT)) {
        Target soft = flatten(&searched), soft_reply = flatten(&reply);
        loss = add_policy(r, POLICY_SOFT, &soft, w, c->soft_policy);
        r->sums->soft_policy += w * (loss.loss - loss.entropy);
        add_policy(r, POLICY_SOFT_REPLY, &soft_reply, w_reply, c->soft_opponent_policy);
    }
    if (!has_policy(r, POLICY_OPTIMISTIC)) return;
    Optimism optimism = optimism_of(r);
    double w_board = w * (double)r->targets[TARGET_WEIGHT_BOARD];
    add_policy(r, POLICY_LONG_OPTIMISTIC, &own, w_board * optimism.by_end,
               c->long_optimistic_policy);
    loss = add_policy(r, POLICY_OPTIMISTIC, &own, w_board * optimism.by_next, c->optimistic_policy);
    r->sums->optimistic_policy += w_board * optimism.by_next * (loss.loss - loss.entropy);
    if (!r->y[HEAD_TD_ERRORS]) return;
    double w_horizons = w * (1 - (double)r->targets[TARGET_NO_TD]) * row_horizon_optimism(r);
    loss = add_policy(r, POLICY_OPTIMISTIC, &own, w_horizons, c->horizon_optimistic_policy);
    r->sums->horizon_optimistic_policy += w_horizons * (loss.loss - loss.entropy);
}

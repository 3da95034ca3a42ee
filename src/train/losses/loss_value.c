/* Losses of the value head and of ownership (Wu 2019, appendix B). */
#include "train/losses/row_loss.h"

/* Returns the cross entropy of the value head against the target probabilities of win, loss and no
 * result. Adds `weight` times the gradient of the cross entropy to the gradient of the head. */
static double outcome_loss(const RowLoss *r, const float *target, double weight,
                           const double p[3]) {
    double loss = 0, total = 0;
    for (int i = 0; i < 3; i++)
        total += (double)target[i];
    for (int i = 0; i < 3; i++) {
        if (target[i] > 0) loss -= (double)target[i] * log(fmax(p[i], 1e-30));
        r->dy[HEAD_VALUE][i] += (float)(weight * (p[i] * total - (double)target[i]));
    }
    return loss;
}

/* Adds the loss error^2, where `error` is the error of v = win - loss. The slope of v with respect
 * to the logit of an outcome is
 *     p (s - v)
 * where p is the probability of the outcome, and s is its value: 1, -1 or 0. */
static void add_squared_error(const RowLoss *r, double error, double weight, const double p[3]) {
    static const double WORTH[3] = {1, -1, 0};
    for (int i = 0; i < 3; i++)
        r->dy[HEAD_VALUE][i] += (float)(weight * 2 * error * p[i] * (WORTH[i] - (p[0] - p[1])));
    r->sums->loss += weight * error * error;
}

/* Returns the index of the largest of the three numbers. Of equal numbers the first counts. */
static int index_of_largest(double win, double loss, double no_result) {
    if (no_result > win && no_result > loss) return 2;
    return loss > win;
}

/* Writes the target of the value head: a mean of the game's outcome and of the outcome that this
 * turn's search expects. The outcome of the search has the weight value_q (lczero-training,
 * q_ratio). In a row without a search the target is the game's outcome alone. */
static void blend_outcome(const RowLoss *r, float target[3]) {
    const float *final = r->targets + TARGET_FINAL, *found = r->targets + TARGET_SEARCH;
    float q = (float)r->settings->value_q * row_search_weight(r->targets);
    for (int i = 0; i < 3; i++)
        target[i] = q > 0 ? (1 - q) * final[i] + q * found[i] : final[i];
}

void loss_value(const RowLoss *r) {
    const float *final = r->targets + TARGET_FINAL, *next = r->targets + TARGET_TD_MIDDLE;
    float target[3];
    double p[3];
    row_softmax(r->y[HEAD_VALUE], 3, p);
    blend_outcome(r, target);
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_VALUE]);
    double w_td = r->weight * (1 - (double)r->targets[TARGET_NO_TD]);
    double scale = w * r->settings->value, scale_td = w_td * r->settings->td_value;
    double loss = outcome_loss(r, target, scale, p), loss_td = outcome_loss(r, next, scale_td, p);
    r->sums->value += w * loss;
    bool correct = index_of_largest(p[0], p[1], p[2]) ==
                   index_of_largest((double) final[0], (double) final[1], (double) final[2]);
    r->sums->value_accuracy += w * correct;
    r->sums->td_value += w_td * loss_td;
    double error = p[0] - p[1] - (double)(final[0] - final[1]);
    r->sums->value_squared += w * error * error / 4;
    double logit = (double)(r->y[HEAD_VALUE][0] - r->y[HEAD_VALUE][1]);
    r->sums->value_logit_squared += r->weight * logit * logit;
    r->sums->loss += scale * loss + scale_td * loss_td;
    add_squared_error(r, p[0] - p[1] - (double)(target[0] - target[1]), w * r->settings->value_l2,
                      p);
}

void loss_ownership(const RowLoss *r) {
    const float *logits = r->y[HEAD_OWNERSHIP];
    float *slope = r->dy[HEAD_OWNERSHIP];
    double loss = 0, w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD];
    if (!(w > 0) || !r->board_count) return;
    double scale = w * r->settings->ownership / r->board_count;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        float logit = 2 * logits[cell], t = 0.5f * (1 + r->target_ownership[cell]);
        float tail = expf(-fabsf(logit)), p = (logit >= 0 ? 1 : tail) / (1 + tail);
        loss += (double)(fmaxf(logit, 0) + log1pf(tail) - t * logit);
        slope[cell] += (float)scale * 2 * (p - t);
    }
    r->sums->ownership += w * loss / r->board_count;
    r->sums->loss += scale * loss;
}

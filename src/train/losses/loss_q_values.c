/* Losses of the values of moves. The net predicts for each move the win - loss and the score that
 * this turn's search found for it (KataGo, python/katago/train/metrics_pytorch.py,
 * loss_qvalues_samplewise). */
#include "train/losses/row_loss.h"

static const double DELTA_SCORE = 12; /* points at which the Huber loss becomes linear */

/* Returns the sum of the square roots of the visits of all moves. */
static double sum_visit_roots(const RowLoss *r) {
    double sum = sqrt((double)r->target_q_values[r->cells * BATCH_Q_VALUES + 2]);
    for (int k = 0; k < r->board_count; k++)
        sum += sqrt((double)r->target_q_values[r->board[k] * BATCH_Q_VALUES + 2]);
    return sum;
}

static double log_or_zero(double p) {
    return p > 0 ? log(p) : 0;
}

/* Returns the cross entropy of the probability of a win, minus the entropy of the target. The
 * output `raw` stands for
 *     win - loss = tanh(raw) */
static Loss winloss_loss(double raw, double target) {
    double logit = 2 * raw, p = 0.5 * (1 + target);
    double entropy = -p * log_or_zero(p) - (1 - p) * log_or_zero(1 - p);
    return (Loss){softplus(logit) - p * logit - entropy, 2 * (sigmoid(logit) - p)};
}

/* Each move has two losses. The weight of a move with N visits is
 *     sqrt(N) / (sum of sqrt(N) over all moves + 1)   for win - loss
 *     N       / (sum of sqrt(N) over all moves + 1)   for scores
 * as in KataGo's trainer, which multiplies the loss of scores by sqrt(N) two times. */
void loss_q_values(const RowLoss *r) {
    if (!r->target_q_values) return;
    const int *at = r->policies.at;
    const double unit = r->weight / (sum_visit_roots(r) + 1), scale = SCORE_MULTIPLIERS.mean;
    for (int k = 0; k <= r->board_count; k++) {
        int cell = k < r->board_count ? r->board[k] : r->cells, channels = r->policies.count;
        bool pass = cell == r->cells;
        const float *found = r->target_q_values + cell * BATCH_Q_VALUES;
        const float *predicted = pass ? r->y[HEAD_PASS] : r->y[HEAD_POLICY] + channels * cell;
        float *d = pass ? r->dy[HEAD_PASS] : r->dy[HEAD_POLICY] + channels * cell;
        if (!(found[2] > 0)) continue;
        double w = unit * sqrt((double)found[2]), w_score = unit * (double)found[2];
        Loss loss = winloss_loss((double)predicted[at[POLICY_Q_WINLOSS]], (double)found[0]);
        d[at[POLICY_Q_WINLOSS]] += (float)(w * r->settings->q_winloss * loss.slope);
        r->sums->q_winloss += w * loss.loss;
        r->sums->loss += w * r->settings->q_winloss * loss.loss;
        loss = huber((double)predicted[at[POLICY_Q_SCORE]] * scale - (double)found[1], DELTA_SCORE);
        double weight = w_score * r->per_points * r->settings->q_score;
        d[at[POLICY_Q_SCORE]] += (float)(weight * loss.slope * scale);
        r->sums->q_score += w_score * loss.loss;
        r->sums->loss += weight * loss.loss;
    }
}

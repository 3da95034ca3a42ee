/* Losses of the heads that only teach the trunk: later values over three horizons, boards to come,
 * seki, what points are worth (KataGo, python/katago/train/metrics_pytorch.py), and the values of
 * this turn's search (p3achygo). */
#include "train/row_loss.h"

/* Where Huber losses become linear, points; shares of the nearer and the farther board. */
static const double DELTA_TD_SCORE = 12, FUTURE_SHARES[FUTURE_CHANNELS] = {1, 0.25};
static const double NEUTRAL_SHARE = 0.5;
enum { HORIZONS = TD_HORIZONS, OUTCOMES = 3 }; /* win, loss, no result */

/* Cross entropy over the target's own entropy. */
static double excess_entropy(const float *logits, const double *target, int count, double weight,
                             float *d) {
    double p[VALUE_BUCKETS], log_sum = row_softmax(logits, count, p), loss = 0, total = 0;
    for (int i = 0; i < count; i++) {
        total += target[i];
        if (target[i] > 0) loss += target[i] * (log(target[i]) - (double)logits[i] + log_sum);
    }
    for (int i = 0; i < count; i++)
        d[i] += (float)(weight * (total * p[i] - target[i]));
    return loss;
}

void loss_td(const RowLoss *r) {
    const ObjectiveSettings *c = r->settings;
    const float settings[HORIZONS] = {c->td_long, c->td_middle, c->td_short};
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]),
           w_score = w * (double)r->targets[TARGET_WEIGHT_BOARD],
           scale = (double)SCORE_MULTIPLIERS.mean;
    for (int h = 0; h < HORIZONS; h++) {
        const float *to = r->targets + TARGET_TD_LONG + 4 * h;
        const double target[3] = {(double)to[0], (double)to[1], (double)to[2]};
        double weight = w * (double)settings[h];
        double loss =
            excess_entropy(r->y[HEAD_TD] + 3 * h, target, 3, weight, r->dy[HEAD_TD] + 3 * h);
        r->sums->td_values += w * loss;
        r->sums->loss += weight * loss;
        Loss score = huber((double)r->y[HEAD_TD][9 + h] * scale - (double)to[3], DELTA_TD_SCORE);
        weight = w_score * r->per_points * (double)c->td_score;
        r->dy[HEAD_TD][9 + h] += (float)(weight * score.slope * scale);
        r->sums->td_score += w_score * score.loss;
        r->sums->loss += weight * score.loss;
    }
}

/* Of the mean alone, our own: it lies between the middles of two buckets, which share it. */
static void spread_mean(const RowLoss *r, double target[VALUE_BUCKETS]) {
    const float *now = r->targets + TARGET_SEARCH;
    double place = 0.5 * (1 + fmin(1, fmax(-1, (double)(now[0] - now[1])))) * (VALUE_BUCKETS - 1);
    int low = (int)fmin(floor(place), VALUE_BUCKETS - 2);
    target[low] = 1 - (place - low);
    target[low + 1] = place - low;
}

void loss_search_values(const RowLoss *r) {
    double target[VALUE_BUCKETS] = {0}, sum = 0,
           w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]),
           weight = w * (double)r->settings->search_values;
    for (int i = 0; i < VALUE_BUCKETS && r->target_search_values; i++)
        sum += target[i] = (double)r->target_search_values[i];
    if (!(sum > 0)) spread_mean(r, target);
    double loss = excess_entropy(r->y[HEAD_SEARCH_VALUES], target, VALUE_BUCKETS, weight,
                                 r->dy[HEAD_SEARCH_VALUES]);
    r->sums->search_values += w * loss;
    r->sums->loss += weight * loss;
}

/* Squared differences of tanh, summed over the board, over the root of its area. */
void loss_future(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_FUTURE], sum = 0;
    double scale = w * (double)r->settings->future / sqrt(r->board_count);
    for (int k = 0; k < r->board_count; k++) {
        for (int i = 0; i < FUTURE_CHANNELS; i++) {
            int at = r->board[k] * FUTURE_CHANNELS + i;
            double said = tanh((double)r->y[HEAD_FUTURE][at]),
                   away = said - (double)r->target_boards[r->board[k] * BATCH_BOARDS + 1 + i];
            sum += FUTURE_SHARES[i] * away * away;
            r->dy[HEAD_FUTURE][at] +=
                (float)(scale * FUTURE_SHARES[i] * 2 * away * (1 - said * said));
        }
    }
    r->sums->future += w * sum / sqrt(r->board_count);
    r->sums->loss += scale * sum;
}

/* 4 (sqrt(m / 2 + 1) - 1), m the mean of squared differences. */
void loss_scoring(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_SCORING], sum = 0;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double away =
            (double)(r->y[HEAD_SCORING][cell] - r->target_boards[cell * BATCH_BOARDS + 3]);
        sum += away * away;
    }
    double root = sqrt(sum / r->board_count / 2 + 1), loss = 4 * (root - 1);
    double slope = w * (double)r->settings->scoring / root / r->board_count; /* d loss / d sum */
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double away =
            (double)(r->y[HEAD_SCORING][cell] - r->target_boards[cell * BATCH_BOARDS + 3]);
        r->dy[HEAD_SCORING][cell] += (float)(slope * 2 * away);
    }
    r->sums->scoring += w * loss;
    r->sums->loss += w * (double)r->settings->scoring * loss;
}

/* Neither, own or the opponent's point by area alone; and whether it is nobody's at the end. */
void loss_seki(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD], sum = 0, unowned = 0;
    double scale = w * (double)r->settings->seki * r->seki_weight / r->board_count;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        const float *logits = r->y[HEAD_SEKI] + cell * SEKI_CHANNELS;
        float *d = r->dy[HEAD_SEKI] + cell * SEKI_CHANNELS,
              side = r->target_boards[cell * BATCH_BOARDS];
        const double target[3] = {side == 0, side > 0, side < 0};
        double neutral = r->target_ownership[cell] == 0, x = (double)logits[3];
        sum += excess_entropy(logits, target, 3, scale, d);
        sum += NEUTRAL_SHARE * (softplus(x) - neutral * x);
        d[3] += (float)(scale * NEUTRAL_SHARE * (sigmoid(x) - neutral));
        unowned += neutral;
    }
    r->sums->seki += w * sum / r->board_count;
    r->sums->unowned += w * unowned / r->board_count;
    r->sums->loss += scale * sum;
}

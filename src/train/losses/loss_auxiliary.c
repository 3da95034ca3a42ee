/* Losses of the auxiliary heads, which only teach the trunk. These heads predict
 *   - the values of later searches over three horizons, the stones of later turns, seki, and what
 *     each point is worth at the end (KataGo, python/katago/train/metrics_pytorch.py),
 *   - the values of this turn's search, as a histogram (p3achygo).
 * The loss of HEAD_VALUE_BUCKETS, the categorical value (lczero-training), is in this file too,
 * because its target is made from the same histogram. */
#include "train/losses/row_loss.h"

static const double DELTA_TD_SCORE = 12; /* points at which the Huber loss becomes linear */
static const double FUTURE_WEIGHTS[FUTURE_CHANNELS] = {1, 0.25}; /* stones 8, 32 turns later */
static const double NEUTRAL_WEIGHT = 0.5;      /* of the second of the two losses in loss_seki() */
enum { HORIZONS = TD_HORIZONS, OUTCOMES = 3 }; /* win, loss, no result */

/* Returns the cross entropy minus the entropy of the target. Adds `weight` times the slope of this
 * loss to d. */
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
    const double weights[HORIZONS] = {c->td_long, c->td_middle, c->td_short};
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]),
           w_score = w * (double)r->targets[TARGET_WEIGHT_BOARD], scale = SCORE_MULTIPLIERS.mean;
    for (int h = 0; h < HORIZONS; h++) {
        const float *found = r->targets + TARGET_TD_LONG + 4 * h;
        const double target[3] = {(double)found[0], (double)found[1], (double)found[2]};
        double weight = w * (double)weights[h];
        double loss =
            excess_entropy(r->y[HEAD_TD] + 3 * h, target, 3, weight, r->dy[HEAD_TD] + 3 * h);
        r->sums->td_values += w * loss;
        r->sums->loss += weight * loss;
        Loss score = huber((double)r->y[HEAD_TD][9 + h] * scale - (double)found[3], DELTA_TD_SCORE);
        weight = w_score * r->per_points * c->td_score;
        r->dy[HEAD_TD][9 + h] += (float)(weight * score.slope * scale);
        r->sums->td_score += w_score * score.loss;
        r->sums->loss += weight * score.loss;
    }
}

/* Makes a target for rows that have only the mean of the search's values, not their distribution.
 * The target is divided between the two buckets whose centers are nearest to this mean, so that the
 * target has the same mean. A mean beyond the outermost centers is clamped to them. The center of
 * bucket i is
 *     (2 i + 1) / VALUE_BUCKETS - 1
 * This rule is our own. */
static void target_of_mean(const RowLoss *r, double target[VALUE_BUCKETS]) {
    const float *found = r->targets + TARGET_SEARCH;
    double position = 0.5 * (1 + (double)(found[0] - found[1])) * VALUE_BUCKETS - 0.5;
    position = fmin(VALUE_BUCKETS - 1, fmax(0, position));
    int low = (int)fmin(floor(position), VALUE_BUCKETS - 2);
    target[low] = 1 - (position - low);
    target[low + 1] = position - low;
}

/* Moves a fraction of the target to a single bucket: the bucket that contains a weighted mean of
 * the search's value and the result (lczero-training, README). */
static void mix_single(const RowLoss *r, double fraction, double target[VALUE_BUCKETS]) {
    const float *found = r->targets + TARGET_SEARCH, *result = r->targets + TARGET_FINAL;
    double q = r->settings->value_buckets_q,
           value = q * (double)(found[0] - found[1]) + (1 - q) * (double)(result[0] - result[1]);
    int bucket = (int)fmin(VALUE_BUCKETS - 1, fmax(0, floor(0.5 * (1 + value) * VALUE_BUCKETS)));
    for (int i = 0; i < VALUE_BUCKETS; i++)
        target[i] = (1 - fraction) * target[i] + (i == bucket ? fraction : 0);
}

/* Computes the loss of a head that predicts the values of this turn's search in buckets. Returns
 * the loss times the weight of the row. `setting` is the weight of the loss, and `single` is the
 * fraction of the target that is a single bucket. Rows without values of the search have the loss
 * 0. If the target depends on the result, rows without a result have the loss 0, too. */
static double bucket_loss(const RowLoss *r, HeadId head, double setting, double single) {
    double target[VALUE_BUCKETS] = {0}, sum = 0,
           w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]);
    for (int i = 0; i < VALUE_BUCKETS && r->target_search_values; i++)
        sum += target[i] = (double)r->target_search_values[i];
    if (!(sum > 0)) target_of_mean(r, target);
    if (single > 0) mix_single(r, single, target);
    if (single > 0 && r->settings->value_buckets_q < 1)
        w *= 1 - (double)r->targets[TARGET_NO_VALUE];
    double loss = excess_entropy(r->y[head], target, VALUE_BUCKETS, w * setting, r->dy[head]);
    r->sums->loss += w * setting * loss;
    return w * loss;
}

void loss_search_values(const RowLoss *r) {
    r->sums->search_values += bucket_loss(r, HEAD_SEARCH_VALUES, r->settings->search_values, 0);
}

void loss_value_buckets(const RowLoss *r) {
    r->sums->value_buckets += bucket_loss(r, HEAD_VALUE_BUCKETS, r->settings->value_buckets,
                                          r->settings->value_buckets_single);
}

/* The loss is the sum, over the points of the board and both channels, of
 *     FUTURE_WEIGHTS * (tanh(output) - target)^2
 * divided by the square root of the board's area. */
void loss_future(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_FUTURE], sum = 0;
    double scale = w * r->settings->future / sqrt(r->board_count);
    for (int k = 0; k < r->board_count; k++) {
        for (int i = 0; i < FUTURE_CHANNELS; i++) {
            int at = r->board[k] * FUTURE_CHANNELS + i;
            double predicted = tanh((double)r->y[HEAD_FUTURE][at]),
                   difference =
                       predicted - (double)r->target_boards[r->board[k] * BATCH_BOARDS + 1 + i];
            sum += FUTURE_WEIGHTS[i] * difference * difference;
            r->dy[HEAD_FUTURE][at] +=
                (float)(scale * FUTURE_WEIGHTS[i] * 2 * difference * (1 - predicted * predicted));
        }
    }
    r->sums->future += w * sum / sqrt(r->board_count);
    r->sums->loss += scale * sum;
}

/* The loss is
 *     4 * (sqrt(m / 2 + 1) - 1)
 * where m is the mean over the board of the squared differences. */
void loss_scoring(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_SCORING], sum = 0;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double difference =
            (double)(r->y[HEAD_SCORING][cell] - r->target_boards[cell * BATCH_BOARDS + 3]);
        sum += difference * difference;
    }
    double root = sqrt(sum / r->board_count / 2 + 1), loss = 4 * (root - 1);
    double slope = w * r->settings->scoring / root / r->board_count; /* d loss / d sum */
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double difference =
            (double)(r->y[HEAD_SCORING][cell] - r->target_boards[cell * BATCH_BOARDS + 3]);
        r->dy[HEAD_SCORING][cell] += (float)(slope * 2 * difference);
    }
    r->sums->scoring += w * loss;
    r->sums->loss += w * r->settings->scoring * loss;
}

/* There are two losses for each point. The first is the cross entropy of three classes: not a
 * seki point, a seki point of the mover, a seki point of the opponent. A seki point is a point that
 * a side occupies or surrounds at the end, but that counts for nobody. The second loss is the cross
 * entropy of two classes: the point has an owner at the end, or it has none. */
void loss_seki(const RowLoss *r) {
    if (!r->board_count) return;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD], sum = 0, unowned = 0;
    double scale = w * r->settings->seki * r->seki_weight / r->board_count;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        const float *logits = r->y[HEAD_SEKI] + cell * SEKI_CHANNELS;
        float *d = r->dy[HEAD_SEKI] + cell * SEKI_CHANNELS,
              side = r->target_boards[cell * BATCH_BOARDS];
        const double target[3] = {side == 0, side > 0, side < 0};
        double neutral = r->target_ownership[cell] == 0, x = (double)logits[3];
        sum += excess_entropy(logits, target, 3, scale, d);
        sum += NEUTRAL_WEIGHT * (softplus(x) - neutral * x);
        d[3] += (float)(scale * NEUTRAL_WEIGHT * (sigmoid(x) - neutral));
        unowned += neutral;
    }
    r->sums->seki += w * sum / r->board_count;
    r->sums->unowned += w * unowned / r->board_count;
    r->sums->loss += scale * sum;
}

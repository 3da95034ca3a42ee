/* Loss of HEAD_VALUE_ERROR, which predicts the squared error of the net's own win - loss
 * (lczero-training, tfprocess.py). It is the square of
 *     s(x) - (target - predicted)^2
 * where x is the output of the head, s is the logistic function, and `predicted` is the net's win -
 * loss, which gets no gradient here. The target is a mean of the win - loss that this turn's search
 * found and of the result. */
#include "train/losses/row_loss.h"

void loss_value_error(const RowLoss *r) {
    const float *found = r->targets + TARGET_SEARCH, *result = r->targets + TARGET_FINAL;
    double q = r->settings->value_error_q, w = r->weight;
    double target = q * (double)(found[0] - found[1]) + (1 - q) * (double)(result[0] - result[1]);
    if (q > 0) w *= (double)row_search_weight(r->targets);
    if (q < 1) w *= 1 - (double)r->targets[TARGET_NO_VALUE];
    double expected = sigmoid((double)r->y[HEAD_VALUE_ERROR][0]), off = target - r->win_loss,
           error = expected - off * off, in_loss = w * r->settings->value_error;
    r->dy[HEAD_VALUE_ERROR][0] += (float)(in_loss * 2 * error * expected * (1 - expected));
    r->sums->loss += in_loss * error * error;
    r->sums->value_error += w * error * error;
}

/* Loss of HEAD_ROOT_VARIANCE, which predicts by how much the utility of the root changes while this
 * turn's search grows (Wu 2019, appendix B: root variance loss). It is the sum of the squared
 * errors
 *     (softplus(x) - change^2)^2
 * over the known changes. x is the output for the change. */
#include "train/losses/row_loss.h"

_Static_assert((int)ROOT_VARIANCES == (int)ROOT_VARIANCE_CHANNELS,
               "the head and the rows have the same changes");

void loss_root_variance(const RowLoss *r) {
    const float *known = r->targets + TARGET_ROOT_VARIANCES, *y = r->y[HEAD_ROOT_VARIANCE];
    double in_loss = r->weight * r->settings->root_variance;
    for (int i = 0; i < ROOT_VARIANCES; i++) {
        if (!(r->targets[TARGET_ROOT_VARIANCE_COUNT] > (float)i)) break;
        double x = (double)y[i], error = softplus(x) - (double)known[i];
        r->dy[HEAD_ROOT_VARIANCE][i] += (float)(in_loss * 2 * error * sigmoid(x));
        r->sums->loss += in_loss * error * error;
        r->sums->root_variance += r->weight * error * error;
    }
}

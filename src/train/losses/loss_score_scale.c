/* Penalty on the factor by which the net multiplies the logits of the score distribution (Wu 2019,
 * appendix B; p3achygo, python/model.py). For the output x, the factor is softplus(x), and the
 * penalty is the square of the factor. Without it, the factor could grow for ever while the logits
 * shrink. */
#include <math.h>

#include "train/losses/row_loss.h"

void loss_score_scale(const RowLoss *r) {
    double x = (double)r->y[HEAD_SCORE_SCALE][0], factor = softplus(x),
           in_loss = r->weight * r->settings->score_scale, loss = factor * factor;
    r->dy[HEAD_SCORE_SCALE][0] += (float)(in_loss * 2 * factor / (1 + exp(-x)));
    r->sums->loss += in_loss * loss;
    r->sums->score_scale += r->weight * loss;
}

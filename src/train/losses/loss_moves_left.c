/* Loss of HEAD_MOVES_LEFT, which predicts the number of turns that are left in the game
 * (lczero-training, tfprocess.py). It is the Huber loss of the error
 *     (predicted turns - true turns) / 20
 * and is linear for errors above 10 turns. */
#include "train/losses/row_loss.h"

static const double UNIT = 20;         /* turns of one unit of output */
static const double DELTA = 10.0 / 20; /* where the Huber loss becomes linear, in units */

void loss_moves_left(const RowLoss *r) {
    double known = (double)r->targets[TARGET_MOVES_LEFT], x = (double)r->y[HEAD_MOVES_LEFT][0];
    if (!(known > 0)) return;
    double error = softplus(x) - known / UNIT;
    double in_loss = r->weight * r->per_points * r->settings->moves_left;
    Loss loss = huber(error, DELTA);
    r->dy[HEAD_MOVES_LEFT][0] += (float)(in_loss * loss.slope * softplus_slope(x));
    r->sums->loss += in_loss * loss.loss;
    r->sums->moves_left += r->weight * loss.loss;
    r->sums->moves_left_error += r->weight * UNIT * fabs(error);
}

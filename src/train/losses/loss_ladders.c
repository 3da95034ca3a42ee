/* Loss of HEAD_LADDERS, which predicts which stones can be captured in a ladder now (GoNN, README,
 * "Ladders"). It is the mean of the binary cross entropy over the points of the board. The target
 * is the plane of the features that shows these stones. The net may read this plane or not. */
#include "eval/features/features.h"
#include "train/losses/row_loss.h"

void loss_ladders(const RowLoss *r) {
    if (!r->board_count) return;
    double scale = r->weight * r->settings->ladders / r->board_count, sum = 0;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double x = (double)r->y[HEAD_LADDERS][cell],
               target = (double)r->planes[cell * FEATURE_PLANES + FEATURE_PLANE_LADDERS];
        sum += softplus(x) - target * x;
        r->dy[HEAD_LADDERS][cell] += (float)(scale * (sigmoid(x) - target));
    }
    r->sums->ladders += r->weight * sum / r->board_count;
    r->sums->loss += scale * sum;
}

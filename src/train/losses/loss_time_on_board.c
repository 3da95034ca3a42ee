/* Loss of HEAD_TIME_ON_BOARD, which predicts how long each stone stays on the board. If a stone
 * stays for T more moves (row_points.h) on a board of A points, the target is
 *     f = 1 - 2^(-8 T / A)
 * so it is 1/2 for a stone that is removed after A / 8 moves, and 1 for a stone that stays to the
 * end of the game. The length of the game does not matter, because another head can learn it
 * (HEAD_MOVES_LEFT). The loss is the binary cross entropy between f and logistic(x), where x is the
 * output of the head, minus the entropy of f. It is summed over the stones whose time is known, and
 * divided by A. The idea is one of the auxiliary losses in the README of lczero-training, for
 * pieces of chess; the formulas are our own. */
#include "train/losses/row_loss.h"

static const double HALF_LIVES = 8; /* how many half-lives A moves are */

static double entropy(double f) {
    return f > 0 && f < 1 ? -f * log(f) - (1 - f) * log(1 - f) : 0;
}

void loss_time_on_board(const RowLoss *r) {
    if (!r->board_count) return;
    double scale = r->weight * r->settings->time_on_board / r->board_count, sum = 0;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        double time = (double)r->target_points[ROW_TIME_ON_BOARD][cell],
               x = (double)r->y[HEAD_TIME_ON_BOARD][cell];
        if (!(time > 0)) continue;
        double f = time < TIME_ON_BOARD_ALWAYS ? 1 - exp2(-HALF_LIVES * time / r->board_count) : 1;
        sum += softplus(x) - f * x - entropy(f);
        r->dy[HEAD_TIME_ON_BOARD][cell] += (float)(scale * (sigmoid(x) - f));
    }
    r->sums->time_on_board += r->weight * sum / r->board_count;
    r->sums->loss += scale * sum;
}

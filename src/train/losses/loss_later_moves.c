/* Loss of HEAD_LATER_MOVES, which predicts the moves that the game played 2, 3, 4 and 5 turns after
 * this one. It is the mean of four cross entropies, one for each move, over the points of the
 * board. Passes and moves that are not known add nothing. The moves of this turn and of the next
 * turn are left out, because the policies learn them. */
#include "train/losses/row_loss.h"

_Static_assert(LATER_MOVES == LATER_MOVES_CHANNELS, "each move has a channel");

/* Returns the cross entropy of one channel. Adds `scale` times its gradient to r->dy. */
static double one_move(const RowLoss *r, int channel, int wanted, double scale) {
    const float *y = r->y[HEAD_LATER_MOVES] + channel;
    float *dy = r->dy[HEAD_LATER_MOVES] + channel;
    double max = (double)-INFINITY, sum = 0;
    for (int k = 0; k < r->board_count; k++)
        max = fmax(max, (double)y[r->board[k] * LATER_MOVES_CHANNELS]);
    for (int k = 0; k < r->board_count; k++)
        sum += exp((double)y[r->board[k] * LATER_MOVES_CHANNELS] - max);
    for (int k = 0; k < r->board_count; k++) {
        int at = r->board[k] * LATER_MOVES_CHANNELS;
        double p = exp((double)y[at] - max) / sum;
        dy[at] += (float)(scale * (p - (r->board[k] == wanted)));
    }
    return max + log(sum) - (double)y[wanted * LATER_MOVES_CHANNELS];
}

static bool is_on_board(const RowLoss *r, int cell) {
    for (int k = 0; k < r->board_count; k++) {
        if (r->board[k] == cell) return true;
    }
    return false;
}

void loss_later_moves(const RowLoss *r) {
    double w = r->weight / LATER_MOVES, weight = w * r->settings->later_moves;
    for (int i = 0; i < LATER_MOVES; i++) {
        int cell = (int)r->targets[TARGET_LATER_MOVES + i] - 1;
        if (!is_on_board(r, cell)) continue;
        double loss = one_move(r, i, cell, weight);
        r->sums->later_moves += w * loss;
        r->sums->loss += weight * loss;
    }
}

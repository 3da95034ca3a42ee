/* Loss of HEAD_NEXT_OCCUPANT, which predicts for each point whose stone comes to stand on it next:
 * the mover's, the opponent's or nobody's (row_points.h). It is the cross entropy, summed over the
 * points of the board whose next occupant is known, and divided by the number of all points of the
 * board. The idea is one of the auxiliary losses in the README of lczero-training, for pieces of
 * chess; the formula is our own. */
#include "train/losses/row_loss.h"

_Static_assert((int)NEXT_OCCUPANTS - 1 == NEXT_OCCUPANT_CHANNELS, "each occupant has a channel");

void loss_next_occupant(const RowLoss *r) {
    if (!r->board_count) return;
    double scale = r->weight * r->settings->next_occupant / r->board_count, sum = 0;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k], wanted = (int)r->target_points[ROW_NEXT_OCCUPANT][cell] - 1;
        const float *y = r->y[HEAD_NEXT_OCCUPANT] + cell * NEXT_OCCUPANT_CHANNELS;
        float *dy = r->dy[HEAD_NEXT_OCCUPANT] + cell * NEXT_OCCUPANT_CHANNELS;
        double p[NEXT_OCCUPANT_CHANNELS];
        if (wanted < 0) continue;
        sum += row_softmax(y, NEXT_OCCUPANT_CHANNELS, p) - (double)y[wanted];
        for (int i = 0; i < NEXT_OCCUPANT_CHANNELS; i++)
            dy[i] += (float)(scale * (p[i] - (i == wanted)));
    }
    r->sums->next_occupant += r->weight * sum / r->board_count;
    r->sums->loss += scale * sum;
}

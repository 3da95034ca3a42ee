#include "train/row_loss.h"

double row_softmax(const float *logits, int count, double *p) {
    double most = (double)logits[0], sum = 0;
    for (int i = 1; i < count; i++)
        most = fmax(most, (double)logits[i]);
    for (int i = 0; i < count; i++)
        sum += p[i] = exp((double)logits[i] - most);
    for (int i = 0; i < count; i++)
        p[i] /= sum;
    return most + log(sum);
}

double row_win_loss(const RowLoss *r) {
    double p[3];
    row_softmax(r->y[HEAD_VALUE], 3, p);
    return p[0] - p[1];
}

NextSaid row_td_said(const RowLoss *r, int horizon) {
    double p[3];
    float score = r->y[HEAD_TD][3 * TD_HORIZONS + horizon] * SCORE_MULTIPLIERS.mean;
    row_softmax(r->y[HEAD_TD] + 3 * horizon, 3, p);
    return (NextSaid){p[0] - p[1], (double)score};
}

NextSaid row_next_said(const RowLoss *r) {
    if (r->y[HEAD_TD]) return row_td_said(r, TD_HORIZONS - 1);
    return (NextSaid){r->win_loss, (double)(r->y[HEAD_SCORE][0] * SCORE_MULTIPLIERS.mean)};
}

NextSaid row_surplus(const RowLoss *r, int horizon) {
    const float *to = r->targets + TARGET_TD_LONG + 4 * horizon;
    NextSaid said = row_td_said(r, horizon);
    return (NextSaid){(double)(to[0] - to[1]) - said.win_loss, (double)to[3] - said.score};
}

/* Mean of what was found over what was said, in the net's own deviations; a nearer horizon counts
 * twice as much as the next one. */
double row_horizon_optimism(const RowLoss *r) {
    static const double SHARES[TD_HORIZONS] = {1.0 / 7, 2.0 / 7, 4.0 / 7};
    double z = 0;
    for (int h = 0; h < TD_HORIZONS; h++) {
        double error = TD_ERROR_MAX * sigmoid((double)r->y[HEAD_TD_ERRORS][h]);
        z += SHARES[h] * row_surplus(r, h).win_loss / sqrt(error + 1e-6);
    }
    return sigmoid(3 * (z - 1));
}

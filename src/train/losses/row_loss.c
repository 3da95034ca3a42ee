#include "train/losses/row_loss.h"

double row_softmax(const float *logits, int count, double *p) {
    double max = (double)logits[0], sum = 0;
    for (int i = 1; i < count; i++)
        max = fmax(max, (double)logits[i]);
    for (int i = 0; i < count; i++)
        sum += p[i] = exp((double)logits[i] - max);
    for (int i = 0; i < count; i++)
        p[i] /= sum;
    return max + log(sum);
}

double row_win_loss(const RowLoss *r) {
    double p[3];
    if (!r->y[HEAD_VALUE]) return 0;
    row_softmax(r->y[HEAD_VALUE], 3, p);
    return p[0] - p[1];
}

ValuePair row_td_prediction(const RowLoss *r, int horizon) {
    double p[3];
    float score = r->y[HEAD_TD][3 * TD_HORIZONS + horizon] * (float)SCORE_MULTIPLIERS.mean;
    row_softmax(r->y[HEAD_TD] + 3 * horizon, 3, p);
    return (ValuePair){p[0] - p[1], (double)score};
}

ValuePair row_shortterm_prediction(const RowLoss *r) {
    if (r->y[HEAD_TD]) return row_td_prediction(r, TD_HORIZONS - 1);
    return (ValuePair){r->win_loss, (double)(r->y[HEAD_SCORE][0] * (float)SCORE_MULTIPLIERS.mean)};
}

ValuePair row_td_surprise(const RowLoss *r, int horizon) {
    const float *found = r->targets + TARGET_TD_LONG + 4 * horizon;
    ValuePair prediction = row_td_prediction(r, horizon);
    return (ValuePair){(double)(found[0] - found[1]) - prediction.win_loss,
                       (double)found[3] - prediction.score};
}

/* For each horizon, the surprise in win - loss is divided by the deviation that the net expects.
 * The result follows from z, the weighted mean over the horizons. Each horizon counts twice as much
 * as the next longer horizon. */
double row_horizon_optimism(const RowLoss *r) {
    static const double WEIGHTS[TD_HORIZONS] = {1.0 / 7, 2.0 / 7, 4.0 / 7};
    double z = 0;
    for (int h = 0; h < TD_HORIZONS; h++) {
        double error = TD_ERROR_MAX * sigmoid((double)r->y[HEAD_TD_ERRORS][h]);
        z += WEIGHTS[h] * row_td_surprise(r, h).win_loss / sqrt(error + 1e-6);
    }
    return sigmoid(3 * (z - 1));
}

/* The net's own squared errors over the three horizons of later values, and how far things turned
 * out better than it said by them (p3achygo, python/model.py, v1_loss_terms). What it says of later
 * values gets no slope from here. */
#include "eval/heads.h"
#include "train/loss.h"

/* The largest squared error of win - loss; squared points of one unit of output; where both Huber
 * losses become linear. */
static const double VALUE_MOST = 4, SCORE_UNIT = 100, DELTA = 1;

/* What was found, over what was said. */
static NextSaid surplus_of(const RowLoss *r, int horizon) {
    const float *to = r->targets + TARGET_TD_LONG + 4 * horizon;
    NextSaid said = loss_td_said(r, horizon);
    return (NextSaid){(double)(to[0] - to[1]) - said.win_loss, (double)to[3] - said.score};
}

void loss_td_errors(const RowLoss *r) {
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]) / TD_HORIZONS,
           w_score = w * (double)r->targets[TARGET_WEIGHT_BOARD],
           value = (double)r->config->td_value_error,
           score = r->per_squares * (double)r->config->td_score_error;
    for (int h = 0; h < TD_HORIZONS; h++) {
        NextSaid away = surplus_of(r, h);
        double share = sigmoid((double)r->td_errors[h]),
               raw = (double)r->td_errors[TD_HORIZONS + h];
        Loss loss = huber(VALUE_MOST * share - away.win_loss * away.win_loss, DELTA);
        r->d_td_errors[h] += (float)(w * value * loss.slope * VALUE_MOST * share * (1 - share));
        r->sums->td_value_error += w * loss.loss;
        r->sums->loss += w * value * loss.loss;
        loss = huber(fabs(raw) - away.score * away.score / SCORE_UNIT, DELTA);
        double slope = raw < 0 ? -loss.slope : loss.slope;
        r->d_td_errors[TD_HORIZONS + h] += (float)(w_score * score * slope);
        r->sums->td_score_error += w_score * loss.loss;
        r->sums->loss += w_score * score * loss.loss;
    }
}

/* Mean of what was found over what was said, in the net's own deviations; a nearer horizon counts
 * twice as much as the next one. */
double loss_horizon_optimism(const RowLoss *r) {
    static const double SHARES[TD_HORIZONS] = {1.0 / 7, 2.0 / 7, 4.0 / 7};
    double z = 0;
    for (int h = 0; h < TD_HORIZONS; h++) {
        double error = VALUE_MOST * sigmoid((double)r->td_errors[h]);
        z += SHARES[h] * surplus_of(r, h).win_loss / sqrt(error + 1e-6);
    }
    return sigmoid(3 * (z - 1));
}

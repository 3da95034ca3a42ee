/* The net's own squared errors over the three horizons of later values, and how far things turned
 * out better than it said by them (p3achygo, python/model.py, v1_loss_terms). What it says of later
 * values gets no slope from here. */
#include "train/row_loss.h"

/* Squared points of one unit of output; where both Huber losses become linear. */
static const double SCORE_UNIT = 100, DELTA = 1;

void loss_td_errors(const RowLoss *r) {
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]) / TD_HORIZONS,
           w_score = w * (double)r->targets[TARGET_WEIGHT_BOARD],
           value = (double)r->settings->td_value_error,
           score = r->per_squares * (double)r->settings->td_score_error;
    for (int h = 0; h < TD_HORIZONS; h++) {
        NextSaid away = row_surplus(r, h);
        double share = sigmoid((double)r->y[HEAD_TD_ERRORS][h]),
               raw = (double)r->y[HEAD_TD_ERRORS][TD_HORIZONS + h];
        Loss loss = huber(TD_ERROR_MAX * share - away.win_loss * away.win_loss, DELTA);
        r->dy[HEAD_TD_ERRORS][h] +=
            (float)(w * value * loss.slope * TD_ERROR_MAX * share * (1 - share));
        r->sums->td_value_error += w * loss.loss;
        r->sums->loss += w * value * loss.loss;
        loss = huber(fabs(raw) - away.score * away.score / SCORE_UNIT, DELTA);
        double slope = raw < 0 ? -loss.slope : loss.slope;
        r->dy[HEAD_TD_ERRORS][TD_HORIZONS + h] += (float)(w_score * score * slope);
        r->sums->td_score_error += w_score * loss.loss;
        r->sums->loss += w_score * score * loss.loss;
    }
}

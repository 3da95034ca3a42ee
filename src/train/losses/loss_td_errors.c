/* Losses of HEAD_TD_ERRORS. HEAD_TD predicts the win - loss and the score of later searches over
 * three horizons, and HEAD_TD_ERRORS predicts the squared errors of these predictions (p3achygo,
 * python/model.py, v1_loss_terms). HEAD_TD gets no gradient here. */
#include "train/losses/row_loss.h"

static const double SCORE_UNIT = 100; /* squared points for one unit of output */
static const double DELTA = 1;        /* where both Huber losses become linear */

void loss_td_errors(const RowLoss *r) {
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_TD]) / TD_HORIZONS,
           w_score = w * (double)r->targets[TARGET_WEIGHT_BOARD],
           value = r->settings->td_value_error,
           score = r->per_squares * r->settings->td_score_error;
    for (int h = 0; h < TD_HORIZONS; h++) {
        ValuePair surprise = row_td_surprise(r, h);
        double fraction = sigmoid((double)r->y[HEAD_TD_ERRORS][h]),
               raw = (double)r->y[HEAD_TD_ERRORS][TD_HORIZONS + h];
        Loss loss = huber(TD_ERROR_MAX * fraction - surprise.win_loss * surprise.win_loss, DELTA);
        r->dy[HEAD_TD_ERRORS][h] +=
            (float)(w * value * loss.slope * TD_ERROR_MAX * fraction * (1 - fraction));
        r->sums->td_value_error += w * loss.loss;
        r->sums->loss += w * value * loss.loss;
        loss = huber(fabs(raw) - surprise.score * surprise.score / SCORE_UNIT, DELTA);
        double slope = raw < 0 ? -loss.slope : loss.slope;
        r->dy[HEAD_TD_ERRORS][TD_HORIZONS + h] += (float)(w_score * score * slope);
        r->sums->td_score_error += w_score * loss.loss;
        r->sums->loss += w_score * score * loss.loss;
    }
}

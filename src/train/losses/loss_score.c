/* Losses of HEAD_SCORE and of the score distribution: mean and deviation of the score, lead, time
 * until the values settle, and the errors that the net expects of its own predictions (Wu 2019,
 * appendix B; KataGo, python/katago/train/metrics_pytorch.py). */
#include "train/losses/row_loss.h"

/* The errors at which Huber losses become linear. Their units, in this order, are points, points,
 * turns, squared win - loss and squared points. */
static const double DELTA_SELF = 10, DELTA_LEAD = 8, DELTA_TIME = 50, DELTA_WINLOSS = 0.4,
                    DELTA_SCORE = 100;
/* The weight of the loss of the score's error, relative to the loss of the error of win - loss. */
static const double SCORE_ERROR_WEIGHT = 1e-5;

/* Adds the loss of output `output` of HEAD_SCORE. `inner` is the derivative of the decoded value
 * with respect to the raw output. */
static void add_score_loss(const RowLoss *r, int output, double weight, Loss loss, double inner) {
    r->dy[HEAD_SCORE][output] += (float)(weight * loss.slope * inner);
    r->sums->loss += weight * loss.loss;
}

/* The mean and the variance of the predicted distribution of the score. */
typedef struct {
    double mean, variance;
} Moments;

static Moments moments_of(const float *p) {
    double mean = 0, square = 0;
    for (int i = 0; i < SCORE_BINS; i++) {
        double score = i - SCORE_BINS_HALF + 0.5, probability = (double)p[i];
        mean += probability * score;
        square += probability * score * score;
    }
    return (Moments){mean, fmax(0, square - mean * mean)};
}

/* Pulls the mean that HEAD_SCORE predicts and the mean of the predicted distribution towards each
 * other. Both get a gradient (Wu 2019, appendix B, "score belief auxiliary predictions"). */
static void self_mean_loss(const RowLoss *r, const float *p, Moments moments) {
    const double scale = SCORE_MULTIPLIERS.mean;
    double w = r->weight * r->per_points * r->settings->score_mean_self;
    Loss loss = huber((double)r->y[HEAD_SCORE][0] * scale - moments.mean, DELTA_SELF);
    r->sums->score_mean_self += r->weight * loss.loss;
    if (!(w > 0)) return;
    add_score_loss(r, 0, w, loss, scale);
    for (int i = 0; i < SCORE_BINS; i++) {
        double distance = i - SCORE_BINS_HALF + 0.5 - moments.mean;
        r->dy[HEAD_SCORE_DISTRIBUTION][i] -= (float)(w * loss.slope * (double)p[i] * distance);
    }
}

/* Does the same with the two standard deviations. */
static void deviation_loss(const RowLoss *r, const float *p, Moments moments) {
    const double scale = SCORE_MULTIPLIERS.stdev, x = (double)r->y[HEAD_SCORE][1];
    double w = r->weight * r->per_points * r->settings->score_stdev;
    double target = sqrt(0.001 + moments.variance);
    Loss loss = huber(softplus(x) * scale - target, DELTA_SELF);
    add_score_loss(r, 1, w, loss, softplus_slope(x) * scale);
    r->sums->score_stdev += r->weight * loss.loss;
    double slope = -w * loss.slope / (2 * target); /* d loss / d variance */
    for (int i = 0; i < SCORE_BINS; i++) {
        double distance = i - SCORE_BINS_HALF + 0.5 - moments.mean;
        r->dy[HEAD_SCORE_DISTRIBUTION][i] +=
            (float)(slope * (double)p[i] * (distance * distance - moments.variance));
    }
}

/* Writes the softmax of the logits to `p`. Returns the logarithm of the sum of their
 * exponentials. */
static float softmax_bins(const float *logits, float *p) {
    float max = logits[0], sum = 0;
    for (int i = 1; i < SCORE_BINS; i++)
        max = fmaxf(max, logits[i]);
    for (int i = 0; i < SCORE_BINS; i++)
        sum += p[i] = expf(logits[i] - max);
    float inverse = 1 / sum;
    for (int i = 0; i < SCORE_BINS; i++)
        p[i] *= inverse;
    return max + logf(sum);
}

/* There are two losses. `pdf` is the cross entropy. `cdf` is the sum of run_i^2, where run_i is the
 * difference of the predicted and the true cumulative distribution at bin i. The gradient of `cdf`
 * is
 *     d cdf / d run_i = 2 run_i
 *     d cdf / d p_i   = sum over k >= i of 2 run_k
 * where p_i is the predicted probability of bin i. The softmax carries it on to the logits. */
void loss_distribution(const RowLoss *r) {
    float p[SCORE_BINS], slopes[SCORE_BINS];
    double run = 0, pdf = 0, cdf = 0, average = 0; /* run is the cumulative difference */
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD];
    double w_pdf = w * r->settings->score_pdf, w_cdf = w * r->per_points * r->settings->score_cdf;
    float log_sum = softmax_bins(r->y[HEAD_SCORE_DISTRIBUTION], p);
    for (int i = 0; i < SCORE_BINS; i++) {
        float t = r->target_bins[i];
        if (t > 0) pdf -= (double)(t * (r->y[HEAD_SCORE_DISTRIBUTION][i] - log_sum));
        run += (double)(p[i] - t);
        cdf += run * run;
        slopes[i] = (float)(2 * run); /* d cdf / d run_i */
    }
    float after = 0;
    for (int i = SCORE_BINS - 1; i >= 0; i--) {
        slopes[i] = after += slopes[i]; /* d cdf / d p_i */
        average += (double)(p[i] * after);
    }
    for (int i = 0; i < SCORE_BINS; i++)
        r->dy[HEAD_SCORE_DISTRIBUTION][i] += (float)w_pdf * (p[i] - r->target_bins[i]) +
                                             (float)w_cdf * p[i] * (slopes[i] - (float)average);
    r->sums->score_pdf += w * pdf;
    r->sums->score_cdf += w * cdf;
    r->sums->loss += w_pdf * pdf + w_cdf * cdf;
    Moments moments = moments_of(p);
    if (!r->y[HEAD_SCORE]) return;
    self_mean_loss(r, p, moments);
    deviation_loss(r, p, moments);
}

/* Adds the losses of short-term errors. The net predicts the values of the next searches, and also
 * the squared error of this prediction. Only the predicted error is trained here. The prediction of
 * the values gets no gradient. */
static void shortterm_losses(const RowLoss *r, ValuePair prediction) {
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    const float *next = r->targets + TARGET_TD_SHORT;
    double weight = r->settings->shortterm_error;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD] *
               (1 - (double)r->targets[TARGET_NO_TD]);
    double by_value = prediction.win_loss - (double)(next[0] - next[1]),
           by_score = prediction.score - (double)next[3];
    const struct {
        int output;
        double multiplier, target, delta, weight;
        double *sum;
    } ERRORS[2] = {{4, m->shortterm_winloss, by_value * by_value + 1e-8, DELTA_WINLOSS, weight,
                    &r->sums->shortterm_winloss},
                   {5, m->shortterm_score, by_score * by_score + 1e-4, DELTA_SCORE,
                    weight * r->per_squares * SCORE_ERROR_WEIGHT, &r->sums->shortterm_score}};
    for (int i = 0; i < 2; i++) {
        double x = (double)r->y[HEAD_SCORE][ERRORS[i].output] * 0.5, soft = softplus(x);
        Loss loss = huber(soft * soft * ERRORS[i].multiplier - ERRORS[i].target, ERRORS[i].delta);
        add_score_loss(r, ERRORS[i].output, w * ERRORS[i].weight, loss,
                       soft * softplus_slope(x) * ERRORS[i].multiplier);
        *ERRORS[i].sum += w * loss.loss;
    }
}

void loss_score(const RowLoss *r) {
    const ObjectiveSettings *c = r->settings;
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    double w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD];
    double final = (double)r->targets[TARGET_SCORE],
           mean = (double)(r->y[HEAD_SCORE][0] * (float)m->mean);
    Loss loss = huber(mean - final, c->huber_delta);
    double in_loss = w * r->per_points; /* metrics use `w`, so that all board sizes count equally */
    add_score_loss(r, 0, in_loss * c->score_mean, loss, m->mean);
    r->sums->score_mean += w * loss.loss;
    if (!r->y[HEAD_SCORE_DISTRIBUTION]) {
        /* Without a predicted distribution, the target is 1.25 times the distance of the score from
         * the predicted mean. If the score is normally distributed, the average of this is the
         * standard deviation. */
        double x = (double)r->y[HEAD_SCORE][1];
        loss = huber(softplus(x) * m->stdev - 1.25 * fabs(mean - final), DELTA_SELF);
        add_score_loss(r, 1, in_loss * c->score_stdev, loss, softplus_slope(x) * m->stdev);
        r->sums->score_stdev += w * loss.loss;
    }
    double w_lead = r->weight * (double)r->targets[TARGET_WEIGHT_LEAD];
    loss = huber((double)(r->y[HEAD_SCORE][2] * (float)m->lead) - (double)r->targets[TARGET_LEAD],
                 DELTA_LEAD);
    add_score_loss(r, 2, w_lead * r->per_points * c->lead, loss, m->lead);
    r->sums->lead += w_lead * loss.loss;
    double x = (double)r->y[HEAD_SCORE][3],
           settled = (double)r->targets[TARGET_VARIANCE_TIME] + 1e-5;
    loss = huber(softplus(x) * m->var_time - settled, DELTA_TIME);
    add_score_loss(r, 3, in_loss * c->var_time, loss, softplus_slope(x) * m->var_time);
    r->sums->var_time += w * loss.loss;
    shortterm_losses(r, row_shortterm_prediction(r));
}

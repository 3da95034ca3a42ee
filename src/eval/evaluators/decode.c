#include "eval/evaluators/decode.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "eval/arch/heads.h"

static double softplus(double x) {
    return x > 40 ? x : log1p(exp(x));
}

/* Returns the logit of a move, divided by the temperature. The logit is that of the ordinary
 * policy, or a mixture of the logits of the ordinary and the optimistic policy. `channels` are the
 * policies at the point of the move, or those of the pass. */
static float logit_of(const RawOutputs *raw, const float *channels) {
    float own = channels[POLICY_OWN];
    if (raw->optimism > 0 && raw->optimistic >= 0)
        own += raw->optimism * (channels[raw->optimistic] - own);
    return own / raw->policy_temperature;
}

static Status decode_policy(const RawOutputs *raw, const Position *position, const int16_t *places,
                            Evaluation *out, Error *err) {
    int area = out->width * out->height;
    float logits[MOVES_MAX], max = raw->pass ? logit_of(raw, raw->pass) : -FLT_MAX;
    bool legal[BOARD_POINTS_MAX];
    logits[area] = max;
    position_mark_legal(position, legal);
    for (int i = 0; i < area; i++) {
        logits[i] = logit_of(raw, raw->policy + places[i] * raw->policy_channels);
        out->policy[i] = legal[i] ? 0 : -1;
        if (!isfinite(logits[i]))
            return fail(err, ERR_UNSUPPORTED, "the net's policy is not finite");
        if (out->policy[i] == 0 && logits[i] > max) max = logits[i];
    }
    if (!isfinite(logits[area]))
        return fail(err, ERR_UNSUPPORTED, "the net's policy is not finite");
    double sum = 0;
    out->policy[area] = 0;
    for (int i = 0; i <= area; i++) {
        if (out->policy[i] < 0) continue;
        out->policy[i] = expf(logits[i] - max);
        sum += (double)out->policy[i];
    }
    float scale = (float)(1 / sum);
    for (int i = 0; i <= area; i++) {
        if (out->policy[i] >= 0) out->policy[i] *= scale;
    }
    return OK;
}

static Status decode_value(const RawOutputs *raw, const Position *position, Evaluation *out,
                           Error *err) {
    out->lacks_value = !raw->value;
    out->win = out->loss = 0.5f;
    out->no_result = 0;
    if (!raw->value) return OK;
    double logits[3] = {(double)raw->value[0], (double)raw->value[1], (double)raw->value[2]},
           sum = 0;
    bool no_result = raw->model_format->version < 4 || position->rules.ko == KO_SIMPLE ||
                     position->rules.scoring == SCORING_TERRITORY;
    double max = fmax(logits[0], logits[1]);
    if (no_result) max = fmax(max, logits[2]);
    for (int i = 0; i < 3; i++) {
        if (!isfinite(logits[i]))
            return fail(err, ERR_UNSUPPORTED, "the net's value is not finite");
        logits[i] = i == 2 && !no_result ? 0 : exp(logits[i] - max);
        sum += logits[i];
    }
    out->win = (float)(logits[0] / sum);
    out->loss = (float)(logits[1] / sum);
    out->no_result = (float)(logits[2] / sum);
    return OK;
}

/* Decodes an expected error. The formula depends on the version of the model (KataGo,
 * cpp/neuralnet/nneval.cpp). */
static float decode_error(int version, double raw, double multiplier, double old_multiplier) {
    if (version >= 14) {
        double soft = softplus(raw * 0.5);
        return (float)sqrt(soft * soft * multiplier);
    }
    if (version >= 10) return (float)sqrt(softplus(raw) * multiplier);
    return (float)(softplus(raw) * old_multiplier);
}

/* Nets of version 3 give one number for the score and no standard deviation. As in KataGo, the arc
 * tangent of this number stays 1e-6 away from pi / 2 and -pi / 2, which bounds the score. */
static void decode_oldest_score(double raw, int area, Evaluation *out) {
    const double PI = 3.14159265358979323846;
    double angle = atan(raw);
    if (angle > PI / 2 - 1e-6) angle = PI / 2 - 1e-6;
    if (angle < -PI / 2 + 1e-6) angle = -PI / 2 + 1e-6;
    double mean = tan(angle) * 2 * sqrt(area);
    out->score_mean = out->lead = (float)mean;
    out->score_mean_sq = (float)(mean * mean);
}

static Status decode_score(const RawOutputs *raw, Evaluation *out, Error *err) {
    const ScoreMultipliers *m = &raw->model_format->score;
    const float *score = raw->score;
    int version = raw->model_format->version,
        count = score ? model_format_score_channels(raw->model_format) : 0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(score[i])) return fail(err, ERR_UNSUPPORTED, "the net's score is not finite");
    }
    out->var_time = out->shortterm_winloss_error = out->shortterm_score_error = -1;
    out->lacks_score = !score;
    if (!score) {
        out->score_mean = out->score_mean_sq = out->lead = 0;
        return OK;
    }
    if (count == 1) {
        decode_oldest_score((double)score[0], out->width * out->height, out);
        return OK;
    }
    double result = 1 - (double)out->no_result, mean = (double)score[0] * m->mean,
           deviation = softplus((double)score[1]) * m->stdev,
           lead = (double)score[count > 2 ? 2 : 0] * (count > 2 ? m->lead : m->mean);
    out->score_mean = (float)(mean * result);
    out->score_mean_sq = (float)((mean * mean + deviation * deviation) * result);
    out->lead = (float)(lead * result);
    if (count < 6) return OK;
    out->var_time = (float)(softplus((double)score[3]) * m->var_time);
    out->shortterm_winloss_error = decode_error(version, (double)score[4], m->shortterm_winloss, 1);
    out->shortterm_score_error = decode_error(version, (double)score[5], m->shortterm_score, 10);
    return OK;
}

static Status check_score(const Evaluation *e, Error *err) {
    const float decoded[] = {e->score_mean, e->score_mean_sq,           e->lead,
                             e->var_time,   e->shortterm_winloss_error, e->shortterm_score_error};
    for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++) {
        if (!isfinite(decoded[i]))
            return fail(err, ERR_UNSUPPORTED, "the net's score is too large: %g",
                        (double)decoded[i]);
    }
    return OK;
}

static Status decode_value_buckets(const RawOutputs *raw, Evaluation *out, Error *err) {
    float max = -INFINITY, sum = 0;
    out->has_value_buckets = raw->value_buckets != NULL;
    if (!raw->value_buckets) return OK;
    for (int i = 0; i < EVALUATION_BUCKETS; i++)
        max = fmaxf(max, raw->value_buckets[i]);
    for (int i = 0; i < EVALUATION_BUCKETS; i++)
        sum += out->value_buckets[i] = expf(raw->value_buckets[i] - max);
    for (int i = 0; i < EVALUATION_BUCKETS; i++)
        out->value_buckets[i] /= sum;
    return isfinite(sum) ? OK
                         : fail(err, ERR_UNSUPPORTED, "the net's value_buckets are not finite");
}

static Status decode_root_variances(const RawOutputs *raw, Evaluation *out, Error *err) {
    for (int i = 0; i < EVALUATION_ROOT_VARIANCES; i++) {
        out->root_variances[i] =
            raw->root_variance ? (float)softplus((double)raw->root_variance[i]) : -1;
        if (!isfinite(out->root_variances[i]))
            return fail(err, ERR_UNSUPPORTED, "the net's root_variance is not finite");
    }
    return OK;
}

static Status decode_value_error(const RawOutputs *raw, Evaluation *out, Error *err) {
    float x = raw->value_error ? raw->value_error[0] : 0;
    if (!isfinite(x)) return fail(err, ERR_UNSUPPORTED, "the net's value_error is not finite");
    out->value_error = raw->value_error ? (float)sqrt(1 / (1 + exp(-(double)x))) : -1;
    return OK;
}

static Status decode_moves_left(const RawOutputs *raw, Evaluation *out, Error *err) {
    const double TURNS = 20; /* turns for one unit of the output (loss_moves_left.c) */
    out->moves_left = raw->moves_left ? (float)(TURNS * softplus((double)raw->moves_left[0])) : -1;
    return isfinite(out->moves_left)
               ? OK
               : fail(err, ERR_UNSUPPORTED, "the net's moves_left is not finite");
}

Status decode_outputs(const RawOutputs *raw, const Position *position, Evaluation *out,
                      Error *err) {
    int width = position->board.width, height = position->board.height, area = width * height;
    int16_t places[BOARD_POINTS_MAX];
    out->width = (int16_t)width;
    out->height = (int16_t)height;
    symmetry_places(raw->symmetry, width, height, raw->buffer_width, raw->buffer_height, places);
    Status status = decode_policy(raw, position, places, out, err);
    if (!status) status = decode_value(raw, position, out, err);
    if (!status) status = decode_score(raw, out, err);
    if (!status) status = check_score(out, err);
    if (!status) status = decode_value_buckets(raw, out, err);
    if (!status) status = decode_root_variances(raw, out, err);
    if (!status) status = decode_value_error(raw, out, err);
    if (!status) status = decode_moves_left(raw, out, err);
    out->has_ownership = raw->ownership != NULL;
    out->lacks_ownership = false; /* only the caller knows whether the net has the head */
    out->has_human = false;
    for (int i = 0; !status && raw->ownership && i < area; i++) {
        out->ownership[i] = tanhf(raw->ownership[places[i]]);
        if (!isfinite(out->ownership[i]))
            status = fail(err, ERR_UNSUPPORTED, "the net's ownership is not finite");
    }
    return status;
}

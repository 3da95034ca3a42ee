#include "eval/heads.h"
#include "eval/features.h"
#include <math.h>
#include <string.h>

const ScoreMultipliers SCORE_MULTIPLIERS = {20, 20, 20, 40, 0.25f, 150};

Status heads_find(const Program *program, HeadIndex *out, Error *err) {
    *out = (HeadIndex){
        .policy = program_find_output(program, HEAD_POLICY),
        .pass = program_find_output(program, HEAD_PASS),
        .value = program_find_output(program, HEAD_VALUE),
        .score = program_find_output(program, HEAD_SCORE),
        .ownership = program_find_output(program, HEAD_OWNERSHIP),
        .score_distribution = program_find_output(program, HEAD_SCORE_DISTRIBUTION),
        .planes = program_find_input(program, "planes"),
        .globals = program_find_input(program, "globals"),
    };
    int policies = 2;
    if (out->policy >= 0)
        policies = program_op(program, program_output_value(program, out->policy))->channels;
    if (policies != 4 && policies != POLICY_CHANNELS_MOST) policies = 2;
    out->policy_channels = policies;
    const struct {
        const char *name;
        int index, channels;
        ValueKind kind;
        bool input;
    } WANTED[] = {{HEAD_POLICY, out->policy, policies, KIND_SPATIAL, false},
                  {HEAD_PASS, out->pass, policies, KIND_VECTOR, false},
                  {HEAD_VALUE, out->value, 3, KIND_VECTOR, false},
                  {HEAD_SCORE, out->score, 6, KIND_VECTOR, false},
                  {HEAD_OWNERSHIP, out->ownership, 1, KIND_SPATIAL, false},
                  {"planes", out->planes, FEATURE_PLANES, KIND_SPATIAL, true},
                  {"globals", out->globals, FEATURE_GLOBALS, KIND_VECTOR, true}};
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        if (WANTED[i].index < 0)
            return fail(err, ERR_UNSUPPORTED, "the net has no \"%s\"", WANTED[i].name);
        Value value = WANTED[i].input ? program_input_value(program, WANTED[i].index)
                                      : program_output_value(program, WANTED[i].index);
        const Op *op = program_op(program, value);
        if (op->channels != WANTED[i].channels || op->shape != WANTED[i].kind)
            return fail(err, ERR_UNSUPPORTED, "the net's \"%s\" has %d channels, wanted %d",
                        WANTED[i].name, op->channels, WANTED[i].channels);
    }
    return OK;
}

static double softplus(double x) {
    return x > 40 ? x : log1p(exp(x));
}

/* The logit of the pass, or of a point's place in the buffer. */
static float logit_of(const RawOutputs *raw, const float *channels) {
    float own = channels[POLICY_OWN];
    if (raw->optimism > 0 && raw->policy_channels > POLICY_OPTIMISTIC)
        own += raw->optimism * (channels[POLICY_OPTIMISTIC] - own);
    return own / raw->policy_temperature;
}

static Status decode_policy(const RawOutputs *raw, const Position *position, const int16_t *places,
                            Evaluation *out, Error *err) {
    int width = out->width, height = out->height, area = width * height;
    float logits[MOVES_MAX], most = logit_of(raw, raw->pass);
    logits[area] = most;
    for (int i = 0; i < area; i++) {
        logits[i] = logit_of(raw, raw->policy + places[i] * raw->policy_channels);
        out->policy[i] = position_is_legal(position, move_at_index(i, width, height)) ? 0 : -1;
        if (!isfinite(logits[i])) return fail(err, ERR_ARGUMENT, "the net's policy is not finite");
        if (out->policy[i] == 0 && logits[i] > most) most = logits[i];
    }
    if (!isfinite(logits[area])) return fail(err, ERR_ARGUMENT, "the net's policy is not finite");
    double sum = 0;
    out->policy[area] = 0;
    for (int i = 0; i <= area; i++) {
        if (out->policy[i] < 0) continue;
        out->policy[i] = expf(logits[i] - most);
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
    double logits[3] = {(double)raw->value[0], (double)raw->value[1], (double)raw->value[2]},
           sum = 0;
    bool no_result =
        position->rules.ko == KO_SIMPLE || position->rules.scoring == SCORING_TERRITORY;
    double most = fmax(logits[0], logits[1]);
    if (no_result) most = fmax(most, logits[2]);
    for (int i = 0; i < 3; i++) {
        if (!isfinite(logits[i])) return fail(err, ERR_ARGUMENT, "the net's value is not finite");
        logits[i] = i == 2 && !no_result ? 0 : exp(logits[i] - most);
        sum += logits[i];
    }
    out->win = (float)(logits[0] / sum);
    out->loss = (float)(logits[1] / sum);
    out->no_result = (float)(logits[2] / sum);
    return OK;
}

static double error_of(double raw, double multiplier) {
    double soft = softplus(raw * 0.5);
    return sqrt(soft * soft * multiplier);
}

static Status decode_score(const RawOutputs *raw, Evaluation *out, Error *err) {
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    for (int i = 0; i < 6; i++) {
        if (!isfinite(raw->score[i]))
            return fail(err, ERR_ARGUMENT, "the net's score is not finite");
    }
    double result = 1 - (double)out->no_result, mean = (double)raw->score[0] * (double)m->mean,
           deviation = softplus((double)raw->score[1]) * (double)m->stdev;
    out->score_mean = (float)(mean * result);
    out->score_mean_sq = (float)((mean * mean + deviation * deviation) * result);
    out->lead = (float)((double)raw->score[2] * (double)m->lead * result);
    out->var_time = (float)(softplus((double)raw->score[3]) * (double)m->var_time);
    out->shortterm_winloss_error =
        (float)error_of((double)raw->score[4], (double)m->shortterm_winloss);
    out->shortterm_score_error = (float)error_of((double)raw->score[5], (double)m->shortterm_score);
    const float decoded[] = {
        out->score_mean, out->score_mean_sq,           out->lead,
        out->var_time,   out->shortterm_winloss_error, out->shortterm_score_error};
    for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++) {
        if (!isfinite(decoded[i]))
            return fail(err, ERR_ARGUMENT, "the net's score is too large: %g", (double)decoded[i]);
    }
    return OK;
}

Status heads_decode(const RawOutputs *raw, const Position *position, Evaluation *out, Error *err) {
    int width = position->board.width, height = position->board.height, area = width * height;
    int16_t places[BOARD_POINTS_MAX];
    out->width = (int16_t)width;
    out->height = (int16_t)height;
    for (int i = 0; i < area; i++)
        places[i] =
            (int16_t)symmetry_index(raw->symmetry, i / width * raw->buffer_width + i % width,
                                    raw->buffer_width, raw->buffer_height);
    Status status = decode_policy(raw, position, places, out, err);
    if (!status) status = decode_value(raw, position, out, err);
    if (!status) status = decode_score(raw, out, err);
    out->has_ownership = raw->ownership != NULL;
    for (int i = 0; !status && raw->ownership && i < area; i++) {
        out->ownership[i] = tanhf(raw->ownership[places[i]]);
        if (!isfinite(out->ownership[i]))
            status = fail(err, ERR_ARGUMENT, "the net's ownership is not finite");
    }
    return status;
}

#include "eval/evaluators/score_distribution.h"

#include <math.h>
#include <string.h>

#include "eval/evaluators/net_inputs.h"

static Status add_softmax(const float *logits, float *sum, Error *err) {
    float max = logits[0];
    double total = 0;
    for (int i = 0; i < SCORE_BINS; i++) {
        if (!isfinite(logits[i]))
            return fail(err, ERR_UNSUPPORTED, "the net's score distribution is not finite");
        max = fmaxf(max, logits[i]);
    }
    for (int i = 0; i < SCORE_BINS; i++)
        total += exp((double)(logits[i] - max));
    for (int i = 0; i < SCORE_BINS; i++)
        sum[i] += (float)(exp((double)(logits[i] - max)) / total / SYMMETRY_COUNT);
    return OK;
}

static Status run(Infer *infer, const NetInputs *inputs, const Program *program,
                  const Position *position, const EvaluationOptions *options, float *p,
                  Error *err) {
    const FeatureOptions features =
        evaluation_features(&FEATURE_OPTIONS_DEFAULT, options, position->mover);
    int width = position->board.width, height = position->board.height;
    NetInputBuffers first;
    Status status = net_inputs_buffers(inputs, program, infer, &first, err);
    for (Symmetry s = 0; !status && s < SYMMETRY_COUNT; s++)
        net_inputs_encode(inputs, position, &features, s, width, height,
                          net_inputs_sample(inputs, first, width * height, s));
    if (!status) status = infer_run(infer, SYMMETRY_COUNT, err);
    const float *logits =
        infer_output(infer, program_find_output(program, HEADS[HEAD_SCORE_DISTRIBUTION].name));
    memset(p, 0, SCORE_BINS * sizeof *p);
    for (int s = 0; s < SYMMETRY_COUNT && !status; s++)
        status = add_softmax(logits + s * SCORE_BINS, p, err);
    return status;
}

Status score_distribution(const Net *net, const Position *position,
                          const EvaluationOptions *options, bool *has, float p[SCORE_BINS],
                          Error *err) {
    const Program *program = net_program(net);
    int output = program_find_output(program, HEADS[HEAD_SCORE_DISTRIBUTION].name);
    *has = false;
    if (output < 0) return OK;
    const Op *op = program_op(program, program_output_value(program, output));
    if (op->shape != KIND_LIST || op->rows != SCORE_BINS || op->channels != 1)
        return fail(err, ERR_UNSUPPORTED, "the net's \"%s\" does not have %d bins",
                    HEADS[HEAD_SCORE_DISTRIBUTION].name, SCORE_BINS);
    const InferSetup setup = {.batch = SYMMETRY_COUNT,
                              .height = position->board.height,
                              .width = position->board.width,
                              .precision = PRECISION_F32};
    NetInputs inputs;
    Infer *infer = NULL;
    Status status = net_inputs_of(net, METADATA_PROFILE_DEFAULT, &inputs, err);
    if (!status) status = infer_new(net, &setup, &infer, err);
    if (!status) status = run(infer, &inputs, program, position, options, p, err);
    infer_free(infer);
    *has = !status;
    return status;
}

double score_distribution_quantile(const float p[SCORE_BINS], double probability) {
    double sum = 0;
    int i = 0;
    while (i < SCORE_BINS - 1 && (sum += (double)p[i]) < probability)
        i++;
    return i - SCORE_BINS_HALF + 0.5;
}

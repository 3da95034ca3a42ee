#include "eval/precision/activation_sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/evaluators/net_inputs.h"
#include "eval/evaluators/prune_outputs.h"

/* Runs a net whose outputs are the wanted values, on positions of changing board sizes. */
typedef struct {
    const ActivationSampleCall *call;
    NetInputs inputs;
    Net *probe; /* a copy of the net with the wanted values as its outputs */
    Infer *infer;
    int width, height; /* of the executor's board; 0 if there is no executor yet */
    Rng rng;
} Sampler;

void activation_sample_clear(ActivationSample *sample) {
    free(sample->rows);
    *sample = (ActivationSample){0};
}

static Status allocate_rows(const Net *net, const ActivationSampleCall *call, const Value *values,
                            int count, ActivationSample *out, Error *err) {
    Status status = OK;
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; !status && i < count; i++) {
        out[i].channels = program_op(net_program(net), values[i])->channels;
        out[i].capacity = call->capacity;
        status = mem_new(mem_array_bytes((size_t)call->capacity, (size_t)out[i].channels),
                         sizeof(float), &out[i].rows, err);
    }
    return status;
}

static Status run(Sampler *sampler, const Position *position, Error *err) {
    int width = position->board.width, height = position->board.height;
    Status status = OK;
    NetInputBuffers to;
    if (sampler->width != width || sampler->height != height) {
        const InferSetup setup = {
            .batch = 1, .height = height, .width = width, .precision = PRECISION_F32};
        infer_free(sampler->infer);
        sampler->width = sampler->height = 0;
        status = infer_new(sampler->probe, &setup, &sampler->infer, err);
        if (status) return status;
        sampler->width = width;
        sampler->height = height;
    }
    status =
        net_inputs_buffers(&sampler->inputs, net_program(sampler->probe), sampler->infer, &to, err);
    if (status) return status;
    Symmetry symmetry = rng_below(&sampler->rng, width == height ? SYMMETRY_COUNT : 4);
    net_inputs_encode(&sampler->inputs, position, &FEATURE_OPTIONS_DEFAULT, symmetry, width, height,
                      to);
    return infer_run(sampler->infer, 1, err);
}

/* Copies the activations of `rows` random cells, which are the same cells for all values. */
static void copy_rows(Sampler *sampler, int rows, int count, ActivationSample *out) {
    for (int r = 0; r < rows; r++) {
        size_t cell = (size_t)rng_below(&sampler->rng, sampler->width * sampler->height);
        for (int i = 0; i < count; i++) {
            size_t channels = (size_t)out[i].channels;
            if (out[i].count == out[i].capacity) continue;
            memcpy(out[i].rows + (size_t)out[i].count++ * channels,
                   infer_output(sampler->infer, i) + cell * channels, channels * sizeof(float));
        }
    }
}

/* Samples some of the values. `count` is at most the number of outputs that a program may have. */
static Status sample_some(Sampler *sampler, const Net *net, const Value *values, int count,
                          ActivationSample *out, Error *err) {
    const ActivationSampleCall *call = sampler->call;
    sampler->rng = rng_seeded(call->seed);
    Status status = prune_outputs_to_values(net, values, count, &sampler->probe, err);
    for (int p = 0; !status && p < call->position_count; p++) {
        int left = call->position_count - p;
        status = run(sampler, call->positions[p], err);
        if (!status)
            copy_rows(sampler, (call->capacity - out->count + left - 1) / left, count, out);
        if (!status) status = progress_report(call->watch, p + 1, call->position_count, err);
    }
    infer_free(sampler->infer);
    net_free(sampler->probe);
    sampler->infer = NULL;
    sampler->probe = NULL;
    sampler->width = sampler->height = 0;
    return status;
}

Status activation_sample_values(const Net *net, const ActivationSampleCall *call,
                                const Value *values, int count, ActivationSample *out, Error *err) {
    Sampler sampler = {.call = call};
    const char *profile = call->human_profile ? call->human_profile : METADATA_PROFILE_DEFAULT;
    Status status = allocate_rows(net, call, values, count, out, err);
    if (!status) status = net_inputs_of(net, profile, &sampler.inputs, err);
    for (int i = 0; !status && i < count; i += PROGRAM_OUTPUTS_MAX) {
        int part = count - i < PROGRAM_OUTPUTS_MAX ? count - i : PROGRAM_OUTPUTS_MAX;
        status = sample_some(&sampler, net, values + i, part, out + i, err);
    }
    for (int i = 0; status && i < count; i++)
        activation_sample_clear(&out[i]);
    return status;
}

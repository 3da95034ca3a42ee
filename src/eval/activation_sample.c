#include "eval/activation_sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/net_inputs.h"
#include "eval/prune_outputs.h"

/* Looks at some values of the net, on positions of one size after another. */
typedef struct {
    const ActivationSampleCall *call;
    NetInputs inputs;
    Net *probe; /* with the values as its outputs */
    Infer *infer;
    int width, height; /* of the executor; 0: none yet */
    Rng rng;
} Observer;

void activation_sample_clear(ActivationSample *observed) {
    free(observed->rows);
    *observed = (ActivationSample){0};
}

static Status make_room(const Net *net, const ActivationSampleCall *call, const Value *values,
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

static Status run(Observer *observer, const Position *position, Error *err) {
    int width = position->board.width, height = position->board.height;
    Status status = OK;
    NetInputBuffers to;
    if (observer->width != width || observer->height != height) {
        const InferConfig config = {
            .batch = 1, .height = height, .width = width, .precision = PRECISION_F32};
        infer_free(observer->infer);
        observer->width = observer->height = 0;
        status = infer_new(observer->probe, &config, &observer->infer, err);
        if (status) return status;
        observer->width = width;
        observer->height = height;
    }
    status = net_inputs_buffers(&observer->inputs, net_program(observer->probe), observer->infer,
                                &to, err);
    if (status) return status;
    Symmetry symmetry = rng_below(&observer->rng, width == height ? SYMMETRY_COUNT : 4);
    net_inputs_encode(&observer->inputs, position, &FEATURE_OPTIONS_DEFAULT, symmetry, width,
                      height, to);
    return infer_run(observer->infer, 1, err);
}

/* Takes `rows` random cells; of all values the same ones. */
static void take_rows(Observer *observer, int rows, int count, ActivationSample *out) {
    for (int r = 0; r < rows; r++) {
        size_t cell = (size_t)rng_below(&observer->rng, observer->width * observer->height);
        for (int i = 0; i < count; i++) {
            size_t channels = (size_t)out[i].channels;
            if (out[i].count == out[i].capacity) continue;
            memcpy(out[i].rows + (size_t)out[i].count++ * channels,
                   infer_output(observer->infer, i) + cell * channels, channels * sizeof(float));
        }
    }
}

/* As many values as a program may have outputs. */
static Status observe_some(Observer *observer, const Net *net, const Value *values, int count,
                           ActivationSample *out, Error *err) {
    const ActivationSampleCall *call = observer->call;
    observer->rng = rng_seeded(call->seed);
    Status status = prune_outputs_to_values(net, values, count, &observer->probe, err);
    for (int p = 0; !status && p < call->position_count; p++) {
        int left = call->position_count - p;
        status = run(observer, call->positions[p], err);
        if (!status)
            take_rows(observer, (call->capacity - out->count + left - 1) / left, count, out);
        if (!status) status = progress_report(call->watch, p + 1, call->position_count, err);
    }
    infer_free(observer->infer);
    net_free(observer->probe);
    observer->infer = NULL;
    observer->probe = NULL;
    observer->width = observer->height = 0;
    return status;
}

Status activation_sample_values(const Net *net, const ActivationSampleCall *call,
                                const Value *values, int count, ActivationSample *out, Error *err) {
    Observer observer = {.call = call};
    const char *profile = call->human_profile ? call->human_profile : METADATA_PROFILE_DEFAULT;
    Status status = make_room(net, call, values, count, out, err);
    if (!status) status = net_inputs_of(net, profile, &observer.inputs, err);
    for (int i = 0; !status && i < count; i += PROGRAM_OUTPUTS_MOST) {
        int some = count - i < PROGRAM_OUTPUTS_MOST ? count - i : PROGRAM_OUTPUTS_MOST;
        status = observe_some(&observer, net, values + i, some, out + i, err);
    }
    for (int i = 0; status && i < count; i++)
        activation_sample_clear(&out[i]);
    return status;
}

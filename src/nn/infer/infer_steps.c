#include "nn/infer/infer_steps.h"

#include <string.h>

#include "nn/kernels/infer_attention_split.h"
#include "nn/ops/op_table.h"

void *steps_buffer(const Call *call, int index) {
    const Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    if (step->kind == STEP_CONSTANT) return runner->constants[index];
    if (step->kind == STEP_INPUT) {
        return call->inputs[step->source] + (size_t)call->start * plan_values(runner->plan, step);
    }
    return runner->arena + step->offset * (size_t)call->samples;
}

const float *steps_floats(const Call *call, int index) {
    return index < 0 ? NULL : steps_buffer(call, index);
}

static void run_small_conv(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const SmallConvCall small = {.samples = call->samples,
                                 .cells = plan_rows(plan, step),
                                 .in_channels = step->in_channels,
                                 .out_channels = step->channels,
                                 .x = steps_floats(call, step->inputs[0]),
                                 .weights = step->weights,
                                 .bias = step->bias,
                                 .mask = step->mask ? call->mask : NULL,
                                 .activation = step->activation,
                                 .y = steps_buffer(call, index)};
    call->runner->kernels->small_conv(&small);
}

static void store(const InferKernels *kernels, Store form, const ElementwiseCall *each, void *to) {
    switch (form) {
    case STORE_F32:
        kernels->elementwise(each, to);
        break;
    case STORE_BF16:
        kernels->elementwise_bf16(each, to);
        break;
    case STORE_INT8:
        kernels->elementwise_int8(each, to);
        break;
    }
}

static void run_elementwise(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const ElementwiseCall each = {.samples = call->samples,
                                  .cells = plan_rows(plan, step),
                                  .channels = step->channels,
                                  .x = steps_floats(call, step->inputs[0]),
                                  .scale = step->scale,
                                  .bias = step->bias,
                                  .vector_add = steps_floats(call, step->fused.vector_add),
                                  .vector_mul = steps_floats(call, step->fused.vector_mul),
                                  .residual = steps_floats(call, step->fused.residual),
                                  .mask = step->mask ? call->mask : NULL,
                                  .activation = step->activation,
                                  .scratch = call->runner->affine,
                                  .inverse_scales = step->int8.rounding.inverse_scales,
                                  .zero_points = step->int8.rounding.zero_points};
    store(call->runner->kernels, step->store, &each, steps_buffer(call, index));
}

void steps_activate_int8(const Call *call, int index, int n) {
    const Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    int cells = plan_rows(runner->plan, step);
    const ElementwiseCall each = {.samples = 1,
                                  .cells = cells,
                                  .channels = step->channels,
                                  .x = runner->sums,
                                  .mask = step->mask && call->mask ? call->mask + n * cells : NULL,
                                  .activation = step->activation,
                                  .scratch = runner->affine,
                                  .inverse_scales = step->int8.rounding.inverse_scales,
                                  .zero_points = step->int8.rounding.zero_points};
    size_t size = step->store == STORE_INT8 ? 1 : sizeof(float);
    unsigned char *to = (unsigned char *)steps_buffer(call, index) +
                        (size_t)n * (size_t)cells * (size_t)step->channels * size;
    store(runner->kernels, step->store, &each, to);
}

static void run_pool(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const PoolCall pool = {.samples = call->samples,
                           .cells = plan->height * plan->width,
                           .channels = step->in_channels,
                           .pool = step->pool,
                           .x = steps_floats(call, step->inputs[0]),
                           .mask = call->mask,
                           .area = call->runner->area,
                           .y = steps_buffer(call, index)};
    call->runner->kernels->pool(&pool);
}

static void run_copy(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    int rows = call->samples * plan_rows(plan, step), to_channels = step->channels;
    const float *a = steps_floats(call, step->inputs[0]), *b = steps_floats(call, step->inputs[1]);
    int a_channels = plan->steps[step->inputs[0]].channels;
    int taken = b ? a_channels : to_channels;
    float *to = steps_buffer(call, index);
    for (int row = 0; row < rows; row++, to += to_channels) {
        memcpy(to, a + (size_t)row * (size_t)a_channels + step->first, (size_t)taken * sizeof *to);
        if (!b) continue;
        size_t rest = (size_t)(to_channels - a_channels);
        memcpy(to + a_channels, b + (size_t)row * rest, rest * sizeof *to);
    }
}

static void run_multiply(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    call->runner->kernels->multiply(plan_values(plan, step) * (size_t)call->samples,
                                    steps_floats(call, step->inputs[0]),
                                    steps_floats(call, step->inputs[1]), steps_buffer(call, index));
}

static void run_rms_norm(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const RmsNormCall norm = {.samples = call->samples,
                              .cells = plan_rows(plan, step),
                              .channels = step->channels,
                              .x = steps_floats(call, step->inputs[0]),
                              .gain = step->weights,
                              .mask = step->shape == KIND_SPATIAL ? call->mask : NULL,
                              .area = step->whole_board ? call->runner->area : NULL,
                              .epsilon = step->epsilon,
                              .y = steps_buffer(call, index)};
    call->runner->norms->rms_norm(&norm);
}

static void run_layer_norm(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const LayerNormCall norm = {.rows = (size_t)call->samples * (size_t)plan_rows(plan, step),
                                .channels = (size_t)step->channels,
                                .x = steps_floats(call, step->inputs[0]),
                                .gain = step->weights,
                                .bias = step->bias,
                                .mask = step->mask ? call->mask : NULL,
                                .epsilon = step->epsilon,
                                .y = steps_buffer(call, index)};
    call->runner->norms->layer_norm(&norm);
}

static void run_attention(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const AttentionMaps maps = {.shape = step->maps,
                                .values = step->inputs[1] < 0 ? NULL
                                                              : steps_floats(call, step->inputs[1]),
                                .height = plan->height,
                                .width = plan->width,
                                .mask = call->runner->mask};
    const AttentionCall attention = {.samples = call->samples,
                                     .cells = plan_rows(plan, step),
                                     .shape = step->attention,
                                     .x = steps_floats(call, step->inputs[0]),
                                     .rotations = step->weights,
                                     .mask = call->mask,
                                     .y = steps_buffer(call, index),
                                     .bf16 = plan->bf16,
                                     .int8 = step->int8.attention,
                                     .maps = step->maps.rows ? &maps : NULL,
                                     .kernels = call->runner->kernels,
                                     .scratch = call->runner->attention};
    if (step->kind == STEP_ATTENTION && plan_splits_attention(plan, step))
        attention_split_run(&attention);
    else if (step->kind == STEP_ATTENTION)
        attention_run(&attention);
    else
        attention_rotate(&attention);
}

static void run_definition(const Call *call, int index) {
    const Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    const Definition *definition = step->definition;
    const Op *inputs[2] = {NULL, NULL};
    for (int i = 0; i < 2 && step->inputs[i] >= 0; i++)
        inputs[i] = &definition->inputs[i];
    OpCall op = op_call(&definition->op, inputs, runner->plan->height, runner->plan->width);
    op.n = op.active = call->samples;
    op.mask = runner->mask;
    op.area = runner->area;
    op.saved = runner->saved;
    op.y = steps_buffer(call, index);
    for (int i = 0; i < 2; i++)
        op.x[i] = steps_floats(call, step->inputs[i]);
    for (int i = 0; i < 4; i++)
        op.parameters[i] = definition->parameters[i];
    op_class(definition->op.kind)->forward(&op);
}

void steps_run(const Call *call, int index) {
    switch (call->runner->plan->steps[index].kind) {
    case STEP_CONV:
        run_small_conv(call, index);
        break;
    case STEP_ELEMENTWISE:
        run_elementwise(call, index);
        break;
    case STEP_POOL:
        run_pool(call, index);
        break;
    case STEP_CONCAT:
    case STEP_SLICE:
        run_copy(call, index);
        break;
    case STEP_MULTIPLY:
        run_multiply(call, index);
        break;
    case STEP_RMS_NORM:
        run_rms_norm(call, index);
        break;
    case STEP_LAYER_NORM:
        run_layer_norm(call, index);
        break;
    case STEP_ROTARY:
    case STEP_ATTENTION:
        run_attention(call, index);
        break;
    case STEP_DEFINITION:
        run_definition(call, index);
        break;
    case STEP_INPUT:
    case STEP_CONSTANT:
    case STEP_DENSE:
        break;
    }
}

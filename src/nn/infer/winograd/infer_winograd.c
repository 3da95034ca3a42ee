#include "nn/infer/winograd/infer_winograd.h"

#include "base/memory.h"
#include "nn/kernels/gemm.h"
#include "nn/kernels/winograd.h"

enum { ROWS = 64 }; /* the number of tiles in one pass */

static Winograd cut_of(const Plan *plan, const Step *step) {
    return winograd_of(step->kernel_h, plan->height, plan->width);
}

int infer_winograd_boards(const Plan *plan, const Step *step) {
    int tiles = cut_of(plan, step).tiles;
    return (ROWS + tiles - 1) / tiles;
}

Status infer_winograd_weights(const Plan *plan, const Step *step, float **out, Error *err) {
    Winograd cut = cut_of(plan, step);
    size_t count =
        (size_t)cut.products * (size_t)step->in_channels * (size_t)winograd_padded(step->channels);
    Status status = mem_new_aligned(count, sizeof **out, out, err);
    if (!status) winograd_weights(&cut, step->in_channels, step->channels, step->weights, *out);
    return status;
}

/* Returns how many floats ROWS transformed tiles take. The scratch holds ROWS transformed tiles of
 * the step's input, followed by ROWS tiles of products. */
static size_t tile_elements(const Winograd *cut, int channels) {
    return (size_t)(cut->products * ROWS) * (size_t)winograd_padded(channels);
}

size_t infer_winograd_scratch(const Plan *plan, const Step *step) {
    Winograd cut = cut_of(plan, step);
    return tile_elements(&cut, step->in_channels) + tile_elements(&cut, step->channels);
}

static int rows_of(const Winograd *cut, int samples) {
    int all = samples * cut->tiles;
    return all < ROWS ? all : ROWS;
}

Status infer_winograd_layer(const Runner *runner, int index, int samples, OnednnLayer **out,
                            Error *err) {
    const Step *step = &runner->plan->steps[index];
    Winograd cut = cut_of(runner->plan, step);
    if (gemm_can(winograd_padded(step->channels))) return OK;
    const OnednnLayerSetup setup = {.matrices = cut.products,
                                    .samples = rows_of(&cut, samples),
                                    .in_channels = step->in_channels,
                                    .source_stride = winograd_padded(step->in_channels),
                                    .out_channels = winograd_padded(step->channels),
                                    .weights = runner->packed->winograd[index],
                                    .packed = &runner->packed->onednn[index]};
    return onednn_layer_new(runner->onednn, &setup, out, err);
}

Status infer_winograd_run(const Call *call, int index, Error *err) {
    const Runner *runner = call->runner;
    const Plan *plan = runner->plan;
    const Step *step = &plan->steps[index];
    Winograd cut = cut_of(plan, step);
    WinogradCall transform = {.cut = &cut,
                              .height = plan->height,
                              .width = plan->width,
                              .x = steps_floats(call, step->inputs[0]),
                              .y = steps_buffer(call, index),
                              .bias = step->bias,
                              .residual = steps_floats(call, step->fused.residual),
                              .mask = step->mask ? call->mask : NULL,
                              .activation = step->activation};
    float *v = runner->winograd_scratch, *m = v + tile_elements(&cut, step->in_channels);
    int all = call->samples * cut.tiles, rows = rows_of(&cut, call->samples);
    Status status = OK;
    transform.v = v;
    transform.m = m;
    for (; transform.first < all && !status; transform.first += rows) {
        transform.count = all - transform.first < rows ? all - transform.first : rows;
        transform.channels = step->in_channels;
        winograd_input(&transform);
        const GemmBatchShape shape = {.matrices = cut.products,
                                      .rows = transform.count,
                                      .depth = step->in_channels,
                                      .stride = winograd_padded(step->in_channels),
                                      .columns = winograd_padded(step->channels)};
        if (call->layers[index]) /* the layer multiplies `rows` tiles even if fewer are in use */
            status = onednn_layer_run(call->layers[index], v, m, runner->scratch, err);
        else
            gemm_batch(&shape, v, runner->packed->winograd[index], m);
        transform.channels = step->channels;
        if (!status) winograd_output(&transform);
    }
    return status;
}

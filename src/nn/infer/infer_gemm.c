#include "nn/infer/infer_gemm.h"

#include <string.h>

#include "base/memory.h"
#include "nn/kernels/gemm.h"

enum { ROWS = 48, IN_CHANNELS_MIN = 16 };

/* A step that has a residual must have neither a bias nor an activation. */
bool infer_gemm_can(const Plan *plan, const Step *step) {
    bool one_by_one = step->kind == STEP_CONV && step->kernel_h == 1 && step->kernel_w == 1,
         plain = step->activation == ACTIVATION_IDENTITY && !step->bias;
    return one_by_one && !plan->bf16 && !step->int8.quantisation && !step->int8.by_rows &&
           !plan_is_small_conv(step) && step->in_channels >= IN_CHANNELS_MIN &&
           gemm_can(step->channels) && (step->fused.residual < 0 || plain);
}

Status infer_gemm_weights(const Step *step, float **out, Error *err) {
    size_t from = (size_t)step->in_channels, to = (size_t)step->channels;
    Status status = mem_new_aligned(from * to, sizeof(float), out, err);
    for (size_t i = 0; i < from && !status; i++) {
        for (size_t o = 0; o < to; o++)
            (*out)[i * to + o] = step->weights[o * from + i];
    }
    return status;
}

size_t infer_gemm_scratch(const Step *step) {
    return ROWS * (size_t)step->channels;
}

/* Computes `count` rows. Each cell of each sample is a row, and the rows of all samples are
 * numbered from 0. `first` is the number of the first row that is computed; x and y point to it. */
static void run_rows(const Call *call, int index, int first, int count, const float *x, float *y) {
    Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    const float *weights = runner->packed->gemm[index], *mask = step->mask ? call->mask : NULL;
    bool follows = step->bias || step->activation != ACTIVATION_IDENTITY;
    float *sums = follows ? runner->gemm_scratch : y;
    if (step->fused.residual >= 0)
        gemm_add(count, step->in_channels, step->channels, x, weights, sums);
    else
        gemm(count, step->in_channels, step->channels, x, weights, sums);
    if (!follows) {
        if (mask) infer_mask_rows(y, mask + first, count, (size_t)step->channels * sizeof *y);
        return;
    }
    const ElementwiseCall each = {.samples = 1,
                                  .cells = count,
                                  .channels = step->channels,
                                  .x = sums,
                                  .bias = step->bias,
                                  .mask = mask ? mask + first : NULL,
                                  .activation = step->activation,
                                  .scratch = runner->affine};
    runner->kernels->elementwise(&each, y);
}

void infer_gemm_run(const Call *call, int index) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    const float *x = steps_floats(call, step->inputs[0]);
    float *y = steps_buffer(call, index);
    int rows = call->samples * plan_rows(plan, step);
    size_t in = (size_t)step->in_channels, out = (size_t)step->channels;
    if (step->fused.residual >= 0 && !step->in_place)
        memcpy(y, steps_buffer(call, step->fused.residual), (size_t)rows * out * sizeof *y);
    for (int first = 0; first < rows; first += ROWS)
        run_rows(call, index, first, rows - first < ROWS ? rows - first : ROWS,
                 x + (size_t)first * in, y + (size_t)first * out);
}

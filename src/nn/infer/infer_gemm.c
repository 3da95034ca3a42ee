#include "nn/infer/infer_gemm.h"

#include <string.h>

#include "base/memory.h"
#include "nn/kernels/gemm.h"
#include "nn/kernels/transformer/amx_gemm.h"
#include "nn/kernels/transformer/amx_pack.h"

enum { ROWS = 48, ROWS_AMX = 64, IN_CHANNELS_MIN = 16 };

/* Whether the products of a step can run in the precision of the plan. In bf16, rows of x are the
 * left factor as they are stored, so they must have whole steps of the depth. */
static bool can_multiply(const Plan *plan, const Step *step) {
    if (!plan->bf16) return step->in_channels >= IN_CHANNELS_MIN && gemm_can(step->channels);
    return amx_gemm_can() && step->in_channels % AMX_GEMM_DEPTH == 0 &&
           step->channels % AMX_GEMM_LANES == 0;
}

/* A step that has a residual must have neither a bias nor an activation. */
bool infer_gemm_can(const Plan *plan, const Step *step) {
    bool one_by_one = step->kind == STEP_CONV && step->kernel_h == 1 && step->kernel_w == 1,
         plain = step->activation == ACTIVATION_IDENTITY && !step->bias;
    return one_by_one && !step->int8.quantisation && !step->int8.by_rows &&
           !plan_is_small_conv(step) && can_multiply(plan, step) &&
           (step->fused.residual < 0 || plain);
}

static Status pack_amx(const Step *step, float **out, Error *err) {
    size_t from = (size_t)step->in_channels, to = (size_t)step->channels;
    Status status = mem_new_aligned(from / 2 * to, sizeof(float), out, err);
    if (!status)
        amx_pack_panels_transposed(&(AmxMatrix){step->weights, to, from, from, 1}, from / 2,
                                   (uint32_t *)(void *)*out);
    return status;
}

Status infer_gemm_weights(const Plan *plan, const Step *step, float **out, Error *err) {
    size_t from = (size_t)step->in_channels, to = (size_t)step->channels;
    if (plan->bf16) return pack_amx(step, out, err);
    Status status = mem_new_aligned(from * to, sizeof(float), out, err);
    for (size_t i = 0; i < from && !status; i++) {
        for (size_t o = 0; o < to; o++)
            (*out)[i * to + o] = step->weights[o * from + i];
    }
    return status;
}

/* In bf16: the sums of ROWS_AMX rows, and a tile of rows of x. */
size_t infer_gemm_scratch(const Plan *plan, const Step *step) {
    return plan->bf16
               ? ROWS_AMX * (size_t)step->channels + AMX_GEMM_LANES * (size_t)step->in_channels / 2
               : ROWS * (size_t)step->channels;
}

/* The work on the sums of `count` rows after the product. `mask` is that of the rows, or NULL. */
static ElementwiseCall finish_of(const Runner *runner, const Step *step, int count,
                                 const float *sums, const float *mask) {
    return (ElementwiseCall){.samples = 1,
                             .cells = count,
                             .channels = step->channels,
                             .x = sums,
                             .bias = step->bias,
                             .mask = mask,
                             .activation = step->activation,
                             .scratch = runner->affine};
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
    const ElementwiseCall each = finish_of(runner, step, count, sums, mask ? mask + first : NULL);
    runner->kernels->elementwise(&each, y);
}

/* Multiplies at most ROWS_AMX rows. `x` are rows of bf16, and `sums` has room for whole tiles of
 * rows. If the last tile is not full, its rows of x are copied, because a tile reads 16 rows. */
static void multiply_amx(const Call *call, int index, size_t count, const uint32_t *x,
                         float *sums) {
    Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    size_t units = (size_t)step->in_channels / 2, out = (size_t)step->channels,
           rest = count % AMX_GEMM_LANES;
    uint32_t *last = (uint32_t *)(void *)(runner->gemm_scratch + ROWS_AMX * out);
    AmxGemm product = {.rows = count - rest,
                       .columns = out,
                       .steps = units / AMX_GEMM_UNITS,
                       .a = x,
                       .b = (const uint32_t *)(const void *)runner->packed->gemm[index],
                       .a_stride = units,
                       .b_units = units,
                       .c = sums,
                       .c_stride = out,
                       .add = step->fused.residual >= 0};
    amx_gemm(&product);
    if (!rest) return;
    memcpy(last, x + product.rows * units, rest * units * sizeof *last);
    product.c = sums + product.rows * out;
    product.a = last;
    product.rows = AMX_GEMM_LANES;
    amx_gemm(&product);
}

/* Computes `count` rows in bf16, from row `first` on. */
static void run_rows_amx(const Call *call, int index, size_t first, size_t count) {
    Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    size_t out = (size_t)step->channels, at = first * out;
    const uint32_t *x = (const uint32_t *)steps_buffer(call, step->inputs[0]) +
                        first * (size_t)step->in_channels / 2;
    float *y = steps_buffer(call, index), *sums = runner->gemm_scratch;
    const float *mask = step->mask ? call->mask : NULL;
    bool adds = step->fused.residual >= 0, bf16 = step->store == STORE_BF16,
         follows = step->bias || step->activation != ACTIVATION_IDENTITY || bf16;
    if (!follows && count % AMX_GEMM_LANES == 0) sums = y + at;
    if (adds && sums != y + at) memcpy(sums, y + at, count * out * sizeof *sums);
    multiply_amx(call, index, count, x, sums);
    const ElementwiseCall each =
        finish_of(runner, step, (int)count, sums, mask ? mask + first : NULL);
    if (bf16) {
        runner->kernels->elementwise_bf16(&each, (uint16_t *)(void *)y + at);
    } else if (follows) {
        runner->kernels->elementwise(&each, y + at);
    } else {
        if (sums != y + at) memcpy(y + at, sums, count * out * sizeof *y);
        if (mask) infer_mask_rows(y + at, mask + first, (int)count, out * sizeof *y);
    }
}

static void run_amx(const Call *call, int index, size_t rows) {
    amx_gemm_begin();
    for (size_t first = 0; first < rows; first += ROWS_AMX)
        run_rows_amx(call, index, first, rows - first < ROWS_AMX ? rows - first : ROWS_AMX);
    amx_gemm_end();
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
    if (plan->bf16) {
        run_amx(call, index, (size_t)rows);
        return;
    }
    for (int first = 0; first < rows; first += ROWS)
        run_rows(call, index, first, rows - first < ROWS ? rows - first : ROWS,
                 x + (size_t)first * in, y + (size_t)first * out);
}

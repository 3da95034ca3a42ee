#include "nn/infer/infer_int8_rows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "nn/kernels/int8/int8_gemm.h"

enum { ROWS = 64 };

static Status check_finite(const Step *step, Error *err) {
    size_t in = (size_t)step->in_channels;
    for (size_t o = 0; o < (size_t)step->channels; o++) {
        bool finite = !step->bias || isfinite(step->bias[o]);
        for (size_t i = 0; i < in; i++)
            finite = finite && isfinite(step->weights[o * in + i]);
        if (!finite)
            return fail(err, ERR_ARGUMENT, "int8: weights of output channel %zu are not finite", o);
    }
    return OK;
}

/* Places the packed weights of a step in their memory. */
static Int8Columns columns_of(const Step *step, float *room) {
    Int8Columns columns = int8_columns_place(step->in_channels, step->channels, room);
    columns.fine = step->int8.by_rows->fine_weights;
    return columns;
}

Status infer_int8_rows_weights(const Step *step, float **out, Error *err) {
    size_t in = (size_t)step->in_channels;
    Status status = check_finite(step, err);
    bool fine = step->int8.by_rows->fine_weights;
    size_t room =
        (fine ? int8_columns_room_fine : int8_columns_room)(step->in_channels, step->channels);
    if (!status) status = mem_new_aligned(room, sizeof **out, out, err);
    if (status) return status;
    Int8Columns columns = columns_of(step, *out);
    for (int o = 0; o < step->channels; o++) {
        const float *weights = step->weights + (size_t)o * in;
        float scale = fine ? int8_column_scale_fine(step->in_channels, weights, 1)
                      : step->int8.weight_scales ? step->int8.weight_scales[o]
                                                 : int8_column_scale(step->in_channels, weights, 1);
        int8_columns_set(&columns, o, weights, 1, scale);
    }
    int8_columns_pad(&columns);
    return OK;
}

/* The scratch holds the rounded rows, followed by the results of these rows. */
size_t infer_int8_rows_scratch(const Step *step) {
    return int8_rows_room(ROWS, step->in_channels) + ROWS * (size_t)step->channels;
}

/* Whether the cells are rounded to 15 bits (INT8_ROWS_FINE). Kernels that do not multiply bytes are
 * not faster with 8 bits than with 15. Therefore these kernels always use 15 bits if the sums fit
 * 32 bits. */
static bool is_fine(const Step *step, const Int8Rows *rows) {
    return step->int8.by_rows->fine ||
           (!rows->bytes && quantisation_can_be_fine(step->in_channels));
}

/* Computes rows->rows cells. `first` is the number of the first of these cells among the cells of
 * all samples, and x and y point to that cell. y already holds the residual, if there is one. */
static void run_rows(const Call *call, int index, int first, Int8Rows *rows,
                     const Int8Columns *weights, const float *x, float *y) {
    const Runner *runner = call->runner;
    const Step *step = &runner->plan->steps[index];
    const float *mask = step->mask && call->mask ? call->mask + first : NULL;
    bool follows = step->activation != ACTIVATION_IDENTITY, residual = step->fused.residual >= 0;
    size_t out = (size_t)step->channels, values = (size_t)rows->rows * out;
    float *sums = follows ? runner->gemm_scratch + int8_rows_room(ROWS, step->in_channels) : y;
    if (follows && residual) memcpy(sums, y, values * sizeof *y);
    int8_rows_set(rows, is_fine(step, rows) ? INT8_ROWS_FINE : INT8_ROWS_COARSE, x,
                  (size_t)step->in_channels);
    int8_gemm(&(Int8GemmCall){
        .a = rows, .b = weights, .bias = step->bias, .add = residual, .y = sums, .stride = out});
    if (follows) {
        const ElementwiseCall each = {.samples = 1,
                                      .cells = rows->rows,
                                      .channels = step->channels,
                                      .x = sums,
                                      .mask = mask,
                                      .activation = step->activation,
                                      .scratch = runner->affine};
        runner->kernels->elementwise(&each, y);
    } else if (mask) {
        infer_mask_rows(y, mask, rows->rows, out * sizeof *y);
    }
}

void infer_int8_rows_run(const Call *call, int index) {
    const Runner *runner = call->runner;
    const Plan *plan = runner->plan;
    const Step *step = &plan->steps[index];
    const float *x = steps_floats(call, step->inputs[0]);
    float *y = steps_buffer(call, index);
    int count = call->samples * plan_rows(plan, step);
    size_t in = (size_t)step->in_channels, out = (size_t)step->channels;
    const Int8Columns weights = columns_of(step, runner->packed->by_rows[index]);
    if (step->fused.residual >= 0 && !step->in_place)
        memcpy(y, steps_buffer(call, step->fused.residual), (size_t)count * out * sizeof *y);
    for (int first = 0; first < count; first += ROWS) {
        int now = count - first < ROWS ? count - first : ROWS;
        Int8Rows rows = int8_rows_place(ROWS, step->in_channels, runner->gemm_scratch);
        rows.rows = now;
        run_rows(call, index, first, &rows, &weights, x + (size_t)first * in,
                 y + (size_t)first * out);
    }
}

/* The names U, V, M, dU and dM are those of conv_winograd.h. How convolve() computes the forward
 * pass and, from dy and the rotated weights, the gradient of x:
 *   1. Transform the weights to U.
 *   2. For ROWS tiles at a time: transform the inputs to V, multiply V and U to M (gemm_batch()),
 *      and transform M to results.
 * How the gradient of the weights is computed:
 *   1. Clear dU.
 *   2. For ROWS tiles at a time: transform x to V and dy to dM, and add their products to dU.
 *   3. Transform dU to the gradient of the weights.
 * In bf16, round_tiles() and round_weights() turn transformed values into pairs of bf16 before they
 * are multiplied. */
#include "nn/kernels/conv/conv_winograd.h"

#include <string.h>

#include "nn/kernels/bf16.h"
#include "nn/kernels/conv/conv_winograd_weights.h"
#include "nn/kernels/gemm.h"
#include "nn/kernels/winograd.h"

enum {
    ROWS = 64, /* tiles that are multiplied at once */
    LANES = 16,
    CHANNELS_MIN = LANES,
    CHANNEL_PAIRS_MIN_BF16 = 96 * 64 /* at 64 * 64, direct sums are as fast and more exact */
};

bool conv_winograd_can(const ConvWinogradShape *shape) {
    int in = shape->in_channels, out = shape->out_channels;
    if (in < CHANNELS_MIN || out < CHANNELS_MIN || !gemm_can(LANES)) return false;
    return !shape->bf16 || (in * out >= CHANNEL_PAIRS_MIN_BF16 && gemm_can_bf16());
}

/* How a call is cut into tiles, and where its matrices lie in the scratch. */
typedef struct {
    Winograd cut;
    /* U or dU (products, from, to), with both numbers of channels padded. With bf16, U holds pairs
     * of `from` channels. */
    float *weights;
    /* V, and M or dM: (ROWS, products, padded channels). With bf16, V holds pairs of channels; for
     * the gradient of the weights, V and dM hold pairs of tiles. */
    float *v, *m;
    float *two;  /* only for bf16: two tiles before they are rounded */
    size_t size; /* floats in the scratch */
} Plan;

static Plan plan_of(const ConvWinogradShape *shape, float *scratch) {
    Plan plan = {.cut = shape->bf16 ? winograd_for_bf16(shape->height, shape->width)
                                    : winograd_of(3, shape->height, shape->width)};
    size_t products = (size_t)plan.cut.products, in = (size_t)winograd_padded(shape->in_channels),
           out = (size_t)winograd_padded(shape->out_channels), max = in > out ? in : out;
    plan.size = products * (in * out + (2 * ROWS + (shape->bf16 ? 2 : 0)) * max);
    if (!scratch) return plan;
    plan.weights = scratch;
    plan.v = plan.weights + products * in * out;
    plan.m = plan.v + products * ROWS * max;
    plan.two = plan.m + products * ROWS * max;
    return plan;
}

size_t conv_winograd_scratch(const ConvWinogradShape *shape) {
    return plan_of(shape, NULL).size;
}

static WinogradCall call_of(const ConvWinogradShape *shape, const Plan *plan) {
    return (WinogradCall){.cut = &plan->cut,
                          .height = shape->height,
                          .width = shape->width,
                          .streams = true,
                          .m = plan->m};
}

static int rows_left(const Plan *plan, int n, int first) {
    int left = n * plan->cut.tiles - first;
    return left < ROWS ? left : ROWS;
}

/* Transforms the tiles of a call and writes them to `to` in bf16. With `across_tiles`, pair k is
 * made of element k of two tiles; otherwise it is made of elements 2k and 2k + 1 of one tile. */
static void round_tiles(WinogradCall call, WinogradTransform *transform, float *two,
                        bool across_tiles, float *to) {
    int elements = call.cut->products * winograd_padded(call.channels), left = call.count;
    call.v = two;
    for (; left > 0; left -= 2, call.first += 2, to += elements) {
        call.count = left < 2 ? left : 2;
        transform(&call);
        if (across_tiles && left == 1) memset(two + elements, 0, (size_t)elements * sizeof *two);
        if (across_tiles)
            bf16_interleave(two, two + elements, elements, to);
        else
            bf16_pack(two, call.count * elements, to);
    }
}

/* Rounds U in place; each pair holds the same element of two neighbouring rows. */
static void round_weights(const Plan *plan, int from, int to) {
    int rows = plan->cut.products * winograd_padded(from), columns = winograd_padded(to);
    const float *row = plan->weights;
    float *pairs = plan->weights;
    for (int i = 0; i < rows; i += 2, row += 2 * columns, pairs += columns)
        bf16_interleave(row, row + columns, columns, pairs);
}

/* Computes `to` channels of y from `from` channels of x, with the transformed weights of the
 * plan. */
static void convolve(const ConvWinogradShape *shape, const Plan *plan, int n, int from, int to,
                     const float *x, float *y, bool add) {
    WinogradCall call = call_of(shape, plan);
    int depth = winograd_padded(from) / (shape->bf16 ? 2 : 1);
    GemmBatchShape batch = {.matrices = plan->cut.products,
                            .depth = depth,
                            .stride = depth,
                            .columns = winograd_padded(to),
                            .bf16 = shape->bf16};
    if (shape->bf16) round_weights(plan, from, to);
    call.x = x;
    call.y = y;
    call.residual = add ? y : NULL;
    for (; (call.count = rows_left(plan, n, call.first)) > 0; call.first += call.count) {
        call.channels = from;
        call.v = plan->v;
        if (shape->bf16)
            round_tiles(call, winograd_input_of(call.cut), plan->two, false, plan->v);
        else
            winograd_input(&call);
        batch.rows = call.count;
        gemm_batch(&batch, plan->v, plan->weights, plan->m);
        call.channels = to;
        winograd_output(&call);
    }
}

void conv_winograd_forward(const ConvWinogradShape *shape, int n, const float *x,
                           const float *weights, float *y, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    conv_winograd_weights(&plan.cut, shape->in_channels, shape->out_channels, weights,
                          plan.weights);
    convolve(shape, &plan, n, shape->in_channels, shape->out_channels, x, y, false);
}

void conv_winograd_backward_data(const ConvWinogradShape *shape, int n, const float *dy,
                                 const float *weights, float *dx, bool add, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    conv_winograd_weights_rotated(&plan.cut, shape->in_channels, shape->out_channels, weights,
                                  plan.weights);
    convolve(shape, &plan, n, shape->out_channels, shape->in_channels, dy, dx, add);
}

/* Transforms the call's tiles of x to V, and its tiles of dy to dM. */
static void transform_both(const ConvWinogradShape *shape, const Plan *plan, WinogradCall call,
                           const float *x, const float *dy) {
    WinogradCall spread = call;
    call.channels = shape->in_channels;
    call.x = x;
    call.v = plan->v;
    spread.channels = shape->out_channels;
    spread.x = dy;
    spread.v = plan->m;
    if (shape->bf16) {
        round_tiles(call, winograd_input_of(call.cut), plan->two, true, plan->v);
        round_tiles(spread, winograd_spread_of(call.cut), plan->two, true, plan->m);
    } else {
        winograd_input(&call);
        winograd_spread(&spread);
    }
}

void conv_winograd_backward_weights(const ConvWinogradShape *shape, int n, const float *x,
                                    const float *dy, float *gradient, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    int in = shape->in_channels, out = shape->out_channels;
    WinogradCall call = call_of(shape, &plan);
    GemmBatchShape batch = {.matrices = plan.cut.products,
                            .rows = winograd_padded(in),
                            .columns = winograd_padded(out),
                            .bf16 = shape->bf16};
    memset(plan.weights, 0,
           (size_t)(batch.matrices * batch.rows) * (size_t)batch.columns * sizeof *plan.weights);
    for (; (call.count = rows_left(&plan, n, call.first)) > 0; call.first += call.count) {
        transform_both(shape, &plan, call, x, dy);
        batch.depth = shape->bf16 ? (call.count + 1) / 2 : call.count;
        gemm_batch_add_transposed(&batch, plan.v, plan.m, plan.weights);
    }
    conv_winograd_weights_gradient(&plan.cut, in, out, plan.weights, gradient);
}

#include "nn/kernels/conv_tiles.h"

#include <string.h>

#include "nn/kernels/conv_tiles_weights.h"
#include "nn/kernels/products.h"
#include "nn/winograd.h"

enum {
    ROWS = 64, /* tiles at once */
    LANES = 16,
    CHANNELS_LEAST = LANES
};

bool conv_tiles_can(const ConvTilesShape *shape) {
    return shape->in_channels >= CHANNELS_LEAST && shape->out_channels >= CHANNELS_LEAST &&
           products_can(LANES);
}

/* How a call is cut up, and where things are in its scratch. */
typedef struct {
    Winograd cut;
    float *weights; /* (products, from, to), both padded: U, or dU */
    float *v, *m;   /* (ROWS, products, channels), padded */
    size_t size;
} Plan;

static Plan plan_of(const ConvTilesShape *shape, float *scratch) {
    Plan plan = {.cut = winograd_of(3, shape->height, shape->width)};
    size_t products = (size_t)plan.cut.products, in = (size_t)winograd_padded(shape->in_channels),
           out = (size_t)winograd_padded(shape->out_channels), most = in > out ? in : out;
    plan.size = products * (in * out + 2 * ROWS * most);
    if (!scratch) return plan;
    plan.weights = scratch;
    plan.v = plan.weights + products * in * out;
    plan.m = plan.v + products * ROWS * most;
    return plan;
}

size_t conv_tiles_scratch(const ConvTilesShape *shape) {
    return plan_of(shape, NULL).size;
}

static WinogradCall call_of(const ConvTilesShape *shape, const Plan *plan) {
    return (WinogradCall){.cut = &plan->cut,
                          .height = shape->height,
                          .width = shape->width,
                          .v = plan->v,
                          .m = plan->m};
}

static int rows_left(const Plan *plan, int n, int first) {
    int left = n * plan->cut.tiles - first;
    return left < ROWS ? left : ROWS;
}

/* From `from` channels of x to `to` of y, by the transformed weights of the plan. */
static void convolve(const ConvTilesShape *shape, const Plan *plan, int n, int from, int to,
                     const float *x, float *y, bool add) {
    WinogradCall call = call_of(shape, plan);
    int inner = winograd_padded(from);
    call.x = x;
    call.y = y;
    call.residual = add ? y : NULL;
    for (; (call.count = rows_left(plan, n, call.first)) > 0; call.first += call.count) {
        call.channels = from;
        winograd_input(&call);
        products_run(
            &(ProductsShape){plan->cut.products, call.count, inner, inner, winograd_padded(to)},
            plan->v, plan->weights, plan->m);
        call.channels = to;
        winograd_output(&call);
    }
}

void conv_tiles_forward(const ConvTilesShape *shape, int n, const float *x, const float *weights,
                        float *y, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    tiles_weights(&plan.cut, shape->in_channels, shape->out_channels, weights, plan.weights);
    convolve(shape, &plan, n, shape->in_channels, shape->out_channels, x, y, false);
}

void conv_tiles_backward_data(const ConvTilesShape *shape, int n, const float *dy,
                              const float *weights, float *dx, bool add, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    tiles_weights_turned(&plan.cut, shape->in_channels, shape->out_channels, weights, plan.weights);
    convolve(shape, &plan, n, shape->out_channels, shape->in_channels, dy, dx, add);
}

void conv_tiles_backward_weights(const ConvTilesShape *shape, int n, const float *x,
                                 const float *dy, float *gradient, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    int in = shape->in_channels, out = shape->out_channels;
    WinogradCall call = call_of(shape, &plan);
    ProductsShape products = {.matrices = plan.cut.products,
                              .rows = winograd_padded(in),
                              .columns = winograd_padded(out)};
    memset(plan.weights, 0,
           (size_t)(products.matrices * products.rows) * (size_t)products.columns *
               sizeof *plan.weights);
    for (; (call.count = rows_left(&plan, n, call.first)) > 0; call.first += call.count) {
        call.channels = in;
        call.x = x;
        call.v = plan.v;
        winograd_input(&call);
        call.channels = out;
        call.x = dy;
        call.v = plan.m;
        winograd_spread(&call);
        products.inner = call.count;
        products_add_transposed(&products, plan.v, plan.m, plan.weights);
    }
    tiles_weights_gradient(&plan.cut, in, out, plan.weights, gradient);
}

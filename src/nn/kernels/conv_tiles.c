#include "nn/kernels/conv_tiles.h"

#include <string.h>

#include "nn/kernels/conv_tiles_weights.h"
#include "nn/kernels/products.h"
#include "nn/winograd.h"

enum {
    ROWS = 64, /* tiles at once, about */
    LANES = 16,
    CHANNELS_LEAST = LANES
};

bool conv_tiles_can(const ConvTilesShape *shape) {
    return shape->in_channels >= CHANNELS_LEAST && shape->out_channels >= CHANNELS_LEAST &&
           products_can(LANES);
}

/* How a call is cut up, and where things are in its scratch. */
typedef struct {
    int tile, products, tiles; /* products: of a tile and channel pair; tiles: of a board */
    int boards;                /* at once */
    float *weights;            /* (products, from, to), both padded: U, or dU */
    float *v, *m;              /* (products, boards * tiles, channels), padded */
    size_t size;
} Plan;

static Plan plan_of(const ConvTilesShape *shape, float *scratch) {
    int tile = winograd_tile(shape->height, shape->width), side = tile + 2,
        tiles = winograd_tiles(tile, shape->height, shape->width),
        boards = tiles < ROWS ? ROWS / tiles : 1;
    size_t products = (size_t)(side * side), rows = products * (size_t)(boards * tiles),
           in = (size_t)winograd_padded(shape->in_channels),
           out = (size_t)winograd_padded(shape->out_channels), most = in > out ? in : out;
    Plan plan = {.tile = tile, .products = side * side, .tiles = tiles, .boards = boards};
    plan.size = products * in * out + 2 * rows * most;
    if (!scratch) return plan;
    plan.weights = scratch;
    plan.v = plan.weights + products * in * out;
    plan.m = plan.v + rows * most;
    return plan;
}

size_t conv_tiles_scratch(const ConvTilesShape *shape) {
    return plan_of(shape, NULL).size;
}

/* From `from` channels of x to `to` of y, by the transformed weights of the plan. */
static void convolve(const ConvTilesShape *shape, const Plan *plan, int n, int from, int to,
                     const float *x, float *y, bool add) {
    size_t cells = (size_t)(shape->height * shape->width);
    WinogradCall call = {
        .height = shape->height, .width = shape->width, .v = plan->v, .m = plan->m};
    for (int done = 0; done < n; done += plan->boards) {
        call.samples = n - done < plan->boards ? n - done : plan->boards;
        call.x = x + (size_t)done * cells * (size_t)from;
        call.y = y + (size_t)done * cells * (size_t)to;
        call.residual = add ? call.y : NULL;
        call.channels = from;
        winograd_input(plan->tile, &call);
        products_run(plan->products, call.samples * plan->tiles, winograd_padded(from),
                     winograd_padded(to), plan->v, plan->weights, plan->m);
        call.channels = to;
        winograd_output(plan->tile, &call);
    }
}

void conv_tiles_forward(const ConvTilesShape *shape, int n, const float *x, const float *weights,
                        float *y, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    tiles_weights(plan.tile, shape->in_channels, shape->out_channels, weights, plan.weights);
    convolve(shape, &plan, n, shape->in_channels, shape->out_channels, x, y, false);
}

void conv_tiles_backward_data(const ConvTilesShape *shape, int n, const float *dy,
                              const float *weights, float *dx, bool add, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    tiles_weights_turned(plan.tile, shape->in_channels, shape->out_channels, weights, plan.weights);
    convolve(shape, &plan, n, shape->out_channels, shape->in_channels, dy, dx, add);
}

void conv_tiles_backward_weights(const ConvTilesShape *shape, int n, const float *x,
                                 const float *dy, float *gradient, float *scratch) {
    Plan plan = plan_of(shape, scratch);
    int in = shape->in_channels, out = shape->out_channels;
    size_t cells = (size_t)(shape->height * shape->width);
    WinogradCall call = {.height = shape->height, .width = shape->width};
    int ins = winograd_padded(in), outs = winograd_padded(out);
    memset(plan.weights, 0, (size_t)(plan.products * ins) * (size_t)outs * sizeof *plan.weights);
    for (int done = 0; done < n; done += plan.boards) {
        call.samples = n - done < plan.boards ? n - done : plan.boards;
        call.channels = in;
        call.x = x + (size_t)done * cells * (size_t)in;
        call.v = plan.v;
        winograd_input(plan.tile, &call);
        call.channels = out;
        call.x = dy + (size_t)done * cells * (size_t)out;
        call.v = plan.m;
        winograd_spread(plan.tile, &call);
        products_add_transposed(plan.products, ins, call.samples * plan.tiles, outs, plan.v, plan.m,
                                plan.weights);
    }
    tiles_weights_gradient(plan.tile, in, out, plan.weights, gradient);
}

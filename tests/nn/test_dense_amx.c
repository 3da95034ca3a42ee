/* Dense layers with AMX against sums of products. All values are small whole numbers, so that
 * products and sums are exact. */
#include "base/rng.h"
#include "nn/kernels/transformer/dense_amx.h"
#include "test.h"

enum { ROWS_MAX = 600, CHANNELS_MAX = 112 };

typedef struct {
    int rows, in, out;
    float x[ROWS_MAX * CHANNELS_MAX], y[ROWS_MAX * CHANNELS_MAX], dx[ROWS_MAX * CHANNELS_MAX],
        weights[CHANNELS_MAX * CHANNELS_MAX], gradient[CHANNELS_MAX * CHANNELS_MAX];
} Layer;

static void fill(float *values, int count, Rng *rng) {
    for (int i = 0; i < count; i++)
        values[i] = (float)(rng_below(rng, 9) - 4);
}

static void check_forward(const Layer *layer) {
    for (int r = 0; r < layer->rows; r++) {
        for (int o = 0; o < layer->out; o++) {
            float sum = 0;
            for (int i = 0; i < layer->in; i++)
                sum += layer->x[r * layer->in + i] * layer->weights[o * layer->in + i];
            EXPECT_NEAR(sum, layer->y[r * layer->out + o], 0);
        }
    }
}

/* `before`: what dx was. */
static void check_dx(const Layer *layer, float before) {
    for (int r = 0; r < layer->rows; r++) {
        for (int i = 0; i < layer->in; i++) {
            float sum = before;
            for (int o = 0; o < layer->out; o++)
                sum += layer->y[r * layer->out + o] * layer->weights[o * layer->in + i];
            EXPECT_NEAR(sum, layer->dx[r * layer->in + i], 0);
        }
    }
}

/* `times`: how often backward ran; `before`: what the gradient was. */
static void check_gradient(const Layer *layer, int times, float before) {
    for (int o = 0; o < layer->out; o++) {
        for (int i = 0; i < layer->in; i++) {
            float sum = 0;
            for (int r = 0; r < layer->rows; r++)
                sum += layer->y[r * layer->out + o] * layer->x[r * layer->in + i];
            EXPECT_NEAR(before + (float)times * sum, layer->gradient[o * layer->in + i], 0);
        }
    }
}

static void check(Layer *layer, Rng *rng) {
    DenseAmx *dense;
    EXPECT_OK(dense_amx_new(layer->in, layer->out, &dense, err));
    float *scratch = malloc((dense_amx_scratch(dense) + 16) * sizeof *scratch);
    fill(layer->x, layer->rows * layer->in, rng);
    fill(layer->weights, layer->out * layer->in, rng);
    dense_amx_forward(dense, (size_t)layer->rows, layer->x, layer->weights, layer->y, scratch);
    check_forward(layer);
    fill(layer->x, layer->rows * layer->in, rng);
    dense_amx_forward(dense, (size_t)layer->rows, layer->x, NULL, layer->y, scratch);
    check_forward(layer); /* with the weights of the call before */
    fill(layer->y, layer->rows * layer->out, rng);
    DenseAmxBackward call = {.rows = (size_t)layer->rows,
                             .x = layer->x,
                             .dy = layer->y,
                             .weights = layer->weights,
                             .dx = layer->dx,
                             .scratch = scratch};
    dense_amx_backward(dense, &call);
    check_dx(layer, 0);
    for (int i = 0; i < layer->rows * layer->in; i++)
        layer->dx[i] = 7;
    call.weights = NULL;
    call.add = true;
    dense_amx_backward(dense, &call);
    check_dx(layer, 7);
    for (int i = 0; i < layer->in * layer->out; i++)
        layer->gradient[i] = 3;
    dense_amx_add_gradient(dense, layer->gradient);
    check_gradient(layer, 2, 3);
    call.dx = NULL;
    dense_amx_backward(dense, &call);
    memset(layer->gradient, 0, sizeof layer->gradient);
    dense_amx_add_gradient(dense, layer->gradient); /* only of the last call */
    check_gradient(layer, 1, 0);
    free(scratch);
    dense_amx_free(dense);
}

TEST(layers_of_whole_numbers_are_exact) {
    static Layer layer;
    Rng rng = rng_seeded(1);
    if (!dense_amx_can(16, 16)) SKIP("this processor has no AMX");
    for (int round = 0; round < 12; round++) {
        layer.rows = 1 + rng_below(&rng, round % 2 ? ROWS_MAX : 70);
        layer.in = 16 * (1 + rng_below(&rng, CHANNELS_MAX / 16));
        layer.out = 16 * (1 + rng_below(&rng, CHANNELS_MAX / 16));
        check(&layer, &rng);
    }
}

TEST(channels_must_be_multiples_of_16) {
    DenseAmx *dense;
    EXPECT_FALSE(dense_amx_can(24, 16));
    EXPECT_FALSE(dense_amx_can(16, 24));
    EXPECT_STATUS(ERR_UNSUPPORTED, dense_amx_new(16, 24, &dense, NULL));
    EXPECT_TRUE(dense == NULL);
}

TEST_MAIN(RUN(layers_of_whole_numbers_are_exact), RUN(channels_must_be_multiples_of_16))

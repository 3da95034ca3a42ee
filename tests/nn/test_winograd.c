/* Winograd's transforms with a plain product between them, against the definition: on boards of all
 * heights and widths, so that the tiles at the edges are cut off in every way; in several calls;
 * and with bias, residual, activation and mask after the convolution. */
#include "conv_case.h"
#include "nn/kernels/infer_kernels.h"
#include "nn/kernels/winograd.h"

typedef struct {
    const float *bias, *residual, *mask;
    Activation activation;
} Ending;

/* Multiplies transformed inputs v and transformed weights u to m, whose shapes are those of
 * winograd.h. */
static void multiply(const Winograd *cut, int tiles, int in, int out, const float *v,
                     const float *u, float *m) {
    int ins = winograd_padded(in), outs = winograd_padded(out);
    for (int t = 0; t < tiles; t++) {
        for (int p = 0; p < cut->products; p++, v += ins, m += outs) {
            for (int o = 0; o < outs; o++)
                m[o] = 0;
            for (int i = 0; i < in; i++) {
                for (int o = 0; o < outs; o++)
                    m[o] += v[i] * u[(size_t)((p * in + i) * outs + o)];
            }
        }
    }
}

/* Computes the convolution of all boards, with at most `max` tiles in a call. */
static void convolve(const Case *c, const Ending *ending, int max, float *y) {
    const ConvBf16Setup *s = &c->setup;
    Winograd cut = winograd_of(s->kernel, s->height, s->width);
    size_t ins = (size_t)winograd_padded(s->in_channels),
           outs = (size_t)winograd_padded(s->out_channels),
           products = (size_t)cut.products * (size_t)max;
    float *u = calloc((size_t)(cut.products * s->in_channels) * outs, sizeof *u),
          *v = calloc(products * ins, sizeof *v), *m = calloc(products * outs, sizeof *m);
    WinogradCall call = {.cut = &cut,
                         .height = s->height,
                         .width = s->width,
                         .x = c->x,
                         .v = v,
                         .m = m,
                         .y = y,
                         .bias = ending->bias,
                         .residual = ending->residual,
                         .mask = ending->mask,
                         .activation = ending->activation};
    winograd_weights(&cut, s->in_channels, s->out_channels, c->w, u);
    for (int all = c->n * cut.tiles; call.first < all; call.first += call.count) {
        call.count = all - call.first < max ? all - call.first : max;
        call.channels = s->in_channels;
        winograd_input(&call);
        multiply(&cut, call.count, s->in_channels, s->out_channels, v, u, m);
        call.channels = s->out_channels;
        winograd_output(&call);
    }
    free(u);
    free(v);
    free(m);
}

/* Applies bias, residual, activation and mask to the convolution y. */
static void end_as_defined(const Case *c, const Ending *ending, float *y) {
    size_t channels = (size_t)c->setup.out_channels;
    for (size_t i = 0; i < c->y_count; i++) {
        float sum = y[i] + ending->bias[i % channels] + ending->residual[i];
        y[i] = infer_activate(ending->activation, sum) * ending->mask[i / channels];
    }
}

static void check(Rng *rng, ConvBf16Setup setup, Activation activation) {
    Case c = case_new(rng, setup, 2, false);
    size_t cells = (size_t)(2 * setup.height * setup.width);
    float *bias = drawn(rng, (size_t)setup.out_channels, false),
          *residual = drawn(rng, c.y_count, false), *mask = drawn(rng, cells, false);
    for (size_t i = 0; i < cells; i++)
        mask[i] = mask[i] > -1;
    const Ending ending = {bias, residual, mask, activation};
    case_define(&c, false);
    end_as_defined(&c, &ending, c.y2);
    convolve(&c, &ending, 1 + rng_below(rng, 40), c.y);
    case_compare("Winograd", &setup, c.y2, c.y, c.y_count,
                 setup.kernel * setup.kernel * setup.in_channels, 1e-4);
    free(bias);
    free(residual);
    free(mask);
    case_free(&c);
}

TEST(kernels_of_both_sizes_agree_with_the_definition) {
    Rng rng = rng_seeded(11);
    for (int edge = 1; edge <= 19; edge++) {
        for (int kernel = 3; kernel <= 5; kernel += 2)
            check(&rng,
                  (ConvBf16Setup){edge, 1 + (edge * 7) % 19, 1 + rng_below(&rng, 40),
                                  1 + rng_below(&rng, 40), kernel},
                  (Activation)((edge + kernel) % (ACTIVATION_TANH + 1)));
    }
}

TEST(the_cut_with_the_fewest_products_is_taken) {
    /* The comments give, for some sizes of tiles, the number of tiles times the products of a tile.
     * The best size comes first. */
    EXPECT_INT(5, winograd_of(3, 19, 19).tile); /* 16 * 49, 25 * 36 or 49 * 25 */
    EXPECT_INT(5, winograd_of(3, 13, 13).tile); /* 9 * 49 or 16 * 36 */
    EXPECT_INT(4, winograd_of(3, 11, 11).tile); /* 9 * 36 or 9 * 49 */
    EXPECT_INT(5, winograd_of(3, 9, 9).tile);   /* 4 * 49 or 9 * 25 */
    EXPECT_INT(4, winograd_of(3, 7, 7).tile);   /* 4 * 36 or 4 * 49 */
    EXPECT_INT(3, winograd_of(3, 6, 6).tile);   /* 4 * 25 or 4 * 36 */
    EXPECT_INT(3, winograd_of(5, 19, 19).tile);
    EXPECT_INT(49, winograd_of(5, 19, 19).tiles);
}

TEST_MAIN(RUN(kernels_of_both_sizes_agree_with_the_definition),
          RUN(the_cut_with_the_fewest_products_is_taken))

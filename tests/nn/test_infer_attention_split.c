/* Attention in two parts of bf16 against attention in f32, on random values: with boards smaller
 * than the buffer, with keys that several heads of queries share, with rotations, and with numbers
 * of channels that fill no tile. Also: a query that is not finite. */
#include "base/rng.h"
#include "nn/aligned_room.h"
#include "nn/kernels/infer_attention_split.h"
#include "test.h"

typedef struct {
    AttentionShape shape;
    int samples, cells;
    bool mask, rotations;
} Case;

static const Case CASES[] = {
    {{.heads = 3, .kv_heads = 3, .query_channels = 32, .value_channels = 32}, 2, 361, false, true},
    {{.heads = 6, .kv_heads = 3, .query_channels = 32, .value_channels = 16}, 2, 25, true, false},
    {{.heads = 1, .kv_heads = 1, .query_channels = 6, .value_channels = 5}, 1, 361, true, true},
    {{.heads = 2, .kv_heads = 2, .query_channels = 72, .value_channels = 50}, 1, 81, true, true},
    {{.heads = 2, .kv_heads = 1, .query_channels = 8, .value_channels = 20}, 3, 1, false, false}};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/* The arrays of a call; `y` has the results in f32 and in two parts. */
typedef struct {
    size_t rows, channels, out;
    float *x, *mask, *rotations, *scratch, *y[2];
} Arrays;

static Arrays arrays_new(Rng *rng, const Case *c) {
    AttentionShape s = c->shape;
    size_t keys = (size_t)(s.kv_heads * s.query_channels), turned = (size_t)c->cells * keys,
           plain = attention_scratch(s, (AttentionMapShape){.rows = 0}, c->cells),
           split = attention_split_scratch(s, c->cells);
    Arrays a = {.rows = (size_t)(c->samples * c->cells),
                .channels = (size_t)(s.heads * s.query_channels) + keys +
                            (size_t)(s.kv_heads * s.value_channels),
                .out = (size_t)(s.heads * s.value_channels)};
    a.x = room(a.rows * a.channels), a.mask = room(a.rows), a.rotations = room(turned);
    a.scratch = room(plain > split ? plain : split);
    a.y[0] = room(a.rows * a.out), a.y[1] = room(a.rows * a.out);
    for (size_t i = 0; i < a.rows * a.channels; i++)
        a.x[i] = 2.0f * (float)rng_normal(rng);
    for (size_t i = 0; i < a.rows; i++)
        a.mask[i] = i % 7 != 3;
    for (size_t i = 0; i < turned; i += 2) {
        float angle = (float)rng_uniform(rng);
        a.rotations[i] = cosf(angle);
        a.rotations[i + 1] = sinf(angle);
    }
    return a;
}

static void run_both(const Case *c, Arrays *a) {
    AttentionCall call = {.samples = c->samples,
                          .cells = c->cells,
                          .shape = c->shape,
                          .x = a->x,
                          .rotations = c->rotations ? a->rotations : NULL,
                          .mask = c->mask ? a->mask : NULL,
                          .y = a->y[0],
                          .kernels = infer_kernels_select(),
                          .scratch = a->scratch};
    attention_run(&call);
    call.y = a->y[1];
    attention_split_run(&call);
}

static void arrays_free(Arrays *a) {
    free(a->x), free(a->mask), free(a->rotations), free(a->scratch), free(a->y[0]), free(a->y[1]);
}

/* Attention in bf16 would fail this test, because its logits are less exact: in the first case,
 * `error` would be 3e-5 times `size`. */
TEST(two_parts_are_near_f32) {
    Rng rng = rng_seeded(4);
    if (!attention_split_can()) skip();
    for (int k = 0; k < CASE_COUNT; k++) {
        Arrays a = arrays_new(&rng, &CASES[k]);
        double error = 0, size = 0;
        run_both(&CASES[k], &a);
        for (size_t i = 0; i < a.rows * a.out; i++) {
            double difference = (double)a.y[0][i] - (double)a.y[1][i];
            error += difference * difference;
            size += (double)a.y[0][i] * (double)a.y[0][i];
        }
        EXPECT_TRUE(size > 0);
        EXPECT_TRUE(error < 8e-7 * size);
        arrays_free(&a);
    }
}

TEST(a_query_that_is_not_finite_spoils_only_itself) {
    Rng rng = rng_seeded(5);
    if (!attention_split_can()) skip();
    const Case c = {{.heads = 1, .kv_heads = 1, .query_channels = 32, .value_channels = 16},
                    1,
                    40,
                    false,
                    false};
    Arrays a = arrays_new(&rng, &c);
    a.x[17 * a.channels + 3] = NAN;
    run_both(&c, &a);
    EXPECT_FALSE(isfinite(a.y[1][17 * a.out]));
    for (size_t row = 0; row < a.rows; row++) {
        if (row != 17) EXPECT_NEAR(a.y[0][row * a.out], a.y[1][row * a.out], 2e-2);
    }
    arrays_free(&a);
}

TEST_MAIN(RUN(two_parts_are_near_f32), RUN(a_query_that_is_not_finite_spoils_only_itself))

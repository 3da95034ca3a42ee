/* Attention in integers against attention in f32, on random values: with boards smaller than the
 * buffer, with keys that several heads of queries share, and with rotations. */
#include "base/rng.h"
#include "nn/aligned_room.h"
#include "nn/backends/backend.h"
#include "nn/kernels/infer_attention.h"
#include "test.h"

static const struct {
    AttentionShape shape;
    int samples, cells;
    bool mask, rotations;
} CASES[] = {
    {{.heads = 3, .kv_heads = 3, .query_channels = 32, .value_channels = 32}, 2, 81, false, true},
    {{.heads = 6, .kv_heads = 3, .query_channels = 32, .value_channels = 16}, 2, 25, true, false},
    {{.heads = 1, .kv_heads = 1, .query_channels = 6, .value_channels = 5}, 1, 361, true, true},
    {{.heads = 2, .kv_heads = 1, .query_channels = 8, .value_channels = 20}, 3, 1, false, false}};

/* Compares the results of case k. Without rotations, 20 is added to all keys. The softmax cancels
 * this number, which is the same for all keys, although it is larger than the differences between
 * keys. */
static void compare(Rng *rng, size_t k) {
    AttentionShape s = CASES[k].shape;
    size_t rows = (size_t)CASES[k].samples * (size_t)CASES[k].cells,
           keys = (size_t)(s.kv_heads * s.query_channels),
           queries = (size_t)(s.heads * s.query_channels),
           channels = queries + keys + (size_t)(s.kv_heads * s.value_channels),
           out = (size_t)(s.heads * s.value_channels);
    float *x = room(rows * channels), *mask = room(rows),
          *y[2] = {room(rows * out), room(rows * out)},
          *rotations = room((size_t)CASES[k].cells * keys),
          *scratch = room(attention_scratch(s, (AttentionMapShape){.rows = 0}, CASES[k].cells));
    double error = 0, size = 0;
    for (size_t i = 0; i < rows * channels; i++) {
        size_t c = i % channels;
        x[i] = (float)rng_normal(rng) +
               (!CASES[k].rotations && c >= queries && c < queries + keys ? 20.0f : 0.0f);
    }
    for (size_t i = 0; i < rows; i++)
        mask[i] = i % 7 != 3;
    for (size_t i = 0; i < (size_t)CASES[k].cells * keys; i += 2) {
        float angle = (float)rng_uniform(rng);
        rotations[i] = cosf(angle);
        rotations[i + 1] = sinf(angle);
    }
    for (int int8 = 0; int8 < 2; int8++) {
        attention_run(&(AttentionCall){.samples = CASES[k].samples,
                                       .cells = CASES[k].cells,
                                       .shape = s,
                                       .x = x,
                                       .rotations = CASES[k].rotations ? rotations : NULL,
                                       .mask = CASES[k].mask ? mask : NULL,
                                       .y = y[int8],
                                       .int8 = int8,
                                       .kernels = infer_kernels_select(),
                                       .scratch = scratch});
    }
    for (size_t i = 0; i < rows * out; i++) {
        double difference = (double)y[0][i] - (double)y[1][i];
        error += difference * difference;
        size += (double)y[0][i] * (double)y[0][i];
    }
    EXPECT_TRUE(size > 0);
    EXPECT_TRUE(error > 0);
    EXPECT_TRUE(error < 3e-6 * size);
    free(x), free(mask), free(y[0]), free(y[1]), free(rotations), free(scratch);
}

TEST(integers_are_near_f32) {
    static const char *const LIMITS[] = {"AVX2", "SSE41"};
    Rng rng = rng_seeded(4);
    for (size_t i = 0; i < 2 * (sizeof CASES / sizeof *CASES); i++) {
        EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", LIMITS[i % 2], 1));
        EXPECT_TRUE(attention_int8_can(CASES[i / 2].shape, CASES[i / 2].cells));
        compare(&rng, i / 2);
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    }
}

TEST_MAIN(RUN(integers_are_near_f32))

/* Attention and rotary encoding. */
#include "op_bench.h"

static Bench *attention_bench(OpKind kind, Rng *rng) {
    Bench *bench = bench_new(kind, KIND_SPATIAL, rng);
    int kv_heads = 1 + rng_below(rng, 2);
    AttentionShape shape = {.heads = kv_heads * (1 + rng_below(rng, 2)),
                            .kv_heads = kv_heads,
                            .query_channels = 2 * (1 + rng_below(rng, 3)),
                            .value_channels = 1 + rng_below(rng, 4)};
    bench->op.attention = shape;
    bench->call.in_channels[0] =
        (shape.heads + kv_heads) * shape.query_channels + kv_heads * shape.value_channels;
    bench->op.channels =
        kind == OP_ROTARY ? bench->call.in_channels[0] : shape.heads * shape.value_channels;
    return bench;
}

TEST(rotary) {
    Rng rng = rng_seeded(17);
    for (int round = 0; round < 8; round++) {
        Bench *bench = attention_bench(OP_ROTARY, &rng);
        AttentionShape shape = bench->op.attention;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)(shape.kv_heads * shape.query_channels)});
        for (size_t i = 0; i < bench->parameter_counts[0]; i++)
            bench->parameters[0][i] *= 0.3f;
        check_backward(bench, &rng, 0.01, 2e-2);
        free(bench);
    }
}

/* The frequencies rotate by a quarter turn for each column, and by half a turn for each row. */
TEST(rotary_by_hand) {
    Rng rng = rng_seeded(18);
    Bench *bench = bench_new(OP_ROTARY, KIND_SPATIAL, &rng);
    bench->op.attention = (AttentionShape){1, 1, 2, 1};
    bench->op.channels = bench->call.in_channels[0] = 5;
    bench->call.n = 1;
    bench->call.width = bench->call.height = 2;
    bench->call.rows = bench->call.in_rows = 4;
    memcpy(bench->parameters[0], (float[]){1.5707963f, 3.1415927f}, 2 * sizeof(float));
    for (int i = 0; i < 20; i++)
        bench->x[0][i] = (float)(i % 5 + 1);
    op_class(OP_ROTARY)->forward(&bench->call);
    const float want[20] = {1, 2, 3, 4, 5, -2, 1, -4, 3, 5, -1, -2, -3, -4, 5, 2, -1, 4, -3, 5};
    for (int i = 0; i < 20; i++)
        EXPECT_NEAR(want[i], bench->y[i], 1e-5);
    free(bench);
}

TEST(attention) {
    Rng rng = rng_seeded(19);
    for (int round = 0; round < 8; round++) {
        Bench *bench = attention_bench(OP_ATTENTION, &rng);
        bench->call.height = bench->call.width = 3;
        bench->call.rows = bench->call.in_rows = 9;
        draw_masks(bench, &rng);
        bench_fill(bench, &rng, 1, 0, NULL);
        check_backward(bench, &rng, 0.01, 5e-3);
        free(bench);
    }
}

/* The keys of the two cells on the board are 0 and ln 2. The query of the first cell is 1, so the
 * second value has twice the weight of the first: (3 + 2 * 6) / 3 = 5. The query of the second cell
 * is 0, so both values have the same weight. Off the board the output is 0. */
TEST(attention_by_hand) {
    Rng rng = rng_seeded(20);
    Bench *bench = bench_new(OP_ATTENTION, KIND_SPATIAL, &rng);
    bench->op.attention = (AttentionShape){1, 1, 1, 1};
    bench->op.channels = 1;
    bench->call.in_channels[0] = 3;
    bench->call.n = bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 3;
    memcpy(bench->mask, (float[]){1, 1, 0}, 3 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 0, 3, 0, 0.6931472f, 6, 9, 9, 100}, 9 * sizeof(float));
    op_class(OP_ATTENTION)->forward(&bench->call);
    EXPECT_NEAR(5, bench->y[0], 1e-5);
    EXPECT_NEAR(4.5, bench->y[1], 1e-5);
    EXPECT_NEAR(0, bench->y[2], 0);
    free(bench);
}

TEST_MAIN(RUN(rotary), RUN(rotary_by_hand), RUN(attention), RUN(attention_by_hand))

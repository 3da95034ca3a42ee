/* Dropout, by hand: what is drawn, and on what it depends. */
#include "nn/graph/net.h"
#include "op_bench.h"

enum { SAMPLES = 8, EACH = 400 };

/* Samples of EACH channels, all ones. */
static Bench *bench_of(float rate, uint64_t key, int first_sample) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(OP_DROPOUT, KIND_VECTOR, &rng);
    bench->op.channels = bench->call.in_channels[0] = EACH;
    bench->op.rate = rate;
    bench->call.n = bench->call.active = SAMPLES;
    bench->call.draw = key;
    bench->call.first_sample = first_sample;
    for (int i = 0; i < SAMPLES * EACH; i++)
        bench->x[0][i] = 1;
    op_class(OP_DROPOUT)->forward(&bench->call);
    return bench;
}

/* With a rate of 1/4, about 3/4 of 3,200 elements are left, each 4/3 times as large. The standard
 * deviation of the number of elements that are left is 24. */
TEST(a_fraction_is_dropped_and_the_rest_scaled) {
    Bench *bench = bench_of(0.25f, 7, 0);
    int kept = 0;
    for (int i = 0; i < SAMPLES * EACH; i++) {
        if (bench->y[i] != 0) EXPECT_NEAR(4.0 / 3, bench->y[i], 1e-6);
        kept += bench->y[i] != 0;
    }
    EXPECT_NEAR(2400, kept, 120);
    free(bench);
}

TEST(backward_drops_the_same) {
    for (int first = 0; first < 2; first++) {
        Bench *bench = bench_of(0.25f, 7, 0);
        bench->call.dx[0] = bench->dx[0];
        bench->call.first[0] = first;
        for (int i = 0; i < SAMPLES * EACH; i++) {
            bench->dy[i] = 3;
            bench->dx[0][i] = 5;
        }
        op_class(OP_DROPOUT)->backward(&bench->call);
        for (int i = 0; i < SAMPLES * EACH; i++)
            EXPECT_NEAR((first ? 0 : 5) + (bench->y[i] != 0 ? 4 : 0), bench->dx[0][i], 1e-5);
        free(bench);
    }
}

/* Returns whether dropout left the same elements in two sets of samples. */
static bool is_same(const Bench *a, int from_a, const Bench *b, int from_b, int samples) {
    return memcmp(a->y + from_a * EACH, b->y + from_b * EACH,
                  (size_t)(samples * EACH) * sizeof(float)) == 0;
}

TEST(masks_follow_from_the_key_and_the_number_of_the_sample) {
    Bench *bench = bench_of(0.5f, 7, 0), *again = bench_of(0.5f, 7, 0),
          *other = bench_of(0.5f, 8, 0), *later = bench_of(0.5f, 7, 3);
    EXPECT_TRUE(is_same(bench, 0, again, 0, SAMPLES));
    EXPECT_FALSE(is_same(bench, 0, other, 0, 1));
    EXPECT_FALSE(is_same(bench, 0, bench, 1, 1));
    EXPECT_TRUE(is_same(bench, 3, later, 0, SAMPLES - 3));
    free(bench);
    free(again);
    free(other);
    free(later);
}

TEST(without_training_all_is_kept) {
    Bench *bench = bench_of(0.5f, 7, 0);
    bench->call.training = false;
    bench->call.dx[0] = bench->dx[0];
    bench->call.first[0] = true;
    bench->x[0][5] = -2;
    op_class(OP_DROPOUT)->forward(&bench->call);
    EXPECT_NEAR(1, bench->y[4], 0);
    EXPECT_NEAR(-2, bench->y[5], 0);
    for (int i = 0; i < SAMPLES * EACH; i++)
        bench->dy[i] = (float)i;
    op_class(OP_DROPOUT)->backward(&bench->call);
    for (int i = 0; i < SAMPLES * EACH; i++)
        EXPECT_NEAR(i, bench->dx[0][i], 0);
    free(bench);
}

TEST(rates_are_below_1) {
    static const float RATES[] = {-0.1f, 1, 2, NAN, INFINITY};
    for (size_t i = 0; i < sizeof RATES / sizeof *RATES; i++) {
        Op op = {.kind = OP_DROPOUT, .rate = RATES[i]};
        EXPECT_TRUE(op_class(OP_DROPOUT)->shape(&op, NULL, NULL) != NULL);
    }
    Op op = {.kind = OP_DROPOUT, .rate = 0};
    EXPECT_TRUE(op_class(OP_DROPOUT)->shape(&op, NULL, NULL) == NULL);
}

TEST_MAIN(RUN(a_fraction_is_dropped_and_the_rest_scaled), RUN(backward_drops_the_same),
          RUN(masks_follow_from_the_key_and_the_number_of_the_sample),
          RUN(without_training_all_is_kept), RUN(rates_are_below_1))

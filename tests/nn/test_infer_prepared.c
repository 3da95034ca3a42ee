/* What executors share: the same net on the same board is prepared once, whatever thread asks. */
#include "nn/infer/infer.h"
#include "nn/infer/infer_prepared.h"

#include "base/thread.h"
#include "test.h"

enum { PLANES = 3, EDGE = 7, CHANNELS = 20, THREADS = 4, BOARDS = 2 };

static Net *small_net_of(uint64_t seed, Activation activation) {
    Rng rng = rng_seeded(seed);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    Value x = program_conv(program, "start", planes, CHANNELS, 3, -1);
    x = program_activation(program, program_conv(program, "inner", x, CHANNELS, 3, -1), activation);
    program_output(program, "sum", program_conv(program, "end", x, 32, 1, -1));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static Net *small_net(uint64_t seed) {
    return small_net_of(seed, ACTIVATION_MISH);
}

static Prepared *take(const Net *net, int height, int width, Precision precision) {
    Prepared *out;
    EXPECT_OK(prepared_acquire(net, height, width, precision, &out, err));
    return out;
}

TEST(the_same_net_is_prepared_once) {
    Net *net = small_net(1), *same = small_net(1);
    net_share_cache(same, net);
    Prepared *first = take(net, EDGE, EDGE, PRECISION_F32);
    Prepared *const others[] = {take(net, EDGE, EDGE + 1, PRECISION_F32),
                                take(net, EDGE + 1, EDGE, PRECISION_F32),
                                take(net, EDGE, EDGE, PRECISION_BF16)};
    Prepared *again = take(same, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(again == first);
    EXPECT_INT(4, prepared_count(net));
    for (int i = 0; i < 3; i++)
        prepared_release(others[i]);
    prepared_release(first);
    EXPECT_INT(1, prepared_count(net)); /* it stays while one has it, */
    EXPECT_INT(EDGE, again->plan->height);
    prepared_release(again);
    EXPECT_INT(0, prepared_count(net)); /* and no longer */
    again = take(net, EDGE, EDGE, PRECISION_F32);
    net_free(net); /* what is prepared outlives the net */
    net_free(same);
    EXPECT_INT(EDGE, again->plan->height);
    prepared_release(again);
}

TEST(nets_of_other_programs_or_caches_are_others) {
    Net *net = small_net(1), *relu = small_net_of(1, ACTIVATION_RELU), *alone = small_net(1);
    net_share_cache(relu, net);
    Prepared *prepared[] = {take(net, EDGE, EDGE, PRECISION_F32),
                            take(relu, EDGE, EDGE, PRECISION_F32),
                            take(alone, EDGE, EDGE, PRECISION_F32)};
    EXPECT_INT(2, prepared_count(net));
    EXPECT_INT(1, prepared_count(alone));
    for (int i = 0; i < 3; i++)
        prepared_release(prepared[i]);
    net_free(net);
    net_free(relu);
    net_free(alone);
}

TEST(what_cannot_be_prepared_leaves_nothing) {
    Net *net = small_net(1);
    Prepared *prepared;
    Error error;
    EXPECT_STATUS(ERR_UNSUPPORTED, prepared_acquire(net, EDGE, EDGE, PRECISION_INT8, &prepared,
                                                    &error)); /* no scales */
    EXPECT_TRUE(prepared == NULL);
    EXPECT_INT(0, prepared_count(net));
    net_free(net);
}

TEST(executors_leave_laid_out_weights_to_others) {
    Net *net = small_net(1);
    Infer *infer;
    const InferConfig config = {
        .batch = BOARDS, .height = EDGE, .width = EDGE, .precision = PRECISION_BF16};
    Prepared *prepared = take(net, EDGE, EDGE, PRECISION_BF16);
    EXPECT_OK(infer_new(net, &config, &infer, err));
    int laid = 0;
    for (int i = 0; i < prepared->plan->count; i++)
        laid += prepared->laid[i] != NULL;
    EXPECT_INT(infer_precision(infer) == PRECISION_BF16 ? 3 : 0, laid);
    infer_free(infer);
    prepared_release(prepared);
    net_free(net);
}

TEST(a_net_that_has_changed_is_another) {
    Net *net = small_net(1);
    Prepared *before = take(net, EDGE, EDGE, PRECISION_F32);
    net_values(net, 1)[5] += 1;
    Prepared *after = take(net, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(before != after);
    EXPECT_OK(net_set_note(net, QUANTISATION_NOTE, "{}", err));
    Prepared *scaled = take(net, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(scaled != after);
    prepared_release(before);
    prepared_release(after);
    prepared_release(scaled);
    net_free(net);
}

TEST(weights_are_kept_in_one_form) {
    Net *net = small_net(1);
    Prepared *prepared = take(net, EDGE, EDGE, PRECISION_F32);
    int winograd = 0;
    for (int i = 0; i < prepared->plan->count; i++) {
        const Step *step = &prepared->plan->steps[i];
        if (step->kind != STEP_CONV) continue;
        bool other = prepared->winograd[i] || prepared->gemm[i];
        EXPECT_TRUE(other == !step->weights);
        winograd += prepared->winograd[i] != NULL;
    }
    EXPECT_INT(1, winograd); /* the first layer has too few channels */
    prepared_release(prepared);
    net_free(net);
}

typedef struct {
    const Net *net;
    Precision precision;
    float sums[BOARDS * EDGE * EDGE * 32];
    bool done;
} Job;

static void run_job(void *jobs, int index) {
    Job *job = (Job *)jobs + index;
    Infer *infer;
    Error error;
    const InferConfig config = {
        .batch = BOARDS, .height = EDGE, .width = EDGE, .precision = job->precision};
    for (int again = 0; again < 3; again++) {
        Rng rng = rng_seeded(4);
        job->done = false;
        if (infer_new(job->net, &config, &infer, &error)) return;
        for (int i = 0; i < BOARDS * EDGE * EDGE * PLANES; i++)
            infer_input(infer, 0)[i] = (float)rng_normal(&rng);
        job->done = !infer_run(infer, BOARDS, &error);
        memcpy(job->sums, infer_output(infer, 0), sizeof job->sums);
        infer_free(infer);
    }
}

TEST(threads_that_share_find_the_same) {
    for (int p = PRECISION_F32; p <= PRECISION_BF16; p++) {
        Net *net = small_net(3);
        Job jobs[THREADS];
        for (int t = 0; t < THREADS; t++)
            jobs[t] = (Job){.net = net, .precision = (Precision)p};
        EXPECT_OK(thread_parallel(THREADS, run_job, jobs, err));
        EXPECT_TRUE(fabsf(jobs[0].sums[0]) > 0);
        for (int t = 0; t < THREADS; t++)
            EXPECT_TRUE(jobs[t].done &&
                        memcmp(jobs[t].sums, jobs[0].sums, sizeof jobs[0].sums) == 0);
        net_free(net);
    }
}

TEST_MAIN(RUN(the_same_net_is_prepared_once), RUN(nets_of_other_programs_or_caches_are_others),
          RUN(what_cannot_be_prepared_leaves_nothing),
          RUN(executors_leave_laid_out_weights_to_others), RUN(a_net_that_has_changed_is_another),
          RUN(weights_are_kept_in_one_form), RUN(threads_that_share_find_the_same))

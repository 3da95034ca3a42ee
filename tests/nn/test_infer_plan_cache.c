/* Executors share plans: for the same net, board size and precision there is one plan, even if
 * several threads ask for it at once. */
#include "nn/infer/infer.h"
#include "nn/infer/infer_plan_cache.h"

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

static PackedPlan *take(const Net *net, int height, int width, Precision precision) {
    PackedPlan *out;
    EXPECT_OK(plan_cache_acquire(net, height, width, precision, &out, err));
    return out;
}

TEST(the_same_net_is_planned_once) {
    Net *net = small_net(1), *same = small_net(1);
    net_share_cache(same, net);
    PackedPlan *first = take(net, EDGE, EDGE, PRECISION_F32);
    PackedPlan *const others[] = {take(net, EDGE, EDGE + 1, PRECISION_F32),
                                  take(net, EDGE + 1, EDGE, PRECISION_F32),
                                  take(net, EDGE, EDGE, PRECISION_BF16)};
    PackedPlan *again = take(same, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(again == first);
    EXPECT_INT(4, plan_cache_count(net));
    for (int i = 0; i < 3; i++)
        plan_cache_release(others[i]);
    plan_cache_release(first);
    EXPECT_INT(1, plan_cache_count(net)); /* a plan stays as long as someone holds it */
    EXPECT_INT(EDGE, again->plan->height);
    plan_cache_release(again);
    EXPECT_INT(0, plan_cache_count(net));
    again = take(net, EDGE, EDGE, PRECISION_F32);
    net_free(net); /* a plan outlives the net */
    net_free(same);
    EXPECT_INT(EDGE, again->plan->height);
    plan_cache_release(again);
}

TEST(other_programs_and_caches_have_other_plans) {
    Net *net = small_net(1), *relu = small_net_of(1, ACTIVATION_RELU), *alone = small_net(1);
    net_share_cache(relu, net);
    PackedPlan *packed[] = {take(net, EDGE, EDGE, PRECISION_F32),
                            take(relu, EDGE, EDGE, PRECISION_F32),
                            take(alone, EDGE, EDGE, PRECISION_F32)};
    EXPECT_INT(2, plan_cache_count(net));
    EXPECT_INT(1, plan_cache_count(alone));
    for (int i = 0; i < 3; i++)
        plan_cache_release(packed[i]);
    net_free(net);
    net_free(relu);
    net_free(alone);
}

TEST(a_plan_that_cannot_be_made_leaves_nothing) {
    Net *net = small_net(1);
    PackedPlan *packed;
    Error error;
    EXPECT_STATUS(ERR_UNSUPPORTED, plan_cache_acquire(net, EDGE, EDGE, PRECISION_INT8, &packed,
                                                      &error)); /* the net is not quantised */
    EXPECT_TRUE(packed == NULL);
    EXPECT_INT(0, plan_cache_count(net));
    net_free(net);
}

TEST(executors_leave_packed_weights_to_others) {
    Net *net = small_net(1);
    Infer *infer;
    const InferSetup setup = {
        .batch = BOARDS, .height = EDGE, .width = EDGE, .precision = PRECISION_BF16};
    PackedPlan *packed = take(net, EDGE, EDGE, PRECISION_BF16);
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    int onednn = 0;
    for (int i = 0; i < packed->plan->count; i++)
        onednn += packed->onednn[i] != NULL;
    EXPECT_INT(infer_precision(infer) == PRECISION_BF16 ? 3 : 0, onednn);
    infer_free(infer);
    plan_cache_release(packed);
    net_free(net);
}

TEST(a_changed_net_gets_another_plan) {
    Net *net = small_net(1);
    PackedPlan *before = take(net, EDGE, EDGE, PRECISION_F32);
    net_values(net, 1)[5] += 1;
    PackedPlan *after = take(net, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(before != after);
    EXPECT_OK(net_set_note(net, QUANTISATION_NOTE, "{}", err));
    PackedPlan *scaled = take(net, EDGE, EDGE, PRECISION_F32);
    EXPECT_TRUE(scaled != after);
    plan_cache_release(before);
    plan_cache_release(after);
    plan_cache_release(scaled);
    net_free(net);
}

TEST(weights_are_kept_in_one_form) {
    Net *net = small_net(1);
    PackedPlan *packed = take(net, EDGE, EDGE, PRECISION_F32);
    int winograd = 0;
    for (int i = 0; i < packed->plan->count; i++) {
        const Step *step = &packed->plan->steps[i];
        if (step->kind != STEP_CONV) continue;
        bool other = packed->winograd[i] || packed->gemm[i];
        EXPECT_TRUE(other == !step->weights);
        winograd += packed->winograd[i] != NULL;
    }
    EXPECT_INT(1, winograd); /* the layer "inner"; "start" has too few input channels */
    plan_cache_release(packed);
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
    const InferSetup setup = {
        .batch = BOARDS, .height = EDGE, .width = EDGE, .precision = job->precision};
    for (int again = 0; again < 3; again++) {
        Rng rng = rng_seeded(4);
        job->done = false;
        if (infer_new(job->net, &setup, &infer, &error)) return;
        for (int i = 0; i < BOARDS * EDGE * EDGE * PLANES; i++)
            infer_input(infer, 0)[i] = (float)rng_normal(&rng);
        job->done = !infer_run(infer, BOARDS, &error);
        memcpy(job->sums, infer_output(infer, 0), sizeof job->sums);
        infer_free(infer);
    }
}

TEST(threads_that_share_a_plan_get_the_same_results) {
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

TEST_MAIN(RUN(the_same_net_is_planned_once), RUN(other_programs_and_caches_have_other_plans),
          RUN(a_plan_that_cannot_be_made_leaves_nothing),
          RUN(executors_leave_packed_weights_to_others), RUN(a_changed_net_gets_another_plan),
          RUN(weights_are_kept_in_one_form), RUN(threads_that_share_a_plan_get_the_same_results))

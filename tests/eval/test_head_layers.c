/* The optional layers of heads that a net's description may name: their shapes, and what they
 * compute, worked out by hand. */
#include "eval/arch/heads.h"
#include "eval/net_of_words.h"
#include "nn/infer/infer.h"

enum { SIDE = 5, PLANES = 22 };

static float *values_named(Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0) return net_values(net, i);
    }
    fail_msg("the net has no %s", name);
    return NULL;
}

static size_t count_named(const Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0)
            return program_parameter(program, i)->count;
    }
    return 0;
}

/* Makes a net whose parameters are all 0. */
static Net *zero_net(const char *words) {
    Net *net = net_of_words(words, 1);
    for (int i = 0; i < program_parameter_count(net_program(net)); i++)
        memset(net_values(net, i), 0,
               program_parameter(net_program(net), i)->count * sizeof(float));
    return net;
}

/* Runs the net on an empty board in a buffer that has one column more. */
static Infer *run(const Net *net) {
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = SIDE, .width = SIDE + 1};
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    for (int i = 0; i < SIDE * (SIDE + 1); i++)
        infer_input(infer, 0)[i * PLANES] = i % (SIDE + 1) < SIDE;
    EXPECT_OK(infer_run(infer, 1, err));
    return infer;
}

/* Channel 0 of the policy's hidden values is 1 on the board. The last convolution is 5 x 5, and its
 * weights for this channel are 1. So it counts the points of the board in a square of 5 x 5. */
TEST(the_last_convolution_of_the_policy_may_be_wide) {
    Net *net = zero_net("b1c8,policy_kernel=5");
    const Program *program = net_program(net);
    EXPECT_INT(2 * 25 * 16, count_named(net, "policy.p2.weight"));
    values_named(net, "policy.pnorm.shift.bias")[0] = 1;
    for (int tap = 0; tap < 25; tap++)
        values_named(net, "policy.p2.weight")[tap * 16] = 1;
    Infer *infer = run(net);
    const float *policy = infer_output(infer, program_find_output(program, "policy"));
    static const int SPAN[SIDE] = {3, 4, 5, 4, 3};
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            EXPECT_NEAR(SPAN[y] * SPAN[x], policy[(y * (SIDE + 1) + x) * 2], 1e-5);
            EXPECT_NEAR(0, policy[(y * (SIDE + 1) + x) * 2 + 1], 0);
        }
    }
    infer_free(infer);
    net_free(net);
}

TEST(the_first_convolutions_of_heads_may_be_wide) {
    Net *net = net_of_words("b1c8,head_kernel=3", 1), *plain = net_of_words("b1c8", 1);
    static const char *const LAYERS[] = {"policy.p1.weight", "policy.g1.weight", "value.v1.weight"};
    for (int i = 0; i < 3; i++) {
        EXPECT_INT(16 * 9 * 8, count_named(net, LAYERS[i]));
        EXPECT_INT(16 * 8, count_named(plain, LAYERS[i]));
    }
    EXPECT_INT(2 * 16, count_named(net, "policy.p2.weight"));
    net_free(net);
    net_free(plain);
}

/* A concatenated ReLU writes max(x, 0) to the first half of the channels and max(-x, 0) to the
 * second half. The policy's hidden value is -1, which becomes 1 in channel 16; a convolution of
 * 3 x 3 adds up this channel. The value's hidden values are -3 and 5, which become 3 in channel 32
 * and 5 in channel 1. */
TEST(concatenated_relus_keep_both_signs) {
    Net *net = zero_net("b1c8,head_crelu=true,policy_kernel=3");
    const Program *program = net_program(net);
    EXPECT_INT(2 * 9 * 2 * 16, count_named(net, "policy.p2.weight"));
    EXPECT_INT(3 * 2 * 32, count_named(net, "value.v3.weight"));
    EXPECT_INT(32, count_named(net, "value.v2bias.bias"));
    values_named(net, "policy.pnorm.shift.bias")[0] = -1;
    for (int tap = 0; tap < 9; tap++) {
        values_named(net, "policy.p2.weight")[tap * 32 + 0] = 100;
        values_named(net, "policy.p2.weight")[tap * 32 + 16] = 1;
    }
    values_named(net, "value.v2bias.bias")[0] = -3;
    values_named(net, "value.v2bias.bias")[1] = 5;
    values_named(net, "value.v3.weight")[0] = 100;
    values_named(net, "value.v3.weight")[1] = 1;
    values_named(net, "value.v3.weight")[32] = 2;
    values_named(net, "value.v3.weight")[33] = 100;
    Infer *infer = run(net);
    const float *policy = infer_output(infer, program_find_output(program, "policy")),
                *value = infer_output(infer, program_find_output(program, "value"));
    EXPECT_NEAR(4, policy[0], 1e-5);
    EXPECT_NEAR(6, policy[2], 1e-5);
    EXPECT_NEAR(6, policy[(SIDE - 1) * 2 + (SIDE + 1) * 2], 1e-5);
    EXPECT_NEAR(9, policy[(SIDE + 2) * 2], 1e-5);
    EXPECT_NEAR(5 + 2 * 3, value[0], 1e-5);
    EXPECT_NEAR(0, value[1], 0);
    infer_free(infer);
    net_free(net);
}

/* The first of two distributions has the logit 0.05 s for scores s above 0, and 0 for others. The
 * second is uniform. Their weights are 2/3 and 1/3. */
TEST(score_distributions_are_mixed) {
    Net *net = zero_net("b1c8,score_mixtures=2");
    const Program *program = net_program(net);
    EXPECT_INT(2 * 32, count_named(net, "score.out.weight"));
    EXPECT_INT(2 * 3 * 16, count_named(net, "score.mix.weight"));
    for (int i = 0; i < SCORE_BINS; i++)
        values_named(net, "score.bins.values")[2 * i] =
            0.05f * (float)(i - SCORE_BINS_HALF) + 0.025f;
    values_named(net, "score.place.weight")[0] = 1;
    values_named(net, "score.out.weight")[0] = 1;
    values_named(net, "score.mixbias.bias")[0] = logf(2);
    Infer *infer = run(net);
    const float *y = infer_output(infer, program_find_output(program, "score_distribution"));
    double sum = 0, total = 0;
    for (int i = 0; i < SCORE_BINS; i++)
        sum += exp(fmax(0, 0.05 * (i - SCORE_BINS_HALF + 0.5)));
    for (int i = 0; i < SCORE_BINS; i++) {
        double first = exp(fmax(0, 0.05 * (i - SCORE_BINS_HALF + 0.5))) / sum;
        EXPECT_NEAR(log(2.0 / 3 * first + 1.0 / 3 / SCORE_BINS), y[i], 2e-4);
        total += exp((double)y[i]);
    }
    EXPECT_NEAR(1, total, 1e-4);
    infer_free(infer);
    net_free(net);
}

/* The logits are 0.05 s for scores s above 0, and 0 for others, times a factor. This factor is
 * softplus(20) = 20 or, in the net with a limit, 3. */
TEST(the_factor_of_the_score_has_a_limit) {
    for (int limited = 0; limited < 2; limited++) {
        Net *net = zero_net(limited ? "b1c8-score_scale,score_scale_max=3" : "b1c8-score_scale");
        for (int i = 0; i < SCORE_BINS; i++)
            values_named(net, "score.bins.values")[2 * i] =
                0.05f * (float)(i - SCORE_BINS_HALF) + 0.025f;
        values_named(net, "score.place.weight")[0] = 1;
        values_named(net, "score.out.weight")[0] = 1;
        values_named(net, "score.scalebias.bias")[0] = 20;
        Infer *infer = run(net);
        const float *y =
            infer_output(infer, program_find_output(net_program(net), "score_distribution"));
        for (int i = 0; i < SCORE_BINS; i++)
            EXPECT_NEAR((limited ? 3 : 20) * fmax(0, 0.05 * (i - SCORE_BINS_HALF + 0.5)), y[i],
                        1e-3);
        infer_free(infer);
        net_free(net);
    }
}

/* Channel 0 of the policy's hidden values is 2 on the board. The first channel of a key is 3 times
 * this channel, and the second channel is 0. So the keys of all points are (6, 0). The queries of
 * the two policies are (5, 9) and (-1, 9). A logit is the product of key and query divided by
 * sqrt(2). */
TEST(policies_are_queries_to_the_points) {
    Net *net = zero_net("b1c8,policy_attention=2");
    const Program *program = net_program(net);
    EXPECT_INT(2 * 16, count_named(net, "policy.keys.weight"));
    EXPECT_INT(2 * 2 * 3 * 16, count_named(net, "policy.queries.weight"));
    EXPECT_INT(0, count_named(net, "policy.p2.weight"));
    values_named(net, "policy.pnorm.shift.bias")[0] = 2;
    values_named(net, "policy.keys.weight")[0] = 3;
    const float queries[4] = {5, 9, -1, 9};
    memcpy(values_named(net, "policy.queriesbias.bias"), queries, sizeof queries);
    Infer *infer = run(net);
    const float *policy = infer_output(infer, program_find_output(program, "policy"));
    for (int i = 0; i < SIDE; i++) {
        EXPECT_NEAR(5 * 6 / sqrt(2), policy[2 * i], 1e-4);
        EXPECT_NEAR(-1 * 6 / sqrt(2), policy[2 * i + 1], 1e-4);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 0 of the trunk is 3 at all points. Channel 1 of the hidden layer multiplies it by -1 and
 * adds 7, so this channel is relu(3 * -1 + 7) = 4. The only channel of a key is 0.5 * 4. The query
 * of the policy of the mover's move is computed from the pooled hidden layer: 2 times the mean 4,
 * plus the bias 1. The query of the second policy is its bias, -3. */
TEST(queries_and_keys_may_have_a_hidden_layer_of_their_own) {
    Net *net = zero_net("b1c8,policy_attention=1,policy_embedding=5");
    const Program *program = net_program(net);
    EXPECT_INT(8 * 5, count_named(net, "policy.embed.weight"));
    EXPECT_INT(5, count_named(net, "policy.keys.weight"));
    EXPECT_INT(2 * 3 * 5, count_named(net, "policy.queries.weight"));
    EXPECT_INT(2 * 3 * 5, count_named(net, "policy.pass.weight"));
    values_named(net, "tip.shift.bias")[0] = 3;
    values_named(net, "policy.embed.weight")[1 * 8 + 0] = -1;
    values_named(net, "policy.embednorm.shift.bias")[1] = 7;
    values_named(net, "policy.keys.weight")[1] = 0.5f;
    values_named(net, "policy.queries.weight")[1] = 2;
    values_named(net, "policy.queriesbias.bias")[0] = 1;
    values_named(net, "policy.queriesbias.bias")[1] = -3;
    Infer *infer = run(net);
    const float *policy = infer_output(infer, program_find_output(program, "policy"));
    for (int i = 0; i < SIDE; i++) {
        EXPECT_NEAR((2 * 4 + 1) * 0.5 * 4, policy[2 * i], 1e-4);
        EXPECT_NEAR(-3 * 0.5 * 4, policy[2 * i + 1], 1e-4);
    }
    infer_free(infer);
    net_free(net);
}

TEST_MAIN(RUN(the_factor_of_the_score_has_a_limit), RUN(concatenated_relus_keep_both_signs),
          RUN(policies_are_queries_to_the_points),
          RUN(queries_and_keys_may_have_a_hidden_layer_of_their_own),
          RUN(score_distributions_are_mixed), RUN(the_last_convolution_of_the_policy_may_be_wide),
          RUN(the_first_convolutions_of_heads_may_be_wide))

/* The slow weights of Lookahead, worked out by hand. */
#include "nn/graph/net.h"
#include "test.h"
#include "train/lookahead.h"

/* Makes a net with a single weight. */
static Net *one_number(float weight) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    program_output(
        program, "y",
        program_dense(program, "dense", program_input(program, "v", KIND_VECTOR, 1), 1, 0));
    EXPECT_OK(net_new(program, NULL, &net, err));
    net_values(net, 0)[0] = weight;
    return net;
}

/* Each step of the optimiser adds 1 to the weight. After every third step, the slow weight moves
 * half of the way to it, and the weight continues from there: the slow weight becomes 1.5 when the
 * weight is 3, and then 3 when the weight is 4.5. */
TEST(slow_weights_follow_every_k_steps) {
    Net *net = one_number(0);
    Lookahead *lookahead;
    EXPECT_OK(lookahead_new(net, 3, 0.5, &lookahead, err));
    static const double WANT[] = {1, 2, 1.5, 2.5, 3.5, 3};
    for (int i = 0; i < 6; i++) {
        net_values(net, 0)[0] += 1;
        EXPECT_INT(i % 3 == 2, lookahead_step(lookahead, net));
        EXPECT_NEAR(WANT[i], net_values(net, 0)[0], 1e-6);
    }
    lookahead_free(lookahead);
    net_free(net);
}

TEST(a_fraction_of_one_changes_nothing) {
    Net *net = one_number(0);
    Lookahead *lookahead;
    EXPECT_OK(lookahead_new(net, 2, 1, &lookahead, err));
    for (int i = 1; i < 7; i++) {
        net_values(net, 0)[0] += 1;
        lookahead_step(lookahead, net);
        EXPECT_NEAR(i, net_values(net, 0)[0], 0);
    }
    lookahead_free(lookahead);
    net_free(net);
}

/* A state that was saved with more steps between two moves still loads. The slow weights move at the
 * next step. */
TEST(a_state_with_more_steps_is_read) {
    Net *net = one_number(0);
    Lookahead *many, *few;
    TensorFile *file;
    EXPECT_OK(lookahead_new(net, 100, 0.5, &many, err));
    EXPECT_OK(lookahead_new(net, 3, 0.5, &few, err));
    for (int i = 0; i < 50; i++)
        lookahead_step(many, net);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(lookahead_save(many, file, err));
    EXPECT_OK(lookahead_restore(few, file, err));
    net_values(net, 0)[0] = 1;
    EXPECT_TRUE(lookahead_step(few, net));
    EXPECT_NEAR(0.5, net_values(net, 0)[0], 1e-6);
    tensor_file_free(file);
    lookahead_free(many);
    lookahead_free(few);
    net_free(net);
}

TEST(slow_weights_that_are_not_finite_are_refused) {
    const float weights[] = {3, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        Net *net = one_number(weights[i]);
        Lookahead *lookahead;
        TensorFile *file;
        EXPECT_OK(lookahead_new(net, 3, 0.5, &lookahead, err));
        EXPECT_OK(tensor_file_new(&file, err));
        EXPECT_OK(lookahead_save(lookahead, file, err));
        EXPECT_STATUS(i ? ERR_SYNTAX : OK, lookahead_restore(lookahead, file, NULL));
        tensor_file_free(file);
        lookahead_free(lookahead);
        net_free(net);
    }
}

TEST_MAIN(RUN(a_state_with_more_steps_is_read), RUN(slow_weights_that_are_not_finite_are_refused),
          RUN(slow_weights_follow_every_k_steps), RUN(a_fraction_of_one_changes_nothing))

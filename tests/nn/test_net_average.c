/* The mean of nets. */
#include "nn/graph/net_average.h"
#include "test.h"

static Net *small_net(uint64_t seed, int channels) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(seed);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, 3);
    program_set_mask(program, x, 0);
    x = program_conv(program, "conv", x, channels, 3, -1);
    x = program_batch_norm(program, "norm", x, 1e-4, 0.9);
    program_output(program, "y", program_bias(program, "shift", x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        for (size_t k = 0; k < program_parameter(net_program(net), p)->count; k++)
            net_values(net, p)[k] = (float)rng_normal(&rng);
    }
    return net;
}

TEST(every_value_is_the_weighted_mean) {
    Net *nets[] = {small_net(1, 5), small_net(2, 5), small_net(3, 5)}, *equal, *weighted;
    const double weights[] = {3, 1, 0.5};
    int other = -1, values = 0;
    EXPECT_OK(net_average(nets, NULL, 3, &other, &equal, err));
    EXPECT_INT(0, other);
    EXPECT_OK(net_average(nets, weights, 3, &other, &weighted, err));
    for (int p = 0; p < program_parameter_count(net_program(equal)); p++) {
        const float *a = net_values_const(nets[0], p), *b = net_values_const(nets[1], p),
                    *c = net_values_const(nets[2], p);
        for (size_t k = 0; k < program_parameter(net_program(equal), p)->count; k++, values++) {
            EXPECT_NEAR((a[k] + b[k] + c[k]) / 3, net_values_const(equal, p)[k], 1e-6);
            EXPECT_NEAR((3 * a[k] + b[k] + 0.5F * c[k]) / 4.5F, net_values_const(weighted, p)[k],
                        1e-6);
        }
    }
    /* the weights of the convolution, the four parameters of the norm, and the shift */
    EXPECT_INT(3 * 3 * 3 * 5 + 5 * 5, values);
    for (int i = 0; i < 3; i++)
        net_free(nets[i]);
    net_free(equal);
    net_free(weighted);
}

TEST(the_mean_of_a_net_with_itself_is_that_net) {
    Net *net = small_net(4, 5), *nets[] = {net, net}, *mean;
    int other;
    EXPECT_OK(net_average(nets, NULL, 2, &other, &mean, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(mean).text);
    net_free(net);
    net_free(mean);
}

/* The mean gets no note "int8", because its scales were measured on one of the nets and do not fit
 * the mean. */
TEST(the_mean_has_the_notes_that_say_what_a_net_is) {
    Net *net = small_net(5, 5), *nets[] = {net, net}, *mean;
    int other;
    EXPECT_OK(net_set_note(net, "architecture", "a", err));
    EXPECT_OK(net_set_note(net, "meaning", "b", err));
    EXPECT_OK(net_set_note(net, "int8", "c", err));
    EXPECT_OK(net_set_note(net, "samples", "100", err));
    EXPECT_OK(net_average(nets, NULL, 2, &other, &mean, err));
    EXPECT_TEXT("a", net_note(mean, "architecture"));
    EXPECT_TEXT("b", net_note(mean, "meaning"));
    assert_null(net_note(mean, "int8"));
    assert_null(net_note(mean, "samples"));
    net_free(net);
    net_free(mean);
}

TEST(nets_with_other_layers_are_refused) {
    Net *nets[] = {small_net(1, 5), small_net(2, 5), small_net(3, 6)}, *mean;
    Error fault = {0};
    int other = 0;
    EXPECT_STATUS(ERR_ARGUMENT, net_average(nets, NULL, 3, &other, &mean, &fault));
    EXPECT_INT(2, other);
    assert_null(mean);
    for (int i = 0; i < 3; i++)
        net_free(nets[i]);
}

TEST_MAIN(RUN(every_value_is_the_weighted_mean), RUN(the_mean_of_a_net_with_itself_is_that_net),
          RUN(the_mean_has_the_notes_that_say_what_a_net_is),
          RUN(nets_with_other_layers_are_refused))

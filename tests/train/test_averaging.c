/* The average of snapshots of the weights: a plain mean at first, and then a moving average that
 * keeps the fraction `decay` of the old average. */
#include "eval/net_of_words.h"
#include "test.h"
#include "train/averaging.h"

static Net *make_net(void) {
    return net_of_words("b1c8-fixup", 1);
}

static void set_all(Net *net, float value) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        for (size_t k = 0; k < program_parameter(program, i)->count; k++)
            net_values(net, i)[k] = value;
    }
}

static float mean_of(const Averaging *averaging, const Net *net) {
    Net *average;
    EXPECT_OK(averaging_net(averaging, net, &average, err));
    float value = net_values_const(average, 0)[0];
    EXPECT_NEAR(value, net_values_const(average, 1)[0], 0);
    net_free(average);
    return value;
}

TEST(a_plain_mean_becomes_a_moving_one) {
    const AveragingSettings config = {.period_samples = 100, .decay = 0.75};
    Net *net = make_net();
    Averaging *averaging;
    EXPECT_OK(averaging_new(net, &config, 0, &averaging, err));
    double wanted = 0;
    for (int n = 1; n <= 10; n++) {
        set_all(net, (float)(n * n));
        if (n == 1) EXPECT_NEAR(1, mean_of(averaging, net), 0); /* without snapshots: the net */
        EXPECT_FALSE(averaging_update(averaging, net, n * 100 - 1));
        EXPECT_TRUE(averaging_update(averaging, net, n * 100));
        EXPECT_FALSE(averaging_update(averaging, net, n * 100 + 99));
        double keep = n <= 4 ? (n - 1.0) / n : 0.75;
        wanted = keep * wanted + (1 - keep) * n * n;
        EXPECT_NEAR(wanted, mean_of(averaging, net), 1e-4);
        if (n == 3) EXPECT_NEAR((1 + 4 + 9) / 3.0, wanted, 1e-9);
    }
    averaging_free(averaging);
    net_free(net);
}

/* A net may start with random weights at a later count of samples, as a larger net does in the
 * middle of a run. Here it starts at 5000. */
TEST(the_first_snapshot_is_a_period_after_the_start) {
    const AveragingSettings config = {.period_samples = 100, .decay = 0.75};
    Net *net = make_net();
    Averaging *averaging;
    EXPECT_OK(averaging_new(net, &config, 5000, &averaging, err));
    EXPECT_FALSE(averaging_update(averaging, net, 5099));
    EXPECT_TRUE(averaging_update(averaging, net, 5100));
    averaging_free(averaging);
    net_free(net);
}

/* After snapshots of 8 and 2, trained parameters are 5 on average. Running means and variances are
 * not averaged, so they are 2. */
TEST(statistics_are_those_of_the_newest_snapshot) {
    const AveragingSettings config = {.period_samples = 10, .decay = 0.5};
    Net *net = net_of_words("b1c8-batch", 1), *average;
    const Program *program = net_program(net);
    Averaging *averaging;
    int spared = 0;
    EXPECT_OK(averaging_new(net, &config, 0, &averaging, err));
    set_all(net, 8);
    EXPECT_TRUE(averaging_update(averaging, net, 10));
    set_all(net, 2);
    EXPECT_TRUE(averaging_update(averaging, net, 20));
    EXPECT_OK(averaging_net(averaging, net, &average, err));
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        spared += !spec->trained;
        for (size_t k = 0; k < spec->count; k++)
            EXPECT_NEAR(spec->trained ? 5 : 2, net_values_const(average, i)[k], 0);
    }
    EXPECT_TRUE(spared >= 2 * 3);
    net_free(average);
    averaging_free(averaging);
    net_free(net);
}

TEST(an_average_continues_from_a_checkpoint) {
    const AveragingSettings config = {.period_samples = 10, .decay = 0.5};
    Net *net = make_net();
    Averaging *one, *two;
    TensorFile *file;
    EXPECT_OK(averaging_new(net, &config, 0, &one, err));
    EXPECT_OK(averaging_new(net, &config, 0, &two, err));
    EXPECT_OK(tensor_file_new(&file, err));
    set_all(net, 8);
    averaging_update(one, net, 10);
    EXPECT_OK(averaging_save(one, file, err));
    EXPECT_OK(averaging_restore(two, file, err));
    set_all(net, 2);
    EXPECT_FALSE(averaging_update(two, net, 19));
    EXPECT_TRUE(averaging_update(two, net, 20));
    EXPECT_NEAR(5, mean_of(two, net), 1e-6);
    tensor_file_free(file);
    averaging_free(one);
    averaging_free(two);
    net_free(net);
}

TEST(an_average_that_is_not_finite_is_refused) {
    const AveragingSettings config = {.period_samples = 1, .decay = 0.5};
    Net *net = make_net(), *average;
    Averaging *averaging;
    Error fault = {0};
    EXPECT_OK(averaging_new(net, &config, 0, &averaging, err));
    set_all(net, INFINITY);
    averaging_update(averaging, net, 1);
    set_all(net, 1);
    EXPECT_STATUS(ERR_ARGUMENT, averaging_net(averaging, net, &average, &fault));
    EXPECT_CONTAINS(fault.message, "not finite");
    averaging_free(averaging);
    net_free(net);
}

TEST_MAIN(RUN(a_plain_mean_becomes_a_moving_one),
          RUN(the_first_snapshot_is_a_period_after_the_start),
          RUN(statistics_are_those_of_the_newest_snapshot),
          RUN(an_average_continues_from_a_checkpoint),
          RUN(an_average_that_is_not_finite_is_refused))

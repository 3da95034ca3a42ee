/* Steps of the optimisers, compared with their formulas by hand, and their state in checkpoints. */
#include "nn/learn/optimiser.h"
#include "nn/learn/orthogonal.h"
#include "test.h"

/* One decayed weight (dense 1 to 1) and one bias that is not decayed. */
static Net *two_numbers(float weight, float bias) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value x = program_dense(program, "dense", program_input(program, "v", KIND_VECTOR, 1), 1, 0);
    program_output(program, "y", program_bias(program, "shift", x));
    EXPECT_OK(net_new(program, NULL, &net, err));
    net_values(net, 0)[0] = weight;
    net_values(net, 1)[0] = bias;
    return net;
}

static OptimiserSettings plain(void) {
    OptimiserSettings config;
    settings_defaults(OPTIMISER_FIELDS, &config);
    config.kind = OPTIMISER_SGD;
    config.weight_decay = 0;
    return config;
}

typedef struct {
    Net *net;
    Optimiser *optimiser;
    float slopes[2];
    float *gradients[2];
} Fixture;

static void set_up(Fixture *fixture, const OptimiserSettings *config, float weight, float bias) {
    fixture->net = two_numbers(weight, bias);
    EXPECT_OK(optimiser_new(fixture->net, config, &fixture->optimiser, err));
    for (int i = 0; i < 2; i++)
        fixture->gradients[i] = &fixture->slopes[i];
}

static void tear_down(Fixture *fixture) {
    optimiser_free(fixture->optimiser);
    net_free(fixture->net);
}

static double step(Fixture *fixture, float first, float second, double rate) {
    double norm;
    fixture->slopes[0] = first;
    fixture->slopes[1] = second;
    EXPECT_OK(optimiser_step(fixture->optimiser, fixture->gradients, rate, &norm, err));
    return norm;
}

static double value(Fixture *fixture, int parameter) {
    return (double)net_values(fixture->net, parameter)[0];
}

TEST(sgd_with_momentum) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.momentum = 0.5;
    set_up(&fixture, &config, 1, 2);
    EXPECT_NEAR(5, step(&fixture, 3, 4, 0.1), 1e-6);
    EXPECT_NEAR(1 - 0.1 * 3, value(&fixture, 0), 1e-6);
    EXPECT_NEAR(2 - 0.1 * 4, value(&fixture, 1), 1e-6);
    step(&fixture, 1, 0, 0.1); /* velocities 0.5 * 3 + 1, 0.5 * 4 */
    EXPECT_NEAR(0.7 - 0.1 * 2.5, value(&fixture, 0), 1e-6);
    EXPECT_NEAR(1.6 - 0.1 * 2, value(&fixture, 1), 1e-6);
    tear_down(&fixture);
}

TEST(sgd_with_nesterov) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.momentum = 0.5;
    config.nesterov = true;
    set_up(&fixture, &config, 1, 2);
    step(&fixture, 3, 0, 0.1); /* slope 3 + 0.5 * velocity 3 */
    EXPECT_NEAR(1 - 0.1 * 4.5, value(&fixture, 0), 1e-6);
    step(&fixture, 1, 0, 0.1); /* velocity 2.5 */
    EXPECT_NEAR(0.55 - 0.1 * (1 + 1.25), value(&fixture, 0), 1e-6);
    tear_down(&fixture);
}

TEST(the_norm_is_the_length_of_all_gradients_together) {
    Fixture fixture;
    OptimiserSettings config = plain();
    set_up(&fixture, &config, 1, 2);
    fixture.slopes[0] = 3;
    fixture.slopes[1] = -4;
    EXPECT_NEAR(5, optimiser_norm(fixture.optimiser, fixture.gradients), 1e-6);
    fixture.slopes[0] = fixture.slopes[1] = 0;
    EXPECT_NEAR(0, optimiser_norm(fixture.optimiser, fixture.gradients), 0);
    fixture.slopes[1] = NAN;
    EXPECT_FALSE(isfinite(optimiser_norm(fixture.optimiser, fixture.gradients)));
    tear_down(&fixture);
}

/* A gradient of length 10 is shortened to the smaller of both limits; 0 is no limit. The reported
 * norm is the one before clipping. */
TEST(gradients_are_clipped_to_the_smaller_limit) {
    static const struct {
        float clip_norm;
        double limit, length;
    } CASES[] = {{0, 0, 10}, {0, 5, 5}, {0, 50, 10}, {2, 0, 2},
                 {2, 5, 2},  {5, 2, 2}, {5, 50, 5},  {50, 2, 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Fixture fixture;
        OptimiserSettings config = plain();
        config.momentum = 0;
        config.clip_norm = (double)CASES[i].clip_norm;
        set_up(&fixture, &config, 0, 0);
        optimiser_limit_norm(fixture.optimiser, CASES[i].limit);
        EXPECT_NEAR(10, step(&fixture, 6, 8, 0.5), 1e-6);
        EXPECT_NEAR(-0.5 * 0.6 * CASES[i].length, value(&fixture, 0), 1e-6);
        EXPECT_NEAR(-0.5 * 0.8 * CASES[i].length, value(&fixture, 1), 1e-6);
        tear_down(&fixture);
    }
}

/* The limit holds until another one is set. */
TEST(a_limit_of_the_norm_can_be_lifted) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.momentum = 0;
    config.clip_norm = 0;
    set_up(&fixture, &config, 0, 0);
    optimiser_limit_norm(fixture.optimiser, 1);
    step(&fixture, 6, 8, 1);
    step(&fixture, 6, 8, 1);
    EXPECT_NEAR(-2 * 0.6, value(&fixture, 0), 1e-6);
    optimiser_limit_norm(fixture.optimiser, 0);
    step(&fixture, 6, 8, 1);
    EXPECT_NEAR(-2 * 0.6 - 6, value(&fixture, 0), 1e-5);
    tear_down(&fixture);
}

TEST(decay_spares_biases) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.momentum = 0;
    config.weight_decay = 0.5;
    set_up(&fixture, &config, 2, 2);
    step(&fixture, 0, 0, 0.1);
    EXPECT_NEAR(2 - 0.1 * 0.5 * 2, value(&fixture, 0), 1e-6);
    EXPECT_NEAR(2, value(&fixture, 1), 0);
    tear_down(&fixture);
}

/* A dense layer "dense" with the decay 0.1, and a bias "shift". They are parameters of a head if
 * their name begins with one of the words `heads`. */
TEST(groups_have_their_own_decay_and_rate) {
    static const struct {
        const char *heads;
        float head_decay, head_rate, bias_decay;
        double weight, bias;
    } CASES[] = {{"policy", 3, 7, 0, 10 - 0.5 * (2 + 1), 5 - 0.5 * 2},
                 {"policy den", 3, 1, 0, 10 - 0.5 * (2 + 3), 5 - 0.5 * 2},
                 {"dense", 1, 0.5f, 0, 10 - 0.25 * (2 + 1), 5 - 0.5 * 2},
                 {"shift", 1, 0.5f, 2, 10 - 0.5 * (2 + 1), 5 - 0.25 * (2 + 1)}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        Fixture fixture;
        OptimiserSettings config = plain();
        config.momentum = 0;
        config.weight_decay = 0.1;
        snprintf(config.head_names, sizeof config.head_names, "%s", CASES[k].heads);
        config.head_decay = (double)CASES[k].head_decay;
        config.head_rate = (double)CASES[k].head_rate;
        config.bias_decay = (double)CASES[k].bias_decay;
        set_up(&fixture, &config, 10, 5);
        step(&fixture, 2, 2, 0.5);
        EXPECT_NEAR(CASES[k].weight, value(&fixture, 0), 1e-5);
        EXPECT_NEAR(CASES[k].bias, value(&fixture, 1), 1e-5);
        tear_down(&fixture);
    }
}

/* What the five steps of Muon make of a singular value. */
static double five_steps(double x) {
    for (int i = 0; i < 5; i++)
        x = 3.4445 * x - 4.775 * x * x * x + 2.0315 * x * x * x * x * x;
    return x;
}

/* Two kernels of 3 x 3 over two channels, all 0 at first. With a slope of 1 everywhere and the rate
 * 0.1, SGD moves each weight by -0.1, and so does AdamW in its first step. For Muon the kernels are
 * a matrix of 2 x 18 with one singular value. The length of its step is 0.1 factor 0.2 sqrt(18)
 * five_steps(1), and each of the 36 weights has a sixth of it. The four weights in the middle of the
 * kernels move three times as far. */
TEST(the_middle_of_kernels_has_its_own_rate) {
    static const int KINDS[] = {OPTIMISER_SGD, OPTIMISER_ADAMW, OPTIMISER_MUON};
    for (int kind = 0; kind < 3; kind++) {
        OptimiserSettings config = plain();
        double step_length = 0.1;
        Program *program;
        Net *net;
        Optimiser *optimiser;
        float slopes[36], *gradients[] = {slopes};
        config.center_rate = 3;
        config.kind = KINDS[kind];
        snprintf(config.muon.names, sizeof config.muon.names, "conv");
        if (config.kind == OPTIMISER_MUON)
            step_length *= config.muon.factor * 0.2 * sqrt(18) * five_steps(1) / 6;
        EXPECT_OK(program_new(&program, err));
        Value x = program_input(program, "x", KIND_SPATIAL, 2);
        program_output(program, "y", program_conv(program, "conv", x, 2, 3, 0));
        EXPECT_OK(net_new(program, NULL, &net, err));
        EXPECT_OK(optimiser_new(net, &config, &optimiser, err));
        for (int i = 0; i < 36; i++)
            slopes[i] = 1;
        EXPECT_OK(optimiser_step(optimiser, gradients, 0.1, NULL, err));
        for (int i = 0; i < 36; i++) /* (out, row, column, in) */
            EXPECT_NEAR(-step_length * (i / 2 % 9 == 4 ? 3 : 1), net_values(net, 0)[i], 1e-5);
        optimiser_free(optimiser);
        net_free(net);
    }
}

/* Returns by how much each weight of a 3 x 3 convolution moves in one step of Muon. */
static void muon_step(double center_rate, float moved[36]) {
    OptimiserSettings config = plain();
    Program *program;
    Net *net;
    Optimiser *optimiser;
    float slopes[36], *gradients[] = {slopes};
    config.kind = OPTIMISER_MUON;
    config.center_rate = center_rate;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_SPATIAL, 2);
    program_output(program, "y", program_conv(program, "block.conv", x, 2, 3, 0));
    EXPECT_OK(net_new(program, NULL, &net, err));
    EXPECT_OK(optimiser_new(net, &config, &optimiser, err));
    for (int i = 0; i < 36; i++)
        slopes[i] = sinf((float)(i * i));
    EXPECT_OK(optimiser_step(optimiser, gradients, 0.1, NULL, err));
    memcpy(moved, net_values(net, 0), 36 * sizeof *moved);
    optimiser_free(optimiser);
    net_free(net);
}

/* Muon makes one matrix of all gradients of a kernel. The rate of the middle multiplies only what
 * follows from it. */
TEST(the_middle_of_kernels_has_its_own_rate_with_muon) {
    float plain_step[36], step[36];
    muon_step(1, plain_step);
    muon_step(3, step);
    EXPECT_TRUE(fabsf(fabsf(plain_step[0]) - fabsf(plain_step[1])) > 1e-3f); /* not AdamW's step */
    for (int i = 0; i < 36; i++) { /* (out, row, column, in) */
        EXPECT_TRUE(fabsf(plain_step[i]) > 1e-5f);
        EXPECT_NEAR((i / 2 % 9 == 4 ? 3 : 1) * plain_step[i], step[i], 1e-6);
    }
}

/* The parameters are a first layer, a gain, a bias, the gain, bias, mean and variance of a batch
 * norm, and another layer. All are 10 and their gradients are 0; the decay is 0.1 and the rate 0.5.
 * Gains decay towards 1, from which they are 9 away. */
TEST(first_layers_gains_and_biases_decay_by_their_fractions) {
    static const double PULLED[] = {4 * 10, 0.5 * 9, 0.25 * 10, 0.5 * 9, 0.25 * 10, 0, 0, 1 * 10};
    float slope = 0, *gradients[] = {&slope, &slope, &slope, &slope, &slope, NULL, NULL, &slope};
    for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_RMSPROP; kind++) {
        Program *program;
        Net *net;
        Optimiser *optimiser;
        OptimiserSettings config = plain();
        EXPECT_OK(program_new(&program, err));
        Value x = program_input(program, "v", KIND_VECTOR, 1);
        x = program_scale(program, "norm", program_dense(program, "start", x, 1, 0), 1);
        x = program_batch_norm(program, "batch", program_bias(program, "shift", x), 1e-3, 0.9);
        program_output(program, "y", program_dense(program, "dense", x, 1, 0));
        EXPECT_OK(net_new(program, NULL, &net, err));
        EXPECT_INT(8, program_parameter_count(program));
        for (int i = 0; i < 8; i++)
            net_values(net, i)[0] = 10;
        config.kind = kind;
        config.momentum = 0;
        config.weight_decay = 0.1;
        config.input_decay = 4;
        config.gain_decay = 0.5;
        config.bias_decay = 0.25;
        EXPECT_OK(optimiser_new(net, &config, &optimiser, err));
        EXPECT_OK(optimiser_step(optimiser, gradients, 0.5, NULL, err));
        for (int i = 0; i < 8; i++)
            EXPECT_NEAR(10 - 0.5 * 0.1 * PULLED[i], net_values(net, i)[0], 1e-5);
        optimiser_free(optimiser);
        net_free(net);
    }
}

/* A net with one parameter of each group, and an optimiser with the decay 0.1. */
typedef struct {
    Net *net;
    Optimiser *optimiser;
} Grouped;

enum { START, GAIN, SHIFT, TRUNK, HEAD, HEAD_GAIN, HEAD_SHIFT, GROUPS };

static Grouped grouped(float trunk) {
    Grouped made;
    Program *program;
    OptimiserSettings config = plain();
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "v", KIND_VECTOR, 1);
    x = program_scale(program, "norm", program_dense(program, "start", x, 1, 0), 1);
    x = program_dense(program, "block", program_bias(program, "shift", x), 1, 0);
    x = program_scale(program, "policy.norm", program_dense(program, "policy", x, 1, 0), 1);
    program_output(program, "y", program_bias(program, "policy.shift", x));
    EXPECT_OK(net_new(program, NULL, &made.net, err));
    EXPECT_INT(GROUPS, program_parameter_count(program));
    for (int i = 0; i < GROUPS; i++)
        net_values(made.net, i)[0] = i == TRUNK ? trunk : 10;
    config.momentum = 0;
    config.weight_decay = 0.1;
    config.gain_decay = config.bias_decay = 1;
    config.decay_by_norm = true;
    config.decay_rate_exponent = 0.75;
    EXPECT_OK(optimiser_new(made.net, &config, &made.optimiser, err));
    return made;
}

/* Sets the parameter of the trunk to `trunk` and all others to 10, and makes a step with the rate
 * 0.5 and gradients of 0. Checks by which factor the decay of each group is multiplied. */
static void expect_factors(Grouped made, float trunk, double rate, const double *wanted) {
    float slope = 0, *gradients[GROUPS];
    for (int i = 0; i < GROUPS; i++)
        gradients[i] = &slope;
    for (int i = 0; i < GROUPS; i++)
        net_values(made.net, i)[0] = i == TRUNK ? trunk : 10;
    optimiser_set_rate_fraction(made.optimiser, rate);
    EXPECT_OK(optimiser_step(made.optimiser, gradients, 0.5, NULL, err));
    for (int i = 0; i < GROUPS; i++) {
        double from = i == TRUNK ? (double)trunk : 10, home = i == GAIN || i == HEAD_GAIN;
        EXPECT_NEAR(from - 0.5 * 0.1 * (from - home) * wanted[i], net_values(made.net, i)[0], 1e-5);
    }
}

static void tear_down_grouped(Grouped made) {
    optimiser_free(made.optimiser);
    net_free(made.net);
}

/* r is the norm of the trunk's weights divided by their first norm, which is 3. The decay has the
 * factor
 *     2^(2 tanh(3 ln r)),   where tanh(3 ln r) = (r^6 - 1) / (r^6 + 1)
 * For r = 2 this is 2^(2 * 63 / 65). At a quarter of the rate the decay also has the factor
 * 0.25^0.75 = 0.35355. Parameters of heads have none of the two factors. Biases of the trunk have
 * only the factor of the rate. */
TEST(decay_follows_the_norm_and_the_rate) {
    static const struct {
        float trunk;
        double by_norm;
    } CASES[] = {{3, 1},           {3.21f, 1.319935}, {6, 3.832967},
                 {1.5f, 0.260895}, {300, 4},          {0.01f, 0.25}};
    Grouped made = grouped(3), later = grouped(5);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        double a = CASES[k].by_norm, b = 0.35355339;
        expect_factors(made, CASES[k].trunk, 1, (double[]){a, a, 1, a, 1, 1, 1});
        expect_factors(made, CASES[k].trunk, 0.25, (double[]){a * b, a * b, b, a * b, 1, 1, 1});
    }
    TensorFile *file; /* a checkpoint keeps the first norm */
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(optimiser_save(made.optimiser, file, err));
    EXPECT_OK(optimiser_restore(later.optimiser, file, err));
    expect_factors(later, 3, 1, (double[]){1, 1, 1, 1, 1, 1, 1});
    tensor_file_free(file);
    tear_down_grouped(made);
    tear_down_grouped(later);
}

TEST(clip_by_the_whole_norm) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.momentum = 0;
    config.clip_norm = 1;
    set_up(&fixture, &config, 0, 0);
    EXPECT_NEAR(5, step(&fixture, 3, 4, 1), 1e-6);
    EXPECT_NEAR(-0.6, value(&fixture, 0), 1e-6);
    EXPECT_NEAR(-0.8, value(&fixture, 1), 1e-6);
    EXPECT_NEAR(0.5, step(&fixture, 0.3f, 0.4f, 1), 1e-6); /* shorter gradients stay as they are */
    EXPECT_NEAR(-0.9, value(&fixture, 0), 1e-6);
    tear_down(&fixture);
}

/* Loshchilov and Hutter 2019, algorithm 2, two steps by hand. */
TEST(adamw) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.kind = OPTIMISER_ADAMW;
    config.beta1 = 0.5;
    config.beta2 = 0.75;
    config.epsilon = 1e-3;
    config.weight_decay = 0.1;
    set_up(&fixture, &config, 1, 1);
    step(&fixture, 2, 2, 0.1); /* corrected mean 2, mean square 4 */
    EXPECT_NEAR(1 - 0.1 * (2 / (2 + 1e-3) + 0.1 * 1), value(&fixture, 0), 1e-6);
    EXPECT_NEAR(1 - 0.1 * (2 / (2 + 1e-3)), value(&fixture, 1), 1e-6);
    double before = value(&fixture, 1), mean = (0.5 * 1 + 0.5 * -4) / (1 - 0.25),
           square = (0.75 * 1 + 0.25 * 16) / (1 - 0.5625);
    step(&fixture, 0, -4, 0.1);
    EXPECT_NEAR(before - 0.1 * mean / (sqrt(square) + 1e-3), value(&fixture, 1), 1e-6);
    tear_down(&fixture);
}

/* Dozat 2016, algorithm 8, with Keras's momenta, three steps by hand. */
TEST(nadam) {
    static const float SLOPES[] = {2, -4, 0.5f};
    Fixture fixture;
    OptimiserSettings config = plain();
    config.kind = OPTIMISER_NADAM;
    config.beta1 = 0.5;
    config.beta2 = 0.75;
    config.epsilon = 1e-3;
    config.weight_decay = 0.1;
    set_up(&fixture, &config, 1, 1);
    double weight = 1, bias = 1, mean = 0, square = 0, product = 1;
    for (int t = 1; t <= 3; t++) {
        double g = (double)SLOPES[t - 1], mu = 0.5 * (1 - 0.5 * pow(0.96, t / 250.0)),
               next = 0.5 * (1 - 0.5 * pow(0.96, (t + 1) / 250.0));
        mean = (mean + g) / 2;
        square = 0.75 * square + 0.25 * g * g;
        product *= mu;
        double along = (1 - mu) * g / (1 - product) + next * mean / (1 - product * next),
               by = 0.1 * along / (sqrt(square / (1 - pow(0.75, t))) + 1e-3);
        weight -= by + 0.1 * 0.1 * weight;
        bias -= by;
        step(&fixture, SLOPES[t - 1], SLOPES[t - 1], 0.1);
        EXPECT_NEAR(weight, value(&fixture, 0), 1e-6);
        EXPECT_NEAR(bias, value(&fixture, 1), 1e-6);
    }
    tear_down(&fixture);
}

/* PyTorch's RMSprop with momentum, three steps by hand. */
TEST(rmsprop) {
    static const float SLOPES[] = {2, -4, 0.5f};
    Fixture fixture;
    OptimiserSettings config = plain();
    config.kind = OPTIMISER_RMSPROP;
    config.momentum = 0.5;
    config.beta2 = 0.75;
    config.epsilon = 1e-3;
    config.weight_decay = 0.1;
    set_up(&fixture, &config, 1, 1);
    double weight = 1, bias = 1, square = 0, velocity = 0;
    for (int t = 0; t < 3; t++) {
        double g = (double)SLOPES[t];
        square = 0.75 * square + 0.25 * g * g;
        velocity = velocity / 2 + g / (sqrt(square) + 1e-3);
        weight -= 0.1 * (velocity + 0.1 * weight);
        bias -= 0.1 * velocity;
        step(&fixture, SLOPES[t], SLOPES[t], 0.1);
        EXPECT_NEAR(weight, value(&fixture, 0), 1e-6);
        EXPECT_NEAR(bias, value(&fixture, 1), 1e-6);
    }
    tear_down(&fixture);
}

TEST(kinds_have_the_names_of_the_setting) {
    OptimiserSettings config;
    const SettingsGroup groups[] = {{"optimiser", OPTIMISER_FIELDS, &config}, {0}};
    settings_defaults(OPTIMISER_FIELDS, &config);
    for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_RMSPROP; kind++) {
        EXPECT_OK(settings_set(groups, "optimiser.kind", optimiser_kind_name(kind), err));
        EXPECT_INT(kind, config.kind);
    }
}

TEST(what_is_not_finite_changes_nothing) {
    Fixture fixture;
    OptimiserSettings config = plain();
    set_up(&fixture, &config, 1, 2);
    const float bad[] = {(float)NAN, (float)INFINITY, -(float)INFINITY};
    for (int i = 0; i < 3; i++) {
        fixture.slopes[0] = 1;
        fixture.slopes[1] = bad[i];
        EXPECT_STATUS(ERR_ARGUMENT,
                      optimiser_step(fixture.optimiser, fixture.gradients, 0.1, NULL, NULL));
    }
    fixture.slopes[1] = 1;
    EXPECT_STATUS(ERR_ARGUMENT,
                  optimiser_step(fixture.optimiser, fixture.gradients, (double)NAN, NULL, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  optimiser_step(fixture.optimiser, fixture.gradients, -0.1, NULL, NULL));
    EXPECT_NEAR(1, value(&fixture, 0), 0);
    EXPECT_NEAR(2, value(&fixture, 1), 0);
    step(&fixture, 0, 0, 1); /* the velocity has not changed either */
    EXPECT_NEAR(1, value(&fixture, 0), 0);
    tear_down(&fixture);
}

/* The square of a slope of 2e19 is infinite in f32. The mean square of AdamW would become infinite
 * and stay so, and all later steps of the weight would be 0. */
TEST(gradients_whose_squares_are_not_finite_change_nothing) {
    for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_RMSPROP; kind++) {
        Fixture fixture;
        Error error = {0};
        OptimiserSettings config = plain();
        config.kind = kind;
        config.weight_decay = 0;
        set_up(&fixture, &config, 1, 2);
        fixture.slopes[0] = 1;
        fixture.slopes[1] = 2e19f;
        EXPECT_STATUS(ERR_ARGUMENT,
                      optimiser_step(fixture.optimiser, fixture.gradients, 0.1, NULL, &error));
        EXPECT_CONTAINS(error.message, "the norm of the gradient is 2e+19");
        EXPECT_NEAR(1, value(&fixture, 0), 0);
        EXPECT_NEAR(2, value(&fixture, 1), 0);
        step(&fixture, 0, 0, 1); /* the moments have not changed either */
        EXPECT_NEAR(2, value(&fixture, 1), 0);
        tear_down(&fixture);
    }
}

TEST(large_gradients_that_are_finite_do_not_freeze_a_weight) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.kind = OPTIMISER_ADAMW;
    config.beta2 = 0;
    config.weight_decay = 0;
    set_up(&fixture, &config, 1, 2);
    step(&fixture, 0, 9e18f, 0.1);
    double before = value(&fixture, 1);
    EXPECT_TRUE(isfinite(before) && before < 2);
    step(&fixture, 0, 9e18f, 0.1);
    EXPECT_TRUE(value(&fixture, 1) < before);
    tear_down(&fixture);
    config.clip_norm = 1; /* shortens gradients that would be too long */
    set_up(&fixture, &config, 1, 2);
    step(&fixture, 0, 1e25f, 0.1);
    before = value(&fixture, 1);
    EXPECT_TRUE(isfinite(before) && before < 2);
    step(&fixture, 0, 1, 0.1);
    EXPECT_TRUE(value(&fixture, 1) < before);
    tear_down(&fixture);
}

/* Makes a file with the moments of AdamW. All are 1, except that moment `bad_moment` (1 or 2) of
 * the parameter `bad_parameter` is `bad`. */
static TensorFile *file_of_moments(const Fixture *fixture, int bad_parameter, int bad_moment,
                                   float bad) {
    TensorFile *file;
    const Program *program = net_program(fixture->net);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(tensor_file_add(file, "optimiser.steps", "I64", 1, &(int64_t){3}, err));
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        for (int moment = 1; moment <= 2; moment++) {
            char name[96];
            float values[16];
            EXPECT_TRUE(spec->count <= 16);
            for (size_t k = 0; k < spec->count; k++)
                values[k] = i == bad_parameter && moment == bad_moment ? bad : 1;
            snprintf(name, sizeof name, "m%d.%s", moment, spec->name);
            EXPECT_OK(tensor_file_add(file, name, "F32", spec->count, values, err));
        }
    }
    return file;
}

TEST(impossible_moments_are_refused) {
    static const struct {
        int moment;
        float value;
        Status status;
    } MOMENTS[] = {{1, 1, OK},
                   {2, 1, OK},
                   {1, -1, OK},
                   {2, -1, ERR_SYNTAX},
                   {1, (float)INFINITY, ERR_SYNTAX},
                   {2, (float)INFINITY, ERR_SYNTAX},
                   {1, (float)NAN, ERR_SYNTAX},
                   {2, (float)NAN, ERR_SYNTAX}};
    for (size_t i = 0; i < sizeof MOMENTS / sizeof *MOMENTS; i++) {
        Fixture fixture, control;
        OptimiserSettings config = plain();
        Error error = {0};
        config.kind = OPTIMISER_ADAMW;
        set_up(&fixture, &config, 1, 2);
        set_up(&control, &config, 1, 2);
        TensorFile *file = file_of_moments(&fixture, 1, MOMENTS[i].moment, MOMENTS[i].value);
        Status status = optimiser_restore(fixture.optimiser, file, &error);
        EXPECT_STATUS(MOMENTS[i].status, status);
        if (status) { /* nothing has changed */
            EXPECT_CONTAINS(error.message, MOMENTS[i].moment == 1 ? "m1." : "m2.");
            step(&fixture, 1, 2, 0.1);
            step(&control, 1, 2, 0.1);
            EXPECT_TEXT(net_hash(control.net).text, net_hash(fixture.net).text);
        }
        tensor_file_free(file);
        tear_down(&fixture);
        tear_down(&control);
    }
}

TEST(impossible_first_norms_are_refused) {
    static const double NORMS[] = {-1, (double)INFINITY, (double)NAN, 0, 3};
    for (size_t i = 0; i < sizeof NORMS / sizeof *NORMS; i++) {
        Fixture fixture;
        OptimiserSettings config = plain();
        Error error = {0};
        set_up(&fixture, &config, 1, 2);
        TensorFile *file = file_of_moments(&fixture, 1, 1, 1);
        EXPECT_OK(tensor_file_add(file, "optimiser.first_norm", "F64", 1, &NORMS[i], err));
        EXPECT_STATUS(NORMS[i] >= 0 && NORMS[i] < 9 ? OK : ERR_SYNTAX,
                      optimiser_restore(fixture.optimiser, file, &error));
        if (error.status) EXPECT_CONTAINS(error.message, "which cannot be a norm");
        tensor_file_free(file);
        tear_down(&fixture);
    }
}

/* The decay of a weight of 3e38 is added to the momentum in each step. After two steps the momentum
 * is infinite. */
TEST(moments_that_are_not_finite_are_not_written) {
    Fixture fixture;
    OptimiserSettings config = plain();
    TensorFile *file;
    Error error = {0};
    config.momentum = 0.9;
    config.weight_decay = 1;
    set_up(&fixture, &config, 3e38f, 2);
    step(&fixture, 0, 0, 0);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(optimiser_save(fixture.optimiser, file, err)); /* 3e38 */
    tensor_file_free(file);
    step(&fixture, 0, 0, 0);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_STATUS(ERR_ARGUMENT, optimiser_save(fixture.optimiser, file, &error));
    EXPECT_CONTAINS(error.message, "m1.");
    tensor_file_free(file);
    tear_down(&fixture);
}

/* Three steps give the same bytes as one step, a checkpoint, and two steps of another optimiser. */
TEST(state_is_restored_from_a_checkpoint) {
    for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_RMSPROP; kind++) {
        Fixture whole, first, second;
        OptimiserSettings config = plain();
        config.kind = kind;
        set_up(&whole, &config, 1, 2);
        set_up(&first, &config, 1, 2);
        for (int i = 0; i < 3; i++)
            step(&whole, 1 + (float)i, 2, 0.1);
        step(&first, 1, 2, 0.1);
        TensorFile *file;
        EXPECT_OK(tensor_file_new(&file, err));
        EXPECT_OK(optimiser_save(first.optimiser, file, err));
        set_up(&second, &config, net_values(first.net, 0)[0], net_values(first.net, 1)[0]);
        EXPECT_OK(optimiser_restore(second.optimiser, file, err));
        for (int i = 1; i < 3; i++)
            step(&second, 1 + (float)i, 2, 0.1);
        EXPECT_TEXT(net_hash(whole.net).text, net_hash(second.net).text);
        tensor_file_free(file);
        tear_down(&whole);
        tear_down(&first);
        tear_down(&second);
    }
}

/* An empty file, and a checkpoint of SGD, which lacks the second moments of AdamW, cannot restore
 * AdamW. The error leaves its state as it was. */
TEST(a_checkpoint_that_lacks_something_changes_nothing) {
    Fixture sgd, adamw, control;
    OptimiserSettings config = plain();
    set_up(&sgd, &config, 1, 2);
    config.kind = OPTIMISER_ADAMW;
    set_up(&adamw, &config, 1, 2);
    set_up(&control, &config, 1, 2);
    step(&sgd, 5, 5, 0.1);
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_STATUS(ERR_SYNTAX, optimiser_restore(adamw.optimiser, file, NULL));
    EXPECT_OK(optimiser_save(sgd.optimiser, file, err));
    EXPECT_STATUS(ERR_ARGUMENT, optimiser_restore(adamw.optimiser, file, NULL));
    step(&adamw, 1, 2, 0.1);
    step(&control, 1, 2, 0.1);
    EXPECT_TEXT(net_hash(control.net).text, net_hash(adamw.net).text);
    tensor_file_free(file);
    tear_down(&sgd);
    tear_down(&adamw);
    tear_down(&control);
}

/* Applies five steps to a singular value (Jordan et al. 2024):
 *     x <- 3.4445 x - 4.775 x^3 + 2.0315 x^5 */
/* The matrix is a rotation by 30 degrees times a diagonal matrix. Its singular values are 3 and 4
 * and its norm is 5, so the singular values become 0.6 and 0.8 before the five steps. Each step
 * moves each singular value separately, and leaves the rotation as it is. */
TEST(orthogonalise_moves_singular_values) {
    double c = sqrt(3) / 2, s = 0.5, low = five_steps(0.6), high = five_steps(0.8);
    float tall[6] = {(float)(3 * c), (float)(-4 * s), (float)(3 * s), (float)(4 * c), 0, 0};
    float scratch[64];
    float wide[6] = {tall[0], tall[2], tall[4], tall[1], tall[3], tall[5]};
    EXPECT_TRUE(orthogonal_scratch(3, 2) <= 64);
    orthogonalise(3, 2, tall, scratch);
    EXPECT_NEAR(low * c, tall[0], 1e-4);
    EXPECT_NEAR(-high * s, tall[1], 1e-4);
    EXPECT_NEAR(low * s, tall[2], 1e-4);
    EXPECT_NEAR(high * c, tall[3], 1e-4);
    EXPECT_NEAR(0, tall[4], 1e-6);
    orthogonalise(2, 3, wide, scratch);
    EXPECT_NEAR(low * c, wide[0], 1e-4);
    EXPECT_NEAR(-high * s, wide[3], 1e-4);
    float zeros[4] = {0};
    orthogonalise(2, 2, zeros, scratch);
    EXPECT_NEAR(0, zeros[0], 0);
}

/* Returns the norm of what orthogonalise() makes of `number` times the identity matrix. */
static double length_of_step(float number, int side) {
    size_t count = (size_t)(side * side), room = orthogonal_scratch((size_t)side, (size_t)side);
    float *matrix = calloc(count, sizeof *matrix), *scratch = calloc(room, sizeof *scratch);
    assert_true(matrix && scratch);
    double sum = 0;
    for (int i = 0; i < side; i++)
        matrix[i * side + i] = number;
    orthogonalise((size_t)side, (size_t)side, matrix, scratch);
    for (size_t k = 0; k < count; k++)
        sum += (double)matrix[k] * (double)matrix[k];
    free(matrix);
    free(scratch);
    return sqrt(sum);
}

/* The reciprocals of 1e-40 and 1e-45 are infinite in f32, and a gradient of 1e-20 is nothing but
 * rounding errors. So a matrix with a norm below 1e-7 is not scaled to the norm 1, but divided by
 * 1e-7. A side of 1 is less than a register, and 32 are two registers. */
TEST(a_matrix_that_is_nearly_zero_makes_no_step) {
    static const float TINY[] = {0, 1e-45f, 1e-40f, 3e-39f, 1e-30f, 1e-20f, 1e-14f};
    for (size_t k = 0; k < sizeof TINY / sizeof *TINY; k++) {
        for (int side = 1; side <= 32; side += 31) {
            double wanted = side * (double)TINY[k] / 1e-7 * 485; /* 3.4445^5 */
            EXPECT_TRUE(length_of_step(TINY[k], side) <= wanted);
        }
    }
    EXPECT_NEAR(five_steps(0.5), length_of_step(5e-8f, 1), 1e-5);
    EXPECT_NEAR(five_steps(1), length_of_step(1.1e-7f, 1), 1e-5);
    EXPECT_NEAR(five_steps(1), length_of_step(-3, 1), 1e-5);
}

/* Computes the steps of orthogonal.h in double precision:
 *     x <- a x + (b A + c A A) x,   A = x x' */
static void orthogonalised(int rows, int columns, double *x) {
    double *products = calloc((size_t)(2 * rows * rows + rows * columns), sizeof *products);
    assert_non_null(products);
    double *a = products, *b = a + rows * rows, *next = b + rows * rows, sum = 0;
    for (int k = 0; k < rows * columns; k++)
        sum += x[k] * x[k];
    for (int k = 0; k < rows * columns; k++)
        x[k] /= sqrt(sum);
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < rows * rows; i++) {
            a[i] = 0;
            for (int k = 0; k < columns; k++)
                a[i] += x[i / rows * columns + k] * x[i % rows * columns + k];
        }
        for (int i = 0; i < rows * rows; i++) {
            b[i] = -4.7750 * a[i];
            for (int k = 0; k < rows; k++)
                b[i] += 2.0315 * a[i / rows * rows + k] * a[k * rows + i % rows];
        }
        for (int i = 0; i < rows * columns; i++) {
            next[i] = 3.4445 * x[i];
            for (int k = 0; k < rows; k++)
                next[i] += b[i / columns * rows + k] * x[k * columns + i % columns];
        }
        memcpy(x, next, (size_t)(rows * columns) * sizeof *x);
    }
    free(products);
}

/* The sides are smaller than the 16 floats of a register, whole multiples of them, and others. Each
 * size is tested as a wide matrix and as its transpose. */
TEST(orthogonalise_follows_its_formula) {
    static const int SIDES[][2] = {{3, 40}, {16, 16}, {24, 50}, {32, 288}, {17, 33}, {5, 5}};
    Rng rng = rng_seeded(4);
    for (size_t c = 0; c < 2 * sizeof SIDES / sizeof *SIDES; c++) {
        int m = SIDES[c / 2][0], n = SIDES[c / 2][1];
        bool tall = c % 2;
        size_t rows = (size_t)(tall ? n : m), columns = (size_t)(tall ? m : n);
        float *matrix = calloc((size_t)(m * n), sizeof *matrix),
              *scratch = calloc(orthogonal_scratch(rows, columns), sizeof *scratch);
        double *want = calloc((size_t)(m * n), sizeof *want);
        assert_true(matrix && scratch && want);
        for (int k = 0; k < m * n; k++) {
            float drawn = (float)rng_normal(&rng);
            want[k] = (double)drawn;
            matrix[tall ? k % n * m + k / n : k] = drawn;
        }
        orthogonalised(m, n, want);
        orthogonalise(rows, columns, matrix, scratch);
        for (int k = 0; k < m * n; k++)
            EXPECT_NEAR(want[k], matrix[tall ? k % n * m + k / n : k], 2e-4);
        free(matrix);
        free(scratch);
        free(want);
    }
}

/* For a 1 x 1 matrix, orthogonalise() returns five_steps(1) with the sign of the gradient, however
 * large the gradient is. AdamW updates the bias. */
TEST(muon) {
    Fixture fixture;
    OptimiserSettings config = plain();
    config.kind = OPTIMISER_MUON;
    config.muon.momentum = 0.5;
    config.weight_decay = 0.1;
    config.muon.factor = 3;
    config.epsilon = 1e-9;
    snprintf(config.muon.names, sizeof config.muon.names, "dense");
    set_up(&fixture, &config, 1, 2);
    step(&fixture, -5, 4, 0.1);
    EXPECT_NEAR(1 + 0.1 * 3 * (0.2 * five_steps(1) - 0.1 * 1), value(&fixture, 0), 1e-5);
    EXPECT_NEAR(2 - 0.1, value(&fixture, 1), 1e-5);
    double before = value(&fixture, 0);
    /* The velocity is 0.5 * -5 + 1.7 = -0.8. So slope + 0.5 * velocity is 1.7 - 0.4 = 1.3, and the
     * step goes down. */
    step(&fixture, 1.7f, 4, 0.1);
    EXPECT_NEAR(before - 0.1 * 3 * (0.2 * five_steps(1) + 0.1 * before), value(&fixture, 0), 1e-5);
    tear_down(&fixture);
}

TEST_MAIN(RUN(orthogonalise_moves_singular_values), RUN(orthogonalise_follows_its_formula),
          RUN(a_matrix_that_is_nearly_zero_makes_no_step), RUN(muon), RUN(sgd_with_momentum),
          RUN(sgd_with_nesterov), RUN(the_norm_is_the_length_of_all_gradients_together),
          RUN(gradients_are_clipped_to_the_smaller_limit), RUN(a_limit_of_the_norm_can_be_lifted),
          RUN(decay_spares_biases), RUN(groups_have_their_own_decay_and_rate),
          RUN(the_middle_of_kernels_has_its_own_rate),
          RUN(the_middle_of_kernels_has_its_own_rate_with_muon),
          RUN(first_layers_gains_and_biases_decay_by_their_fractions),
          RUN(decay_follows_the_norm_and_the_rate), RUN(clip_by_the_whole_norm), RUN(adamw),
          RUN(nadam), RUN(rmsprop), RUN(kinds_have_the_names_of_the_setting),
          RUN(what_is_not_finite_changes_nothing),
          RUN(gradients_whose_squares_are_not_finite_change_nothing),
          RUN(large_gradients_that_are_finite_do_not_freeze_a_weight),
          RUN(impossible_moments_are_refused), RUN(impossible_first_norms_are_refused),
          RUN(moments_that_are_not_finite_are_not_written),
          RUN(state_is_restored_from_a_checkpoint),
          RUN(a_checkpoint_that_lacks_something_changes_nothing))

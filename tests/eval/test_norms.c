/* The kinds of norm: which parameters each kind has, and the values and standard deviations with
 * which the parameters of its nets start. These depend on the index of the block and on the number
 * of blocks. The wanted numbers follow from Wu 2019, Zhang et al. 2019 and KataGo. */
#include "eval/arch/arch.h"
#include "eval/net_of_words.h"
#include "test.h"

enum { OUTSIDE = -1 }; /* as the index of a block: the parameter is outside all blocks */

/* Returns the index of the parameter `part` of a block, or -1 if there is none. */
static int find(const Net *net, int block, const char *part) {
    char name[72];
    if (block == OUTSIDE)
        snprintf(name, sizeof name, "%s", part);
    else
        snprintf(name, sizeof name, "block%d.%s", block, part);
    for (int i = 0; i < program_parameter_count(net_program(net)); i++) {
        if (strcmp(program_parameter(net_program(net), i)->name, name) == 0) return i;
    }
    return -1;
}

static bool has(const Net *net, int block, const char *part) {
    return find(net, block, part) >= 0;
}

static int place(const Net *net, int block, const char *part) {
    int at = find(net, block, part);
    if (at < 0) fail_msg("block %d has no %s", block, part);
    return at;
}

/* Checks that all numbers of a parameter start at `wanted`. */
static void expect_start(const Net *net, int block, const char *part, double wanted, bool trained) {
    int at = place(net, block, part);
    const ParameterSpec *spec = program_parameter(net_program(net), at);
    EXPECT_INT(trained, spec->trained);
    for (size_t k = 0; k < spec->count; k++)
        EXPECT_NEAR(wanted, net_values_const(net, at)[k], 1e-6);
}

/* Checks the standard deviation with which weights start. `wanted` is the deviation times the
 * square root of the fan-in, or 0 if the weights start at 0. */
static void expect_deviation(const Net *net, int block, const char *part, double wanted) {
    int at = place(net, block, part);
    const ParameterSpec *spec = program_parameter(net_program(net), at);
    double fan_in = (double)spec->count / spec->dims[0], sum = 0;
    for (size_t k = 0; k < spec->count; k++)
        sum += (double)net_values_const(net, at)[k] * (double)net_values_const(net, at)[k];
    double drawn = sqrt(sum / (double)spec->count * fan_in);
    EXPECT_NEAR(wanted, spec->init == INIT_NORMAL ? spec->deviation * sqrt(fan_in) : 0, 1e-6);
    EXPECT_NEAR(wanted, drawn, 0.2 * wanted);
}

/* Gains of activations: sqrt(2), sqrt(2.210277). */
static const double RELU = 1.41421356, MISH = 1.48670003;

/* The added center of the kernel has the fan-in of one point. */
TEST(the_center_of_the_first_convolution_starts_by_its_scale) {
    Net *net = net_of_words("b1c64-k5,start_center=0.3", 3), *plain = net_of_words("b1c64-k5", 3);
    expect_deviation(net, OUTSIDE, "start.conv.weight", 0.8 * RELU);
    expect_deviation(net, OUTSIDE, "start.center.weight", 0.3 * RELU);
    EXPECT_INT(22 * 64, net_parameter_total(net) - net_parameter_total(plain));
    net_free(net);
    net_free(plain);
}

/* With Fixup, the deviations of a block's first convolutions are divided by the square root of the
 * number of blocks. The last convolution of a block starts at 0, and a block has one gain. All
 * norms have a bias. */
TEST(fixup_starts_by_the_number_of_blocks) {
    for (int blocks = 1; blocks <= 9; blocks += 4) {
        char words[32];
        snprintf(words, sizeof words, "b%dc32-fixup", blocks);
        Net *net = net_of_words(words, 3);
        for (int i = 0; i < blocks; i++) {
            bool pools = i % 2 == 1;
            double first = RELU / sqrt(blocks);
            expect_start(net, i, "norm1.shift.bias", 0, true);
            expect_start(net, i, "norm2.shift.bias", 0, true);
            expect_start(net, i, "norm2.scale.gain", 1, true);
            EXPECT_FALSE(has(net, i, "norm1.scale.gain"));
            EXPECT_FALSE(has(net, i, "norm1.fixed.gain"));
            expect_deviation(net, i, "conv1.weight", first * (pools ? 0.8 : 1));
            expect_deviation(net, i, "conv2.weight", 0);
            if (!pools) continue;
            expect_deviation(net, i, "pool.weight", first * 0.775);
            expect_deviation(net, i, "poolmap.weight", RELU * 0.5);
        }
        EXPECT_FALSE(has(net, OUTSIDE, "tip.scale.gain"));
        expect_deviation(net, OUTSIDE, "start.conv.weight", RELU * 0.8);
        expect_deviation(net, OUTSIDE, "start.globals.weight", RELU * 0.6);
        net_free(net);
    }
}

/* Checks fixed scales: before block i the variance is i + 1, so that the block divides its input by
 * sqrt(i + 1) and adds the variance 1 to the trunk. In the convolutions of a pooling block, 0.64 of
 * the variance comes from conv1 and 0.36 from the pooled branch. With `one_norm`, the first norm of
 * a block has a gain, too. */
static void expect_fixed(const Net *net, int blocks, double gain, bool one_norm) {
    for (int i = 0; i < blocks; i++) {
        bool pools = i % 2 == 1;
        if (i > 0) expect_start(net, i, "norm1.fixed.gain", 1 / sqrt(i + 1.0), false);
        EXPECT_INT(one_norm, has(net, i, "norm1.scale.gain"));
        expect_start(net, i, "norm1.shift.bias", 0, true);
        EXPECT_FALSE(has(net, i, "norm2.fixed.gain"));
        expect_start(net, i, "norm2.scale.gain", 1, true);
        expect_start(net, i, "norm2.shift.bias", 0, true);
        expect_deviation(net, i, "conv1.weight", gain * (pools ? 0.8 : 1));
        expect_deviation(net, i, "conv2.weight", gain);
        if (!pools) continue;
        EXPECT_INT(one_norm, has(net, i, "poolnorm.scale.gain"));
        expect_deviation(net, i, "pool.weight", gain * sqrt(0.6));
        expect_deviation(net, i, "poolmap.weight", gain * sqrt(0.6));
    }
    EXPECT_FALSE(has(net, 0, "norm1.fixed.gain")); /* it would be 1 */
    EXPECT_FALSE(has(net, OUTSIDE, "policy.gnorm.scale.gain"));
    expect_start(net, OUTSIDE, "policy.gnorm.shift.bias", 0, true);
    expect_deviation(net, OUTSIDE, "start.conv.weight", gain * 0.8);
    expect_deviation(net, OUTSIDE, "start.globals.weight", gain * 0.6);
}

TEST(fixed_scales_are_by_the_index_of_the_block) {
    for (int blocks = 1; blocks <= 9; blocks += 4) {
        char words[40];
        snprintf(words, sizeof words, "b%dc32-fixscale-mish", blocks);
        Net *net = net_of_words(words, 3);
        expect_fixed(net, blocks, MISH, false);
        expect_start(net, OUTSIDE, "tip.fixed.gain", 1 / sqrt(blocks + 1.0), false);
        EXPECT_FALSE(has(net, OUTSIDE, "tip.scale.gain"));
        net_free(net);
    }
}

/* The norm fson has fixed scales, a gain in each norm of the trunk, and one batch norm at the end
 * of the trunk. */
TEST(fixed_scales_and_one_norm) {
    Net *net = net_of_words("b4c32-fson", 3);
    int norms = 0;
    expect_fixed(net, 4, RELU, true);
    for (int i = 0; i < program_op_count(net_program(net)); i++)
        norms += program_op(net_program(net), i)->kind == OP_BATCH_NORM;
    EXPECT_INT(1, norms);
    expect_start(net, OUTSIDE, "tip.norm.gamma", 1, true);
    net_free(net);
}

/* With Fixup and 8 blocks, the factor 1 / sqrt(8) is (1 / sqrt(2))^3. Each of the three
 * convolutions before the last one gets the factor 1 / sqrt(2). With fixed scales, only the first
 * norm of a block has a scale. */
TEST(bottlenecks_share_the_factor_of_fixup) {
    Net *fixup = net_of_words("b8c32-fixup-bottleneck,pool_every=0", 3),
        *fixed = net_of_words("b8c32-fixscale-bottleneck,pool_every=0", 3);
    for (int i = 0; i < 8; i++) {
        for (int k = 1; k <= 3; k++) {
            char part[40];
            snprintf(part, sizeof part, "conv%d.weight", k);
            expect_deviation(fixup, i, part, RELU / sqrt(2));
            expect_deviation(fixed, i, part, RELU);
            snprintf(part, sizeof part, "norm%d.scale.gain", k);
            EXPECT_FALSE(has(fixup, i, part) || has(fixed, i, part));
            snprintf(part, sizeof part, "norm%d.fixed.gain", k);
            EXPECT_INT(k == 1 && i > 0, has(fixed, i, part));
        }
        expect_deviation(fixup, i, "conv4.weight", 0);
        expect_deviation(fixed, i, "conv4.weight", RELU);
        expect_start(fixup, i, "norm4.scale.gain", 1, true);
        expect_start(fixed, i, "norm4.scale.gain", 1, true);
        EXPECT_FALSE(has(fixed, i, "norm4.fixed.gain"));
        if (i > 0) expect_start(fixed, i, "norm1.fixed.gain", 1 / sqrt(i + 1.0), false);
    }
    net_free(fixup);
    net_free(fixed);
}

static const char *const SCALED[] = {"fixup", "fixscale", "fson"};
enum { FIXUP, FIXSCALE, FSON, SCALED_COUNT };

/* Makes a net of some blocks of one kind, with one of the norms of SCALED. */
static Net *scaled_net(const char *block, int blocks, int norm) {
    char words[80];
    snprintf(words, sizeof words, "c32-%s,trunk=%s*%d", SCALED[norm], block, blocks);
    return net_of_words(words, 3);
}

/* Checks a norm of block i. `variance` is what the norm divides by with fixed scales. Only the last
 * norm of a branch has a gain, but with fson every norm has one. */
static void expect_norm(const Net *net, int norm, int i, const char *name, double variance,
                        bool last) {
    char part[48];
    snprintf(part, sizeof part, "%s.fixed.gain", name);
    EXPECT_INT(norm != FIXUP && variance != 1, has(net, i, part));
    if (has(net, i, part)) expect_start(net, i, part, 1 / sqrt(variance), false);
    snprintf(part, sizeof part, "%s.scale.gain", name);
    EXPECT_INT(last || norm == FSON, has(net, i, part));
    if (has(net, i, part)) expect_start(net, i, part, 1, true);
    snprintf(part, sizeof part, "%s.shift.bias", name);
    expect_start(net, i, part, 0, true);
}

/* A layer of a block: the factor of its first weights with Fixup, and with fixed scales. The usual
 * deviation is multiplied by this factor. */
typedef struct {
    const char *name;
    double fixup, fixed;
} FirstWeights;

static void expect_layers(const Net *net, int norm, int i, const FirstWeights *layers) {
    for (; layers->name; layers++) {
        char part[48];
        snprintf(part, sizeof part, "%s.weight", layers->name);
        expect_deviation(net, i, part, RELU * (norm == FIXUP ? layers->fixup : layers->fixed));
    }
}

/* With Fixup and 8 blocks, the factor 1 / sqrt(8) is split among W1 and the first convolutions of
 * the two inner blocks. The last convolutions of the inner blocks and of the block start at 0. With
 * fixed scales, inner block k divides by sqrt(k + 1), and the last norm by sqrt(3). */
TEST(nested_blocks_share_the_factor_of_fixup) {
    const double root = 1 / sqrt(2);
    const FirstWeights layers[] = {{"conv1", root, 1},
                                   {"inner0.conv1", root, 1},
                                   {"inner0.conv2", 0, 1},
                                   {"inner1.conv1", root, 1},
                                   {"inner1.conv2", 0, 1},
                                   {"conv2", 0, 1},
                                   {0}};
    for (int norm = 0; norm < SCALED_COUNT; norm++) {
        Net *net = scaled_net("nested", 8, norm);
        for (int i = 0; i < 8; i++) {
            expect_layers(net, norm, i, layers);
            expect_norm(net, norm, i, "norm1", i + 1, false);
            expect_norm(net, norm, i, "inner0.norm1", 1, false);
            expect_norm(net, norm, i, "inner0.norm2", 1, true);
            expect_norm(net, norm, i, "inner1.norm1", 2, false);
            expect_norm(net, norm, i, "inner1.norm2", 1, true);
            expect_norm(net, norm, i, "norm2", 3, true);
        }
        net_free(net);
    }
}

/* With Fixup and 16 blocks, W1 and the matrix of a broadcast block share the factor 1 / 4. */
TEST(broadcasts_share_the_factor_of_fixup) {
    static const FirstWeights LAYERS[] = {
        {"conv1", 0.5, 1}, {"points", 0.5, 1}, {"conv2", 0, 1}, {0}};
    for (int norm = 0; norm < SCALED_COUNT; norm++) {
        Net *net = scaled_net("broadcast(side=7)", 16, norm);
        for (int i = 0; i < 16; i++) {
            expect_layers(net, norm, i, LAYERS);
            expect_norm(net, norm, i, "norm1", i + 1, false);
            expect_norm(net, norm, i, "norm2", 1, false);
            expect_norm(net, norm, i, "norm3", 1, true);
        }
        net_free(net);
    }
}

/* Chain, ladder, lines and squeeze blocks have one convolution before the last one, which gets the
 * whole factor of Fixup. The two last convolutions of a lines block share their weights, and the
 * block adds the mean of their results. Their deviation is sqrt(2) times the usual one, because the
 * variance of the mean is half of theirs. The last layer of squeeze and excitation starts at 0 with
 * every norm. */
TEST(blocks_with_one_convolution_before_the_last_take_the_whole_factor) {
    static const struct {
        const char *block, *norms[3]; /* the last norms, which have a gain */
        FirstWeights layers[5];
    } CASES[] = {{"chain", {"norm2"}, {{"conv1", 0.5, 1}, {"conv2", 0, 1}}},
                 {"ladder", {"norm2"}, {{"conv1", 0.5, 1}, {"gate", 0.5, 1}, {"conv2", 0, 1}}},
                 {"lines", {"norm2", "norm3"}, {{"down1", 0.5, 1}, {"across2", 0, 1.41421356}}},
                 {"squeeze",
                  {"norm2"},
                  {{"conv1", 0.5, 1}, {"conv2", 0, 1}, {"squeeze", 1, 1}, {"excite", 0, 0}}}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        for (int norm = 0; norm < SCALED_COUNT; norm++) {
            Net *net = scaled_net(CASES[k].block, 4, norm);
            for (int i = 0; i < 4; i++) {
                expect_layers(net, norm, i, CASES[k].layers);
                expect_norm(net, norm, i, "norm1", i + 1, false);
                for (int n = 0; CASES[k].norms[n]; n++)
                    expect_norm(net, norm, i, CASES[k].norms[n], 1, true);
            }
            net_free(net);
        }
    }
}

TEST(weights_start_by_the_gain_of_the_activation) {
    static const struct {
        const char *words;
        double gain;
    } CASES[] = {{"b2c32-fixscale", 1.41421356},
                 {"b2c32-fixscale-silu", 1.41421356},
                 {"b2c32-fixscale-mish", 1.48670003},
                 {"b2c32-fixscale-prelu", 1.37198868}, /* sqrt(2 / (1 + 1/16)) */
                 {"b2c32-fixscale-prelu,prelu_slope=0", 1.41421356},
                 {"b2c32-fixscale-prelu,prelu_slope=-0.5", 1.26491106}, /* sqrt(2 / (1 + 1/4)) */
                 {"b2c32-fixscale-relu2", 0.81649658},                  /* sqrt(2 / 3) */
                 {"b2c32-fixscale,activation=identity", 1}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        Net *net = net_of_words(CASES[k].words, 4);
        expect_fixed(net, 2, CASES[k].gain, false);
        net_free(net);
    }
}

TEST(slopes_of_prelu_start_where_the_setting_says) {
    Net *net = net_of_words("b2c16-prelu", 3), *zero = net_of_words("b2c16-prelu,prelu_slope=0", 3);
    expect_start(net, 0, "norm1.prelu.slope", 0.25, true);
    expect_start(zero, 0, "norm1.prelu.slope", 0, true);
    expect_start(zero, 1, "poolnorm.prelu.slope", 0, true);
    expect_start(zero, OUTSIDE, "tip.prelu.slope", 0, true);
    net_free(zero);
    net_free(net);
}

/* With center_init = 0.6, the weights of a kernel of 3x3 do not start with the usual standard
 * deviation. For the 8 weights outside the middle, the usual deviation is multiplied by 0.8. For
 * the weight in the middle, it is multiplied by
 *     sqrt(0.8^2 + 9 * 0.6^2) = 1.969772
 * So the variance of the convolution's output is the usual one. The note of a net without
 * center_init does not contain the word center_init. */
TEST(middles_of_kernels_start_larger) {
    Net *net = net_of_words("b2c64-fixscale,center_init=0.6", 3);
    const Program *program = net_program(net);
    int kernels = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (spec->rank != 4 || spec->dims[1] != 3 || spec->count < 30000) continue;
        double squares[2] = {0};
        size_t in = (size_t)spec->dims[3], counts[2] = {0};
        for (size_t k = 0; k < spec->count; k++) {
            int middle = k / in % 9 == 4;
            squares[middle] += (double)net_values(net, i)[k] * (double)net_values(net, i)[k];
            counts[middle]++;
        }
        EXPECT_NEAR(0.8, sqrt(squares[0] / (double)counts[0]) / spec->deviation, 0.02);
        EXPECT_NEAR(1.969772, sqrt(squares[1] / (double)counts[1]) / spec->deviation, 0.08);
        kernels++;
    }
    EXPECT_TRUE(kernels >= 2);
    net_free(net);
    net = net_of_words("b2c16", 3);
    ArchSettings settings;
    EXPECT_OK(arch_of_net(net, &settings, err));
    EXPECT_TRUE(!strstr(net_note(net, "architecture"), "center_init"));
    net_free(net);
}

/* In nets with `fixed`, every norm has a gain, and no norm has a constant scale. The gains start at
 * the constant scales of nets with fixscale. */
TEST(gains_start_by_the_index_of_the_block) {
    Net *net = net_of_words("b3c32-fixed", 3);
    for (int i = 0; i < 3; i++) {
        expect_start(net, i, "norm1.scale.gain", 1 / sqrt(i + 1.0), true);
        expect_start(net, i, "norm1.shift.bias", 0, true);
        expect_start(net, i, "norm2.scale.gain", 1, true);
        EXPECT_FALSE(has(net, i, "norm1.fixed.gain"));
        expect_deviation(net, i, "conv2.weight", RELU);
    }
    expect_start(net, 1, "poolnorm.scale.gain", 1, true);
    expect_start(net, OUTSIDE, "tip.scale.gain", 0.5, true);
    expect_start(net, OUTSIDE, "policy.gnorm.scale.gain", 1, true);
    net_free(net);
}

static Op norm_of(const char *words, bool *gain) {
    Net *net = net_of_words(words, 1);
    const Program *program = net_program(net);
    Op found = {0};
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        if (op->kind != OP_BATCH_NORM) continue;
        found = *op;
        *gain = program_parameter(program, op->parameters[0])->trained;
    }
    net_free(net);
    return found;
}

TEST(batch_norms_have_the_settings) {
    bool gain = false;
    Op usual = norm_of("b1c8-batch", &gain);
    EXPECT_NEAR(0.99f, usual.momentum, 0);
    EXPECT_NEAR(1e-4f, usual.epsilon, 0);
    EXPECT_TRUE(gain);
    EXPECT_FALSE(usual.renorm);
    Op theirs = norm_of("b1c8-batch,norm_momentum=0.999,norm_epsilon=1e-3,norm_gain=false", &gain);
    EXPECT_NEAR(0.999f, theirs.momentum, 0);
    EXPECT_NEAR(1e-3f, theirs.epsilon, 0);
    EXPECT_FALSE(gain);
    EXPECT_TRUE(norm_of("b1c8-renorm", &gain).renorm);
    EXPECT_TRUE(gain);
}

TEST_MAIN(RUN(the_center_of_the_first_convolution_starts_by_its_scale),
          RUN(fixup_starts_by_the_number_of_blocks),
          RUN(fixed_scales_are_by_the_index_of_the_block), RUN(fixed_scales_and_one_norm),
          RUN(bottlenecks_share_the_factor_of_fixup), RUN(nested_blocks_share_the_factor_of_fixup),
          RUN(broadcasts_share_the_factor_of_fixup),
          RUN(blocks_with_one_convolution_before_the_last_take_the_whole_factor),
          RUN(gains_start_by_the_index_of_the_block),
          RUN(weights_start_by_the_gain_of_the_activation),
          RUN(slopes_of_prelu_start_where_the_setting_says), RUN(batch_norms_have_the_settings),
          RUN(middles_of_kernels_start_larger))

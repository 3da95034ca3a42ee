/* Every kind of block in the table BLOCKS. Descriptions that name it are read and written. Its nets
 * do not depend on what is off the board, and their gradients agree with finite differences. For
 * many blocks, what they compute is also compared with numbers worked out by hand. */
#include "eval/arch/arch.h"
#include "eval/arch/blocks/blocks.h"
#include "eval/block_alone.h"
#include "eval/net_gradients.h"
#include "eval/net_of_words.h"
#include "eval/net_sizes.h"

typedef struct {
    char text[128];
} Words;

/* Describes a net of two blocks of a kind. `rest` is further text of the description: "-prelu". */
static Words two_blocks(const char *name, const char *rest) {
    Words words;
    snprintf(words.text, sizeof words.text, "b2c16-%s%s,pool_every=0", name, rest);
    return words;
}

/* Descriptions of nets with options that change what blocks compute. */
static const char *const WITH_OPTIONS[] = {"c16-silu,trunk=residual(dilation=2)*2",
                                           "c16-silu,trunk=residual(dilation=3,dilated=16)*2",
                                           "b2c16-silu-k5,start_center=0.3",
                                           "c16-silu-batch,trunk=ladder(gate_norm=true)*2",
                                           "c16-silu,pooling=mean,trunk=pooled+nested(pool=8)",
                                           "b2c16-silu,head_mean_max=true,pooling=mean_max",
                                           "b2c16-silu,pooling=mean_max_stdev",
                                           "b1c16-silu,head_mean_max=true,head_stdev=true",
                                           "c16-silu,trunk=residual(kernel=5)+pooled(kernel=1)",
                                           "c16-silu,trunk=lines(inner=8,length=5)*2",
                                           "c16-silu,trunk=bottleneck(layers=3)*2",
                                           "c16-silu,tip=rms,trunk=residual*2",
                                           "c16-silu,trunk=attention(heads=2,rotary=fixed)*2",
                                           "c16-silu,trunk=attention(heads=2,rotary=none)+swiglu",
                                           "b2c16-silu,policy_kernel=5,head_kernel=3",
                                           "b2c16-silu,head_crelu=true"};
enum { OPTION_COUNT = sizeof WITH_OPTIONS / sizeof *WITH_OPTIONS };

/* Makes a net and adds a random number to every trained weight, because weights that start at 0
 * would hide the layers before them. */
static Net *moved_net(const char *words) {
    Net *net = net_of_words(words, 3);
    move_all(net);
    return net;
}

TEST(blocks_are_found_by_their_words) {
    for (const Block *block = BLOCKS; block->name; block++) {
        ArchSettings settings, again;
        char words[64];
        snprintf(words, sizeof words, "b2c16-%s", block->name);
        EXPECT_OK(arch_parse(words, &settings, err));
        EXPECT_TEXT(block->name, settings.block);
        EXPECT_OK(arch_parse(arch_text(&settings).text, &again, err));
        EXPECT_TEXT(block->name, again.block);
        EXPECT_TRUE(block_find(block->name) == block && strlen(block->help) > 10);
    }
    ArchSettings settings;
    Error fault = {0};
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("b2c16,block=brick", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "there is no block \"brick\"");
    EXPECT_TRUE(block_find("brick") == NULL);
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("b2c16,heads=brick", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "there is no head \"brick\"");
}

TEST(nets_of_every_block_do_not_depend_on_the_buffer) {
    for (const Block *block = BLOCKS; block->name; block++) {
        Net *net = moved_net(two_blocks(block->name, "").text);
        expect_sizes_alike(net);
        net_free(net);
    }
    for (int i = 0; i < OPTION_COUNT; i++) {
        Net *net = moved_net(WITH_OPTIONS[i]);
        expect_sizes_alike(net);
        net_free(net);
    }
}

static void check_gradients(const char *words, double tolerance) {
    Net *net = moved_net(words);
    expect_gradients(net, words, tolerance);
    net_free(net);
}

TEST(gradients_of_every_block_are_those_of_its_outputs) {
    for (const Block *block = BLOCKS; block->name; block++)
        check_gradients(two_blocks(block->name, "-silu").text, 0.01);
    for (int i = 0; i < OPTION_COUNT; i++)
        check_gradients(WITH_OPTIONS[i], 0.01);
    check_gradients(two_blocks("residual", "-relu2").text, 5e-3);
    check_gradients(two_blocks("squeeze", "-prelu").text,
                    0.05); /* finite differences are less exact, because PReLU has a kink */
}

/* Both convolutions copy all channels. Channel 1 is 1, 2, 3, 4 on the board, and channel 2 is 1.
 * All gains are sigmoid(ln 3) = 3/4, and all shifts are 1/4. Only the gain of channel 2 differs:
 * its logit also contains the mean of channel 1, which is 2.5:
 *     sigmoid(ln 3 + 2.5) = 36.5475 / 37.5475 = 0.973367 */
TEST(squeeze_scales_and_shifts_by_the_mean) {
    Program *program;
    Net *net = block_alone("squeeze", &program);
    for (int c = 0; c < 8; c++) { /* the middle of 3 x 3 */
        values_named(net, "block0.conv1.weight")[c * 72 + 4 * 8 + c] = 1;
        values_named(net, "block0.conv2.weight")[c * 72 + 4 * 8 + c] = 1;
    }
    values_named(net, "block0.squeeze.weight")[1] = 1;
    values_named(net, "block0.excite.weight")[2 * 8] = 1;
    for (int c = 0; c < 8; c++) {
        values_named(net, "block0.excitebias.bias")[c] = logf(3);
        values_named(net, "block0.excitebias.bias")[8 + c] = 0.25f;
    }
    Infer *infer = run_alone(net, 2, (const float[]){1, 2, 3, 4});
    for (int i = 0; i < 4; i++) {
        const float *y = point_of(infer, 2, i);
        EXPECT_NEAR(1.75 * (i + 1) + 0.25, y[1], 1e-5);
        EXPECT_NEAR(1 + 0.973367 + 0.25, y[2], 1e-5);
        EXPECT_NEAR(0.25, y[3], 1e-6);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 1 is 1, 2, 3, 4. The first convolution copies it, and the second multiplies it by -2. The
 * bias behind the second convolution is 3, so the sum is x - 2 x + 3: 2, 1, 0, -1. The activation
 * behind the sum changes the last number to 0. */
TEST(resnet_has_an_activation_behind_the_sum) {
    Program *program;
    Net *net = block_alone("resnet(activation=relu)", &program);
    values_named(net, "block0.conv1.weight")[1 * 72 + 4 * 8 + 1] = 1; /* the middle of 3 x 3 */
    values_named(net, "block0.conv2.weight")[1 * 72 + 4 * 8 + 1] = -2;
    values_named(net, "block0.norm2.shift.bias")[1] = 3;
    Infer *infer = run_alone(net, 2, (const float[]){1, 2, 3, 4});
    static const float WANTED[] = {2, 1, 0, 0};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(WANTED[i], point_of(infer, 2, i)[1], 1e-6);
    infer_free(infer);
    net_free(net);
}

/* As above, but with squeeze and excitation. The branch r = -2 x + 3 is 1, -1, -3, -5, and its mean
 * is -2. The hidden unit is the mean times -1/2, so it is 1. The branch is multiplied by
 * sigmoid(ln 3) = 3/4, and the hidden unit is added. The sums are x + 3/4 r + 1: 2.75, 2.25, 1.75
 * and 1.25. */
TEST(resnet_squeezes_the_branch_before_the_sum) {
    Program *program;
    Net *net = block_alone("resnet(activation=relu,squeeze=1)", &program);
    values_named(net, "block0.conv1.weight")[1 * 72 + 4 * 8 + 1] = 1;
    values_named(net, "block0.conv2.weight")[1 * 72 + 4 * 8 + 1] = -2;
    values_named(net, "block0.norm2.shift.bias")[1] = 3;
    values_named(net, "block0.squeeze.weight")[1] = -0.5f;
    values_named(net, "block0.excitebias.bias")[1] = logf(3);
    values_named(net, "block0.excite.weight")[8 + 1] = 1;
    Infer *infer = run_alone(net, 2, (const float[]){1, 2, 3, 4});
    static const double WANTED[] = {2.75, 2.25, 1.75, 1.25};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(WANTED[i], point_of(infer, 2, i)[1], 1e-5);
    infer_free(infer);
    net_free(net);
}

/* A stem is a norm and an activation. The norm of this net is only a bias. */
TEST(a_stem_is_an_activation) {
    Program *program;
    Net *net = block_alone("stem(activation=relu)", &program);
    values_named(net, "block0.norm.shift.bias")[1] = -2.5f;
    Infer *infer = run_alone(net, 2, (const float[]){1, 2, 3, 4});
    static const float WANTED[] = {0, 0, 0.5f, 1.5f};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(WANTED[i], point_of(infer, 2, i)[1], 1e-6);
    infer_free(infer);
    net_free(net);
}

/* Channel 1 is -1, 2, 3, -4. After the ReLU it is 0, 2, 3, 0, and the first convolution writes
 * these four numbers to the first of four inner channels. The second convolution sums them with a
 * kernel of 3 x 3, which covers the whole board, and gets 5 at each point. The bias -1 changes 5 to
 * 4. The third convolution sums the 4s to 16 at each point, if what is off the board does not
 * count. Gain and bias change 16 to 16 / 2 + 1 = 9. The last convolution subtracts twice 9 from
 * channel 2. */
TEST(bottleneck_goes_through_half_of_the_channels) {
    static const float NUMBERS[] = {-1, 2, 3, -4};
    Program *program;
    Net *net = block_alone("bottleneck", &program);
    values_named(net, "block0.conv1.weight")[0 * 8 + 1] = 1;
    for (int k = 0; k < 9; k++) {
        values_named(net, "block0.conv2.weight")[1 * 36 + k * 4 + 0] = 1;
        values_named(net, "block0.conv3.weight")[3 * 36 + k * 4 + 1] = 1;
    }
    values_named(net, "block0.norm3.shift.bias")[1] = -1;
    values_named(net, "block0.norm4.scale.gain")[3] = 0.5f;
    values_named(net, "block0.norm4.shift.bias")[3] = 1;
    values_named(net, "block0.conv4.weight")[2 * 4 + 3] = -2;
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        const float *y = point_of(infer, 2, i);
        EXPECT_NEAR(NUMBERS[i], y[1], 1e-6);
        EXPECT_NEAR(1 - 2 * 9, y[2], 1e-5);
        EXPECT_NEAR(0, y[3], 1e-6);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 1 is -1, 2, 3, -4. The first convolution writes 0, 2, 3, 0 to the first of four inner
 * channels. The first inner block adds twice the first inner channel to the second inner channel.
 * It adds nothing to the first inner channel, and the second inner block adds nothing at all. The
 * last convolution adds the first inner channel to channel 2, and the second to channel 3. */
TEST(nested_blocks_are_residual_inside) {
    static const float NUMBERS[] = {-1, 2, 3, -4}, POSITIVE[] = {0, 2, 3, 0};
    Program *program;
    Net *net = block_alone("nested", &program);
    values_named(net, "block0.conv1.weight")[0 * 8 + 1] = 1;
    values_named(net, "block0.inner0.conv1.weight")[0 * 36 + 4 * 4 + 0] = 1;
    values_named(net, "block0.inner0.conv2.weight")[1 * 36 + 4 * 4 + 0] = 2;
    values_named(net, "block0.conv2.weight")[2 * 4 + 0] = 1;
    values_named(net, "block0.conv2.weight")[3 * 4 + 1] = 1;
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        const float *y = point_of(infer, 2, i);
        EXPECT_NEAR(NUMBERS[i], y[1], 1e-6);
        EXPECT_NEAR(1 + POSITIVE[i], y[2], 1e-5);
        EXPECT_NEAR(2 * POSITIVE[i], y[3], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 1 is -1, 2, 3, -4. The one pooled channel is channel 1 after the ReLU: 0, 2, 3, 0. Its
 * mean is 1.25 and its maximum 3. Pooling gives one to three numbers, as the option `pooling` says.
 * The first number is the mean. The block multiplies the first number by 1 and the second by 10. If
 * the third number is a standard deviation, the block multiplies it by -20, and otherwise by 0. The
 * block adds these products to the first inner channel, which is copied to channel 3. */
TEST(pooling_gives_the_numbers_of_its_kind) {
    static const struct {
        const char *block;
        int pools;
        double wanted;
    } CASES[] = {{"pooled(pool=1,pooling=mean_max)", 2, 1.25 + 10 * 3},
                 {"pooled(pool=1,pooling=mean_max_stdev)", 3,
                  1.25 + 10 * 3 - 20 * 1.299077}, /* sqrt(13/4 - 1.25^2 + 1e-4) */
                 {"pooled(pool=1,pooling=mean)", 1, 1.25},
                 /* the second number is the mean times (side - 14) / 10 */
                 {"pooled(pool=1)", 3, 1.25 + 10 * 1.25 * (2 - 14) / 10}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Program *program;
        Net *net = block_alone(CASES[i].block, &program);
        values_named(net, "block0.pool.weight")[4 * 8 + 1] = 1;
        values_named(net, "block0.poolmap.weight")[0] = 1;
        if (CASES[i].pools > 1) values_named(net, "block0.poolmap.weight")[1] = 10;
        if (strstr(CASES[i].block, "stdev")) values_named(net, "block0.poolmap.weight")[2] = -20;
        values_named(net, "block0.norm2.shift.bias")[0] = 100; /* no negative numbers at the ReLU */
        values_named(net, "block0.conv2.weight")[3 * 72 + 4 * 8 + 0] = 1;
        Infer *infer = run_alone(net, 2, (const float[]){-1, 2, 3, -4});
        for (int k = 0; k < 4; k++)
            EXPECT_NEAR(100 + CASES[i].wanted, point_of(infer, 2, k)[3], 1e-4);
        infer_free(infer);
        net_free(net);
    }
}

/* Channel 1 is -1, 2, 3, -4. The first convolution copies channel 1 to inner channel 0, and the
 * second convolution copies inner channel 0 to channel 3. So the block adds
 * relu(relu(x)^2)^2 = relu(x)^4 to channel 3. */
TEST(a_net_may_have_the_square_of_relu) {
    static const float NUMBERS[] = {-1, 2, 3, -4}, FOURTH[] = {0, 16, 81, 0};
    Program *program;
    Net *net = block_alone("residual,activation=relu2", &program);
    values_named(net, "block0.conv1.weight")[4 * 8 + 1] = 1;
    values_named(net, "block0.conv2.weight")[3 * 72 + 4 * 8 + 0] = 1;
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 2, i)[1], 1e-6);
        EXPECT_NEAR(FOURTH[i], point_of(infer, 2, i)[3], 1e-4);
    }
    infer_free(infer);
    net_free(net);
}

/* Returns the kind of the first pooling behind the op named `layer`. */
static PoolKind pool_behind(const Net *net, const char *layer) {
    const Program *program = net_program(net);
    bool passed = false;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        passed |= strcmp(op->name, layer) == 0;
        if (passed && op->kind == OP_GLOBAL_POOL) return op->pool;
    }
    fail_msg("nothing is pooled behind %s", layer);
    return POOL_MEAN;
}

TEST(blocks_and_heads_pool_as_described) {
    Net *net = net_of_words("c16,pooling=mean_max,trunk=pooled+nested(pool=8)+pooled(pooling=mean)+"
                            "pooled(pooling=mean_scale_max)",
                            1);
    EXPECT_INT(POOL_MEAN_MAX, pool_behind(net, "block0.pool"));
    EXPECT_INT(POOL_MEAN_MAX, pool_behind(net, "block1.inner0.pool"));
    EXPECT_INT(POOL_MEAN, pool_behind(net, "block2.pool"));
    EXPECT_INT(POOL_MEAN_SCALE_MAX, pool_behind(net, "block3.pool"));
    EXPECT_INT(POOL_MEAN_SCALE_MAX, pool_behind(net, "policy.g1"));
    EXPECT_INT(POOL_MEAN_SCALE_SCALE, pool_behind(net, "value.v1"));
    net_free(net);
    net = net_of_words("b2c16,head_mean_max=true", 1);
    EXPECT_INT(POOL_MEAN_SCALE_MAX, pool_behind(net, "block1.pool"));
    EXPECT_INT(POOL_MEAN_MAX, pool_behind(net, "policy.g1"));
    EXPECT_INT(POOL_MEAN, pool_behind(net, "value.v1"));
    net_free(net);
    net = net_of_words("b2c16,pooling=mean_max_stdev,head_mean_max=true,head_stdev=true", 1);
    EXPECT_INT(POOL_MEAN_MAX_STDEV, pool_behind(net, "block1.pool"));
    EXPECT_INT(POOL_MEAN_MAX_STDEV, pool_behind(net, "policy.g1"));
    EXPECT_INT(POOL_MEAN, pool_behind(net, "value.v1"));
    net_free(net);
}

/* Of 8 inner channels, the last 3 are dilated by 2. Inner channel 0 is the sum of channel 1 over
 * 3 x 3 (NEAR). Inner channel 5 is the first dilated one. It is the sum of channel 1 over the
 * points that are 0 or 2 rows and 0 or 2 columns away (FAR). The last convolution copies the two to
 * channels 3 and 4. Channel 1 is 1 to 9 on the board. */
TEST(dilated_channels_read_farther_points) {
    static const float NUMBERS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double NEAR[] = {1 + 2 + 4 + 5, 21, 2 + 3 + 5 + 6, 27, 45, 33, 24, 39, 28},
                        FAR[] = {1 + 3 + 7 + 9, 2 + 8, 20, 4 + 6, 5, 10, 20, 10, 20};
    Program *program;
    Net *net = block_alone("residual(dilation=2,dilated=3)", &program);
    for (int k = 0; k < 9; k++) {
        values_named(net, "block0.conv1.weight")[k * 8 + 1] = 1;
        values_named(net, "block0.dilated.weight")[k * 8 + 1] = 1;
    }
    values_named(net, "block0.conv2.weight")[3 * 72 + 4 * 8 + 0] = 1;
    values_named(net, "block0.conv2.weight")[4 * 72 + 4 * 8 + 5] = 1;
    Infer *infer = run_alone(net, 3, NUMBERS);
    for (int i = 0; i < 9; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 3, i)[1], 1e-6);
        EXPECT_NEAR(NEAR[i], point_of(infer, 3, i)[3], 1e-5);
        EXPECT_NEAR(FAR[i], point_of(infer, 3, i)[4], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* The option `dilated` is a third of the channels by default: 64 of 192, as in GoNN. */
TEST(a_third_of_the_channels_is_dilated_by_default) {
    Net *net = net_of_words("c192,trunk=residual(dilation=2)+residual(dilation=2,dilated=192)", 1);
    const Program *program = net_program(net);
    int channels[2] = {0, 0}, regular = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind != OP_CONV) continue;
        if (strcmp(op->name, "block0.conv1") == 0) regular = op->channels;
        EXPECT_TRUE(strcmp(op->name, "block1.conv1") != 0);
        for (int i = 0; i < 2; i++) {
            char name[32];
            snprintf(name, sizeof name, "block%d.dilated", i);
            if (strcmp(op->name, name) == 0 && op->dilation == 2) channels[i] = op->channels;
        }
    }
    EXPECT_INT(128, regular);
    EXPECT_INT(64, channels[0]);
    EXPECT_INT(192, channels[1]);
    net_free(net);
    Rng rng = rng_seeded(1);
    Error fault = {0};
    EXPECT_STATUS(ERR_ARGUMENT,
                  arch_build_text("c16,trunk=residual(dilation=2,dilated=17)", &rng, &net, &fault));
    EXPECT_CONTAINS(fault.message, "block0.conv1");
}

static bool has_parameter(const Net *net, const char *name) {
    for (int i = 0; i < program_parameter_count(net_program(net)); i++) {
        if (strcmp(program_parameter(net_program(net), i)->name, name) == 0) return true;
    }
    return false;
}

/* With gate_norm, the gates of a ladder block have a norm; otherwise they have a bias. In GoNN this
 * norm is a batch norm without gains. */
TEST(gates_of_ladders_may_have_a_norm) {
    Net *net = net_of_words("c16-batch,norm_gain=false,trunk=ladder+ladder(gate_norm=true)", 1);
    EXPECT_TRUE(has_parameter(net, "block0.gateshift.bias"));
    EXPECT_FALSE(has_parameter(net, "block0.gatenorm.norm.beta"));
    EXPECT_FALSE(has_parameter(net, "block1.gateshift.bias"));
    EXPECT_TRUE(has_parameter(net, "block1.gatenorm.norm.beta"));
    net_free(net);
    net = net_of_words("c16,trunk=ladder(gate_norm=true)", 1); /* the norm of Fixup is a bias */
    EXPECT_TRUE(has_parameter(net, "block0.gatenorm.shift.bias"));
    net_free(net);
}

/* The matrix is for boards up to 3 x 3, so a board of 2 x 2 has its points 0, 1, 3 and 4. Channel 1
 * is -1, 2, 3, -4. After the ReLU it is 0, 2, 3, 0, and after the bias -1 and another ReLU inner
 * channel 0 is 0, 1, 2, 0. The matrix and its biases make
 *     10 * 1 = 10,   -5 * 2 = -10,   1 * 2 = 2,   0 + 7 = 7
 * of it. The bias 1 and the last ReLU give 11, 0, 3, 8, and the block subtracts twice that from
 * channel 3. */
TEST(broadcast_has_an_activation_on_both_sides_of_its_matrix) {
    static const float NUMBERS[] = {-1, 2, 3, -4}, REACHED[] = {11, 0, 3, 8};
    Program *program;
    Net *net = block_alone("broadcast(side=3,inner=4)", &program);
    float *matrix = values_named(net, "block0.points.weight"); /* (9, 9) */
    values_named(net, "block0.conv1.weight")[0 * 8 + 1] = 1;
    values_named(net, "block0.norm2.shift.bias")[0] = -1;
    matrix[0 * 9 + 1] = 10;
    matrix[1 * 9 + 3] = -5;
    matrix[3 * 9 + 3] = 1;
    matrix[4 * 9 + 8] = 1000; /* point 8 is not on the board */
    values_named(net, "block0.points.bias")[4] = 7;
    values_named(net, "block0.norm3.shift.bias")[0] = 1;
    values_named(net, "block0.conv2.weight")[3 * 4 + 0] = -2;
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 2, i)[1], 1e-6);
        EXPECT_NEAR(-2 * REACHED[i], point_of(infer, 2, i)[3], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 1 also shows the stones of the mover, and all other points have stones of the opponent:
 *     5 -1  0
 *     0  2  0
 *     0  3  0
 * So there are three chains: the mover's, and one of the opponent on each side of it. The first
 * convolution shifts the ReLU of channel 1 to the right. Behind the bias -1 and the ReLU, inner
 * channel 0 is
 *     0 4 0
 *     0 0 1
 *     0 0 2
 * and the maxima of the chains are 4 (the mover), 2 (right) and 0 (left). The last convolution
 * subtracts twice the maximum below a point from channel 3. */
TEST(chain_pools_between_its_two_convolutions) {
    static const float NUMBERS[] = {5, -1, 0, 0, 2, 0, 0, 3, 0},
                       BELOW[] = {0, 4, 2, 0, 4, 2, 0, 0, 0}; /* nothing is below the last row */
    Program *program;
    Net *net = block_alone("chain(inner=4)", &program);
    values_named(net, "block0.conv1.weight")[0 * 72 + 3 * 8 + 1] = 1; /* the point to the left */
    values_named(net, "block0.norm2.shift.bias")[0] = -1;
    values_named(net, "block0.conv2.weight")[3 * 36 + 7 * 4 + 0] = -2; /* the point below */
    Infer *infer = run_alone(net, 3, NUMBERS);
    for (int i = 0; i < 9; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 3, i)[1], 1e-6);
        EXPECT_NEAR(-2 * BELOW[i], point_of(infer, 3, i)[3], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Channel 1 is -1, 2, 3, 4, and all points have stones. Inner channel 2 runs to the lower right.
 * Its values are those of channel 1 with the bias -1 and the ReLU: 0, 1, 2, 3. Its logits are the
 * ReLU of channel 1 minus 2: -2, 0, 1, 2. Only the diagonal from the first point to the last has
 * two points:
 *     b_0 = 1.5 sigmoid(-2) + 0.0001 = 0.178904,   b_1 = 1.5 sigmoid(2) + 0.0001 = 1.321296
 *     r_1 = (1 - e^-1.321296) / (1 - e^-1.500200) = 0.943748
 *     y_1 = 0 + 0.943748 (3 - 0) = 2.831243
 * The other points keep their values. The block adds twice the results to channel 3. */
TEST(ladders_have_values_behind_an_activation_and_plain_logits) {
    static const float NUMBERS[] = {-1, 2, 3, 4};
    static const double WALKED[] = {0, 1, 2, 2.831243};
    Program *program;
    Net *net = block_alone("ladder(inner=1)", &program);
    values_named(net, "block0.conv1.weight")[2 * 72 + 4 * 8 + 1] = 1; /* the middle of 3 x 3 */
    values_named(net, "block0.norm2.shift.bias")[2] = -1;
    values_named(net, "block0.gate.weight")[2 * 72 + 4 * 8 + 1] = 1;
    values_named(net, "block0.gateshift.bias")[2] = -2;
    values_named(net, "block0.conv2.weight")[3 * 4 + 2] = 2;
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 2, i)[1], 1e-6);
        EXPECT_NEAR(2 * WALKED[i], point_of(infer, 2, i)[3], 1e-4);
    }
    infer_free(infer);
    net_free(net);
}

/* A branch has two steps: one step along columns and one along rows. One branch begins with the
 * columns, the other with the rows. Both branches share the weights. The weights of a first step
 * read channel 1 one point further down or to the right. The weights of a second step read two
 * points further. So the block adds half the sum of the two points that are a knight's move away:
 * one row down and two columns to the right, and two rows down and one column to the right. Points
 * off the board count as 0. */
TEST(lines_go_both_ways_with_the_same_weights) {
    static const float NUMBERS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    Program *program;
    Net *net = block_alone("lines(inner=4,length=5)", &program);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const char *name = program_parameter(program, i)->name;
        EXPECT_TRUE(!strstr(name, "across1") && !strstr(name, "down2"));
        if (strstr(name, "half")) net_values(net, i)[3] = 0.5f;
    }
    values_named(net, "block0.down1.weight")[3 * 8 + 1] = 1;               /* of inner channel 0 */
    values_named(net, "block0.across2.weight")[3 * 5 * 4 + 4 * 4 + 0] = 1; /* of channel 3 */
    Infer *infer = run_alone(net, 3, NUMBERS);
    for (int i = 0; i < 9; i++) {
        const float *y = point_of(infer, 3, i);
        EXPECT_NEAR(NUMBERS[i], y[1], 1e-6);
        EXPECT_NEAR(i == 0 ? (6 + 8) / 2.0 : i == 1 ? 9 / 2.0 : i == 3 ? 9 / 2.0 : 0, y[3], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Channels 0 and 2 are 1, and channel 1 is v. The norm multiplies by
 *     r = 1 / sqrt((v^2 + 2) / 8 + 10^-6)
 * Inner channel 0 is silu(r v) * r, where silu(z) = z / (1 + e^-z). The block adds twice that to
 * channel 3. */
TEST(swiglu_is_gated) {
    static const float NUMBERS[] = {-1, 2, 3, -4};
    Program *program;
    Net *net = block_alone("swiglu", &program);
    for (int c = 0; c < 8; c++)
        values_named(net, "block0.norm.gain")[c] = 1;
    values_named(net, "block0.up.weight")[0 * 8 + 1] = 1;
    values_named(net, "block0.gate.weight")[0 * 8 + 2] = 1;
    values_named(net, "block0.down.weight")[3 * 24 + 0] = 2; /* 24 inner channels by default */
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        double v = (double)NUMBERS[i], r = 1 / sqrt((v * v + 2) / 8 + 1e-6), z = r * v;
        EXPECT_NEAR(2 * z / (1 + exp(-z)) * r, point_of(infer, 2, i)[3], 1e-5);
        EXPECT_NEAR(v, point_of(infer, 2, i)[1], 1e-6);
    }
    infer_free(infer);
    net_free(net);
}

/* A pair of channels has two frequencies, one for columns and one for rows. With the fixed rotary
 * embedding, one of the two is always 0, and each head has four pairs here. The first two pairs are
 * rotated by the row, with the frequencies 1 and 100^(-1/2) = 0.1. The last two pairs are rotated
 * by the column, with the same frequencies. Learned frequencies start at random, with both signs.
 * Their absolute values are from 0.02 to 1. About half of these are below the geometric mean. */
TEST(rotation_begins_as_in_katago) {
    static const float FIXED[] = {0, 1, 0, 0.1f, 1, 0, 0.1f, 0};
    Net *fixed = net_of_words("c16,trunk=attention(heads=2,rotary=fixed)", 1),
        *learned = net_of_words("c64,trunk=attention(heads=2)", 1);
    for (int i = 0; i < 16; i++)
        EXPECT_NEAR(FIXED[i % 8], values_named(fixed, "block0.rotary.rates")[i], 1e-6);
    int negative = 0, slow = 0;
    for (int i = 0; i < 64; i++) { /* 2 heads of 16 pairs */
        double size = fabs((double)values_named(learned, "block0.rotary.rates")[i]);
        EXPECT_TRUE(size >= 0.0199 && size <= 1.0001);
        negative += values_named(learned, "block0.rotary.rates")[i] < 0;
        slow += size < 0.1414; /* the geometric mean of 0.02 and 1 */
    }
    EXPECT_TRUE(negative > 16 && negative < 48 && slow > 16 && slow < 48);
    const Program *programs[] = {net_program(fixed), net_program(learned)};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < program_parameter_count(programs[k]); i++) {
            const ParameterSpec *spec = program_parameter(programs[k], i);
            if (strstr(spec->name, "rotary")) EXPECT_INT(k, spec->trained);
        }
    }
    net_free(fixed);
    net_free(learned);
}

TEST_MAIN(RUN(a_net_may_have_the_square_of_relu), RUN(gates_of_ladders_may_have_a_norm),
          RUN(broadcast_has_an_activation_on_both_sides_of_its_matrix),
          RUN(chain_pools_between_its_two_convolutions),
          RUN(ladders_have_values_behind_an_activation_and_plain_logits),
          RUN(squeeze_scales_and_shifts_by_the_mean), RUN(resnet_has_an_activation_behind_the_sum),
          RUN(resnet_squeezes_the_branch_before_the_sum), RUN(a_stem_is_an_activation),
          RUN(bottleneck_goes_through_half_of_the_channels), RUN(nested_blocks_are_residual_inside),
          RUN(pooling_gives_the_numbers_of_its_kind), RUN(blocks_and_heads_pool_as_described),
          RUN(dilated_channels_read_farther_points),
          RUN(a_third_of_the_channels_is_dilated_by_default),
          RUN(lines_go_both_ways_with_the_same_weights), RUN(swiglu_is_gated),
          RUN(rotation_begins_as_in_katago), RUN(blocks_are_found_by_their_words),
          RUN(nets_of_every_block_do_not_depend_on_the_buffer),
          RUN(gradients_of_every_block_are_those_of_its_outputs))

/* The lists of a net's parts and layers, their counts of parameters and multiply-adds, and how
 * layers are found by name. */
#include "eval/formats/katago_net.h"
#include "eval/made_katago_net.h"
#include "eval/net_of_words.h"
#include "eval/view/net_parts.h"

static Net *made(const char *blocks) {
    return read_made_net((MadeNet){15, blocks, .binary = false});
}

TEST(the_kind_of_a_block_follows_from_its_ops) {
    static const struct {
        const char *name, *kind, *layers;
    } WANTED[] = {{"start", "", "conv 3x3, dense"},
                  {"block0", "residual", "2 conv 3x3"},
                  {"block1", "global pooling", "3 conv 3x3, dense"},
                  {"block2", "nested residual", "2 conv 1x1, 2 conv 3x3"},
                  {"tip", "", ""},
                  {"policy", "", "3 conv 1x1, 3 dense"},
                  {"value", "", "2 conv 1x1, 3 dense"}};
    Net *net = made("ogn");
    NetPart *parts;
    int count;
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_INT(sizeof WANTED / sizeof *WANTED, count);
    for (int i = 0; i < count; i++) {
        EXPECT_TEXT(WANTED[i].name, parts[i].name);
        EXPECT_TEXT(WANTED[i].kind, parts[i].kind);
        EXPECT_TEXT(WANTED[i].layers, parts[i].layers);
    }
    EXPECT_INT(22, parts[0].in_channels);
    EXPECT_INT(MADE_TRUNK, parts[1].channels);
    free(parts);
    net_free(net);
}

/* block0 has norms of 4 and 3 channels with two parameters a channel, and convolutions of 3x3 from
 * 4 channels to 3 and back. */
TEST(numbers_and_costs_are_counted_by_hand) {
    Net *net = made("o");
    NetPart *parts;
    int count;
    int64_t numbers = 0;
    double costs = 0;
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_INT(2 * 4 + 2 * 3 + 2 * 9 * 4 * 3, parts[1].parameters);
    EXPECT_NEAR(2 * 9 * 4 * 3 * 25, net_part_multiply_adds(net, &parts[1], 5, 5), 0);
    for (int i = 0; i < count; i++) {
        numbers += parts[i].parameters;
        costs += net_part_multiply_adds(net, &parts[i], 5, 7);
    }
    EXPECT_INT(net_parameter_total(net), numbers);
    EXPECT_NEAR(program_multiply_adds(net_program(net), 5, 7), costs, 1e-3);
    free(parts);
    net_free(net);
}

/* Shared weights count once, but each convolution that uses them has its multiply-adds. The
 * attention has no parameters. On 25 points, each of its two heads takes twice 25^2 products of
 * vectors with 4 channels. */
TEST(layers_are_counted_by_hand) {
    static const struct {
        const char *name, *kind;
        int in_channels, channels, parameters;
        double costs;
    } WANTED[] = {{"block0.down1", "conv 9x1", 8, 4, 9 * 8 * 4, 9 * 8 * 4 * 25},
                  {"block0.across1", "conv 1x9", 8, 4, 0, 9 * 8 * 4 * 25},
                  {"block0.norm2.shift", "bias", 4, 4, 4, 0},
                  {"block1.qkv", "dense", 8, 24, 8 * 24, 8 * 24 * 25},
                  {"block1.attention", "attention", 24, 8, 0, 2 * 2 * 25 * 25 * 4}};
    Net *net = net_of_words("c8,trunk=lines(inner=4)+attention(heads=2,rotary=none)", 1);
    const Program *program = net_program(net);
    NetLayer *layers;
    int count;
    int64_t numbers = 0;
    double costs = 0;
    EXPECT_OK(net_layers(net, &layers, &count, err));
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        int k = 0;
        while (k < count && strcmp(layers[k].name, WANTED[i].name) != 0)
            k++;
        if (k == count) fail_msg("there is no layer %s", WANTED[i].name);
        EXPECT_TEXT(WANTED[i].kind, layers[k].kind);
        EXPECT_INT(WANTED[i].in_channels, layers[k].in_channels);
        EXPECT_INT(WANTED[i].channels, layers[k].channels);
        EXPECT_INT(WANTED[i].parameters, layers[k].parameters);
        EXPECT_NEAR(WANTED[i].costs, program_op_multiply_adds(program, layers[k].value, 5, 5), 0);
    }
    for (int k = 0; k < count; k++) {
        numbers += layers[k].parameters;
        costs += program_op_multiply_adds(program, layers[k].value, 5, 7);
        EXPECT_TRUE(k == 0 || layers[k].value > layers[k - 1].value);
    }
    EXPECT_INT(net_parameter_total(net), numbers);
    EXPECT_NEAR(program_multiply_adds(program, 5, 7), costs, 1e-3);
    free(layers);
    net_free(net);
}

TEST(attention_and_feed_forward_are_blocks_of_their_own) {
    Net *net = made("af");
    NetPart *parts;
    int count;
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_TEXT("attention", parts[1].kind);
    EXPECT_TEXT("feed-forward", parts[2].kind);
    free(parts);
    net_free(net);
}

TEST(layers_are_found_by_name_part_output_and_number) {
    Net *net = made("oo");
    const Program *program = net_program(net);
    Value value;
    Error error = {0};
    EXPECT_OK(net_find_layer(net, "block1.conv2", &value, err));
    EXPECT_TEXT("block1.conv2", program_op(program, value)->name);
    EXPECT_OK(net_find_layer(net, "block1", &value, err));
    EXPECT_INT(OP_ADD, program_op(program, value)->kind);
    EXPECT_TEXT("block1", net_part_of(program, value).text);
    EXPECT_OK(net_find_layer(net, "planes", &value, err));
    EXPECT_INT(OP_INPUT, program_op(program, value)->kind);
    EXPECT_OK(net_find_layer(net, "ownership", &value, err));
    EXPECT_INT(program_output_value(program, program_find_output(program, "ownership")), value);
    EXPECT_OK(net_find_layer(net, "3", &value, err));
    EXPECT_INT(3, value);
    EXPECT_STATUS(ERR_ARGUMENT, net_find_layer(net, "block1.conv3", &value, &error));
    EXPECT_CONTAINS(error.message, "did you mean block1.conv");
    EXPECT_STATUS(ERR_ARGUMENT, net_find_layer(net, "4000", &value, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, net_find_layer(net, "-1", &value, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, net_find_layer(net, "", &value, NULL));
    net_free(net);
}

/* The parts of our own nets, whose ops have the same names, are found in the same way. */
TEST(our_own_nets_have_parts_too) {
    Net *net = net_of_words("b2c16-batch", 1);
    NetPart *parts;
    int count;
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_TEXT("start", parts[0].name);
    EXPECT_TEXT("residual", parts[1].kind);
    EXPECT_TEXT("global pooling", parts[2].kind);
    free(parts);
    net_free(net);
    net = net_of_words("c16,trunk=residual(dilation=2)", 1);
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_TEXT("residual", parts[1].kind);
    EXPECT_TEXT("2 conv 3x3, conv 3x3 dilated by 2", parts[1].layers);
    free(parts);
    net_free(net);
    net = net_of_words("c16-batch,trunk=lines(inner=4)", 1);
    EXPECT_OK(net_parts(net, &parts, &count, err));
    EXPECT_TEXT("2 conv 9x1, 2 conv 1x9", parts[1].layers);
    EXPECT_INT(2 * 9 * 16 * 4 + 2 * (16 + 4 + 4), parts[1].parameters);
    EXPECT_NEAR(4 * 9 * 16 * 4 * 25, net_part_multiply_adds(net, &parts[1], 5, 5), 0);
    free(parts);
    net_free(net);
}

/* Numbers of parameters of a net's start and of its heads. The terms of the sums are in the order
 * of the layers. */
enum {
    TRUNK = 8,  /* channels */
    HEAD = 16,  /* channels of the policy, and of the value */
    UNITS = 32, /* hidden units of the value */
    PLANES = 22,
    GLOBALS = 19,
    START = 9 * PLANES * TRUNK + GLOBALS * TRUNK,
    /* two convolutions to the head, a bias, a matrix behind the pooling, a bias, two policies */
    POLICY = 2 * HEAD * TRUNK + HEAD + 3 * HEAD * HEAD + HEAD + 2 * HEAD,
    /* a convolution, a bias, the hidden layer, three outcomes, six numbers of the score, the
     * ownership */
    VALUE =
        HEAD * TRUNK + HEAD + 3 * HEAD * UNITS + UNITS + 3 * (UNITS + 1) + 6 * (UNITS + 1) + HEAD
};

/* The trunk is one residual block with Fixup (a bias, a convolution, a gain, a bias and a
 * convolution) and a bias behind it. The logits of the pass are a matrix times the pooled
 * values. */
TEST(parameters_of_a_residual_net_are_counted_by_hand) {
    Net *net = net_of_words("b1c8-nodist,pool_every=0", 1);
    EXPECT_INT(START + (TRUNK + 9 * TRUNK * TRUNK + 2 * TRUNK + 9 * TRUNK * TRUNK) + TRUNK +
                   POLICY + 2 * 3 * HEAD + VALUE,
               net_parameter_total(net));
    EXPECT_INT(6129, net_parameter_total(net));
    net_free(net);
}

/* The attention block has gains, a matrix to queries, keys and values, and a matrix back to the
 * trunk. It also has two frequencies for each of two pairs of two heads. The feed-forward block
 * (`plain`) has gains and two matrices with biases. Then follows an RMS norm with a bias. In nets
 * that end with an RMS norm, the pass has a hidden layer. */
TEST(parameters_of_a_transformer_are_counted_by_hand) {
    Net *net = net_of_words("c8-nodist,trunk=attention(heads=2)+ffn", 1);
    int attention = TRUNK + 3 * TRUNK * TRUNK + 2 * 2 * 2 + TRUNK * TRUNK,
        plain = TRUNK + (TRUNK + 1) * 2 * TRUNK + (2 * TRUNK + 1) * TRUNK,
        pass = 3 * HEAD * HEAD + HEAD + 2 * HEAD;
    EXPECT_INT(START + attention + plain + 2 * TRUNK + POLICY + pass + VALUE,
               net_parameter_total(net));
    EXPECT_INT(6241, net_parameter_total(net));
    net_free(net);
}

TEST_MAIN(RUN(layers_are_counted_by_hand), RUN(parameters_of_a_residual_net_are_counted_by_hand),
          RUN(parameters_of_a_transformer_are_counted_by_hand),
          RUN(the_kind_of_a_block_follows_from_its_ops), RUN(numbers_and_costs_are_counted_by_hand),
          RUN(attention_and_feed_forward_are_blocks_of_their_own),
          RUN(layers_are_found_by_name_part_output_and_number), RUN(our_own_nets_have_parts_too))

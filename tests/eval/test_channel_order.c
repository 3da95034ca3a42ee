/* The order of channels in pictures of weights. */
#include "eval/view/channel_order.h"

#include <math.h>

#include "eval/view/net_parts.h"
#include "net_of_words.h"
#include "test.h"

static int parameter_named(const Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++)
        if (strcmp(program_parameter(program, i)->name, name) == 0) return i;
    fail_msg("no parameter %s", name);
    return -1;
}

/* A net with two inputs, two outputs, and two dense layers with 12 channels between them. The even
 * channels read only the first input and write only the first output. The odd channels read only
 * the second input and write only the second output. In the order of the net, all 11 pairs of
 * neighbouring channels have the distance sqrt(2) in both layers. In a good order only one pair has
 * this distance, and all others have the distance 0. */
enum { HIDDEN = 12 };
static Net *striped_net(void) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "in", KIND_VECTOR, 2);
    Value y = program_dense(program, "a.first", x, HIDDEN, 1);
    y = program_activation(program, program_bias(program, "a.bias", y), ACTIVATION_RELU);
    program_output(program, "out", program_dense(program, "a.second", y, 2, 1));
    EXPECT_OK(net_new(program, NULL, &net, err));
    float *first = net_values(net, parameter_named(net, "a.first.weight")),
          *second = net_values(net, parameter_named(net, "a.second.weight"));
    for (int i = 0; i < HIDDEN; i++) {
        first[2 * i + i % 2] = (float)(1 + i);
        second[i % 2 * HIDDEN + i] = (float)(-1 - i);
    }
    return net;
}

TEST(similar_channels_lie_side_by_side) {
    Net *net = striped_net();
    ChannelOrder *order;
    EXPECT_OK(channel_order_new(net, 1, &order, err));
    EXPECT_INT(1, channel_order_groups(order));
    EXPECT_NEAR(2 * 11 * sqrt(2), channel_order_before(order), 1e-6);
    EXPECT_NEAR(2 * sqrt(2), channel_order_after(order), 1e-6);
    WeightOrder first = channel_order_of(order, parameter_named(net, "a.first.weight")),
                bias = channel_order_of(order, parameter_named(net, "a.bias.bias")),
                second = channel_order_of(order, parameter_named(net, "a.second.weight"));
    EXPECT_TRUE(!first.columns && !second.rows); /* input and output of the net */
    int changes = 0;
    for (int i = 0; i < HIDDEN; i++) {
        EXPECT_INT(first.rows[i], second.columns[i]);
        EXPECT_INT(first.rows[i], bias.columns[i]);
        changes += i > 0 && first.rows[i] % 2 != first.rows[i - 1] % 2;
    }
    EXPECT_INT(1, changes);
    channel_order_free(order);
    net_free(net);
}

static void expect_permutation(const int *order, int count) {
    bool seen[512] = {false};
    for (int i = 0; i < count; i++) {
        EXPECT_TRUE(order[i] >= 0 && order[i] < count && !seen[order[i]]);
        seen[order[i]] = true;
    }
}

/* All layers that read or write the trunk have the same order. The inputs of the layer after the
 * pooling are three parts, one for each kind of pooling. The channels of each part have the order
 * of the channels that are pooled. */
TEST(layers_of_a_trunk_share_their_order) {
    Net *net = net_of_words("b3c8", 1);
    const Program *program = net_program(net);
    ChannelOrder *order, *again, *other;
    EXPECT_OK(channel_order_new(net, 7, &order, err));
    EXPECT_OK(channel_order_new(net, 7, &again, err));
    EXPECT_OK(channel_order_new(net, 8, &other, err));
    EXPECT_TRUE(channel_order_after(order) < channel_order_before(order));
    bool differs = false;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        WeightOrder a = channel_order_of(order, i), b = channel_order_of(again, i),
                    c = channel_order_of(other, i);
        if (a.rows) expect_permutation(a.rows, spec->dims[0]);
        if (a.columns) expect_permutation(a.columns, spec->dims[spec->rank - 1]);
        for (int k = 0; a.rows && k < spec->dims[0]; k++) {
            EXPECT_INT(a.rows[k], b.rows[k]);
            differs = differs || a.rows[k] != c.rows[k];
        }
    }
    EXPECT_TRUE(differs);
    const int *trunk = channel_order_of(order, parameter_named(net, "start.conv.weight")).rows;
    const char *const WRITERS[] = {"block0.conv2.weight", "block2.conv2.weight"},
                      *const READERS[] = {"block0.conv1.weight", "policy.p1.weight"};
    for (int i = 0; i < 2; i++) {
        WeightOrder writer = channel_order_of(order, parameter_named(net, WRITERS[i])),
                    reader = channel_order_of(order, parameter_named(net, READERS[i]));
        for (int k = 0; k < 8; k++) {
            EXPECT_INT(trunk[k], writer.rows[k]);
            EXPECT_INT(trunk[k], reader.columns[k]);
        }
    }
    int pooled = parameter_named(net, "policy.gmap.weight");
    const int *outputs = channel_order_of(order, parameter_named(net, "policy.g1.weight")).rows,
              *inputs = channel_order_of(order, pooled).columns;
    int g = program_parameter(program, parameter_named(net, "policy.g1.weight"))->dims[0];
    for (int k = 0; k < 3 * g; k++)
        EXPECT_INT(k / g * g + outputs[k % g], inputs[k]);
    channel_order_free(order);
    channel_order_free(again);
    channel_order_free(other);
    net_free(net);
}

/* Nets of all kinds have an order; heads of attention stay where they are. */
TEST(attention_keeps_its_heads) {
    Net *net = net_of_words("c32,trunk=attention(heads=2)*2", 1);
    ChannelOrder *order;
    EXPECT_OK(channel_order_new(net, 1, &order, err));
    EXPECT_TRUE(channel_order_groups(order) > 0);
    const Program *program = net_program(net);
    int seen = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind != OP_ATTENTION && op->kind != OP_ROTARY) continue;
        const Op *source = program_op(program, op->inputs[0]);
        if (source->kind != OP_DENSE) continue;
        seen++;
        EXPECT_TRUE(!channel_order_of(order, source->parameters[0]).rows);
    }
    EXPECT_TRUE(seen > 0);
    channel_order_free(order);
    net_free(net);
}

TEST_MAIN(RUN(similar_channels_lie_side_by_side), RUN(layers_of_a_trunk_share_their_order),
          RUN(attention_keeps_its_heads))

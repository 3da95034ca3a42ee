/* The blocks and options of lczero-training's transformers: what they compute, worked out by hand;
 * the values with which they start; and, for many variants, gradients, board sizes and files. */
#include "eval/block_alone.h"
#include "eval/formats/net_file.h"
#include "eval/net_gradients.h"
#include "eval/net_of_words.h"
#include "eval/net_sizes.h"
#include "eval/view/net_parts.h"
#include "test_path.h"

static const float NUMBERS[] = {-1, 2, 3, -4};

/* The channels of a point are 1, v, 1 and five zeros. Returns what a norm with gain 1 and bias 0
 * makes of the value `of`: a layer norm if `layer` is set, and otherwise an RMS norm. */
static double normed(double v, double of, bool layer) {
    double mean = layer ? (v + 2) / 8 : 0, squares = (v * v + 2) / 8 - mean * mean;
    return (of - mean) / sqrt(squares + (layer ? 1e-3 : 1e-6));
}

static double activated(const char *activation, double x) {
    double relu = x > 0 ? x : 0;
    if (strcmp(activation, "relu2") == 0) return relu * relu;
    if (strcmp(activation, "relu") == 0) return relu;
    if (strcmp(activation, "silu") == 0) return x / (1 + exp(-x));
    return x * tanh(log(1 + exp(x)));
}

/* Normalises eight channels by a layer norm without gain and bias. */
static void normalise(const double x[8], double y[8]) {
    double mean = 0, squares = 0;
    for (int c = 0; c < 8; c++)
        mean += x[c] / 8;
    for (int c = 0; c < 8; c++)
        squares += (x[c] - mean) * (x[c] - mean) / 8;
    for (int c = 0; c < 8; c++)
        y[c] = (x[c] - mean) / sqrt(squares + 1e-3);
}

/* v is channel 1 of a point, and n is the norm. The first of three inner channels is
 *     act(2 n(v) + 0.5)
 * The block adds three times that, plus 0.25, to channel 3. */
TEST(ffn_has_the_norm_and_the_activation_that_its_options_name) {
    static const char *const ACTIVATIONS[] = {"relu", "mish", "silu", "relu2"};
    for (int k = 0; k < 8; k++) {
        char words[64];
        Program *program;
        bool layer = k >= 4;
        snprintf(words, sizeof words, "ffn(inner=3,activation=%s,norm=%s)", ACTIVATIONS[k % 4],
                 layer ? "layer" : "rms");
        Net *net = block_alone(words, &program);
        for (int c = 0; c < 8; c++)
            values_named(net, "block0.norm.gain")[c] = 1;
        values_named(net, "block0.up.weight")[0 * 8 + 1] = 2;
        values_named(net, "block0.upbias.bias")[0] = 0.5f;
        values_named(net, "block0.down.weight")[3 * 3 + 0] = 3;
        values_named(net, "block0.downbias.bias")[3] = 0.25f;
        Infer *infer = run_block(net, 2, NUMBERS);
        for (int i = 0; i < 4; i++) {
            double v = (double)NUMBERS[i],
                   inner = activated(ACTIVATIONS[k % 4], 2 * normed(v, v, layer) + 0.5);
            EXPECT_NEAR(0.25 + 3 * inner, point_of(infer, 2, i)[3], 2e-5);
            EXPECT_NEAR(v, point_of(infer, 2, i)[1], 1e-6);
        }
        infer_free(infer);
        net_free(net);
    }
}

/* Queries and keys are 0, so the head gives the mean of its values over the board. The values are
 * the normalised channel 1, and m is their mean. The process layer is one more layer after the
 * heads (docs/methods/nets.md). It gives two numbers, relu(2 m)^2 and relu(-2 m)^2. The block adds
 * 3 times the first number to channel 3, and 5 times the second number to channel 4. */
TEST(results_of_heads_go_through_the_process_layer) {
    Program *program;
    Net *net = block_alone("attention(heads=1,query=2,value=2,process=true)", &program);
    double mean = 0;
    for (int c = 0; c < 8; c++)
        values_named(net, "block0.norm.gain")[c] = 1;
    values_named(net, "block0.qkv.weight")[4 * 8 + 1] = 1;
    values_named(net, "block0.process.weight")[0 * 2 + 0] = 2;
    values_named(net, "block0.process.weight")[1 * 2 + 0] = -2;
    values_named(net, "block0.out.weight")[3 * 2 + 0] = 3;
    values_named(net, "block0.out.weight")[4 * 2 + 1] = 5;
    for (int i = 0; i < 4; i++)
        mean += normed((double)NUMBERS[i], (double)NUMBERS[i], false) / 4;
    Infer *infer = run_block(net, 2, NUMBERS);
    double positive = mean > 0 ? 2 * mean : 0, negative = mean < 0 ? -2 * mean : 0;
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(3 * positive * positive, point_of(infer, 2, i)[3], 2e-5);
        EXPECT_NEAR(5 * negative * negative, point_of(infer, 2, i)[4], 2e-5);
    }
    EXPECT_TRUE(positive > 0.1 || negative > 0.1);
    infer_free(infer);
    net_free(net);
}

/* The same as the test swiglu_is_gated in test_blocks.c, but with a layer norm. */
TEST(other_blocks_of_transformers_have_layer_norms_too) {
    Program *program;
    Net *net = block_alone("swiglu(norm=layer)", &program);
    for (int c = 0; c < 8; c++)
        values_named(net, "block0.norm.gain")[c] = 1;
    values_named(net, "block0.norm.bias")[2] = 0.5f;
    values_named(net, "block0.up.weight")[0 * 8 + 1] = 1;
    values_named(net, "block0.gate.weight")[0 * 8 + 2] = 1;
    values_named(net, "block0.down.weight")[3 * 24 + 0] = 2;
    Infer *infer = run_block(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        double v = (double)NUMBERS[i], up = activated("silu", normed(v, v, true));
        EXPECT_NEAR(2 * up * (normed(v, 1, true) + 0.5), point_of(infer, 2, i)[3], 2e-5);
    }
    infer_free(infer);
    net_free(net);
    net = block_alone("attention(norm=layer)", &program);
    EXPECT_INT(8, program_parameter(program, 1)->count);
    EXPECT_TEXT("block0.norm.bias", program_parameter(program, 1)->name);
    net_free(net);
}

/* The queries of the one head are 0, so each point gets the mean of channel 1 plus the bias 0.5.
 * The mean is (-1 + 2 + 3 - 4) / 4 = 0. With alpha = 2^(-1/4), the attention adds 0.5 alpha to
 * channel 3. Then a norm gives z, the 8 normalised channels of the point. The feed-forward layer
 * adds
 *     3 alpha max(2 z[1] + 0.5, 0)^2
 * to channel 4, and a second norm follows. */
TEST(encoders_have_their_norms_behind_the_sums) {
    Program *program;
    Net *net = block_alone("encoder(heads=1,rotary=none,inner=3,activation=relu2)", &program);
    const double ALPHA = pow(2, -0.25);
    static const char *const ALPHAS[] = {"block0.norm1alpha.gain", "block0.norm2alpha.gain"},
                             *const GAINS[] = {"block0.norm1.gain", "block0.norm2.gain"};
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 8; c++) {
            values_named(net, ALPHAS[k])[c] = (float)ALPHA;
            values_named(net, GAINS[k])[c] = 1;
        }
    }
    values_named(net, "block0.v.weight")[0 * 8 + 1] = 1;
    values_named(net, "block0.vbias.bias")[0] = 0.5f;
    values_named(net, "block0.out.weight")[3 * 8 + 0] = 1;
    values_named(net, "block0.norm1.bias")[5] = 0.75f;
    values_named(net, "block0.up.weight")[0 * 8 + 1] = 2;
    values_named(net, "block0.upbias.bias")[0] = 0.5f;
    values_named(net, "block0.down.weight")[4 * 3 + 0] = 3;
    Infer *infer = run_block(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        double z[8] = {1, (double)NUMBERS[i], 1, ALPHA * 0.5}, y[8];
        normalise(z, z);
        z[5] += 0.75;
        memcpy(y, z, sizeof y);
        y[4] += ALPHA * 3 * activated("relu2", 2 * z[1] + 0.5);
        normalise(y, y);
        for (int c = 0; c < 8; c++)
            EXPECT_NEAR(y[c], point_of(infer, 2, i)[c], 2e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* The result is 3 relu(v + 0.5) - 2. The gates belong to the distances of a point from the edges.
 * All four points of a 2 x 2 board have the distances (0, 0), so they have the same gate. */
TEST(embeddings_have_the_activation_before_their_gates) {
    Program *program;
    Net *net = block_alone("embedding(activation=relu)", &program);
    values_named(net, "block0.bias.bias")[1] = 0.5f;
    values_named(net, "block0.gate.gain")[1] = 3;
    values_named(net, "block0.gate.shift")[1] = -2;
    values_named(net, "block0.gate.shift")[8 + 1] = 100; /* of a place that this board lacks */
    Infer *infer = run_alone(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(3 * fmax((double)NUMBERS[i] + 0.5, 0) - 2, point_of(infer, 2, i)[1], 1e-6);
    infer_free(infer);
    net_free(net);
}

enum { MAP_SIDE = 4, PAIR_POINTS = MAP_SIDE * MAP_SIDE, WIDE = 8 + PAIR_POINTS };

/* Returns whether two points are related: they are on one line or one diagonal, or a knight's move
 * apart. With `same`, each point is related only to itself. */
static float related(bool same, int a, int b) {
    int rows = abs(a / MAP_SIDE - b / MAP_SIDE), columns = abs(a % MAP_SIDE - b % MAP_SIDE);
    if (same) return a == b;
    return !rows || !columns || rows == columns || rows * columns == 2;
}

/* An embedding as in lczero-training. Its first layer has two inputs at each point. The first input
 * is the eight channels of the board, which the layer copies. The second input is the row of this
 * point in the map of related points, which the layer multiplies by `weights`. */
static Net *embedding_with_map(float weights[8][PAIR_POINTS]) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(1);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, WIDE);
    program_set_mask(program, x, 0);
    x = program_bias(program, "bias", program_dense(program, "first", x, 8, 0));
    const Op gate = {.kind = OP_PLACE_GATE,
                     .inputs = {program_activation(program, x, ACTIVATION_MISH)},
                     .side = MAP_SIDE};
    program_output(program, "out", program_add_op(program, "gate", gate));
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int c = 0; c < 8; c++) {
        values_named(net, "first.weight")[c * WIDE + c] = 1;
        memcpy(values_named(net, "first.weight") + c * WIDE + 8, weights[c],
               PAIR_POINTS * sizeof(float));
    }
    return net;
}

static Infer *run_with_map(const Net *net, bool same, const float *numbers) {
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = MAP_SIDE, .width = MAP_SIDE + 1};
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    float *x = infer_input(infer, 0);
    memset(x, 0, (size_t)(MAP_SIDE * (MAP_SIDE + 1)) * WIDE * sizeof *x);
    for (int i = 0; i < PAIR_POINTS; i++) {
        float *cell = x + (i / MAP_SIDE * (MAP_SIDE + 1) + i % MAP_SIDE) * WIDE;
        cell[0] = cell[2] = 1;
        cell[1] = numbers[i];
        for (int j = 0; j < PAIR_POINTS; j++)
            cell[8 + j] = related(same, i, j);
    }
    EXPECT_OK(infer_run(infer, 1, err));
    return infer;
}

/* In lczero-training, one input of the first layer tells it the place of a point. This input is the
 * row of the point in a fixed map of related points or, in other nets, a one-hot vector of the
 * point (`same`). A gate in front of an embedding, with shifts alone, computes the same. Its shift
 * at point i in channel c is the sum over j of weights[c][j] map[i][j]. */
TEST(maps_of_related_points_are_shifts_before_an_embedding) {
    for (int same = 0; same < 2; same++) {
        static float weights[8][PAIR_POINTS];
        float numbers[PAIR_POINTS];
        Rng rng = rng_seeded(9);
        Program *program;
        for (int i = 0; i < 8 * PAIR_POINTS; i++)
            weights[i / PAIR_POINTS][i % PAIR_POINTS] = (float)(0.3 * rng_normal(&rng));
        for (int i = 0; i < PAIR_POINTS; i++)
            numbers[i] = (float)rng_normal(&rng);
        Net *net = block_alone("gate(gate=add,places=points,side=4)+"
                               "embedding(activation=mish,places=points,side=4)",
                               &program),
            *other = embedding_with_map(weights);
        for (int c = 0; c < 8; c++)
            values_named(net, "block1.bias.bias")[c] = values_named(other, "bias.bias")[c] =
                (float)rng_normal(&rng);
        for (int k = 0; k < 8 * PAIR_POINTS; k++) {
            for (int j = 0; j < PAIR_POINTS; j++)
                values_named(net, "block0.gate.shift")[k] +=
                    weights[k % 8][j] * related(same, k / 8, j);
            values_named(net, "block1.gate.gain")[k] = values_named(other, "gate.gain")[k] =
                (float)rng_uniform(&rng);
            values_named(net, "block1.gate.shift")[k] = values_named(other, "gate.shift")[k] =
                (float)rng_normal(&rng);
        }
        Infer *got = run_block(net, MAP_SIDE, numbers), *want = run_with_map(other, same, numbers);
        for (int k = 0; k < 8 * MAP_SIDE * (MAP_SIDE + 1); k++)
            EXPECT_NEAR(infer_output(want, 0)[k], infer_output(got, 0)[k], 1e-5);
        infer_free(got);
        infer_free(want);
        net_free(net);
        net_free(other);
    }
}

/* The larger form has a norm before the gates and a norm behind the feed-forward layer. The
 * feed-forward layer is added with the factor alpha, which the test sets to 0.5. */
TEST(large_embeddings_have_norms_and_a_plain_layer) {
    Program *program;
    Net *net = block_alone("embedding(activation=relu,inner=3,gate=add,places=points)", &program);
    for (int c = 0; c < 8; c++) {
        values_named(net, "block0.norm1.gain")[c] = values_named(net, "block0.norm2.gain")[c] = 1;
        values_named(net, "block0.norm2alpha.gain")[c] = 0.5f;
    }
    for (int row = 0; row < 2; row++)
        values_named(net, "block0.gate.shift")[(19 * row + 1) * 8 + 4] = 2;
    values_named(net, "block0.up.weight")[0 * 8 + 2] = 1;
    values_named(net, "block0.down.weight")[5 * 3 + 0] = 4;
    Infer *infer = run_block(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        double e[8] = {1, fmax((double)NUMBERS[i], 0), 1}, y[8];
        normalise(e, e);
        e[4] += i % 2 ? 2 : 0; /* the right column */
        memcpy(y, e, sizeof y);
        y[5] += 0.5 * 4 * fmax(e[2], 0);
        normalise(y, y);
        for (int c = 0; c < 8; c++)
            EXPECT_NEAR(y[c], point_of(infer, 2, i)[c], 2e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Computes SiLU and a layer norm of two units, as in the hidden layers that generate maps. */
static void generate(const double z[2], double out[2]) {
    double a = activated("silu", z[0]), b = activated("silu", z[1]), mean = (a + b) / 2,
           r = 1 / sqrt((a - mean) * (a - mean) + 1e-3);
    out[0] = (a - mean) * r;
    out[1] = (b - mean) * r;
}

/* The attention map is generated from the mean and the maximum of the normed channel 1. Queries and
 * keys are 0, so the logits are just the map. The values are the normed channel 1, and the result
 * is added to channel 3. The map has a logit for each offset from one point to another: with a side
 * of 2, nine offsets of -1 to 1 in both directions. */
TEST(maps_are_generated_from_the_pooled_board) {
    static const char *const KINDS[] = {"fullgen", "smolgen"}, *const LAST[] = {
                                                                   "block0.maps.weight",
                                                                   "smolgen.offsets9x2.weight"};
    for (int kind = 0; kind < 2; kind++) {
        char words[160];
        Program *program;
        snprintf(words, sizeof words,
                 "attention(heads=1,rotary=none,side=2,maps=%s,map_channels=1,map_hidden=2,"
                 "map_gen=2)",
                 KINDS[kind]);
        Net *net = block_alone(words, &program);
        for (int c = 0; c < 8; c++)
            values_named(net, "block0.norm.gain")[c] = 1;
        for (int c = 0; c < 2; c++) {
            values_named(net, "block0.generate1norm.gain")[c] = 1;
            values_named(net, "block0.generate2norm.gain")[c] = 1;
        }
        values_named(net, "block0.compress.weight")[1] = 1;
        values_named(net, "block0.generate1.weight")[0] = 1;     /* the mean */
        values_named(net, "block0.generate1.weight")[3 + 2] = 1; /* the maximum */
        values_named(net, "block0.generate1bias.bias")[0] = 0.3f;
        values_named(net, "block0.generate2.weight")[0] = 2;
        values_named(net, "block0.generate2.weight")[3] = 1;
        values_named(net, "block0.generate2bias.bias")[1] = -0.4f;
        for (int o = 0; o < 9; o++) {
            values_named(net, LAST[kind])[2 * o] = 0.1f * (float)o;
            values_named(net, LAST[kind])[2 * o + 1] = o % 3 ? 0.5f : 0;
        }
        values_named(net, "block0.qkv.weight")[16 * 8 + 1] = 1;
        values_named(net, "block0.out.weight")[3 * 8 + 0] = 1;
        double v[4], mean = 0, max = -1e9, z[2], g[2];
        for (int i = 0; i < 4; i++) {
            v[i] = normed((double)NUMBERS[i], (double)NUMBERS[i], false);
            mean += v[i] / 4;
            max = fmax(max, v[i]);
        }
        generate((const double[2]){mean + 0.3, max}, z);
        generate((const double[2]){2 * z[0], z[1] - 0.4}, g);
        Infer *infer = run_block(net, 2, NUMBERS);
        for (int i = 0; i < 4; i++) {
            double sum = 0, total = 0;
            for (int j = 0; j < 4; j++) {
                int o = (i / 2 - j / 2 + 1) * 3 + i % 2 - j % 2 + 1;
                double w = exp(0.1 * o * g[0] + (o % 3 ? 0.5 : 0) * g[1]);
                sum += w;
                total += w * v[j];
            }
            EXPECT_NEAR(total / sum, point_of(infer, 2, i)[3], 1e-5);
        }
        infer_free(infer);
        net_free(net);
    }
}

/* With smolgen, encoders share the last matrix of the layers that generate maps. Encoders that need
 * matrices of different shapes do not share them. With fullgen, each encoder has its own matrix. */
TEST(smolgen_shares_its_last_matrix) {
    const int ROW = 37 * 37, GEN = 256;
    Net *one = net_of_words("c16,trunk=encoder(heads=2,maps=smolgen)", 1),
        *two = net_of_words("c16,trunk=encoder(heads=2,maps=smolgen)*2", 1),
        *own = net_of_words("c16,trunk=encoder(heads=2,maps=fullgen)*2", 1),
        *other = net_of_words(
            "c16,trunk=encoder(heads=2,maps=smolgen)+encoder(heads=2,maps=smolgen,side=9)", 1);
    EXPECT_INT(ROW * GEN, net_parameter_total(own) - net_parameter_total(two));
    EXPECT_INT(17 * 17 * GEN, net_parameter_total(other) - net_parameter_total(two));
    double deviation = 0;
    const float *w = values_named(two, "smolgen.offsets1369x256.weight");
    for (int i = 0; i < ROW * GEN; i++)
        deviation += pow((double)w[i], 2) / (ROW * GEN);
    EXPECT_NEAR(sqrt(2.0 / (ROW + GEN)), sqrt(deviation), 1e-3);
    NetPart *parts[2];
    int counts[2];
    int64_t found[2] = {0, 0};
    EXPECT_OK(net_parts(one, &parts[0], &counts[0], err));
    EXPECT_OK(net_parts(two, &parts[1], &counts[1], err));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < counts[k]; i++) {
            if (strcmp(parts[k][i].name, "smolgen") == 0) found[k] = parts[k][i].parameters;
        }
        EXPECT_INT(ROW * GEN, found[k]);
        free(parts[k]);
    }
    net_free(one);
    net_free(two);
    net_free(own);
    net_free(other);
}

/* Returns the standard deviation with which the parameter `layer` should start. Checks that its
 * numbers have this standard deviation. */
static double begins(Net *net, const char *layer) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        double squares = 0;
        if (strcmp(spec->name, layer) != 0) continue;
        for (size_t k = 0; k < spec->count; k++)
            squares += pow((double)net_values(net, i)[k], 2);
        EXPECT_NEAR(spec->deviation, sqrt(squares / (double)spec->count), 0.1 * spec->deviation);
        return spec->deviation;
    }
    fail_msg("the net has no %s", layer);
    return 0;
}

/* Channels 1 and 2 are the stones: channel 2 is 1 at all points, and channel 1 is NUMBERS. The
 * matrix for 3 x 3 points gives point 3 (the left one of the second row) 10 times the stone of
 * channel 1 at point 1 and 100 times that of channel 2 at point 4, and its bias is 5:
 *     10 * 2 + 100 * 1 + 5 = 125
 * The second matrix adds half of it to channel 4. The gates begin without an effect. */
TEST(embeddings_may_have_a_matrix_over_all_points) {
    Program *program;
    Net *net = block_alone("embedding(dense=2,side=3,activation=identity,gate=add)", &program);
    float *matrix = values_named(net, "block0.dense.weight"); /* (18, 18), by point and channel */
    matrix[(3 * 2 + 1) * 18 + 1 * 2 + 0] = 10;
    matrix[(3 * 2 + 1) * 18 + 4 * 2 + 1] = 100;
    matrix[(3 * 2 + 1) * 18 + 8 * 2 + 1] = 1000; /* point 8 is not on the board */
    matrix[(8 * 2 + 1) * 18 + 1 * 2 + 0] = 1000;
    values_named(net, "block0.densebias.bias")[3 * 2 + 1] = 5;
    values_named(net, "block0.densemap.weight")[4 * 2 + 1] = 0.5f;
    Infer *infer = run_block(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(NUMBERS[i], point_of(infer, 2, i)[1], 1e-6);
        EXPECT_NEAR(i == 2 ? 62.5 : 0, point_of(infer, 2, i)[4], 1e-5);
    }
    infer_free(infer);
    net_free(net);
}

/* Returns the outputs (4, 8) of an attention block on 2 x 2 points, whose matrices are given. */
static void attend(const char *block, float *out) {
    Program *program;
    Net *net = block_alone(block, &program), *fresh;
    char words[100];
    snprintf(words, sizeof words, "c8,trunk=%s", block);
    fresh = net_of_words(words, 4);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        float *values = net_values(net, i);
        bool maps = strncmp(spec->name, "block0.maps", 11) == 0;
        if (maps) memcpy(values, values_named(fresh, spec->name), spec->count * sizeof *values);
        for (size_t k = 0; k < spec->count && !maps; k++)
            values[k] = sinf((float)(k + 3 * strlen(spec->name)));
    }
    Infer *infer = run_block(net, 2, NUMBERS);
    for (int i = 0; i < 4; i++)
        memcpy(out + 8 * (size_t)i, point_of(infer, 2, i), 8 * sizeof *out);
    infer_free(infer);
    net_free(net);
    net_free(fresh);
}

/* Maps that begin at 0, and factors that begin at 1 + 0, change nothing at first. With ranks, the
 * first vectors begin with the standard deviation 1 / sqrt(map_rank), so that the second ones have
 * a gradient. */
TEST(learned_maps_begin_at_0) {
    static const char *const FORMS[] = {"offsets", "points,side=2", "ranks"};
    float plain[32], mapped[32];
    attend("attention(heads=2,rotary=none)", plain);
    for (int i = 0; i < 3; i++) {
        char words[100];
        snprintf(words, sizeof words,
                 "attention(heads=2,rotary=none,maps=learned,map_factors=true,map_form=%s)",
                 FORMS[i]);
        attend(words, mapped);
        for (int k = 0; k < 32; k++)
            EXPECT_NEAR(plain[k], mapped[k], 1e-5);
    }
    Net *net =
        net_of_words("c8,trunk=attention(heads=2,maps=learned,map_form=ranks,map_rank=16)", 1);
    EXPECT_NEAR(0.25, begins(net, "block0.mapsfrom.values"), 1e-6);
    EXPECT_NEAR(0, begins(net, "block0.mapsto.values"), 0);
    net_free(net);
}

/* Initial values of encoders depend on the number L of encoders in the trunk:
 *     alpha = (2 L)^(-1/4),   beta = (8 L)^(-1/4)
 * Here L is 3, because other blocks do not count. */
TEST(encoders_begin_by_their_number) {
    Net *net = net_of_words("c32,trunk=encoder(heads=2,inner=48)*2+ffn+encoder", 1);
    const double ALPHA = pow(6, -0.25), BETA = pow(24, -0.25);
    EXPECT_NEAR(ALPHA, values_named(net, "block1.norm1alpha.gain")[31], 1e-6);
    EXPECT_NEAR(ALPHA, values_named(net, "block3.norm2alpha.gain")[0], 1e-6);
    EXPECT_NEAR(sqrt(2.0 / 64), begins(net, "block1.q.weight"), 1e-6);
    EXPECT_NEAR(sqrt(2.0 / 64), begins(net, "block1.k.weight"), 1e-6);
    EXPECT_NEAR(sqrt(2 * BETA / 64), begins(net, "block1.v.weight"), 1e-6);
    EXPECT_NEAR(sqrt(2 * BETA / 64), begins(net, "block1.out.weight"), 1e-6);
    EXPECT_NEAR(sqrt(2 * BETA / 80), begins(net, "block1.up.weight"), 1e-6);
    EXPECT_NEAR(sqrt(2 * BETA / 96), begins(net, "block3.down.weight"), 1e-6);
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (strstr(spec->name, "alpha")) EXPECT_FALSE(spec->trained);
    }
    net_free(net);
}

/* Trunks with options that test_blocks.c does not cover, and the part of the message with which
 * KataGo's format refuses each. */
static const struct {
    const char *trunk, *refusal;
} VARIANTS[] = {
    {"ffn(activation=relu2)*2", "block0.downbias: a bias, where KataGo wants a convolution"},
    {"ffn(activation=silu,norm=layer)*2", "block0.downbias: a bias"},
    {"(attention(heads=2,norm=layer)+swiglu)*2",
     "block0.norm: a layer norm, where KataGo wants an RMS norm"},
    {"(attention(heads=2)+swiglu(norm=layer))*2", "block1.norm: a layer norm"},
    {"gate+ffn", "block0.gate: gates by place, where KataGo wants a sum with a vector"},
    {"embedding(gate=multiply)+ffn+gate(gate=add,places=points,side=9)", "block2.gate"},
    {"embedding(inner=24,activation=relu2)+encoder(heads=2)", "block1.norm2"},
    {"embedding(inner=24,dense=3,side=4)+ffn", "block0.norm2: a norm behind the sum of a block"},
    {"attention(heads=2,maps=learned,map_factors=true,side=4)*2",
     "behind block0.rotary: attention with maps, where KataGo wants attention"},
    {"attention(heads=2,maps=learned,map_form=ranks,map_rank=2,map_factors=true,side=5)*2",
     "behind block0.rotary: attention with maps"},
    {"attention(heads=2,maps=fullgen,map_hidden=8,map_gen=4,map_input=points,map_activation=mish,"
     "side=9)",
     "behind block0.rotary: attention with maps"},
    {"attention(heads=2,rotary=none,tables=qkv,side=5)*2",
     "block0.attention: attention with tables of offsets"},
    {"encoder(heads=2,maps=smolgen,map_channels=3,map_hidden=8,map_gen=4,map_factors=true)*2",
     "block1.norm2"},
    {"encoder(heads=2,maps=smolgen,map_form=ranks,map_rank=2,map_hidden=8,map_gen=4,side=7,"
     "rotary=none,tables=qk)*2",
     "block1.norm2"},
    {"embedding+encoder(heads=2,dropout=25)*2", "block2.norm2"},
    {"(attention(heads=2,process=true)+swiglu)*2",
     "behind block0.process: an activation, where KataGo wants a matrix"},
    {"encoder(heads=2,kv_heads=1,process=true)*2", "block1.norm2"},
    {"encoder(heads=2)*2", "block1.norm2: a norm behind the sum of a block"},
    {"encoder(heads=4,kv_heads=2,query=2,value=3,rotary=none,norm=rms)*2",
     "block1.norm2: a norm behind the sum of a block"},
};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static Net *net_of_variant(int index) {
    char words[200];
    snprintf(words, sizeof words, "c16-silu,trunk=%s", VARIANTS[index].trunk);
    Net *net = net_of_words(words, 3);
    move_all(net);
    return net;
}

/* With the same weights, a net with dropout has the same outputs as one without. Only encoders may
 * have dropout. */
TEST(dropout_does_nothing_at_inference) {
    static const char *const TRUNKS[] = {"c16-silu,trunk=encoder(heads=2)*2",
                                         "c16-silu,trunk=encoder(heads=2,dropout=50)*2"};
    Infer *infer[2];
    Net *nets[2];
    for (int i = 0; i < 2; i++) {
        const InferSetup setup = {.batch = 1, .height = 5, .width = 5};
        nets[i] = net_of_words(TRUNKS[i], 3);
        move_all(nets[i]);
        EXPECT_OK(infer_new(nets[i], &setup, &infer[i], err));
        float *planes = infer_input(infer[i], program_find_input(net_program(nets[i]), "planes"));
        for (int k = 0; k < 25 * 22; k++)
            planes[k] = k % 22 == 0 || k % 7 == 3;
        EXPECT_OK(infer_run(infer[i], 1, err));
    }
    int policy = program_find_output(net_program(nets[0]), "policy");
    const float *plain = infer_output(infer[0], policy), *dropped = infer_output(infer[1], policy);
    double size = 0;
    for (int k = 0; k < 25 * 2; k++) {
        EXPECT_NEAR(plain[k], dropped[k], 0);
        size += fabs((double)plain[k]);
    }
    EXPECT_TRUE(size > 0.1);
    for (int i = 0; i < 2; i++) {
        infer_free(infer[i]);
        net_free(nets[i]);
    }
    Net *net;
    Rng rng = rng_seeded(1);
    EXPECT_STATUS(ERR_ARGUMENT, arch_build_text("c16,trunk=ffn(dropout=50)", &rng, &net, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  arch_build_text("c16,trunk=encoder(dropout=100)", &rng, &net, NULL));
}

TEST(gradients_of_every_variant_are_those_of_its_outputs) {
    for (int i = 0; i < VARIANT_COUNT; i++) {
        Net *net = net_of_variant(i);
        expect_gradients(net, VARIANTS[i].trunk, 0.01);
        net_free(net);
    }
}

TEST(nets_of_every_variant_do_not_depend_on_the_buffer) {
    for (int i = 0; i < VARIANT_COUNT; i++) {
        Net *net = net_of_variant(i);
        expect_sizes_alike(net);
        net_free(net);
    }
}

TEST(nets_of_every_variant_are_read_back_with_their_description) {
    for (int i = 0; i < VARIANT_COUNT; i++) {
        Net *net = net_of_variant(i), *again;
        TestPath path = test_path("variant.aji");
        ArchSettings settings;
        EXPECT_OK(net_save(net, path.text, err));
        EXPECT_OK(net_load(path.text, &again, err));
        EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
        EXPECT_OK(arch_of_net(again, &settings, err));
        EXPECT_TEXT(VARIANTS[i].trunk, settings.trunk);
        remove(path.text);
        net_free(net);
        net_free(again);
    }
}

/* Nets whose attention maps have a logit for each pair of points. They are for boards of one size,
 * but the buffer may be larger. */
static const char *const ONE_SIZE[] = {
    "c16-silu,trunk=attention(heads=2,maps=learned,map_form=points,map_factors=true,side=5)*2",
    "c16-silu,trunk=encoder(heads=2,maps=smolgen,map_form=points,map_channels=4,map_hidden=8,"
    "map_gen=4,side=5)*2",
};

TEST(maps_of_points_have_the_gradients_of_their_outputs) {
    for (int i = 0; i < 2; i++) {
        Net *net = net_of_words(ONE_SIZE[i], 3);
        move_all(net);
        expect_gradients(net, ONE_SIZE[i], 0.01);
        net_free(net);
    }
}

static Status evaluate_in(const Net *net, int buffer, int size, Evaluation *out, Error *fault) {
    Evaluator *evaluator;
    const NetEvaluatorSetup setup = {.batch = 1,
                                     .buffer_width = buffer,
                                     .buffer_height = buffer,
                                     .ownership = true,
                                     .features = FEATURE_OPTIONS_DEFAULT};
    Position position = random_position(size, size, 3);
    const EvaluationRequest request = {.position = &position};
    EXPECT_OK(evaluator_net_new(net, &setup, &evaluator, err));
    Status status = evaluator_evaluate(evaluator, &request, 1, out, fault);
    evaluator_free(evaluator);
    position_clear(&position);
    return status;
}

TEST(maps_of_points_refuse_other_boards) {
    for (int i = 0; i < 2; i++) {
        Net *net = net_of_words(ONE_SIZE[i], 3);
        Evaluation own, padded;
        Error fault = {0};
        move_all(net);
        EXPECT_INT(5, program_only_side(net_program(net)));
        EXPECT_STATUS(OK, evaluate_in(net, 5, 5, &own, &fault));
        EXPECT_STATUS(OK, evaluate_in(net, 9, 5, &padded, &fault));
        expect_same(&own, &padded, 25);
        EXPECT_STATUS(ERR_UNSUPPORTED, evaluate_in(net, 9, 9, &padded, &fault));
        EXPECT_CONTAINS(fault.message, "only for boards of 5x5, not for one of 9x9");
        EXPECT_STATUS(ERR_UNSUPPORTED, evaluate_in(net, 9, 4, &padded, &fault));
        Learn *learn;
        const LearnSetup setup = {.batch = BATCH, .height = 4, .width = 6};
        EXPECT_OK(learn_new(net, &setup, &learn, err));
        for (int k = 0; k < BATCH * 24; k++)
            learn_input(learn, 0)[k * FEATURE_PLANES] = 1;
        EXPECT_STATUS(ERR_UNSUPPORTED, learn_forward(learn, 1, true, &fault));
        EXPECT_CONTAINS(fault.message, "not for one of 6x4");
        learn_free(learn);
        net_free(net);
    }
}

TEST(options_that_exclude_each_other_are_named) {
    ArchSettings settings;
    Error fault = {0};
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("c16,trunk=ffn+attention(maps=learned,map_form=points)",
                                           &settings, &fault));
    EXPECT_CONTAINS(fault.message,
                    "trunk, character 5: map_form=points is for boards up to 16x16; side is 19");
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("c16,trunk=attention(tables=qv)", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "need rotary=none");
    EXPECT_STATUS(OK, arch_parse("c16,trunk=attention(tables=v)", &settings, &fault));
    Rng rng = rng_seeded(1);
    Net *net;
    EXPECT_STATUS(ERR_ARGUMENT,
                  arch_build_text("c16,trunk=attention(maps=learned,map_form=points,side=9)+"
                                  "attention(maps=learned,map_form=points,side=7)",
                                  &rng, &net, &fault));
    EXPECT_CONTAINS(fault.message, "boards of different sizes");
    EXPECT_STATUS(ERR_ARGUMENT,
                  arch_build_text("c16,trunk=embedding(dense=512)", &rng, &net, &fault));
    EXPECT_CONTAINS(fault.message, "block0.dense");
}

TEST(katago_s_format_names_what_it_lacks) {
    for (int i = 0; i < VARIANT_COUNT; i++) {
        Net *net = net_of_variant(i);
        TestPath path = test_path("variant.bin.gz");
        Error fault = {0};
        EXPECT_STATUS(ERR_UNSUPPORTED, net_file_save(net, path.text, &fault));
        EXPECT_CONTAINS(fault.message, VARIANTS[i].refusal);
        net_free(net);
    }
}

TEST_MAIN(RUN(dropout_does_nothing_at_inference),
          RUN(results_of_heads_go_through_the_process_layer),
          RUN(ffn_has_the_norm_and_the_activation_that_its_options_name),
          RUN(other_blocks_of_transformers_have_layer_norms_too),
          RUN(encoders_have_their_norms_behind_the_sums), RUN(encoders_begin_by_their_number),
          RUN(embeddings_have_the_activation_before_their_gates),
          RUN(maps_of_related_points_are_shifts_before_an_embedding),
          RUN(large_embeddings_have_norms_and_a_plain_layer),
          RUN(maps_are_generated_from_the_pooled_board), RUN(learned_maps_begin_at_0),
          RUN(embeddings_may_have_a_matrix_over_all_points), RUN(smolgen_shares_its_last_matrix),
          RUN(maps_of_points_have_the_gradients_of_their_outputs),
          RUN(maps_of_points_refuse_other_boards), RUN(options_that_exclude_each_other_are_named),
          RUN(gradients_of_every_variant_are_those_of_its_outputs),
          RUN(nets_of_every_variant_do_not_depend_on_the_buffer),
          RUN(nets_of_every_variant_are_read_back_with_their_description),
          RUN(katago_s_format_names_what_it_lacks))

/* The outputs of a net's layers in a position, and pictures of these outputs and of weights. */
#include "eval/evaluators/evaluator.h"
#include "eval/evaluators/prune_outputs.h"
#include "eval/formats/katago_net.h"
#include "eval/made_katago_net.h"
#include "eval/net_of_words.h"
#include "eval/precision/activation_sample.h"
#include "eval/view/heat_map.h"
#include "eval/view/layer_output.h"
#include "eval/view/net_parts.h"
#include "eval/view/weight_picture.h"

enum { WIDTH = 4, HEIGHT = 3, CELLS = WIDTH * HEIGHT };

static Position small_position(void) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, WIDTH, HEIGHT, &rules, err));
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    return position;
}

static int occurrences(const char *text, const char *part) {
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* A net with fewer planes is refused, because the features would be written beyond its input. */
TEST(nets_with_other_inputs_are_refused) {
    Position position = small_position();
    const Position *positions[] = {&position};
    const ActivationSampleCall observe = {positions, 1, NULL, 4, 1, NULL};
    Program *program;
    Net *net;
    Error error = {0};
    LayerOutput layer;
    ActivationSample observed;
    Value x = 0;
    EXPECT_OK(program_new(&program, err));
    program_input(program, "planes", KIND_SPATIAL, 1);
    program_input(program, "globals", KIND_VECTOR, 19);
    program_output(program, "out", x);
    EXPECT_OK(net_new(program, NULL, &net, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, layer_output_of(net, x, &position, NULL, &layer, &error));
    EXPECT_CONTAINS(error.message, "\"planes\" has 1 channels, wanted 22");
    EXPECT_STATUS(ERR_UNSUPPORTED,
                  activation_sample_values(net, &observe, &x, 1, &observed, &error));
    net_free(net);
    position_clear(&position);
}

/* For a net that has nested blocks, Mish, and players as inputs, the output of every op must be the
 * same as with the backend "reference", which runs the definitions of the ops in plain C. */
TEST(every_layer_is_as_the_reference_says) {
    Net *net = read_made_net((MadeNet){15, "nga", .binary = true, .metadata = true});
    GameMetadata who;
    Position position = small_position();
    EXPECT_OK(metadata_profile("rank_5k", &who, err));
    const Program *program = net_program(net);
    for (Value v = 0; v < program_op_count(program); v++) {
        LayerOutput layer;
        Net *probe;
        Infer *infer;
        const InferSetup setup = {1, HEIGHT, WIDTH, PRECISION_F32, "reference"};
        EXPECT_OK(layer_output_of(net, v, &position, "rank_5k", &layer, err));
        EXPECT_OK(prune_outputs_to_values(net, &v, 1, &probe, err));
        EXPECT_OK(infer_new(probe, &setup, &infer, err));
        features_encode(&position, &FEATURE_OPTIONS_DEFAULT, 0, WIDTH, HEIGHT,
                        infer_input(infer, program_find_input(program, "planes")),
                        infer_input(infer, program_find_input(program, "globals")));
        metadata_encode(&who, COLOR_WHITE, CELLS,
                        infer_input(infer, program_find_input(program, "metadata")));
        EXPECT_OK(infer_run(infer, 1, err));
        for (int i = 0; i < layer.rows * layer.channels; i++)
            EXPECT_NEAR(infer_output(infer, 0)[i], layer.values[i],
                        1e-4 + 1e-4 * fabs((double)layer.values[i]));
        layer_output_clear(&layer);
        infer_free(infer);
        net_free(probe);
    }
    net_free(net);
    position_clear(&position);
}

TEST(a_net_conditioned_on_players_needs_a_profile) {
    Net *net = read_made_net((MadeNet){15, "n", .binary = false, .metadata = true});
    LayerOutput layer;
    Error error = {0};
    Position position = small_position();
    EXPECT_STATUS(ERR_ARGUMENT, layer_output_of(net, 0, &position, NULL, &layer, &error));
    EXPECT_CONTAINS(error.message, "search.human.profile");
    net_free(net);
    position_clear(&position);
}

TEST(statistics_of_channels_by_hand) {
    float values[] = {1, 0, -3, 0, 4, 0, 2, 5}; /* channel 0: 1 -3 4 2; channel 1: 0 0 0 5 */
    const LayerOutput layer = {KIND_SPATIAL, 2, 2, 4, 2, values};
    ChannelStatistic a = layer_output_channel(&layer, 0), b = layer_output_channel(&layer, 1);
    EXPECT_NEAR(1, a.mean, 1e-9);
    EXPECT_NEAR(sqrt((0 + 16 + 9 + 1) / 4.0), a.deviation, 1e-9);
    EXPECT_NEAR(-3, a.minimum, 0);
    EXPECT_NEAR(4, a.maximum, 0);
    EXPECT_NEAR(4, a.largest, 0);
    EXPECT_INT(2, a.maximum_row);
    EXPECT_NEAR(0, a.zero_fraction, 0);
    EXPECT_NEAR(0.75, b.zero_fraction, 0);
}

TEST(layers_are_drawn_as_boards_or_strips) {
    Net *net = net_of_words("b1c8", 1);
    LayerOutput board, strip;
    StrBuf svg = {0};
    Value value;
    Position position = small_position();
    EXPECT_OK(net_find_layer(net, "block0", &value, err));
    EXPECT_OK(layer_output_of(net, value, &position, NULL, &board, err));
    EXPECT_OK(layer_output_svg(&board, &position, "a<b", &svg, err));
    EXPECT_INT(8, occurrences(strbuf_text(&svg), "<image "));
    EXPECT_INT(8, occurrences(strbuf_text(&svg), "<use "));
    EXPECT_INT(1, occurrences(strbuf_text(&svg), "<circle ")); /* the stone, drawn once */
    EXPECT_CONTAINS(strbuf_text(&svg), ">a&lt;b<");
    EXPECT_CONTAINS(strbuf_text(&svg), ">channel 7: ");
    strbuf_reset(&svg);
    EXPECT_OK(net_find_layer(net, "value", &value, err));
    EXPECT_OK(layer_output_of(net, value, &position, NULL, &strip, err));
    EXPECT_INT(1, strip.rows);
    EXPECT_OK(layer_output_svg(&strip, &position, "", &svg, err));
    EXPECT_INT(1, occurrences(strbuf_text(&svg), "<image "));
    EXPECT_INT(1, occurrences(strbuf_text(&svg), "</svg>"));
    strbuf_clear(&svg);
    layer_output_clear(&board);
    layer_output_clear(&strip);
    net_free(net);
    position_clear(&position);
}

TEST(colors_go_from_blue_over_white_to_red) {
    HeatColor zero = heat_color(0), one = heat_color(1), beyond = heat_color(7),
              half = heat_color(-0.5);
    EXPECT_TRUE(zero.red == 255 && zero.green == 255 && zero.blue == 255);
    EXPECT_TRUE(one.red == 178 && one.green == 24 && one.blue == 43);
    EXPECT_TRUE(beyond.red == 178 && beyond.blue == 43);
    EXPECT_TRUE(half.red == 144 && half.green == 179 &&
                half.blue == 214); /* halfway from white to the color (33, 102, 172) of -1 */
}

/* A matrix of two outputs and two inputs; a row is the weights of one output. */
TEST(statistics_of_weights_by_hand) {
    static const float VALUES[] = {3, -4, 0, 0};
    const ParameterSpec spec = {.name = "w", .rank = 2, .dims = {2, 2}, .count = 4};
    WeightStatistic w = weight_statistic(&spec, VALUES);
    EXPECT_INT(2, w.rows);
    EXPECT_NEAR(-0.25, w.mean, 1e-9);
    EXPECT_NEAR(sqrt(25 / 4.0 - 0.0625), w.deviation, 1e-9);
    EXPECT_NEAR(5, w.norm, 1e-9);
    EXPECT_NEAR(4, w.largest, 0);
    EXPECT_NEAR(0, w.row_rms_min, 0);
    EXPECT_NEAR(sqrt(12.5), w.row_rms_max, 1e-9);
    EXPECT_INT(1, w.rows_at_zero);
}

/* A kernel of 3x3 with one output and two inputs. Its middle (place 4) has the weights 3 and 4,
 * place 0 has 1 and 0, and all others are 0. */
TEST(kernels_have_a_root_mean_square_for_each_place) {
    float values[18] = {1};
    double rms[9];
    StrBuf svg = {0};
    const ParameterSpec spec = {.name = "c", .rank = 4, .dims = {1, 3, 3, 2}, .count = 18};
    values[8] = 3;
    values[9] = 4;
    weight_kernel_rms(&spec, values, rms);
    EXPECT_NEAR(sqrt(0.5), rms[0], 1e-9);
    EXPECT_NEAR(0, rms[1], 0);
    EXPECT_NEAR(sqrt(12.5), rms[4], 1e-9);
    EXPECT_OK(weight_picture_svg(&spec, values, NULL, &svg, err));
    EXPECT_CONTAINS(strbuf_text(&svg), "1 outputs down, 2 inputs across; norm 5.099");
    EXPECT_CONTAINS(strbuf_text(&svg), ">3.5355<");
    EXPECT_INT(1, occurrences(strbuf_text(&svg), "</svg>"));
    strbuf_clear(&svg);
}

TEST(norms_have_a_bar_for_each_weight) {
    Net *net = net_of_words("b1c8", 1);
    StrBuf svg = {0};
    int weights = 0;
    for (int i = 0; i < program_parameter_count(net_program(net)); i++)
        weights += program_parameter(net_program(net), i)->rank > 1;
    EXPECT_OK(weight_norms_svg(net, "net", &svg, err));
    EXPECT_INT(weights, occurrences(strbuf_text(&svg), "fill=\"#69c\""));
    strbuf_clear(&svg);
    net_free(net);
}

TEST_MAIN(RUN(nets_with_other_inputs_are_refused), RUN(every_layer_is_as_the_reference_says),
          RUN(a_net_conditioned_on_players_needs_a_profile), RUN(statistics_of_channels_by_hand),
          RUN(layers_are_drawn_as_boards_or_strips), RUN(colors_go_from_blue_over_white_to_red),
          RUN(statistics_of_weights_by_hand), RUN(kernels_have_a_root_mean_square_for_each_place),
          RUN(norms_have_a_bar_for_each_weight))

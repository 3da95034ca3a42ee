/* Nets that read GoNN's planes (inputs=gonn26): what they read, that they are saved and read back,
 * that evaluators fill their inputs, and what is refused. */
#include "eval/arch/heads.h"
#include "eval/evaluators/evaluator.h"
#include "eval/features/features.h"
#include "eval/features/gonn_planes.h"
#include "eval/formats/net_file.h"
#include "eval/net_of_words.h"
#include "eval/random_position.h"
#include "nn/infer/infer.h"
#include "test_path.h"

enum { SIDE = 7, CELLS = SIDE * SIDE };

static Evaluation evaluate(const Net *net, const Position *position, int symmetry) {
    const NetEvaluatorSetup setup = {.batch = 2,
                                     .buffer_width = SIDE + 1,
                                     .buffer_height = SIDE + 1,
                                     .symmetry = symmetry,
                                     .features = FEATURE_OPTIONS_DEFAULT};
    const EvaluationRequest requests[2] = {{.position = position}, {.position = position}};
    Evaluation out[2];
    Evaluator *evaluator;
    EXPECT_OK(evaluator_net_new(net, &setup, &evaluator, err));
    EXPECT_OK(evaluator_evaluate(evaluator, requests, 2, out, err));
    evaluator_free(evaluator);
    EXPECT_NEAR(out[0].win, out[1].win, 0); /* both samples of the batch have their planes */
    return out[0];
}

/* The planes are inputs of the first convolution, and the policies that an evaluator gives are
 * those of the net with these inputs. */
TEST(evaluators_fill_the_planes) {
    Net *net = net_of_words("b1c8-batch-prelu-nodist,inputs=gonn26", 5);
    const Program *program = net_program(net);
    const InferSetup setup = {1, SIDE, SIDE, PRECISION_F32, NULL};
    Infer *infer;
    HeadIndex heads;
    Position position = random_position(SIDE, SIDE, 8);
    EXPECT_OK(heads_find(program, &heads, err));
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    float *planes = infer_input(infer, heads.planes), *gonn = infer_input(infer, heads.gonn);
    features_encode(&position, &FEATURE_OPTIONS_DEFAULT, 0, SIDE, SIDE, planes,
                    infer_input(infer, heads.globals));
    gonn_planes_encode(planes, SIDE, SIDE, gonn);
    EXPECT_OK(infer_run(infer, 1, err));
    const float *policy = infer_output(infer, heads.output[HEAD_POLICY]);
    Evaluation found = evaluate(net, &position, 0);
    int first = -1;
    for (int i = 0; i < CELLS; i++) {
        if (found.policy[i] < 0) continue;
        if (first < 0) first = i;
        EXPECT_NEAR(log((double)(found.policy[i] / found.policy[first])),
                    policy[2 * i] - policy[2 * first], 1e-4);
    }
    infer_free(infer);
    position_clear(&position);
    net_free(net);
}

/* The planes show neither komi nor rules, but they show ladders and the last moves. */
TEST(only_the_planes_matter) {
    Net *net = net_of_words("b2c8-nodist,inputs=gonn26", 6), *usual = net_of_words("b2c8", 6);
    Position position = random_position(SIDE, SIDE, 9), other = random_position(SIDE, SIDE, 9),
             passed = random_position(SIDE, SIDE, 10);
    other.rules.komi += 5;
    Evaluation a = evaluate(net, &position, 3), b = evaluate(net, &other, 3),
               c = evaluate(net, &passed, 3);
    EXPECT_NEAR(a.win, b.win, 0);
    EXPECT_TRUE(a.win != c.win);
    EXPECT_TRUE(evaluate(usual, &position, 3).win != evaluate(usual, &other, 3).win);
    position_clear(&position);
    position_clear(&other);
    position_clear(&passed);
    net_free(net);
    net_free(usual);
}

/* The evaluation of a turned board is the turned evaluation, because the planes turn with the
 * board. The net has 1 x 1 kernels only, so it does not see what is turned. */
TEST(planes_turn_with_the_board) {
    Net *net = net_of_words("b2c8-nodist,start_kernel=1,pool_every=1,inputs=gonn26", 7);
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        if (spec->rank != 4 || spec->dims[1] != 3) continue;
        for (size_t i = 0; i < spec->count; i++) /* the middle of each kernel stays */
            if (i / (size_t)spec->dims[3] % 9 != 4) net_values(net, p)[i] = 0;
    }
    Position position = random_position(SIDE, SIDE, 4);
    Evaluation first = evaluate(net, &position, 0);
    for (int symmetry = 1; symmetry < SYMMETRY_COUNT; symmetry++) {
        Evaluation turned = evaluate(net, &position, symmetry);
        EXPECT_NEAR(first.win, turned.win, 1e-6);
        for (int i = 0; i <= CELLS; i++)
            EXPECT_NEAR(first.policy[i], turned.policy[i], 1e-6);
    }
    position_clear(&position);
    net_free(net);
}

TEST(files_keep_the_planes) {
    Net *net = net_of_words("b1c8-k5-nodist,start_center=0.3,inputs=gonn26", 3), *read;
    TestPath path = test_path("gonn.aji");
    ArchSettings settings;
    Position position = random_position(SIDE, SIDE, 2);
    EXPECT_OK(net_file_save(net, path.text, err));
    EXPECT_OK(net_file_load(path.text, &read, err));
    EXPECT_OK(arch_of_net(read, &settings, err));
    EXPECT_INT(INPUTS_GONN26, settings.inputs);
    EXPECT_TEXT("b1c8,start_kernel=5,score_distribution=false,start_center=0.3,inputs=gonn26",
                arch_text(&settings).text);
    EXPECT_NEAR(evaluate(net, &position, 0).win, evaluate(read, &position, 0).win, 0);
    position_clear(&position);
    remove(path.text);
    net_free(net);
    net_free(read);
}

/* Values of moves need an output for the pass, because the pass is a move too. A damaged file may
 * have values of moves and no such output. */
TEST(values_of_moves_without_the_pass_are_refused) {
    HeadIndex heads;
    Error fault = {0};
    Program *program;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES),
          globals = program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(program, planes, 0);
    program_output(program, "policy", program_slice(program, planes, 0, 8));
    program_output(program, "value", program_slice(program, globals, 0, 3));
    program_output(program, "score", program_slice(program, globals, 0, 6));
    program_output(program, "ownership", program_slice(program, planes, 0, 1));
    EXPECT_STATUS(ERR_UNSUPPORTED, heads_find(program, &heads, &fault));
    EXPECT_CONTAINS(fault.message, "values of moves, but no \"pass\"");
    program_output(program, "pass", program_slice(program, globals, 0, 8));
    EXPECT_OK(heads_find(program, &heads, err));
    program_free(program);
}

/* A file may declare any shape of the input, and any version of the features. */
TEST(other_planes_of_this_name_are_refused) {
    Net *net = net_of_words("b1c8-nodist,inputs=gonn26", 1);
    const ModelFormat old = {.version = 6}, now = MODEL_FORMAT_DEFAULT;
    HeadIndex heads;
    Error fault = {0};
    Program *program;
    Value planes, globals;
    EXPECT_OK(heads_check_inputs(net_program(net), &now, err));
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_TRUE(heads.gonn >= 0);
    EXPECT_OK(program_new(&program, err));
    planes = program_input(program, "planes", KIND_SPATIAL, 13);
    globals = program_input(program, "globals", KIND_VECTOR, 12);
    program_set_mask(program, planes, 0);
    program_output(program, "policy", planes);
    program_output(program, "value", globals);
    program_input(program, "gonn", KIND_SPATIAL, GONN_PLANES);
    EXPECT_STATUS(ERR_UNSUPPORTED, heads_check_inputs(program, &old, &fault));
    EXPECT_CONTAINS(fault.message, "its version is 5");
    program_free(program);
    EXPECT_OK(program_new(&program, err));
    planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES);
    program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(program, planes, 0);
    program_input(program, "gonn", KIND_SPATIAL, GONN_PLANES - 1);
    EXPECT_STATUS(ERR_UNSUPPORTED, heads_check_inputs(program, &now, &fault));
    EXPECT_CONTAINS(fault.message, "\"gonn\" has 25 channels, wanted 26");
    program_free(program);
    net_free(net);
}

TEST_MAIN(RUN(evaluators_fill_the_planes), RUN(only_the_planes_matter),
          RUN(planes_turn_with_the_board), RUN(files_keep_the_planes),
          RUN(values_of_moves_without_the_pass_are_refused),
          RUN(other_planes_of_this_name_are_refused))

/* One net for all sizes: a board in a larger buffer is evaluated as in its own, whatever the
 * weights, size, architecture and symmetry. */
#include "eval/arch.h"
#include "eval/evaluator.h"
#include "test.h"

enum { EDGE = 9 };

/* Every weight moved, so that no zero of the start hides a leak over the board's edge. */
static Net *make_net(const char *words) {
    Rng rng = rng_seeded(5);
    Net *net = NULL;
    EXPECT_OK(arch_build_text(words, &rng, &net, err));
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        float *values = net_values(net, i);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            values[k] += 0.1f * (float)(rng_uniform(&rng) - 0.5);
    }
    return net;
}

static Position random_position(int width, int height, uint64_t seed) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    Rng rng = rng_seeded(seed);
    EXPECT_OK(position_init(&position, width, height, &rules, err));
    for (int turn = 0; turn < width * height / 2 && !position.over; turn++) {
        Point moves[MOVES_MAX];
        int count = position_legal_moves(&position, moves);
        if (count < 2) break;
        EXPECT_OK(position_play(&position, moves[rng_below(&rng, count - 1)], err));
    }
    return position;
}

static void evaluate(const Net *net, int width, int height, int symmetry, const Position *position,
                     Evaluation *out) {
    Evaluator *evaluator;
    NetEvaluatorConfig config = {.batch = 2,
                                 .buffer_width = width,
                                 .buffer_height = height,
                                 .symmetry = symmetry,
                                 .ownership = true,
                                 .features = FEATURE_OPTIONS_DEFAULT};
    Position other = random_position(width, height, 99); /* a full board beside it in the batch */
    const EvaluationRequest both[2] = {{.position = position}, {.position = &other}};
    Evaluation found[2];
    EXPECT_OK(evaluator_net_new(net, &config, &evaluator, err));
    EXPECT_OK(evaluator_evaluate(evaluator, both, 2, found, err));
    *out = found[0];
    evaluator_free(evaluator);
    position_clear(&other);
}

static void expect_same(const Evaluation *a, const Evaluation *b, int points) {
    EXPECT_NEAR(a->win, b->win, 1e-5);
    EXPECT_NEAR(a->loss, b->loss, 1e-5);
    EXPECT_NEAR(a->no_result, b->no_result, 1e-5);
    EXPECT_NEAR(a->score_mean, b->score_mean, 1e-4); /* points, not shares */
    EXPECT_NEAR(a->lead, b->lead, 1e-4);
    for (int i = 0; i <= points; i++)
        EXPECT_NEAR(a->policy[i], b->policy[i], 1e-5);
    for (int i = 0; i < points; i++)
        EXPECT_NEAR(a->ownership[i], b->ownership[i], 1e-5);
}

static void compare(const char *words) {
    static const struct {
        int width, height;
    } SIZES[] = {{7, 7}, {5, 5}, {6, 6}, {8, 8}, {9, 9}, {5, 8}, {9, 4}};
    Net *net = make_net(words);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int width = SIZES[i].width, height = SIZES[i].height;
        int edge = width > height ? width : height;
        for (int symmetry = 0; symmetry < 8; symmetry += 3) {
            Position position = random_position(width, height, i);
            Evaluation own, padded;
            evaluate(net, edge, edge, symmetry, &position, &own);
            evaluate(net, EDGE, EDGE, symmetry, &position, &padded);
            expect_same(&own, &padded, width * height);
            position_clear(&position);
        }
    }
    net_free(net);
}

TEST(fixup_nets_see_only_the_board) {
    compare("b3c16-fixup");
}

TEST(batch_norm_nets_see_only_the_board) {
    compare("b3c16-batch-mish");
}

TEST_MAIN(RUN(fixup_nets_see_only_the_board), RUN(batch_norm_nets_see_only_the_board))

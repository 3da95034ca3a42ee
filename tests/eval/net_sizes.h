/* net_sizes.h - checks that a net evaluates a board in a larger buffer as in a buffer of the
 * board's size. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/random_position.h"

enum { EDGE = 9 };

static inline void evaluate(const Net *net, int width, int height, int symmetry,
                            const Position *position, Evaluation *out) {
    Evaluator *evaluator;
    NetEvaluatorSetup config = {.batch = 2,
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

static inline void expect_same(const Evaluation *a, const Evaluation *b, int points) {
    EXPECT_NEAR(a->win, b->win, 1e-5);
    EXPECT_NEAR(a->loss, b->loss, 1e-5);
    EXPECT_NEAR(a->no_result, b->no_result, 1e-5);
    EXPECT_NEAR(a->score_mean, b->score_mean, 1e-4); /* these are points */
    EXPECT_NEAR(a->lead, b->lead, 1e-4);
    for (int i = 0; i <= points; i++)
        EXPECT_NEAR(a->policy[i], b->policy[i], 1e-5);
    for (int i = 0; i < points; i++)
        EXPECT_NEAR(a->ownership[i], b->ownership[i], 1e-5);
}

static inline void expect_sizes_alike(const Net *net) {
    static const struct {
        int width, height;
    } SIZES[] = {{7, 7}, {5, 5}, {6, 6}, {8, 8}, {9, 9}, {5, 8}, {9, 4}};
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
}

/* net_sizes.h - checks that a net's evaluation of a board does not depend on the buffer around the
 * board. The evaluation in a larger buffer must be the same as in the smallest square buffer that
 * holds the board. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/random_position.h"

enum { EDGE = 9, EDGE_MAX = 19 };

static inline void evaluate(const Net *net, int width, int height, int symmetry,
                            const Position *position, Evaluation *out) {
    Evaluator *evaluator;
    NetEvaluatorSetup config = {.batch = 2,
                                .buffer_width = width,
                                .buffer_height = height,
                                .symmetry = symmetry,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    /* `other` fills the buffer, and is evaluated in one batch with `position` */
    Position other = random_position(width, height, 99);
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
    /* scores and leads are points, so their numbers and rounding errors are larger */
    EXPECT_NEAR(a->score_mean, b->score_mean, 1e-4);
    EXPECT_NEAR(a->lead, b->lead, 1e-4);
    for (int i = 0; i <= points; i++)
        EXPECT_NEAR(a->policy[i], b->policy[i], 1e-5);
    for (int i = 0; i < points; i++)
        EXPECT_NEAR(a->ownership[i], b->ownership[i], 1e-5);
}

static inline void expect_size_alike(const Net *net, int width, int height, int buffer,
                                     int symmetry, uint64_t seed) {
    int edge = width > height ? width : height;
    Position position = random_position(width, height, seed);
    Evaluation own, padded;
    evaluate(net, edge, edge, symmetry, &position, &own);
    evaluate(net, buffer, buffer, symmetry, &position, &padded);
    expect_same(&own, &padded, width * height);
    position_clear(&position);
}

/* Checks boards of at most 9 x 9 in a buffer of 9 x 9. Also checks three boards in a buffer of
 * 19 x 19, which is the largest size. */
static inline void expect_sizes_alike(const Net *net) {
    static const struct {
        int width, height;
    } SIZES[] = {{7, 7}, {5, 5}, {6, 6}, {8, 8}, {9, 9}, {5, 8}, {9, 4}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int symmetry = 0; symmetry < 8; symmetry += 3)
            expect_size_alike(net, SIZES[i].width, SIZES[i].height, EDGE, symmetry, i);
    }
    expect_size_alike(net, 9, 9, EDGE_MAX, 5, 20);
    expect_size_alike(net, 13, 7, EDGE_MAX, 0, 21);
    expect_size_alike(net, 5, 5, EDGE_MAX, 2, 22);
}

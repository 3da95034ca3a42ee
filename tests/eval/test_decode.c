/* How the raw outputs of a net become an evaluation, and which outputs are refused. */
#include "eval/arch/heads.h"
#include "eval/evaluators/decode.h"
#include "test.h"

enum { EDGE = 3, AREA = EDGE * EDGE };

typedef struct {
    float policy[AREA * 2], pass[2], value[3], score[6], ownership[AREA],
        value_buckets[EVALUATION_BUCKETS], root_variance[EVALUATION_ROOT_VARIANCES], value_error[1],
        moves_left[1];
} Outputs;

static Status decode(const Outputs *outputs, Evaluation *out, Error *fault) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    const RawOutputs raw = {.policy = outputs->policy,
                            .pass = outputs->pass,
                            .value = outputs->value,
                            .score = outputs->score,
                            .ownership = outputs->ownership,
                            .value_buckets = outputs->value_buckets,
                            .root_variance = outputs->root_variance,
                            .value_error = outputs->value_error,
                            .moves_left = outputs->moves_left,
                            .policy_channels = 2,
                            .optimistic = -1,
                            .buffer_width = EDGE,
                            .buffer_height = EDGE,
                            .policy_temperature = 1,
                            .model_format = &MODEL_FORMAT_DEFAULT};
    Status status = decode_outputs(&raw, &position, out, fault);
    position_clear(&position);
    return status;
}

TEST(outputs_are_decoded) {
    Outputs outputs = {.pass = {0}, .value = {logf(3), 0, 50}, .score = {0.1f, 0, 0.2f, 0, 0, 0}};
    Evaluation e;
    outputs.policy[2 * 4] = logf(6);
    outputs.policy[2 * 5 + 1] = 9; /* ignored: the second channel is the opponent's reply */
    outputs.ownership[2] = 0.5f;
    outputs.value_buckets[50] = logf(3);
    outputs.root_variance[3] = logf(7);
    outputs.value_error[0] = -logf(3);
    outputs.moves_left[0] = logf(3);
    EXPECT_OK(decode(&outputs, &e, err));
    EXPECT_NEAR(0.75, e.win, 1e-6);
    EXPECT_NEAR(0.25, e.loss, 1e-6);
    EXPECT_NEAR(0, e.no_result, 0); /* under superko every game has a result */
    EXPECT_NEAR(6.0 / 15, e.policy[4], 1e-6);
    EXPECT_NEAR(1.0 / 15, e.policy[5], 1e-6);
    EXPECT_NEAR(1.0 / 15, e.policy[AREA], 1e-6);
    double deviation = 20 * log(2);
    EXPECT_NEAR(2, e.score_mean, 1e-5);
    EXPECT_NEAR(4 + deviation * deviation, e.score_mean_sq, 1e-3);
    EXPECT_NEAR(4, e.lead, 1e-5);
    EXPECT_NEAR(40 * log(2), e.var_time, 1e-4);
    EXPECT_NEAR(log(2) * 0.5, e.shortterm_winloss_error, 1e-5);
    EXPECT_NEAR(log(2) * sqrt(150), e.shortterm_score_error, 1e-4);
    EXPECT_NEAR(tanh(0.5), e.ownership[2], 1e-6);
    EXPECT_TRUE(e.has_value_buckets);
    EXPECT_NEAR(3.0 / 53, e.value_buckets[50], 1e-6);
    EXPECT_NEAR(1.0 / 53, e.value_buckets[0], 1e-6);
    EXPECT_NEAR(log(2), e.root_variances[0], 1e-6);
    EXPECT_NEAR(log(8), e.root_variances[3], 1e-6);
    EXPECT_NEAR(0.5, e.value_error, 1e-6);
    EXPECT_NEAR(20 * log(4), e.moves_left, 1e-4);
}

TEST(outputs_that_are_not_finite_are_refused) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    Outputs outputs = {0};
    float *const parts[] = {outputs.policy,
                            outputs.pass,
                            outputs.value + 2,
                            outputs.score + 4,
                            outputs.ownership + 8,
                            outputs.value_buckets + 7,
                            outputs.root_variance + 1,
                            outputs.value_error,
                            outputs.moves_left};
    const char *const names[] = {"policy",        "policy",      "value",
                                 "score",         "ownership",   "value_buckets",
                                 "root_variance", "value_error", "moves_left"};
    for (int i = 0; i < 27; i++) {
        Evaluation e;
        Error error = {0};
        *parts[i / 3] = bad[i % 3];
        /* An infinite ownership output is accepted, because its tanh is 1 or -1. An output of
         * -infinity that goes through a softmax or a softplus is accepted, too, because the result
         * is 0. */
        if (i != 13 && i != 14 && i != 17 && i != 20 && i != 26) {
            EXPECT_STATUS(ERR_UNSUPPORTED, decode(&outputs, &e, &error));
            EXPECT_CONTAINS(error.message, names[i / 3]);
        }
        *parts[i / 3] = 0;
        EXPECT_OK(decode(&outputs, &e, err));
    }
}

/* These outputs are finite, but their squares or multiples may be too large for a float. Either the
 * outputs are refused, or all values of the evaluation are finite. */
TEST(values_too_large_for_a_float_are_refused) {
    const float large[] = {1e19f, -1e19f, 3e38f, -3e38f};
    for (int part = 0; part < 6; part++) {
        for (int i = 0; i < 4; i++) {
            Outputs outputs = {0};
            Evaluation e;
            outputs.score[part] = large[i];
            if (decode(&outputs, &e, NULL)) continue;
            EXPECT_TRUE(isfinite(e.score_mean) && isfinite(e.score_mean_sq) && isfinite(e.lead) &&
                        isfinite(e.var_time) && isfinite(e.shortterm_winloss_error) &&
                        isfinite(e.shortterm_score_error));
        }
    }
    Outputs outputs = {0};
    Evaluation e;
    Error error = {0};
    outputs.score[0] = 1e19f;
    EXPECT_STATUS(ERR_UNSUPPORTED, decode(&outputs, &e, &error));
    EXPECT_CONTAINS(error.message, "the net's score is too large");
    outputs.score[0] = 1e17f;
    EXPECT_OK(decode(&outputs, &e, err));
}

/* If a net has no output for the pass, the pass has a probability only where no other move is
 * legal. In the second case (`filled`) the empty points are White's eyes, so each of Black's moves
 * would be suicide. */
TEST(without_the_pass_it_is_the_last_resort) {
    static const float POLICY[4] = {3, -2, 1, 1e30f};
    Rules rules = rules_tromp_taylor();
    rules.suicide = false;
    for (int filled = 0; filled < 2; filled++) {
        Position position = {0};
        Evaluation e;
        EXPECT_OK(position_init(&position, 2, 2, &rules, err));
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        if (filled) {
            EXPECT_OK(position_play(&position, point_at(0, 0), err));
            EXPECT_OK(position_play(&position, POINT_PASS, err));
            EXPECT_OK(position_play(&position, point_at(1, 1), err));
        }
        const RawOutputs raw = {.policy = POLICY,
                                .policy_channels = 1,
                                .optimistic = -1,
                                .buffer_width = 2,
                                .buffer_height = 2,
                                .policy_temperature = 0.5f,
                                .model_format = &MODEL_FORMAT_DEFAULT};
        EXPECT_OK(decode_outputs(&raw, &position, &e, err));
        EXPECT_NEAR(filled, e.policy[4], 0);
        EXPECT_NEAR(filled ? -1 : 1, e.policy[3], 0);
        EXPECT_TRUE(e.lacks_value && e.lacks_score);
        EXPECT_NEAR(0.5, e.win, 0);
        EXPECT_NEAR(0.5, e.loss, 0);
        position_clear(&position);
    }
}

TEST_MAIN(RUN(outputs_are_decoded), RUN(outputs_that_are_not_finite_are_refused),
          RUN(without_the_pass_it_is_the_last_resort),
          RUN(values_too_large_for_a_float_are_refused))

/* The evaluator that adds the policy of a net trained on human games to the evaluations of another
 * net. */
#include "eval/evaluators/evaluator.h"
#include "test.h"

/* An evaluator whose prior of the first point is `mark` plus the number of moves played. So the
 * test can tell from an evaluation which position was evaluated. The evaluator counts the positions
 * (`asked`) and the requests with the option `human`, and keeps the last policy_optimism. With
 * `fails` it returns ERR_IO. */
typedef struct {
    Evaluator base;
    float mark;
    float optimism;
    int asked, human;
    bool fails;
    int *freed;
} Marking;

static Status mark(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                   Evaluation *out, Error *err) {
    Marking *marking = (Marking *)evaluator;
    for (int i = 0; i < count; i++) {
        memset(&out[i], 0, sizeof out[i]);
        out[i].win = marking->mark;
        out[i].policy[0] = marking->mark + (float)requests[i].position->move_count;
        marking->asked++;
        marking->human += requests[i].options.human;
        marking->optimism = requests[i].options.policy_optimism;
    }
    return marking->fails ? (fail)(err, ERR_IO, "made up") : OK;
}

static void mark_free(Evaluator *evaluator) {
    (*((Marking *)evaluator)->freed)++;
}

static const EvaluatorClass MARKING = {"marking", mark, mark_free};

static Marking marking(int batch, float value, int *freed) {
    return (Marking){.base = {&MARKING, batch, 0, false}, .mark = value, .freed = freed};
}

enum { COUNT = 5 };

static void fill(Position *positions, EvaluationRequest *requests) {
    Rules rules = rules_tromp_taylor();
    for (int i = 0; i < COUNT; i++) {
        EXPECT_OK(position_init(&positions[i], 5, 5, &rules, err));
        for (int k = 0; k < i; k++)
            EXPECT_OK(position_play(&positions[i], point_at(k, 0), err));
        requests[i] =
            (EvaluationRequest){&positions[i], {.policy_optimism = 0.5f, .human = i != 2}};
    }
}

/* Four of the five requests ask for the human policy. The human evaluator takes two positions at a
 * time. */
TEST(requests_for_the_human_policy_get_it) {
    int freed = 0;
    Marking first = marking(8, 0.25f, &freed), human = marking(2, 0.5f, &freed);
    Position positions[COUNT];
    EvaluationRequest requests[COUNT];
    Evaluation out[COUNT];
    Evaluator *both;
    fill(positions, requests);
    EXPECT_OK(evaluator_human_new(&first.base, &human.base, &both, err));
    EXPECT_INT(8, both->batch);
    EXPECT_OK(evaluator_evaluate(both, requests, COUNT, out, err));
    for (int i = 0; i < COUNT; i++) {
        EXPECT_NEAR(0.25, out[i].win, 0);
        EXPECT_NEAR(0.25 + i, out[i].policy[0], 0);
        EXPECT_INT(i != 2, out[i].has_human);
        if (i != 2) EXPECT_NEAR(0.5 + i, out[i].human_policy[0], 0);
        position_clear(&positions[i]);
    }
    EXPECT_INT(5, first.asked);
    EXPECT_INT(4, human.asked);
    EXPECT_INT(0, first.human + human.human); /* the inner evaluators do not see this option */
    EXPECT_NEAR(0.5, first.optimism, 0);
    EXPECT_NEAR(0, human.optimism, 0);
    evaluator_free(both);
    EXPECT_INT(2, freed);
}

TEST(a_failure_of_either_net_is_returned) {
    for (int i = 0; i < 2; i++) {
        int freed = 0;
        Marking first = marking(8, 0.25f, &freed), human = marking(8, 0.5f, &freed);
        (i ? &human : &first)->fails = true;
        Position positions[COUNT];
        EvaluationRequest requests[COUNT];
        Evaluation out[COUNT];
        Evaluator *both;
        fill(positions, requests);
        EXPECT_OK(evaluator_human_new(&first.base, &human.base, &both, err));
        EXPECT_STATUS(ERR_IO, evaluator_evaluate(both, requests, COUNT, out, NULL));
        requests[0].options.human = true;
        evaluator_free(both);
        for (int k = 0; k < COUNT; k++)
            position_clear(&positions[k]);
    }
}

/* The hashes must differ, so that a cache keeps evaluations with and without a human policy
 * apart. */
TEST(a_request_for_the_human_policy_has_another_hash) {
    EvaluationOptions plain = {0}, human = {.human = true};
    EXPECT_INT(0, evaluation_options_hash(&plain));
    EXPECT_TRUE(evaluation_options_hash(&human) != 0);
}

TEST_MAIN(RUN(requests_for_the_human_policy_get_it), RUN(a_failure_of_either_net_is_returned),
          RUN(a_request_for_the_human_policy_has_another_hash))

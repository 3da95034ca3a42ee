/* A net of human play beside another. */
#include "eval/evaluators/evaluator.h"
#include "test.h"

/* Gives the first legal moves a policy that tells the batch's place; counts. */
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
    return (Marking){.base = {&MARKING, batch, 0}, .mark = value, .freed = freed};
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

/* Five requests of which four ask for people, by two at a time. */
TEST(who_asks_is_told) {
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
    EXPECT_INT(0, first.human + human.human); /* inner evaluators know nothing of it */
    EXPECT_NEAR(0.5, first.optimism, 0);
    EXPECT_NEAR(0, human.optimism, 0);
    evaluator_free(both);
    EXPECT_INT(2, freed);
}

TEST(a_failure_of_either_is_told) {
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

/* A cache must not take the one for the other. */
TEST(the_question_has_a_key_of_its_own) {
    EvaluationOptions plain = {0}, human = {.human = true};
    EXPECT_INT(0, evaluation_options_hash(&plain));
    EXPECT_TRUE(evaluation_options_hash(&human) != 0);
}

TEST_MAIN(RUN(who_asks_is_told), RUN(a_failure_of_either_is_told),
          RUN(the_question_has_a_key_of_its_own))

/* An evaluator that runs a first net and adds the policy of a second one, which was trained on
 * human games. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/evaluators/evaluator.h"

typedef struct {
    Evaluator base;
    Evaluator *first, *human;
    EvaluationRequest *requests; /* copies with the options for `first` or for `human` */
    Evaluation *evaluations;     /* of `human`, one batch */
    int *places;                 /* for each of these evaluations, the index of its request */
} HumanEvaluator;

/* Evaluates requests places[0 .. count-1] with `human`, and puts its policies into `out`. */
static Status add_human_policies(HumanEvaluator *both, const EvaluationRequest *requests, int count,
                                 Evaluation *out, Error *err) {
    for (int i = 0; i < count; i++) {
        both->requests[i] = requests[both->places[i]];
        both->requests[i].options.human = false;
        both->requests[i].options.policy_optimism = 0;
    }
    Status status = evaluator_evaluate(both->human, both->requests, count, both->evaluations, err);
    for (int i = 0; i < count && !status; i++) {
        Evaluation *to = &out[both->places[i]];
        memcpy(to->human_policy, both->evaluations[i].policy, sizeof to->human_policy);
        to->has_human = true;
    }
    return status;
}

static Status human_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    HumanEvaluator *both = (HumanEvaluator *)evaluator;
    int pending = 0;
    for (int i = 0; i < count; i++) {
        both->requests[i] = requests[i];
        both->requests[i].options.human = false;
    }
    Status status = evaluator_evaluate(both->first, both->requests, count, out, err);
    for (int i = 0; i < count && !status; i++) {
        out[i].has_human = false;
        if (requests[i].options.human) both->places[pending++] = i;
        if (pending < both->human->batch && i + 1 < count) continue;
        if (pending) status = add_human_policies(both, requests, pending, out, err);
        pending = 0;
    }
    evaluator->evaluations = both->first->evaluations + both->human->evaluations;
    return status;
}

static void human_free(Evaluator *evaluator) {
    HumanEvaluator *both = (HumanEvaluator *)evaluator;
    evaluator_free(both->first);
    evaluator_free(both->human);
    free(both->requests);
    free(both->evaluations);
    free(both->places);
    free(both);
}

static const EvaluatorClass HUMAN = {"human", human_evaluate, human_free};

Status evaluator_human_new(Evaluator *first, Evaluator *human, Evaluator **out, Error *err) {
    HumanEvaluator *both;
    *out = NULL;
    Status status = mem_new(1, sizeof *both, &both, err);
    if (status) return status;
    both->base = (Evaluator){&HUMAN, first->batch, 0, false};
    size_t max = (size_t)(first->batch > human->batch ? first->batch : human->batch);
    status = mem_new(max, sizeof *both->requests, &both->requests, err);
    if (!status) status = mem_new(max, sizeof *both->evaluations, &both->evaluations, err);
    if (!status) status = mem_new(max, sizeof *both->places, &both->places, err);
    if (status) {
        human_free(&both->base);
        return status;
    }
    both->first = first;
    both->human = human;
    *out = &both->base;
    return OK;
}

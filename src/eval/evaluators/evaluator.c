/* The functions that all evaluators share, and the two evaluators that need no net. */
#include "eval/evaluators/evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

uint64_t evaluation_options_hash(const EvaluationOptions *options) {
    const float values[] = {options->white_doublings,
                            options->policy_optimism,
                            options->conservative_pass,
                            options->passing_hacks,
                            options->symmetries > 1 ? (float)options->symmetries : 0,
                            options->human,
                            options->history_hidden,
                            options->draw_shift};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t bits;
        if (values[i] == 0) continue; /* this also skips -0, whose bits differ */
        memcpy(&bits, &values[i], sizeof bits);
        hash = hash_mix(hash ^ ((uint64_t)(i + 1) << 32 | bits));
    }
    return hash;
}

FeatureOptions evaluation_features(const FeatureOptions *features, const EvaluationOptions *options,
                                   Color mover) {
    FeatureOptions out = *features;
    if (options->history_hidden > 0) out.history_hidden = options->history_hidden;
    out.playout_doubling_advantage = value_for_mover(options->white_doublings, mover);
    out.conservative_pass |= options->conservative_pass;
    out.passing_hacks |= options->passing_hacks;
    out.draw_equivalent_wins_for_white += options->draw_shift;
    return out;
}

Status evaluator_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                          Evaluation *out, Error *err) {
    if (count > evaluator->batch)
        return fail(err, ERR_ARGUMENT, "%d positions for a batch of %d", count, evaluator->batch);
    return evaluator->class->evaluate(evaluator, requests, count, out, err);
}

void evaluator_free(Evaluator *evaluator) {
    if (evaluator) evaluator->class->free(evaluator);
}

typedef struct {
    Evaluator base;
    uint64_t seed;
    bool random;
} Plain;

/* Gives equal priors and an even game. With `random`, priors are proportional to exponentials of
 * normally distributed numbers, and the logit of winning is a tenth of another normally distributed
 * number. The position and the seed determine all these numbers. */
static void evaluate_one(const Plain *plain, const Position *position, Evaluation *out) {
    int width = position->board.width, height = position->board.height, area = width * height;
    Rng rng = rng_seeded(plain->random ? plain->seed ^ position_state_hash(position) : 0);
    double sum = 0, tilt = plain->random ? 0.1 * rng_normal(&rng) : 0;
    *out = (Evaluation){.width = (int16_t)width,
                        .height = (int16_t)height,
                        .var_time = -1,
                        .shortterm_winloss_error = -1,
                        .shortterm_score_error = -1,
                        .moves_left = -1,
                        .value_error = -1,
                        .root_variances = {-1, -1, -1, -1}};
    out->win = (float)(1 / (1 + exp(-tilt)));
    out->loss = 1 - out->win;
    out->score_mean = out->lead = (float)tilt;
    out->score_mean_sq = (float)(tilt * tilt + area);
    for (int i = 0; i <= area; i++) {
        bool legal = position_is_legal(position, move_at_index(i, width, height));
        double weight = plain->random ? exp(rng_normal(&rng)) : 1;
        out->policy[i] = legal ? (float)weight : -1;
        if (legal) sum += weight;
    }
    for (int i = 0; i <= area; i++) {
        if (out->policy[i] >= 0) out->policy[i] = (float)((double)out->policy[i] / sum);
    }
}

static Status plain_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++)
        evaluate_one((const Plain *)evaluator, requests[i].position, &out[i]);
    evaluator->evaluations += count;
    return OK;
}

static void plain_free(Evaluator *evaluator) {
    free(evaluator);
}

static const EvaluatorClass UNIFORM = {"uniform", plain_evaluate, plain_free};
static const EvaluatorClass RANDOM = {"random", plain_evaluate, plain_free};

static Status plain_new(const EvaluatorClass *class, int batch, uint64_t seed, bool random,
                        Evaluator **out, Error *err) {
    Plain *plain;
    *out = NULL;
    Status status = mem_new(1, sizeof *plain, &plain, err);
    if (status) return status;
    *plain = (Plain){{class, batch, 0, false}, seed, random};
    *out = &plain->base;
    return OK;
}

Status evaluator_uniform_new(int batch, Evaluator **out, Error *err) {
    return plain_new(&UNIFORM, batch, 0, false, out, err);
}

Status evaluator_random_new(int batch, uint64_t seed, Evaluator **out, Error *err) {
    return plain_new(&RANDOM, batch, seed, true, out, err);
}

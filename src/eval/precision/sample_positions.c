#include "eval/precision/sample_positions.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "eval/evaluators/evaluator.h"
#include "eval/features/metadata.h"

enum { GAMES = 8, DEFAULT_EVERY = 10 };

typedef struct {
    Position games[GAMES];
    Evaluation evaluations[GAMES];
    Evaluator *evaluator;
    Rng rng;
    int started; /* how many games start_default() has begun */
} Sampler;

static Status start_default(Sampler *sampler, int size, Position *out, Error *err) {
    static const char *const RULES[] = {"chinese", "tromp-taylor", "japanese"};
    Rules rules;
    Status status = rules_parse(RULES[sampler->started++ % 3], &rules, err);
    if (status) return status;
    rules.komi = 5.5f + (float)rng_below(&sampler->rng, 7) * 0.5f;
    status = position_init(out, size, size, &rules, err);
    if (!status) out->prevent_encore = true;
    return status;
}

static Status start(Sampler *sampler, const SampleCall *call, int index, Error *err) {
    Position *game = &sampler->games[index];
    position_clear(game);
    return call->begin ? call->begin(call->context, &sampler->rng, game, err)
                       : start_default(sampler, call->size, game, err);
}

static Status play(Sampler *sampler, int game, Error *err) {
    Position *position = &sampler->games[game];
    const Evaluation *evaluation = &sampler->evaluations[game];
    int width = position->board.width, height = position->board.height;
    double weights[MOVES_MAX];
    for (int i = 0; i <= width * height; i++)
        weights[i] = fmax((double)evaluation->policy[i], 0.0);
    int move = rng_pick(&sampler->rng, weights, width * height + 1);
    if (move < 0) move = width * height;
    return position_play(position, move_at_index(move, width, height), err);
}

/* Plays one move in every game. Sampled positions go to out[*taken] and the places after it. */
static Status step(Sampler *sampler, const SampleCall *call, Position *out, int *taken,
                   Error *err) {
    EvaluationRequest requests[GAMES] = {0};
    int every = call->every ? call->every : DEFAULT_EVERY;
    Status status = OK;
    for (int g = 0; !status && g < GAMES; g++) {
        Position *game = &sampler->games[g];
        if (game->over || game->move_count > 2 * call->size * call->size)
            status = start(sampler, call, g, err);
        requests[g].position = game;
        if (!status && *taken < call->count && rng_below(&sampler->rng, every) == 0)
            status = position_copy(&out[(*taken)++], game, err);
    }
    if (!status)
        status = evaluator_evaluate(sampler->evaluator, requests, GAMES, sampler->evaluations, err);
    for (int g = 0; !status && g < GAMES; g++)
        status = play(sampler, g, err);
    return status;
}

Status sample_positions(const Net *net, const SampleCall *call, Position *out, Error *err) {
    Sampler *sampler;
    int taken = 0;
    const NetEvaluatorSetup config = {
        .batch = GAMES,
        .buffer_width = call->size,
        .buffer_height = call->size,
        .precision = PRECISION_F32,
        .human_profile = call->human_profile ? call->human_profile : METADATA_PROFILE_DEFAULT,
        .features = FEATURE_OPTIONS_DEFAULT};
    Status status = mem_new(1, sizeof *sampler, &sampler, err);
    if (status) return status;
    sampler->rng = rng_seeded(call->seed);
    status = evaluator_net_new(net, &config, &sampler->evaluator, err);
    for (int g = 0; !status && g < GAMES; g++)
        status = start(sampler, call, g, err);
    while (!status && taken < call->count) {
        status = step(sampler, call, out, &taken, err);
        if (!status) status = progress_report(call->watch, taken, call->count, err);
    }
    for (int g = 0; g < GAMES; g++)
        position_clear(&sampler->games[g]);
    evaluator_free(sampler->evaluator);
    free(sampler);
    return status;
}

#include "base/hash.h"
#include "base/memory.h"
#include "eval/evaluator.h"
#include "eval/heads.h"
#include "eval/trim.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    Evaluator base;
    NetEvaluatorConfig config;
    Infer *infer;
    HeadIndex heads;
    Rng rng;
    Symmetry *symmetries; /* of the batch */
    int count;            /* averaged: how many symmetries */
    Evaluation *single;   /* averaged: one of them */
} NetEvaluator;

static Status run_batch(NetEvaluator *net, const Position *const *positions, int count,
                        Evaluation *out, Error *err) {
    const NetEvaluatorConfig *config = &net->config;
    size_t cells = (size_t)config->buffer_width * (size_t)config->buffer_height;
    size_t policies = (size_t)net->heads.policy_channels;
    float *planes = infer_input(net->infer, net->heads.planes),
          *globals = infer_input(net->infer, net->heads.globals);
    for (int i = 0; i < count; i++) {
        const Board *board = &positions[i]->board;
        if (board->width > config->buffer_width || board->height > config->buffer_height)
            return fail(err, ERR_ARGUMENT, "a %dx%d board does not fit into the evaluator's %dx%d",
                        board->width, board->height, config->buffer_width, config->buffer_height);
        features_encode(positions[i], &config->features, net->symmetries[i], config->buffer_width,
                        config->buffer_height, planes + (size_t)i * cells * FEATURE_PLANES,
                        globals + i * FEATURE_GLOBALS);
    }
    Status status = infer_run(net->infer, count, err);
    const float *policy = infer_output(net->infer, net->heads.policy),
                *pass = infer_output(net->infer, net->heads.pass),
                *value = infer_output(net->infer, net->heads.value),
                *score = infer_output(net->infer, net->heads.score),
                *ownership = infer_output(net->infer, net->heads.ownership);
    for (int i = 0; i < count && !status; i++) {
        RawOutputs raw = {.policy = policy + (size_t)i * cells * policies,
                          .pass = pass + (size_t)i * policies,
                          .value = value + 3 * i,
                          .score = score + 6 * i,
                          .ownership = config->ownership ? ownership + (size_t)i * cells : NULL,
                          .policy_channels = net->heads.policy_channels,
                          .optimism = config->optimism,
                          .buffer_width = config->buffer_width,
                          .buffer_height = config->buffer_height,
                          .symmetry = net->symmetries[i],
                          .policy_temperature = 1};
        status = heads_decode(&raw, positions[i], &out[i], err);
    }
    net->base.evaluations += count;
    return status;
}

static Symmetry choose_symmetry(NetEvaluator *net, const Position *position) {
    if (net->config.symmetry >= 0) return net->config.symmetry;
    if (net->config.symmetry == SYMMETRY_BY_POSITION)
        return (Symmetry)(hash_mix(position_state_hash(position) + net->config.seed) %
                          SYMMETRY_COUNT);
    return rng_below(&net->rng, SYMMETRY_COUNT);
}

static Status net_evaluate(Evaluator *evaluator, const Position *const *positions, int count,
                           Evaluation *out, Error *err) {
    NetEvaluator *net = (NetEvaluator *)evaluator;
    for (int i = 0; i < count; i++)
        net->symmetries[i] = choose_symmetry(net, positions[i]);
    return run_batch(net, positions, count, out, err);
}

static void add_scaled(const Evaluation *one, float share, Evaluation *sum) {
    int area = one->width * one->height;
    const float from[] = {one->win,
                          one->loss,
                          one->no_result,
                          one->score_mean,
                          one->score_mean_sq,
                          one->lead,
                          one->var_time,
                          one->shortterm_winloss_error,
                          one->shortterm_score_error};
    float *const to[] = {&sum->win,
                         &sum->loss,
                         &sum->no_result,
                         &sum->score_mean,
                         &sum->score_mean_sq,
                         &sum->lead,
                         &sum->var_time,
                         &sum->shortterm_winloss_error,
                         &sum->shortterm_score_error};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        *to[i] += share * from[i];
    for (int i = 0; i <= area; i++)
        sum->policy[i] = one->policy[i] < 0 ? -1 : sum->policy[i] + share * one->policy[i];
    for (int i = 0; one->has_ownership && i < area; i++)
        sum->ownership[i] += share * one->ownership[i];
}

static Status averaged_evaluate(Evaluator *evaluator, const Position *const *positions, int count,
                                Evaluation *out, Error *err) {
    NetEvaluator *net = (NetEvaluator *)evaluator;
    Status status = OK;
    for (int i = 0; i < count; i++) {
        memset(&out[i], 0, sizeof out[i]);
        out[i].width = positions[i]->board.width;
        out[i].height = positions[i]->board.height;
        out[i].has_ownership = net->config.ownership;
    }
    for (int s = 0; s < net->count && !status; s++) {
        for (int i = 0; i < count; i++)
            net->symmetries[i] = s;
        status = run_batch(net, positions, count, net->single, err);
        for (int i = 0; i < count && !status; i++)
            add_scaled(&net->single[i], 1 / (float)net->count, &out[i]);
    }
    return status;
}

static void net_free_evaluator(Evaluator *evaluator) {
    NetEvaluator *net = (NetEvaluator *)evaluator;
    infer_free(net->infer);
    free(net->symmetries);
    free(net->single);
    free(net);
}

static const EvaluatorClass NET = {"net", net_evaluate, net_free_evaluator};
static const EvaluatorClass AVERAGED = {"averaged", averaged_evaluate, net_free_evaluator};

static Status make(const EvaluatorClass *class, const Net *net, const NetEvaluatorConfig *config,
                   int count, Evaluator **out, Error *err) {
    NetEvaluator *made;
    *out = NULL;
    Status status = mem_new(1, sizeof *made, &made, err);
    if (status) return status;
    made->base = (Evaluator){class, config->batch, 0};
    made->config = *config;
    made->count = count;
    made->rng = rng_seeded(config->seed);
    InferConfig infer = {config->batch, config->buffer_height, config->buffer_width,
                         config->precision, config->backend};
    const char *const read[] = {HEAD_POLICY, HEAD_PASS,      HEAD_VALUE,
                                HEAD_SCORE,  HEAD_OWNERSHIP, NULL};
    Net *trimmed = NULL;
    status = trim_outputs(net, read, &trimmed, err);
    if (!status) status = heads_find(net_program(trimmed), &made->heads, err);
    if (!status) status = infer_new(trimmed, &infer, &made->infer, err);
    net_free(trimmed);
    if (!status)
        status = mem_new((size_t)config->batch, sizeof *made->symmetries, &made->symmetries, err);
    if (!status && count)
        status = mem_new((size_t)config->batch, sizeof *made->single, &made->single, err);
    if (status)
        net_free_evaluator(&made->base);
    else
        *out = &made->base;
    return status;
}

Status evaluator_net_new(const Net *net, const NetEvaluatorConfig *config, Evaluator **out,
                         Error *err) {
    return make(&NET, net, config, 0, out, err);
}

Status evaluator_averaged_new(const Net *net, const NetEvaluatorConfig *config, int count,
                              Evaluator **out, Error *err) {
    *out = NULL;
    if (count < 1 || count > SYMMETRY_COUNT)
        return fail(err, ERR_ARGUMENT, "%d symmetries to average, 1 to 8 are wanted", count);
    return make(&AVERAGED, net, config, count, out, err);
}

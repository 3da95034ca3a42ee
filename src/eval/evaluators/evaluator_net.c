#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "eval/arch/heads.h"
#include "eval/evaluators/decode.h"
#include "eval/evaluators/evaluator.h"
#include "eval/evaluators/net_inputs.h"
#include "eval/evaluators/prune_outputs.h"

typedef struct {
    Evaluator base;
    NetEvaluatorSetup setup;
    Infer *infer;
    HeadIndex heads;
    NetInputs inputs;
    NetInputBuffers first; /* of the executor's first sample */
    Rng rng;
    LadderMemory *ladders;
    Symmetry *symmetries; /* of each sample in the batch */
    Evaluation *single;   /* (8), of one position under several symmetries */
} NetEvaluator;

_Static_assert(EVALUATION_BUCKETS == VALUE_BUCKETS, "both are the buckets of win - loss");
_Static_assert(EVALUATION_ROOT_VARIANCES == ROOT_VARIANCE_CHANNELS,
               "both count the changes of the root's utility");

/* Lists the names of the heads that evaluators compute, ended by NULL. */
static void name_heads_of_play(const char *names[HEAD_COUNT + 1]) {
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (HEADS[i].played) *names++ = HEADS[i].name;
    }
    *names = NULL;
}

/* Writes the net's inputs for one position. */
static Status encode(NetEvaluator *net, const Position *position, const EvaluationOptions *options,
                     int index, Error *err) {
    const NetEvaluatorSetup *setup = &net->setup;
    const Board *board = &position->board;
    if (board->width > setup->buffer_width || board->height > setup->buffer_height)
        return fail(err, ERR_ARGUMENT, "a %dx%d board does not fit into the evaluator's %dx%d",
                    board->width, board->height, setup->buffer_width, setup->buffer_height);
    if (!isfinite(options->white_doublings) || !(options->policy_optimism >= 0) ||
        !(options->policy_optimism <= 1))
        return fail(
            err, ERR_ARGUMENT,
            "the playout doubling advantage is %g, wanted a finite number, and the optimism "
            "is %g, wanted 0 to 1",
            (double)options->white_doublings, (double)options->policy_optimism);
    if (!(options->history_hidden >= 0) || !(options->history_hidden <= 1))
        return fail(err, ERR_ARGUMENT, "the hidden fraction of the history is %g, wanted 0 to 1",
                    (double)options->history_hidden);
    if (!(fabsf(options->draw_shift) <= 0.5f))
        return fail(err, ERR_ARGUMENT, "a draw is worth %g wins, wanted 0 to 1",
                    0.5 + (double)options->draw_shift);
    FeatureOptions features = evaluation_features(&setup->features, options, position->mover);
    features.ladders = net->ladders;
    net_inputs_encode(&net->inputs, position, &features, net->symmetries[index],
                      setup->buffer_width, setup->buffer_height,
                      net_inputs_sample(&net->inputs, net->first,
                                        setup->buffer_width * setup->buffer_height, index));
    return OK;
}

/* Returns an output of the executor, or NULL if the net does not have it. */
static const float *output_of(const NetEvaluator *net, HeadId head) {
    int output = net->heads.output[head];
    return output >= 0 ? infer_output(net->infer, output) : NULL;
}

/* Returns what a head with a KIND_VECTOR output gives for one sample, or NULL if the net does not
 * have the head. */
static const float *optional_output(const NetEvaluator *net, HeadId head, int sample) {
    int output = net->heads.output[head];
    if (output < 0) return NULL;
    return infer_output(net->infer, output) + HEADS[head].channels * sample;
}

static Status run_batch(NetEvaluator *net, const EvaluationRequest *requests, int count,
                        Evaluation *out, Error *err) {
    const NetEvaluatorSetup *setup = &net->setup;
    const HeadIndex *heads = &net->heads;
    size_t cells = (size_t)setup->buffer_width * (size_t)setup->buffer_height;
    Status status = OK;
    Position buffer;
    for (int i = 0; i < count && !status; i++)
        status = encode(net, requests[i].position, &requests[i].options, i, err);
    if (!status) status = infer_run(net->infer, count, err);
    const float *policy = infer_output(net->infer, heads->output[HEAD_POLICY]),
                *pass = output_of(net, HEAD_PASS), *value = output_of(net, HEAD_VALUE),
                *score = output_of(net, HEAD_SCORE), *ownership = output_of(net, HEAD_OWNERSHIP);
    if (!setup->ownership) ownership = NULL;
    for (int i = 0; i < count && !status; i++) {
        RawOutputs raw = {
            .policy = policy + (size_t)i * cells * (size_t)heads->policies.count,
            .pass = pass ? pass + heads->policies.count * i : NULL,
            .value = value ? value + 3 * i : NULL,
            .score = score ? score + heads->score_channels * i : NULL,
            .ownership = ownership ? ownership + (size_t)i * cells : NULL,
            .value_buckets = optional_output(net, HEAD_VALUE_BUCKETS, i),
            .root_variance = optional_output(net, HEAD_ROOT_VARIANCE, i),
            .value_error = optional_output(net, HEAD_VALUE_ERROR, i),
            .moves_left = optional_output(net, HEAD_MOVES_LEFT, i),
            .policy_channels = heads->policies.count,
            .optimism = net->inputs.model_format.metadata ? 0 : requests[i].options.policy_optimism,
            .optimistic = heads->policies.at[POLICY_OPTIMISTIC],
            .buffer_width = setup->buffer_width,
            .buffer_height = setup->buffer_height,
            .symmetry = net->symmetries[i],
            .policy_temperature = setup->policy_temperature,
            .model_format = &net->inputs.model_format};
        status = decode_outputs(
            &raw, net_inputs_position(&net->inputs, requests[i].position, &buffer), &out[i], err);
        out[i].lacks_ownership = heads->output[HEAD_OWNERSHIP] < 0;
    }
    net->base.evaluations += count;
    return status;
}

static Symmetry choose_symmetry(NetEvaluator *net, const Position *position) {
    if (net->setup.symmetry >= 0) return net->setup.symmetry;
    if (net->setup.symmetry == SYMMETRY_BY_POSITION)
        return (Symmetry)(hash_mix(position_state_hash(position) + net->setup.seed) %
                          SYMMETRY_COUNT);
    return rng_below(&net->rng, SYMMETRY_COUNT);
}

static void add_scaled(const Evaluation *one, float weight, Evaluation *sum) {
    int area = one->width * one->height;
    const float from[] = {one->win,
                          one->loss,
                          one->no_result,
                          one->score_mean,
                          one->score_mean_sq,
                          one->lead,
                          one->var_time,
                          one->shortterm_winloss_error,
                          one->shortterm_score_error,
                          one->value_error,
                          one->moves_left};
    float *const to[] = {&sum->win,
                         &sum->loss,
                         &sum->no_result,
                         &sum->score_mean,
                         &sum->score_mean_sq,
                         &sum->lead,
                         &sum->var_time,
                         &sum->shortterm_winloss_error,
                         &sum->shortterm_score_error,
                         &sum->value_error,
                         &sum->moves_left};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        *to[i] += weight * from[i];
    for (int i = 0; i < EVALUATION_ROOT_VARIANCES; i++)
        sum->root_variances[i] += weight * one->root_variances[i];
    for (int i = 0; i <= area; i++)
        sum->policy[i] = one->policy[i] < 0 ? -1 : sum->policy[i] + weight * one->policy[i];
    for (int i = 0; one->has_ownership && i < area; i++)
        sum->ownership[i] += weight * one->ownership[i];
    for (int i = 0; one->has_value_buckets && i < EVALUATION_BUCKETS; i++)
        sum->value_buckets[i] += weight * one->value_buckets[i];
}

static int symmetries_of(const NetEvaluator *net, const EvaluationRequest *request) {
    int own = net->setup.symmetries, wanted = request->options.symmetries;
    int max = own > wanted ? own : wanted;
    return max > SYMMETRY_COUNT ? SYMMETRY_COUNT : max;
}

/* Evaluates one position as the mean over the symmetries first ^ 0, first ^ 1 and so on. */
static Status evaluate_mean(NetEvaluator *net, const EvaluationRequest *request, int symmetries,
                            Evaluation *out, Error *err) {
    EvaluationRequest same[SYMMETRY_COUNT];
    Symmetry first = choose_symmetry(net, request->position);
    const Board *board = &request->position->board;
    Status status = OK;
    memset(out, 0, sizeof *out);
    out->width = board->width;
    out->height = board->height;
    out->lacks_ownership = net->heads.output[HEAD_OWNERSHIP] < 0;
    out->lacks_score = net->heads.output[HEAD_SCORE] < 0;
    out->lacks_value = net->heads.output[HEAD_VALUE] < 0;
    out->has_ownership = net->setup.ownership && !out->lacks_ownership;
    out->has_value_buckets = net->heads.output[HEAD_VALUE_BUCKETS] >= 0;
    for (int done = 0, count = 0; done < symmetries && !status; done += count) {
        for (count = 0; count < net->setup.batch && done + count < symmetries; count++) {
            same[count] = *request;
            net->symmetries[count] = first ^ (Symmetry)(done + count);
        }
        status = run_batch(net, same, count, net->single, err);
        for (int i = 0; i < count && !status; i++)
            add_scaled(&net->single[i], 1 / (float)symmetries, out);
    }
    return status;
}

static Status net_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                           Evaluation *out, Error *err) {
    NetEvaluator *net = (NetEvaluator *)evaluator;
    Status status = OK;
    for (int i = 0, first = 0; i < count && !status; first = i) {
        for (; i < count && symmetries_of(net, &requests[i]) < 2; i++)
            net->symmetries[i - first] = choose_symmetry(net, requests[i].position);
        if (i > first) {
            status = run_batch(net, requests + first, i - first, out + first, err);
        } else {
            int symmetries = symmetries_of(net, &requests[i]);
            status = evaluate_mean(net, &requests[i], symmetries, &out[i], err);
            i++;
        }
    }
    return status;
}

static void net_free_evaluator(Evaluator *evaluator) {
    NetEvaluator *net = (NetEvaluator *)evaluator;
    infer_free(net->infer);
    ladder_memory_free(net->ladders);
    free(net->symmetries);
    free(net->single);
    free(net);
}

static const EvaluatorClass NET = {"net", net_evaluate, net_free_evaluator};

/* Sets `inputs`, and completes the copy of the setup. */
static Status set_inputs(NetEvaluator *made, const Net *net, Error *err) {
    NetEvaluatorSetup *setup = &made->setup;
    Status status = net_inputs_of(net, setup->human_profile, &made->inputs, err);
    setup->human_profile = NULL; /* it was borrowed only during the call */
    if (!status) setup->features.version = model_format_features(&made->inputs.model_format);
    if (setup->policy_temperature == 0) setup->policy_temperature = 1;
    if (!status && !(setup->policy_temperature > 0))
        status = fail(err, ERR_ARGUMENT, "the policy temperature is %g, a number above 0 is wanted",
                      (double)setup->policy_temperature);
    return status;
}

Status evaluator_net_new(const Net *net, const NetEvaluatorSetup *setup, Evaluator **out,
                         Error *err) {
    NetEvaluator *made;
    *out = NULL;
    if (setup->symmetries < 0 || setup->symmetries > SYMMETRY_COUNT)
        return fail(err, ERR_ARGUMENT,
                    "the evaluation is a mean over %d symmetries; 1 to 8 are wanted",
                    setup->symmetries);
    Status status = mem_new(1, sizeof *made, &made, err);
    if (status) return status;
    made->base = (Evaluator){&NET, setup->batch, 0, false};
    made->setup = *setup;
    made->rng = rng_seeded(setup->seed);
    InferSetup infer = {setup->batch, setup->buffer_height, setup->buffer_width, setup->precision,
                        setup->backend};
    const char *read[HEAD_COUNT + 1];
    name_heads_of_play(read);
    Net *pruned = NULL;
    status = set_inputs(made, net, err);
    if (!status) made->base.reads_all_moves = model_format_features(&made->inputs.model_format) < 7;
    if (!status) status = prune_outputs(net, read, &pruned, err);
    if (!status)
        status = heads_find_as(net_program(pruned), &made->inputs.model_format, &made->heads, err);
    if (!status) status = infer_new(pruned, &infer, &made->infer, err);
    if (!status)
        status =
            net_inputs_buffers(&made->inputs, net_program(pruned), made->infer, &made->first, err);
    net_free(pruned);
    if (!status) status = ladder_memory_new(&made->ladders, err);
    if (!status)
        status = mem_new((size_t)setup->batch, sizeof *made->symmetries, &made->symmetries, err);
    if (!status) status = mem_new(SYMMETRY_COUNT, sizeof *made->single, &made->single, err);
    if (status)
        net_free_evaluator(&made->base);
    else
        *out = &made->base;
    return status;
}

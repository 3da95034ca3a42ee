#include "train/trainer.h"
#include "base/memory.h"
#include "base/thread.h"
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const ConfigField TRAINER_FIELDS[] = {
    FIELD_INT(TrainerConfig, threads, 0, 0, 1024, "threads of training; 0: those of the run"),
    FIELD_CHOICE(TrainerConfig, precision, PRECISION_F32, "f32|bf16", "arithmetic of convolutions; sums and weights stay f32"),
    {0},
};

const ConfigField AVERAGING_FIELDS[] = {
    FIELD_INT64(AveragingConfig, period_samples, 20000, 1, 1e15, "samples between snapshots", .source = "Wu 2019, appendix C"),
    FIELD_FLOAT(AveragingConfig, decay, 0.75, 0, 0.9999, "share that the old average keeps", .source = "Wu 2019, appendix C"),
    {0},
};

typedef struct {
    Learn *learn;
    int first, count;
    Metrics sums;
    Status status;
    Error error;
} Share;

struct Trainer {
    TrainerSetup setup;
    Net *net;
    HeadIndex heads;
    Optimiser *optimiser;
    Share *shares;
    int threads;
    float **gradients, **average; /* by parameter */
    int64_t samples, averaged_at;
    const Batch *batch; /* of the step under way */
    bool learning;
};

static Status make_shares(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    int threads = trainer->threads, each = (setup->batch + threads - 1) / threads;
    Status status = mem_new((size_t)threads, sizeof *trainer->shares, &trainer->shares, err);
    LearnConfig config = {.batch = each, .height = setup->length, .width = setup->length, .precision = (Precision)setup->trainer.precision};
    for (int i = 0; i < threads && !status; i++) {
        Share *share = &trainer->shares[i];
        share->first = i * each;
        share->count = setup->batch - share->first < each ? setup->batch - share->first : each;
        if (share->count > 0) status = learn_new(trainer->net, &config, &share->learn, err);
    }
    return status;
}

static Status make_arrays(Trainer *trainer, Error *err) {
    const Program *program = net_program(trainer->net);
    size_t count = (size_t)program_parameter_count(program);
    Status status = mem_new(count, sizeof *trainer->gradients, &trainer->gradients, err);
    if (!status) status = mem_new(count, sizeof *trainer->average, &trainer->average, err);
    for (size_t i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, (int)i);
        if (spec->trained) status = mem_new_aligned(spec->count, sizeof(float), &trainer->gradients[i], err);
        if (!status) status = mem_new_aligned(spec->count, sizeof(float), &trainer->average[i], err);
        if (!status) memcpy(trainer->average[i], net_values_const(trainer->net, (int)i), spec->count * sizeof(float));
    }
    return status;
}

Status trainer_new(const TrainerSetup *setup, Net *net, Trainer **out, Error *err) {
    Trainer *trainer;
    *out = NULL;
    Status status = mem_new(1, sizeof *trainer, &trainer, err);
    if (status) {
        net_free(net);
        return status;
    }
    trainer->setup = *setup;
    trainer->net = net;
    trainer->threads = setup->trainer.threads > 0 ? setup->trainer.threads : 1;
    if (trainer->threads > setup->batch) trainer->threads = setup->batch;
    status = heads_find(net_program(net), &trainer->heads, err);
    if (!status) status = optimiser_new(net, &setup->optimiser, &trainer->optimiser, err);
    if (!status) status = make_arrays(trainer, err);
    if (!status) status = make_shares(trainer, err);
    if (status) trainer_free(trainer);
    else *out = trainer;
    return status;
}

void trainer_free(Trainer *trainer) {
    if (!trainer) return;
    for (int i = 0; trainer->shares && i < trainer->threads; i++) learn_free(trainer->shares[i].learn);
    for (int i = 0; i < program_parameter_count(net_program(trainer->net)); i++) {
        if (trainer->gradients) free(trainer->gradients[i]);
        if (trainer->average) free(trainer->average[i]);
    }
    free(trainer->gradients);
    free(trainer->average);
    free(trainer->shares);
    optimiser_free(trainer->optimiser);
    net_free(trainer->net);
    free(trainer);
}

static void run_share(void *argument, int index) {
    Trainer *trainer = argument;
    Share *share = &trainer->shares[index];
    const Batch *batch = trainer->batch;
    const HeadIndex *heads = &trainer->heads;
    size_t cells = (size_t)(batch->length * batch->length), first = (size_t)share->first, count = (size_t)share->count;
    share->sums = (Metrics){0};
    share->status = OK;
    if (share->count <= 0) return;
    Learn *learn = share->learn;
    memcpy(learn_input(learn, heads->planes), batch->planes + first * cells * FEATURE_PLANES, count * cells * FEATURE_PLANES * sizeof(float));
    memcpy(learn_input(learn, heads->globals), batch->globals + first * FEATURE_GLOBALS, count * FEATURE_GLOBALS * sizeof(float));
    share->status = learn_forward(learn, share->count, trainer->learning, &share->error);
    if (share->status) return;
    const int outputs[6] = {heads->policy, heads->pass, heads->value, heads->score, heads->ownership, heads->score_distribution};
    ObjectiveShare loss = {.batch = batch, .first = share->first, .count = share->count};
    for (int i = 0; i < 6; i++) {
        loss.outputs[i] = outputs[i] < 0 ? NULL : learn_output(learn, outputs[i]);
        loss.gradients[i] = outputs[i] < 0 ? NULL : learn_output_gradient(learn, outputs[i]);
    }
    objective_evaluate(&trainer->setup.objective, &loss, &share->sums);
    if (!trainer->learning) return;
    learn_clear_gradients(learn);
    share->status = learn_backward(learn, &share->error);
}

static Status run_batch(Trainer *trainer, const Batch *batch, bool learning, Metrics *out, Error *err) {
    if (batch->count != trainer->setup.batch || batch->length != trainer->setup.length) return fail(err, ERR_ARGUMENT, "a batch of %d boards with edge %d, wanted %d with %d", batch->count, batch->length, trainer->setup.batch, trainer->setup.length);
    trainer->batch = batch;
    trainer->learning = learning;
    Status status = thread_parallel(trainer->threads, run_share, trainer, err);
    *out = (Metrics){0};
    for (int i = 0; i < trainer->threads && !status; i++) {
        status = trainer->shares[i].status;
        if (status) fail(err, status, "%s", trainer->shares[i].error.message);
        metrics_add(out, &trainer->shares[i].sums);
    }
    metrics_divide(out);
    return status;
}

/* Means over the batch, the shares in order, so that the sum does not depend on who was first. */
static void sum_gradients(Trainer *trainer) {
    const Program *program = net_program(trainer->net);
    float scale = 1 / (float)trainer->setup.batch;
    for (int p = 0; p < program_parameter_count(program); p++) {
        size_t count = trainer->gradients[p] ? program_parameter(program, p)->count : 0;
        for (int i = 0; i < trainer->threads && count; i++) {
            if (trainer->shares[i].count <= 0) continue;
            const float *from = learn_gradient(trainer->shares[i].learn, p);
            for (size_t k = 0; k < count; k++) trainer->gradients[p][k] = (i ? trainer->gradients[p][k] : 0) + scale * from[k];
        }
    }
}

static void average(Trainer *trainer) {
    const AveragingConfig *config = &trainer->setup.averaging;
    if (trainer->samples - trainer->averaged_at < config->period_samples) return;
    trainer->averaged_at = trainer->samples;
    for (int p = 0; p < program_parameter_count(net_program(trainer->net)); p++) {
        const float *now = net_values_const(trainer->net, p);
        size_t count = program_parameter(net_program(trainer->net), p)->count;
        for (size_t k = 0; k < count; k++) trainer->average[p][k] = config->decay * trainer->average[p][k] + (1 - config->decay) * now[k];
    }
}

Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    Status status = run_batch(trainer, batch, true, out, err);
    if (status) return status;
    if (!isfinite(out->loss)) return fail(err, ERR_ARGUMENT, "the loss is not finite after %lld samples", (long long)trainer->samples);
    sum_gradients(trainer);
    double rate = schedule_rate(&trainer->setup.schedule, trainer->samples);
    out->learning_rate = rate;
    status = optimiser_step(trainer->optimiser, trainer->gradients, rate * trainer->setup.batch, &out->gradient_norm, err);
    if (status) return status;
    trainer->samples += batch->count;
    average(trainer);
    return OK;
}

Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    return run_batch(trainer, batch, false, out, err);
}

int64_t trainer_samples(const Trainer *trainer) {
    return trainer->samples;
}

const Net *trainer_net(const Trainer *trainer) {
    return trainer->net;
}

Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err) {
    Status status = net_copy(trainer->net, out, err);
    const char *bad;
    for (int p = 0; !status && p < program_parameter_count(net_program(trainer->net)); p++) {
        memcpy(net_values(*out, p), trainer->average[p], program_parameter(net_program(trainer->net), p)->count * sizeof(float));
    }
    if (!status && !net_is_finite(*out, &bad)) {
        net_free(*out);
        *out = NULL;
        status = fail(err, ERR_ARGUMENT, "%s is not finite", bad);
    }
    return status;
}

Status trainer_save(const Trainer *trainer, const char *path, Error *err) {
    TensorFile *file;
    Status status = tensor_file_new(&file, err);
    const Program *program = net_program(trainer->net);
    const int64_t counters[2] = {trainer->samples, trainer->averaged_at};
    if (!status) status = tensor_file_note(file, "format", "aji checkpoint 1", err);
    if (!status) status = tensor_file_note(file, "net", net_hash(trainer->net).text, err);
    if (!status) status = tensor_file_add(file, "counters", "I64", 2, counters, err);
    for (int p = 0; p < program_parameter_count(program) && !status; p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        char name[80];
        snprintf(name, sizeof name, "w.%s", spec->name);
        status = tensor_file_add(file, name, "F32", spec->count, net_values_const(trainer->net, p), err);
        snprintf(name, sizeof name, "avg.%s", spec->name);
        if (!status) status = tensor_file_add(file, name, "F32", spec->count, trainer->average[p], err);
    }
    if (!status) status = optimiser_save(trainer->optimiser, file, err);
    if (!status) status = tensor_file_save(file, path, err);
    tensor_file_free(file);
    return status;
}

Status trainer_load(Trainer *trainer, const char *path, Error *err) {
    TensorFile *file;
    Status status = tensor_file_load(path, &file, err);
    if (status) return status;
    const Program *program = net_program(trainer->net);
    int64_t counters[2] = {0, 0};
    status = tensor_file_read(file, "counters", "I64", 2, counters, err);
    for (int p = 0; p < program_parameter_count(program) && !status; p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        char name[80];
        snprintf(name, sizeof name, "w.%s", spec->name);
        status = tensor_file_read(file, name, "F32", spec->count, net_values(trainer->net, p), err);
        snprintf(name, sizeof name, "avg.%s", spec->name);
        if (!status) status = tensor_file_read(file, name, "F32", spec->count, trainer->average[p], err);
    }
    if (!status) status = optimiser_restore(trainer->optimiser, file, err);
    const char *said = tensor_file_get_note(file, "net");
    if (!status && (!said || strcmp(said, net_hash(trainer->net).text) != 0)) status = fail(err, ERR_SYNTAX, "the weights do not have the checksum that the checkpoint says");
    if (status) fail_within(err, status, "%s", path);
    trainer->samples = counters[0];
    trainer->averaged_at = counters[1];
    tensor_file_free(file);
    return status;
}

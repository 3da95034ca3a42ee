#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "train/trainer_private.h"

#define FORMAT "aji checkpoint 1"

static void name_of(const Program *program, int index, char out[80]) {
    snprintf(out, 80, "w.%s", program_parameter(program, index)->name);
}

Status checkpoint_collect(const Trainer *trainer, TensorFile **out, Error *err) {
    TensorFile *file;
    const Program *program = net_program(trainer->net);
    *out = NULL;
    Status status = tensor_file_new(&file, err);
    if (status) return status;
    status = tensor_file_note(file, "format", FORMAT, err);
    NetHash hash = net_hash(trainer->net);
    if (!status && !*hash.text) status = fail(err, ERR_MEMORY, "no memory for the net's checksum");
    if (!status) status = tensor_file_note(file, "net", hash.text, err);
    if (!status) status = tensor_file_add(file, "samples", "I64", 1, &trainer->samples, err);
    if (!status && trainer->origin > 0)
        status = tensor_file_add(file, "origin", "I64", 1, &trainer->origin, err);
    if (!status && trainer->restarted > 0)
        status = tensor_file_add(file, "restarted", "I64", 1, &trainer->restarted, err);
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        char name[80];
        name_of(program, i, name);
        status = tensor_file_add(file, name, "F32", program_parameter(program, i)->count,
                                 net_values_const(trainer->net, i), err);
    }
    if (!status) status = averaging_save(trainer->averaging, file, err);
    if (!status) status = optimiser_save(trainer->optimiser, file, err);
    if (!status) status = divergence_save(&trainer->watch, file, err);
    if (!status && trainer->lookahead) status = lookahead_save(trainer->lookahead, file, err);
    if (!status && trainer->heads.output[HEAD_TD] >= 0)
        status = tensor_file_add(file, "unowned", "F64", 1, &trainer->unowned, err);
    if (status)
        tensor_file_free(file);
    else
        *out = file;
    return status;
}

/* The parts of a state while it is not yet known to be whole. */
typedef struct {
    Net *net;
    Averaging *averaging;
    Optimiser *optimiser;
    Lookahead *lookahead;
    int64_t samples, origin, restarted;
    double unowned;
} Parts;

static Status read_net(Net *net, const TensorFile *file, Error *err) {
    const Program *program = net_program(net);
    const char *bad, *said = tensor_file_get_note(file, "net");
    Status status = OK;
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        char name[80];
        name_of(program, i, name);
        status = tensor_file_read(file, name, "F32", program_parameter(program, i)->count,
                                  net_values(net, i), err);
    }
    if (status) return status;
    if (!net_is_finite(net, &bad)) return fail(err, ERR_SYNTAX, "%s is not finite", bad);
    NetHash hash = net_hash(net);
    if (!*hash.text) return fail(err, ERR_MEMORY, "no memory for the net's checksum");
    if (!said || strcmp(said, hash.text) != 0)
        return fail(err, ERR_SYNTAX, "the weights do not have the checksum that is written there");
    return OK;
}

/* A checkpoint of a trainer without slow weights: they begin where its weights are. */
static Status read_lookahead(const Trainer *trainer, const TensorFile *file, Parts *parts,
                             Error *err) {
    const TrainerSettings *config = &trainer->setup.trainer;
    Status status = lookahead_new(trainer->net, config->lookahead, (double)config->lookahead_share,
                                  &parts->lookahead, err);
    if (!status) lookahead_restart(parts->lookahead, parts->net);
    if (status || !tensor_file_has(file, "lookahead", "I64", 1)) return status;
    return lookahead_restore(parts->lookahead, file, err);
}

/* Of a net that began with its run, and of checkpoints before there were origins, nothing is said
 * of it. */
static Status read_samples(const TensorFile *file, Parts *parts, Error *err) {
    Status status = tensor_file_read(file, "samples", "I64", 1, &parts->samples, err);
    if (!status && tensor_file_has(file, "origin", "I64", 1))
        status = tensor_file_read(file, "origin", "I64", 1, &parts->origin, err);
    if (!status && tensor_file_has(file, "restarted", "I64", 1))
        status = tensor_file_read(file, "restarted", "I64", 1, &parts->restarted, err);
    if (!status && (parts->restarted < 0 || parts->samples < parts->restarted))
        status = fail(err, ERR_SYNTAX, "%lld samples, begun anew at %lld",
                      (long long)parts->samples, (long long)parts->restarted);
    if (!status && (parts->origin < 0 || parts->samples < parts->origin))
        status = fail(err, ERR_SYNTAX, "%lld samples, counted from %lld", (long long)parts->samples,
                      (long long)parts->origin);
    return status;
}

static Status read_parts(const Trainer *trainer, const TensorFile *file, Parts *parts, Error *err) {
    const char *format = tensor_file_get_note(file, "format");
    if (!format || strcmp(format, FORMAT) != 0)
        return fail(err, ERR_SYNTAX, "not a checkpoint (format \"%.40s\", wanted \"" FORMAT "\")",
                    format ? format : "");
    Status status = net_copy(trainer->net, &parts->net, err);
    if (!status) status = read_net(parts->net, file, err);
    if (!status)
        status = averaging_new(trainer->net, &trainer->setup.averaging, 0, &parts->averaging, err);
    if (!status) status = averaging_restore(parts->averaging, file, err);
    if (!status)
        status = optimiser_new(trainer->net, &trainer->setup.optimiser, &parts->optimiser, err);
    if (!status) status = optimiser_restore(parts->optimiser, file, err);
    if (!status) status = read_samples(file, parts, err);
    if (!status && trainer->heads.output[HEAD_TD] >= 0)
        status = tensor_file_read(file, "unowned", "F64", 1, &parts->unowned, err);
    if (!status && trainer->lookahead) status = read_lookahead(trainer, file, parts, err);
    if (!status && !(parts->unowned >= 0 && parts->unowned <= 1))
        status = fail(err, ERR_SYNTAX, "a share of %g of unowned points", parts->unowned);
    return status;
}

Status checkpoint_apply(Trainer *trainer, const TensorFile *file, Error *err) {
    Parts parts = {0};
    Status status = read_parts(trainer, file, &parts, err);
    if (!status) {
        net_copy_values(trainer->net, parts.net);
        Optimiser *optimiser = trainer->optimiser;
        Averaging *averaging = trainer->averaging;
        trainer->optimiser = parts.optimiser;
        trainer->averaging = parts.averaging;
        trainer->samples = parts.samples;
        trainer->origin = parts.origin;
        trainer->restarted = parts.restarted;
        trainer->waiting = trainer->waiting_rows = 0; /* their gradients were of other weights */
        if (trainer->heads.output[HEAD_TD] >= 0) trainer->unowned = parts.unowned;
        Lookahead *lookahead = trainer->lookahead;
        trainer->lookahead = parts.lookahead;
        parts.lookahead = lookahead;
        parts.optimiser = optimiser;
        parts.averaging = averaging;
    }
    optimiser_free(parts.optimiser);
    averaging_free(parts.averaging);
    lookahead_free(parts.lookahead);
    net_free(parts.net);
    return status;
}

int64_t trainer_saved_samples(const Trainer *trainer) {
    int64_t samples = trainer->samples;
    bool found = trainer->watch.suspects &&
                 !tensor_file_read(trainer->good, "samples", "I64", 1, &samples, NULL);
    return found ? samples : trainer->samples;
}

Status trainer_save(const Trainer *trainer, const char *path, Error *err) {
    TensorFile *file;
    const char *bad;
    if (trainer->watch.suspects) return tensor_file_save(trainer->good, path, err);
    if (!net_is_finite(trainer->net, &bad))
        return fail(err, ERR_ARGUMENT, "%s is not finite; %s is not written", bad, path);
    Status status = checkpoint_collect(trainer, &file, err);
    if (status) return status;
    status = tensor_file_save(file, path, err);
    tensor_file_free(file);
    return status;
}

Status trainer_load(Trainer *trainer, const char *path, Error *err) {
    TensorFile *file;
    Status status = tensor_file_load(path, &file, err);
    if (status) return status;
    Divergence watch = trainer->watch;
    status = divergence_restore(&watch, file, err);
    if (!status) status = checkpoint_apply(trainer, file, err);
    if (status) {
        fail_within(err, status, "%s", path);
        tensor_file_free(file);
        return status;
    }
    trainer->watch = watch;
    tensor_file_free(trainer->good);
    tensor_file_free(trainer->newer);
    trainer->good = file;
    trainer->newer = NULL;
    return OK;
}

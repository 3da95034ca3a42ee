/* How the checkpoints of a trainer are written and read:
 *   1. checkpoint_collect() copies the whole state into a tensor file in memory: weights (with a
 *      checksum as a note), average, optimiser, Divergence, slow weights, latent weights and
 *      counts.
 *   2. trainer_save() writes this state to a file. After an outlier, while `suspicion` is above 0
 *      (divergence.h), it writes the last good state instead.
 *   3. checkpoint_apply() reads all parts into new objects and checks them. Only if all of them are
 *      right, the new objects replace those of the trainer. So a damaged checkpoint changes
 *      nothing.
 *   4. The trainer also keeps collected states in memory and returns to one of them after a
 *      divergence. This must not undo what Divergence has counted, so only trainer_load() restores
 *      Divergence. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "train/trainer_private.h"

#define FORMAT "aji checkpoint"
enum { FORMAT_VERSION = 1 };

static void tensor_name(const Program *program, int index, char out[80]) {
    snprintf(out, 80, "w.%s", program_parameter(program, index)->name);
}

Status checkpoint_collect(const Trainer *trainer, TensorFile **out, Error *err) {
    TensorFile *file;
    const Program *program = net_program(trainer->net);
    *out = NULL;
    Status status = tensor_file_new(&file, err);
    if (status) return status;
    status = tensor_file_note(file, "format", FORMAT " 1", err);
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
        tensor_name(program, i, name);
        status = tensor_file_add(file, name, "F32", program_parameter(program, i)->count,
                                 net_values_const(trainer->net, i), err);
    }
    if (!status) status = averaging_save(trainer->averaging, file, err);
    if (!status) status = optimiser_save(trainer->optimiser, file, err);
    if (!status) status = divergence_save(&trainer->divergence, file, err);
    if (!status && trainer->lookahead) status = lookahead_save(trainer->lookahead, file, err);
    if (!status && trainer->latent) status = latent_weights_save(trainer->latent, file, err);
    if (!status && trainer->heads.output[HEAD_SEKI] >= 0)
        status = tensor_file_add(file, "unowned", "F64", 1, &trainer->unowned, err);
    if (status)
        tensor_file_free(file);
    else
        *out = file;
    return status;
}

/* The parts that checkpoint_apply() has read. */
typedef struct {
    Net *net;
    Averaging *averaging;
    Optimiser *optimiser;
    Lookahead *lookahead;
    LatentWeights *latent;
    int64_t samples, origin, restarted;
    double unowned;
} LoadedState;

static Status read_net(Net *net, const TensorFile *file, Error *err) {
    const Program *program = net_program(net);
    const char *bad, *checksum = tensor_file_get_note(file, "net");
    Status status = OK;
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        char name[80];
        tensor_name(program, i, name);
        status = tensor_file_read(file, name, "F32", program_parameter(program, i)->count,
                                  net_values(net, i), err);
    }
    if (status) return status;
    if (!net_is_finite(net, &bad)) return fail(err, ERR_SYNTAX, "%s is not finite", bad);
    NetHash hash = net_hash(net);
    if (!*hash.text) return fail(err, ERR_MEMORY, "no memory for the net's checksum");
    if (!checksum || strcmp(checksum, hash.text) != 0)
        return fail(err, ERR_SYNTAX,
                    "the checksum of the weights differs from the one in the checkpoint");
    return OK;
}

/* Reads the slow weights. If the checkpoint has none, they start at the checkpoint's weights. */
static Status read_lookahead(const Trainer *trainer, const TensorFile *file, LoadedState *loaded,
                             Error *err) {
    const TrainerSettings *settings = &trainer->setup.training.trainer;
    Status status = lookahead_new(trainer->net, settings->lookahead.steps,
                                  settings->lookahead.fraction, &loaded->lookahead, err);
    if (!status) lookahead_restart(loaded->lookahead, loaded->net);
    if (status || !tensor_file_has(file, "lookahead", "I64", 1)) return status;
    return lookahead_restore(loaded->lookahead, file, err);
}

/* Reads the latent weights and masks. If the checkpoint has none, they are made from its
 * weights. */
static Status read_latent(const Trainer *trainer, const TensorFile *file, LoadedState *loaded,
                          Error *err) {
    Status status = latent_weights_new(trainer->net, &trainer->setup.training.trainer.sparsity,
                                       &loaded->latent, err);
    if (status) return status;
    latent_weights_restart(loaded->latent, loaded->net);
    return latent_weights_restore(loaded->latent, file, err);
}

/* Reads the counts of samples. A checkpoint has no `origin` or `restarted` if this count is 0, or
 * if an early version of the program wrote it. */
static Status read_samples(const TensorFile *file, LoadedState *loaded, Error *err) {
    Status status = tensor_file_read(file, "samples", "I64", 1, &loaded->samples, err);
    if (!status && tensor_file_has(file, "origin", "I64", 1))
        status = tensor_file_read(file, "origin", "I64", 1, &loaded->origin, err);
    if (!status && tensor_file_has(file, "restarted", "I64", 1))
        status = tensor_file_read(file, "restarted", "I64", 1, &loaded->restarted, err);
    if (!status && (loaded->restarted < 0 || loaded->samples < loaded->restarted))
        status = fail(err, ERR_SYNTAX, "%lld samples, but the last restart was after %lld",
                      (long long)loaded->samples, (long long)loaded->restarted);
    if (!status && (loaded->origin < 0 || loaded->samples < loaded->origin))
        status =
            fail(err, ERR_SYNTAX, "%lld samples, but training from random weights began at %lld",
                 (long long)loaded->samples, (long long)loaded->origin);
    return status;
}

static Status read_state(const Trainer *trainer, const TensorFile *file, LoadedState *loaded,
                         Error *err) {
    const char *format = tensor_file_get_note(file, "format");
    int version = tensor_file_version(file, FORMAT);
    if (version > FORMAT_VERSION)
        return fail(err, ERR_UNSUPPORTED,
                    "made by a newer version of aji: the format is \"" FORMAT " %d\", and this "
                    "version knows \"" FORMAT " %d\"",
                    version, FORMAT_VERSION);
    if (version != FORMAT_VERSION)
        return fail(err, ERR_SYNTAX,
                    "not a checkpoint (format \"%.40s\", wanted \"" FORMAT " %d\")",
                    format ? format : "", FORMAT_VERSION);
    Status status = net_copy(trainer->net, &loaded->net, err);
    if (!status) status = read_net(loaded->net, file, err);
    if (!status)
        status = averaging_new(trainer->net, &trainer->setup.training.averaging, 0,
                               &loaded->averaging, err);
    if (!status) status = averaging_restore(loaded->averaging, file, err);
    if (!status)
        status = optimiser_new(trainer->net, &trainer->setup.training.optimiser, &loaded->optimiser,
                               err);
    if (!status) status = optimiser_restore(loaded->optimiser, file, err);
    if (!status) status = read_samples(file, loaded, err);
    if (!status && trainer->heads.output[HEAD_SEKI] >= 0)
        status = tensor_file_read(file, "unowned", "F64", 1, &loaded->unowned, err);
    if (!status && trainer->lookahead) status = read_lookahead(trainer, file, loaded, err);
    if (!status && trainer->latent) status = read_latent(trainer, file, loaded, err);
    if (!status && !(loaded->unowned >= 0 && loaded->unowned <= 1))
        status = fail(err, ERR_SYNTAX, "the fraction of unowned points is %g, 0 to 1 is wanted",
                      loaded->unowned);
    return status;
}

Status checkpoint_apply(Trainer *trainer, const TensorFile *file, Error *err) {
    LoadedState loaded = {0};
    Status status = read_state(trainer, file, &loaded, err);
    if (!status) {
        net_copy_values(trainer->net, loaded.net);
        Optimiser *optimiser = trainer->optimiser;
        Averaging *averaging = trainer->averaging;
        trainer->optimiser = loaded.optimiser;
        trainer->averaging = loaded.averaging;
        trainer->samples = loaded.samples;
        trainer->origin = loaded.origin;
        trainer->restarted = loaded.restarted;
        /* The gradients of pending batches belong to other weights. */
        trainer->pending_batches = trainer->pending_rows = 0;
        if (trainer->heads.output[HEAD_SEKI] >= 0) trainer->unowned = loaded.unowned;
        Lookahead *lookahead = trainer->lookahead;
        trainer->lookahead = loaded.lookahead;
        loaded.lookahead = lookahead;
        LatentWeights *latent = trainer->latent;
        trainer->latent = loaded.latent;
        loaded.latent = latent;
        loaded.optimiser = optimiser;
        loaded.averaging = averaging;
    }
    optimiser_free(loaded.optimiser);
    averaging_free(loaded.averaging);
    lookahead_free(loaded.lookahead);
    latent_weights_free(loaded.latent);
    net_free(loaded.net);
    return status;
}

int64_t trainer_saved_samples(const Trainer *trainer) {
    int64_t samples = trainer->samples;
    bool found = trainer->divergence.suspicion &&
                 !tensor_file_read(trainer->good_state, "samples", "I64", 1, &samples, NULL);
    return found ? samples : trainer->samples;
}

Status trainer_save(const Trainer *trainer, const char *path, Error *err) {
    TensorFile *file;
    const char *bad;
    if (trainer->divergence.suspicion) return tensor_file_save(trainer->good_state, path, err);
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
    Divergence divergence = trainer->divergence;
    status = divergence_restore(&divergence, file, err);
    if (!status) status = checkpoint_apply(trainer, file, err);
    if (status) {
        fail_within(err, status, "%s", path);
        tensor_file_free(file);
        return status;
    }
    trainer->divergence = divergence;
    tensor_file_free(trainer->good_state);
    tensor_file_free(trainer->newer_state);
    trainer->good_state = file;
    trainer->newer_state = NULL;
    return OK;
}

/* How larger nets replace the net of a run (Wu 2019):
 *   1. The run's trainer has its checkpoints in train/. From run.larger_rows rows on, a larger net
 *      trains on the same batches. Its checkpoints are in train/larger/.
 *   2. If the mean loss of the larger net in a training, over at least COMPARED_MIN batches, was
 *      lower than that of the run's net, the larger net takes over: its trainer becomes the run's
 *      trainer, and the file "took-over" in its folder says so.
 *   3. Then the next larger net may begin. The k-th larger net (k is 2, 3 ...) begins when the run
 *      has k * run.larger_rows rows. Its checkpoints are in train/larger-K/, where K is this k.
 *   4. After a setback of a net (trainer.h), the checkpoints of this net that are newer than the
 *      restored state are replaced by a checkpoint of that state. */
#include "run/stages/run_trainers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "run/stages/trainer_begin.h"

enum {
    COMPARED_MIN = 16, /* batches of a training that are enough to compare the losses */
    OPEN_TRIES = 20,
};

Status run_trainers_larger_path(const RunDirectory *run, int k, const char *name, Path *out,
                                Error *err) {
    Path folder;
    char own[32] = "larger";
    if (k > 0) snprintf(own, sizeof own, "larger-%d", k + 1);
    Status status = path_join(&folder, run->train.text, own, err);
    if (!status && *name) return path_join(out, folder.text, name, err);
    *out = folder;
    return status;
}

/* Writes the path of the file `name` in the folder of the larger net that may take over next. */
static Status larger_path(const RunTrainers *trainers, const char *name, Path *out, Error *err) {
    return run_trainers_larger_path(&trainers->store->directory, trainers->larger.takeovers, name,
                                    out, err);
}

static LargerArch next_arch(const RunTrainers *trainers) {
    return run_larger_arch(&trainers->plan->config.run, trainers->larger.takeovers);
}

/* Writes the path of the folder with the checkpoints of the run's trainer. */
static Status own_folder(const RunTrainers *trainers, Path *out, Error *err) {
    *out = trainers->store->directory.train;
    return trainers->larger.takeovers
               ? run_trainers_larger_path(&trainers->store->directory,
                                          trainers->larger.takeovers - 1, "", out, err)
               : OK;
}

/* Counts the larger nets that have taken over. If there is one, sets `*last` to the "took-over"
 * file of the net that took over last. */
static Status count_takeovers(const RunTrainers *trainers, int *count, Path *last, Error *err) {
    Status status = OK;
    *count = 0;
    for (int k = 0; !status && *run_larger_arch(&trainers->plan->config.run, k).text; k++) {
        Path took;
        status = run_trainers_larger_path(&trainers->store->directory, k, "took-over", &took, err);
        if (status || !file_exists(took.text)) continue;
        *count = k + 1;
        *last = took;
    }
    return status;
}

static int64_t samples_of(const char *checkpoint) {
    return strtoll(path_name(checkpoint) + strlen("checkpoint-"), NULL, 10);
}

/* Sets a damaged checkpoint aside. A process that does not train only warns of it. */
static void pass_over(const RunTrainers *trainers, const char *path, const char *reason) {
    if (run_plan_has_part(trainers->plan, CYCLE_TRAINS))
        run_directory_set_aside(path, reason);
    else
        log_warning("%s; the next older checkpoint is used instead", reason);
}

/* Loads a checkpoint. Fails if it was not made after as many samples as its name says. */
static Status load_checkpoint(Trainer *trainer, const char *path, Error *err) {
    Status status = trainer_load(trainer, path, err);
    if (status || trainer_samples(trainer) == samples_of(path)) return status;
    return fail(err, ERR_SYNTAX, "%s is not the checkpoint that its name says: it has %lld samples",
                path, (long long)trainer_samples(trainer));
}

/* Opens a trainer from the newest checkpoint in the folder that is not damaged. If there is none,
 * the trainer begins with a new net if `fresh` is true, and otherwise `*out` is NULL. Sets
 * `*listed` to the samples of the newest checkpoint, damaged or not, or to -1 if there is no
 * checkpoint. */
static Status open_newest(const RunTrainers *trainers, const char *arch, const char *folder,
                          bool fresh, Trainer **out, int64_t *listed, Error *err) {
    Arena arena = {0};
    char **paths = NULL;
    int count = 0;
    *out = NULL;
    Status status = run_directory_checkpoints(folder, &arena, &paths, &count, err);
    *listed = !status && count ? samples_of(paths[count - 1]) : -1;
    for (int i = count - 1; i >= 0 && !status && !*out; i--) {
        Error fault = {0};
        status = trainer_begin_random(trainers->plan, arch, 0, out, err);
        if (status) break;
        Status loaded = load_checkpoint(*out, paths[i], &fault);
        if (!loaded) break;
        if (loaded == ERR_SYNTAX)
            pass_over(trainers, paths[i], fault.message);
        else if (file_exists(paths[i])) /* if not, a process that trains has removed it */
            status = fail(err, loaded, "%s", fault.message);
        trainer_free(*out);
        *out = NULL;
    }
    const TrainerBeginSetup setup = {trainers->plan, &trainers->store->directory, arch, folder};
    if (!status && fresh && !*out) status = trainer_begin_anew(&setup, out, err);
    arena_clear(&arena);
    return status;
}

/* Returns the samples of the newest checkpoint in the folder, or -1 if there is none. */
static int64_t newest_samples(const char *folder) {
    Arena arena = {0};
    char **paths;
    int count;
    int64_t samples = -1;
    if (!run_directory_checkpoints(folder, &arena, &paths, &count, NULL) && count)
        samples = samples_of(paths[count - 1]);
    arena_clear(&arena);
    return samples;
}

/* Calls open_newest(). If the folder has a newer checkpoint afterwards, calls it again, at most
 * OPEN_TRIES times in all. The reason is that another process, which trains, may remove the older
 * checkpoints before they can be read. */
static Status open_one(const RunTrainers *trainers, const char *arch, const char *folder,
                       bool fresh, Trainer **out, Error *err) {
    Status status = OK;
    *out = NULL;
    for (int tries = 0; tries < OPEN_TRIES && !status; tries++) {
        trainer_free(*out);
        int64_t listed;
        status = open_newest(trainers, arch, folder, fresh, out, &listed, err);
        if (newest_samples(folder) <= listed) break;
    }
    return status;
}

/* Reads the text of a "took-over" file for the screen. A failure does not matter, because the
 * existence of the file is enough to say that the net has taken over. */
static void read_takeover(RunTrainers *trainers, const char *path) {
    Arena arena = {0};
    char *text;
    size_t length;
    Error fault = {0};
    if (!file_read(path, 1 << 12, &arena, &text, &length, &fault))
        snprintf(trainers->larger.takeover_text, sizeof trainers->larger.takeover_text, "%.*s",
                 (int)strcspn(text, "\n"), text);
    else
        log_warning("%s", fault.message);
    arena_clear(&arena);
}

Status run_trainers_open(RunTrainers *trainers, Error *err) {
    const RunSettings *run = &trainers->plan->config.run;
    Path own, larger, took;
    Status status = count_takeovers(trainers, &trainers->larger.takeovers, &took, err);
    if (!status && trainers->larger.takeovers) read_takeover(trainers, took.text);
    if (!status) status = own_folder(trainers, &own, err);
    if (!status) status = larger_path(trainers, "", &larger, err);
    if (status) return status;
    LargerArch next = next_arch(trainers),
               last = run_larger_arch(
                   run, trainers->larger.takeovers ? trainers->larger.takeovers - 1 : 0);
    if (*next.text && file_exists(larger.text))
        status = open_one(trainers, next.text, larger.text, false, &trainers->larger.trainer, err);
    if (status) return status;
    return open_one(trainers, trainers->larger.takeovers ? last.text : run->arch, own.text, true,
                    &trainers->trainer, err);
}

void run_trainers_init(RunTrainers *trainers, const RunPlan *plan, RunStore *store,
                       RunClock *clock) {
    *trainers = (RunTrainers){.plan = plan, .store = store, .clock = clock};
}

int64_t run_trainers_samples(const RunTrainers *trainers, const RunNets *nets) {
    return trainers->trainer ? trainer_samples(trainers->trainer) : nets->samples;
}

void run_trainers_free(RunTrainers *trainers) {
    trainer_free(trainers->trainer);
    trainer_free(trainers->larger.trainer);
    trainers->trainer = trainers->larger.trainer = NULL;
}

Status run_trainers_renew(RunTrainers *trainers, Error *err) {
    Path own, took;
    int takeovers, before = trainers->larger.takeovers;
    Status status = count_takeovers(trainers, &takeovers, &took, err);
    if (!status) status = own_folder(trainers, &own, err);
    if (status) return status;
    if (takeovers == before && newest_samples(own.text) <= trainer_samples(trainers->trainer))
        return OK;
    Trainer *trainer = trainers->trainer, *beside = trainers->larger.trainer;
    Error fault = {0};
    trainers->trainer = trainers->larger.trainer = NULL;
    status = run_trainers_open(trainers, &fault);
    if (status) { /* the present trainers continue */
        run_trainers_free(trainers);
        trainers->trainer = trainer;
        trainers->larger.trainer = beside;
        trainers->larger.takeovers = before;
        /* If a newer version of the program has written checkpoints, the present trainers must not
         * continue, because they would replace these checkpoints. */
        if (status == ERR_UNSUPPORTED) return fail(err, status, "%s", fault.message);
        log_warning("%s", fault.message);
        return OK;
    }
    trainer_free(trainer);
    trainer_free(beside);
    return OK;
}

static int64_t rows_wanted(const RunTrainers *trainers) {
    return (trainers->larger.takeovers + 1) * trainers->plan->config.run.larger_rows;
}

LargerText run_trainers_larger_text(const RunTrainers *trainers) {
    LargerText out = {""};
    const RunSettings *run = &trainers->plan->config.run;
    LargerArch next = next_arch(trainers);
    bool more = *next.text;
    if (!more && trainers->larger.takeovers)
        next = run_larger_arch(run, trainers->larger.takeovers - 1);
    if (!*next.text) return out;
    int used = snprintf(out.text, sizeof out.text, "larger net %.60s: ", next.text);
    char *at = out.text + used;
    size_t room = sizeof out.text - (size_t)used;
    if (!more)
        snprintf(at, room, "took over%s%s", *trainers->larger.takeover_text ? " " : "",
                 trainers->larger.takeover_text);
    else if (trainers->larger.given_up)
        snprintf(at, room, "given up after %d setbacks without progress", SETBACKS_MAX);
    else if (!trainers->larger.trainer)
        snprintf(at, room, "begins at %lld rows", (long long)rows_wanted(trainers));
    else if (trainers->larger.mean > 0)
        snprintf(at, room, "trains, loss %.4f (smaller net %.4f)", trainers->larger.mean,
                 trainers->larger.smaller_mean);
    else
        snprintf(at, room, "trains");
    return out;
}

Status run_trainers_begin(RunTrainers *trainers, int64_t rows, Error *err) {
    LargerArch next = next_arch(trainers);
    Path folder;
    trainers->larger.smaller_loss = trainers->larger.loss = 0;
    trainers->larger.compared = 0;
    if (trainers->larger.trainer || trainers->larger.given_up || !*next.text ||
        rows < rows_wanted(trainers))
        return OK;
    Status status = larger_path(trainers, "", &folder, err);
    if (!status) status = directory_make(folder.text, err);
    if (!status)
        status = trainer_begin_random(trainers->plan, next.text, trainer_samples(trainers->trainer),
                                      &trainers->larger.trainer, err);
    if (status) return status;
    char line[256];
    snprintf(line, sizeof line, "a larger net, %.200s, begins to train", next.text);
    run_plan_print(trainers->plan, line);
    return OK;
}

static void add_cost(RunTrainers *trainers, const Trainer *trainer) {
    double cost = program_multiply_adds(net_program(trainer_net(trainer)), trainers->plan->edge,
                                        trainers->plan->edge);
    /* The backward pass costs twice as much as the forward pass. */
    trainers->clock->multiply_adds += 3 * cost * trainers->plan->config.loader.batch;
}

static Status write_state(const Trainer *trainer, const char *folder, Error *err) {
    char name[64];
    Path path;
    snprintf(name, sizeof name, "checkpoint-%012lld.aji",
             (long long)trainer_saved_samples(trainer));
    Status status = path_join(&path, folder, name, err);
    return status ? status : trainer_save(trainer, path.text, err);
}

static Status save_one(const RunTrainers *trainers, const Trainer *trainer, const char *folder,
                       Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = run_store_check_locks(trainers->store, err);
    if (!status) status = write_state(trainer, folder, err);
    if (!status) status = run_directory_checkpoints(folder, &arena, &paths, &count, err);
    for (int i = 0; !status && i < count - trainers->plan->config.run.keep_checkpoints; i++)
        status = file_remove(paths[i], err);
    arena_clear(&arena);
    return status;
}

/* Replaces the checkpoints that are newer than the trainer's state by a checkpoint of this state,
 * because training from them diverged. The checkpoint of the state is written first, so that there
 * is always a checkpoint. */
static Status replace_newer(const Trainer *trainer, const char *folder, Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = write_state(trainer, folder, err);
    if (!status) status = run_directory_checkpoints(folder, &arena, &paths, &count, err);
    for (int i = count - 1; !status && i >= 0; i--) {
        if (samples_of(paths[i]) <= trainer_samples(trainer)) break;
        status = file_remove(paths[i], err);
    }
    arena_clear(&arena);
    return status;
}

static void remove_diverged(const RunTrainers *trainers, const Trainer *trainer) {
    Path folder;
    Error fault = {0};
    Status status = run_store_check_locks(trainers->store, &fault);
    if (!status)
        status = trainer == trainers->trainer ? own_folder(trainers, &folder, &fault)
                                              : larger_path(trainers, "", &folder, &fault);
    if (!status) status = replace_newer(trainer, folder.text, &fault);
    if (status)
        log_warning("checkpoints from which training diverged are not removed: %s", fault.message);
}

void run_trainers_note_setback(RunTrainers *trainers, const char *name, const Trainer *trainer) {
    char line[sizeof(Error) + 64];
    Error fault = {0};
    remove_diverged(trainers, trainer);
    if (trainers->store->index &&
        run_index_add_value(trainers->store->index, SETBACKS_FACT, 1, &fault))
        log_warning("%s", fault.message); /* only statistics are lost */
    snprintf(line, sizeof line, "%s went back: %s", name, trainer_setback_text(trainer));
    run_plan_print(trainers->plan, line);
}

/* Makes one step of one of the two nets. `name` is its name in a line about a setback. */
static Status step_one(RunTrainers *trainers, Trainer *trainer, const char *name,
                       const Batch *batch, Metrics *metrics, Error *err) {
    int64_t before = trainer_setbacks(trainer);
    Status status = trainer_step(trainer, batch, metrics, err);
    if (!status) add_cost(trainers, trainer);
    if (trainer_setbacks(trainer) > before) run_trainers_note_setback(trainers, name, trainer);
    return status;
}

static void give_up_larger(RunTrainers *trainers) {
    trainer_free(trainers->larger.trainer);
    trainers->larger.trainer = NULL;
    trainers->larger.given_up = true;
    run_plan_print(trainers->plan, run_trainers_larger_text(trainers).text);
}

/* Called after a setback, because the sums of losses come from weights that are gone. */
static void forget_comparison(RunTrainers *trainers) {
    trainers->larger.smaller_loss = trainers->larger.loss = 0;
    trainers->larger.compared = 0;
}

static Status settle_one(RunTrainers *trainers, Trainer *trainer, const char *name, Error *err) {
    int64_t before = trainer_setbacks(trainer);
    Status status = trainer_settle(trainer, err);
    if (trainer_setbacks(trainer) == before) return status;
    run_trainers_note_setback(trainers, name, trainer);
    forget_comparison(trainers);
    return status;
}

/* If the last step of a net made a weight infinite or NaN, returns the net to its last good state,
 * so that its state can be saved. */
static Status settle(RunTrainers *trainers, Error *err) {
    Error fault = {0};
    Status status = settle_one(trainers, trainers->trainer, "training", err);
    if (status || !trainers->larger.trainer) return status;
    status = settle_one(trainers, trainers->larger.trainer, "the larger net", &fault);
    if (status == ERR_ARGUMENT) give_up_larger(trainers);
    return status && status != ERR_ARGUMENT ? fail(err, status, "%s", fault.message) : OK;
}

Status run_trainers_step(RunTrainers *trainers, const Batch *batch, Metrics *metrics, Error *err) {
    Metrics beside;
    Error fault = {0};
    Trainer *larger = trainers->larger.trainer;
    int64_t setbacks =
        trainer_setbacks(trainers->trainer) + (larger ? trainer_setbacks(larger) : 0);
    Status status = step_one(trainers, trainers->trainer, "training", batch, metrics, err);
    if (status || !larger) return status;
    status = step_one(trainers, larger, "the larger net", batch, &beside, &fault);
    if (status == ERR_ARGUMENT) {
        give_up_larger(trainers);
        return OK;
    }
    if (status) return fail(err, status, "%s", fault.message);
    if (trainer_setbacks(trainers->trainer) + trainer_setbacks(larger) > setbacks) {
        forget_comparison(trainers);
        return OK;
    }
    trainers->larger.smaller_loss += metrics->policy + metrics->value;
    trainers->larger.loss += beside.policy + beside.value;
    trainers->larger.compared++;
    return OK;
}

Status run_trainers_save(RunTrainers *trainers, Error *err) {
    Path own, larger;
    Status status = settle(trainers, err);
    if (!status) status = own_folder(trainers, &own, err);
    if (!status) status = larger_path(trainers, "", &larger, err);
    if (!status) status = save_one(trainers, trainers->trainer, own.text, err);
    if (!status && trainers->larger.trainer)
        status = save_one(trainers, trainers->larger.trainer, larger.text, err);
    return status;
}

Status run_trainers_compare(RunTrainers *trainers, Error *err) {
    Path took;
    char text[160];
    if (!trainers->larger.trainer || trainers->larger.compared < COMPARED_MIN) return OK;
    double own = trainers->larger.smaller_loss / trainers->larger.compared,
           larger = trainers->larger.loss / trainers->larger.compared;
    bool takes = larger < own;
    trainers->larger.smaller_mean = own;
    trainers->larger.mean = larger;
    log_info("sum of policy and value loss: larger net %.4f, smaller net %.4f%s", larger, own,
             takes ? ": the larger net takes over" : "");
    if (!takes) return OK;
    snprintf(text, sizeof text, "after %lld samples: loss %.4f, smaller net %.4f\n",
             (long long)trainer_samples(trainers->larger.trainer), larger, own);
    Status status = larger_path(trainers, "took-over", &took, err);
    if (!status) status = file_write(took.text, text, strlen(text), err);
    if (status) return status;
    trainer_free(trainers->trainer);
    trainers->trainer = trainers->larger.trainer;
    char line[256];
    snprintf(trainers->larger.takeover_text, sizeof trainers->larger.takeover_text, "%.*s",
             (int)strcspn(text, "\n"), text);
    snprintf(line, sizeof line, "larger net %.60s: took over %s", next_arch(trainers).text,
             trainers->larger.takeover_text);
    trainers->larger.trainer = NULL;
    trainers->larger.takeovers++;
    trainers->larger.smaller_mean = trainers->larger.mean = 0;
    run_plan_print(trainers->plan, line);
    return OK;
}

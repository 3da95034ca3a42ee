/* The trainers of a run: the net's own and, beside it, a larger one's, which trains on the same
 * batches and takes over when its loss is lower; then the next larger one's (Wu 2019). Checkpoints
 * are in train/, those of larger nets in train/larger/, train/larger-2/ ..., where a file says that
 * it took over. */
#include "run/trainers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "run/cycle_private.h"

enum {
    COMPARED_LEAST = 16, /* batches of a training that can decide */
    OPEN_TRIES = 20,
};

Status trainers_larger_path(const RunDirectory *run, int k, const char *name, Path *out,
                            Error *err) {
    Path folder;
    char own[32] = "larger";
    if (k > 0) snprintf(own, sizeof own, "larger-%d", k + 1);
    Status status = path_join(&folder, run->train.text, own, err);
    if (!status && *name) return path_join(out, folder.text, name, err);
    *out = folder;
    return status;
}

/* Of the larger net that is about to take over. */
static Status larger_path(const Cycle *cycle, const char *name, Path *out, Error *err) {
    return trainers_larger_path(&cycle->directory, cycle->larger.took, name, out, err);
}

static LargerArch next_arch(const Cycle *cycle) {
    return run_larger_arch(&cycle->config.run, cycle->larger.took);
}

/* Where the net that plays has its checkpoints. */
static Status own_folder(const Cycle *cycle, Path *out, Error *err) {
    *out = cycle->directory.train;
    return cycle->larger.took
               ? trainers_larger_path(&cycle->directory, cycle->larger.took - 1, "", out, err)
               : OK;
}

/* How many have taken over; `*last` is the file that says so of the last. */
static Status count_taken(const Cycle *cycle, int *count, Path *last, Error *err) {
    Status status = OK;
    *count = 0;
    for (int k = 0; !status && *run_larger_arch(&cycle->config.run, k).text; k++) {
        Path took;
        status = trainers_larger_path(&cycle->directory, k, "took-over", &took, err);
        if (status || !file_exists(took.text)) continue;
        *count = k + 1;
        *last = took;
    }
    return status;
}

/* From the newest checkpoint of the folder that is whole; without one as trainer_begin(), or `*out`
 * NULL. */
static Status open_newest(const Cycle *cycle, const char *arch, const char *folder, bool fresh,
                          Trainer **out, Error *err) {
    Arena arena = {0};
    char **paths = NULL;
    int count = 0;
    *out = NULL;
    Status status = run_directory_checkpoints(folder, &arena, &paths, &count, err);
    for (int i = count - 1; i >= 0 && !status && !*out; i--) {
        Error fault = {0};
        status = trainer_make(cycle, arch, 0, out, err);
        if (status) break;
        Status loaded = trainer_load(*out, paths[i], &fault);
        if (!loaded) break;
        if (loaded == ERR_SYNTAX)
            run_directory_set_aside(paths[i], fault.message);
        else if (file_exists(paths[i])) /* else a process that trains removed it */
            status = fail(err, loaded, "%s", fault.message);
        trainer_free(*out);
        *out = NULL;
    }
    if (!status && fresh && !*out) status = trainer_begin(cycle, arch, folder, out, err);
    arena_clear(&arena);
    return status;
}

static int64_t samples_of(const char *checkpoint) {
    return strtoll(path_name(checkpoint) + strlen("checkpoint-"), NULL, 10);
}

/* The samples of the newest checkpoint; -1: there is none. */
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

/* Once more where a process that trains wrote new ones and removed those that were listed. */
static Status open_one(const Cycle *cycle, const char *arch, const char *folder, bool fresh,
                       Trainer **out, Error *err) {
    Status status = OK;
    *out = NULL;
    for (int tries = 0; tries < OPEN_TRIES && !status; tries++) {
        trainer_free(*out);
        status = open_newest(cycle, arch, folder, fresh, out, err);
        if (newest_samples(folder) <= (*out ? trainer_samples(*out) : -1)) break;
    }
    return status;
}

/* What the file says, for the screen; without it the net has taken over all the same. */
static void read_took(Cycle *cycle, const char *path) {
    Arena arena = {0};
    char *text;
    size_t length;
    Error fault = {0};
    if (!file_read(path, 1 << 12, &arena, &text, &length, &fault))
        snprintf(cycle->larger.took_text, sizeof cycle->larger.took_text, "%.*s",
                 (int)strcspn(text, "\n"), text);
    else
        log_warning("%s", fault.message);
    arena_clear(&arena);
}

Status trainers_open(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->config.run;
    Path own, larger, took;
    Status status = count_taken(cycle, &cycle->larger.took, &took, err);
    if (!status && cycle->larger.took) read_took(cycle, took.text);
    if (!status) status = own_folder(cycle, &own, err);
    if (!status) status = larger_path(cycle, "", &larger, err);
    if (status) return status;
    LargerArch next = next_arch(cycle),
               last = run_larger_arch(run, cycle->larger.took ? cycle->larger.took - 1 : 0);
    if (*next.text && file_exists(larger.text))
        status = open_one(cycle, next.text, larger.text, false, &cycle->larger.trainer, err);
    if (status) return status;
    return open_one(cycle, cycle->larger.took ? last.text : run->arch, own.text, true,
                    &cycle->trainer, err);
}

void trainers_free(Cycle *cycle) {
    trainer_free(cycle->trainer);
    trainer_free(cycle->larger.trainer);
    cycle->trainer = cycle->larger.trainer = NULL;
}

Status trainers_renew(Cycle *cycle, Error *err) {
    Path own, took;
    int taken, had_taken = cycle->larger.took;
    Status status = count_taken(cycle, &taken, &took, err);
    if (!status) status = own_folder(cycle, &own, err);
    if (status) return status;
    if (taken == had_taken && newest_samples(own.text) <= trainer_samples(cycle->trainer))
        return OK;
    Trainer *trainer = cycle->trainer, *beside = cycle->larger.trainer;
    Error fault = {0};
    cycle->trainer = cycle->larger.trainer = NULL;
    if (trainers_open(cycle, &fault)) { /* goes on with what it has */
        log_warning("%s", fault.message);
        trainers_free(cycle);
        cycle->trainer = trainer;
        cycle->larger.trainer = beside;
        cycle->larger.took = had_taken;
        return OK;
    }
    trainer_free(trainer);
    trainer_free(beside);
    return OK;
}

static int64_t rows_wanted(const Cycle *cycle) {
    return (cycle->larger.took + 1) * cycle->config.run.larger_rows;
}

LargerText trainers_larger_text(const Cycle *cycle) {
    LargerText out = {""};
    const RunSettings *run = &cycle->config.run;
    LargerArch next = next_arch(cycle);
    bool more = *next.text;
    if (!more && cycle->larger.took) next = run_larger_arch(run, cycle->larger.took - 1);
    if (!*next.text) return out;
    int used = snprintf(out.text, sizeof out.text, "larger net %.60s: ", next.text);
    char *at = out.text + used;
    size_t room = sizeof out.text - (size_t)used;
    if (!more)
        snprintf(at, room, "took over%s%s", *cycle->larger.took_text ? " " : "",
                 cycle->larger.took_text);
    else if (cycle->larger.over)
        snprintf(at, room, "given up: it went back %d times without coming further", SETBACKS_MOST);
    else if (!cycle->larger.trainer)
        snprintf(at, room, "begins at %lld rows", (long long)rows_wanted(cycle));
    else if (cycle->larger.mean > 0)
        snprintf(at, room, "trains, loss %.4f for %.4f", cycle->larger.mean,
                 cycle->larger.own_mean);
    else
        snprintf(at, room, "trains");
    return out;
}

/* A line of the log, and one of the screen that stays. */
static void tell(Cycle *cycle, const char *line) {
    log_info("%s", line);
    if (cycle->progress) progress_print(cycle->progress, line);
}

Status trainers_begin(Cycle *cycle, Error *err) {
    LargerArch next = next_arch(cycle);
    Path folder;
    cycle->larger.own_loss = cycle->larger.loss = 0;
    cycle->larger.compared = 0;
    if (cycle->larger.trainer || cycle->larger.over || !*next.text ||
        cycle->rows < rows_wanted(cycle))
        return OK;
    Status status = larger_path(cycle, "", &folder, err);
    if (!status) status = directory_make(folder.text, err);
    if (!status)
        status = trainer_make(cycle, next.text, trainer_samples(cycle->trainer),
                              &cycle->larger.trainer, err);
    if (status) return status;
    char line[256];
    snprintf(line, sizeof line, "a larger net, %.200s, begins to train", next.text);
    tell(cycle, line);
    return OK;
}

static void add_cost(Cycle *cycle, const Trainer *trainer) {
    double cost =
        program_multiply_adds(net_program(trainer_net(trainer)), cycle->length, cycle->length);
    cycle->compute += 3 * cost * cycle->config.loader.batch; /* forward, and twice back */
}

static Status write_state(const Trainer *trainer, const char *folder, Error *err) {
    char name[64];
    Path path;
    snprintf(name, sizeof name, "checkpoint-%012lld.aji",
             (long long)trainer_saved_samples(trainer));
    Status status = path_join(&path, folder, name, err);
    return status ? status : trainer_save(trainer, path.text, err);
}

static Status save_one(const Cycle *cycle, const Trainer *trainer, const char *folder, Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = write_state(trainer, folder, err);
    if (!status) status = run_directory_checkpoints(folder, &arena, &paths, &count, err);
    for (int i = 0; !status && i < count - cycle->config.run.keep_checkpoints; i++)
        status = file_remove(paths[i], err);
    arena_clear(&arena);
    return status;
}

/* After it went back to its last good state: checkpoints that are newer led to what is not finite
 * and are no state to start from. That state is written first, so that there is always one. */
static Status remove_newer(const Trainer *trainer, const char *folder, Error *err) {
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

static void forget_what_diverged(const Cycle *cycle, const Trainer *trainer) {
    Path folder;
    Error fault = {0};
    Status status = trainer == cycle->trainer ? own_folder(cycle, &folder, &fault)
                                              : larger_path(cycle, "", &folder, &fault);
    if (!status) status = remove_newer(trainer, folder.text, &fault);
    if (status) log_warning("checkpoints of what diverged are kept: %s", fault.message);
}

void trainers_went_back(Cycle *cycle, const char *name, const Trainer *trainer) {
    char line[sizeof(Error) + 64];
    Error fault = {0};
    forget_what_diverged(cycle, trainer);
    if (cycle->index && run_index_add_value(cycle->index, SETBACKS_FACT, 1, &fault))
        log_warning("%s", fault.message); /* statistics only */
    snprintf(line, sizeof line, "%s went back: %s", name, trainer_setback_text(trainer));
    tell(cycle, line);
}

/* One step of one of the nets; `name` is what it is called where it goes back. */
static Status step_one(Cycle *cycle, Trainer *trainer, const char *name, const Batch *batch,
                       Metrics *metrics, Error *err) {
    int64_t before = trainer_setbacks(trainer);
    Status status = trainer_step(trainer, batch, metrics, err);
    if (!status) add_cost(cycle, trainer);
    if (trainer_setbacks(trainer) > before) trainers_went_back(cycle, name, trainer);
    return status;
}

Status trainers_step(Cycle *cycle, const Batch *batch, Metrics *metrics, Error *err) {
    Metrics beside;
    Error fault = {0};
    Trainer *larger = cycle->larger.trainer;
    int64_t setbacks = trainer_setbacks(cycle->trainer) + (larger ? trainer_setbacks(larger) : 0);
    Status status = step_one(cycle, cycle->trainer, "training", batch, metrics, err);
    if (status || !larger) return status;
    status = step_one(cycle, larger, "the larger net", batch, &beside, &fault);
    if (status == ERR_ARGUMENT) {
        trainer_free(larger);
        cycle->larger.trainer = NULL;
        cycle->larger.over = true;
        tell(cycle, trainers_larger_text(cycle).text);
        return OK;
    }
    if (status) return fail(err, status, "%s", fault.message);
    if (trainer_setbacks(cycle->trainer) + trainer_setbacks(larger) > setbacks) {
        /* What was measured is of weights that are gone. */
        cycle->larger.own_loss = cycle->larger.loss = 0;
        cycle->larger.compared = 0;
        return OK;
    }
    cycle->larger.own_loss += metrics->policy + metrics->value;
    cycle->larger.loss += beside.policy + beside.value;
    cycle->larger.compared++;
    return OK;
}

Status trainers_save(Cycle *cycle, Error *err) {
    Path own, larger;
    Status status = own_folder(cycle, &own, err);
    if (!status) status = larger_path(cycle, "", &larger, err);
    if (!status) status = save_one(cycle, cycle->trainer, own.text, err);
    if (!status && cycle->larger.trainer)
        status = save_one(cycle, cycle->larger.trainer, larger.text, err);
    return status;
}

Status trainers_compare(Cycle *cycle, Error *err) {
    Path took;
    char text[160];
    if (!cycle->larger.trainer || cycle->larger.compared < COMPARED_LEAST) return OK;
    double own = cycle->larger.own_loss / cycle->larger.compared,
           larger = cycle->larger.loss / cycle->larger.compared;
    bool takes = larger < own;
    cycle->larger.own_mean = own;
    cycle->larger.mean = larger;
    log_info("policy and value loss of the larger net %.4f, of the smaller %.4f%s", larger, own,
             takes ? ": it takes over" : "");
    if (!takes) return OK;
    snprintf(text, sizeof text, "after %lld samples: %.4f for %.4f\n",
             (long long)trainer_samples(cycle->larger.trainer), larger, own);
    Status status = larger_path(cycle, "took-over", &took, err);
    if (!status) status = file_write(took.text, text, strlen(text), err);
    if (status) return status;
    trainer_free(cycle->trainer);
    cycle->trainer = cycle->larger.trainer;
    char line[256];
    snprintf(cycle->larger.took_text, sizeof cycle->larger.took_text, "%.*s",
             (int)strcspn(text, "\n"), text);
    snprintf(line, sizeof line, "larger net %.60s: took over %s", next_arch(cycle).text,
             cycle->larger.took_text);
    cycle->larger.trainer = NULL;
    cycle->larger.took++;
    cycle->larger.own_mean = cycle->larger.mean = 0;
    tell(cycle, line);
    return OK;
}

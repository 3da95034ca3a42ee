/* Training of a cycle: rows into the loader, steps, checkpoints. */
#include "base/clock.h"
#include "base/log.h"
#include "run/cycle_private.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALIDATION_ROWS = 4096 };

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of those that were known at the last sorting. */
static bool is_known(const Cycle *cycle, size_t sorted, const char *path) {
    return sorted && bsearch(&path, cycle->known, sorted, sizeof *cycle->known, compare_paths);
}

static Status remember(Cycle *cycle, const char *path, Error *err) {
    Status status = mem_grow(&cycle->known, &cycle->known_capacity, cycle->known_count + 1,
                             sizeof *cycle->known, err);
    if (status) return status;
    char *copy = arena_copy(&cycle->known_arena, path, strlen(path));
    if (!copy) return fail(err, ERR_MEMORY, "no room for the names of row files");
    cycle->known[cycle->known_count++] = copy;
    return OK;
}

/* "rows/000042/w000-0000.npz": under it the index keeps how many rows the file has. */
static const char *index_key(const Cycle *cycle, const char *path) {
    return path + strlen(cycle->directory.rows.text) - strlen("rows");
}

static Status take_file(Cycle *cycle, const char *path, Error *err) {
    Error fault = {0};
    int64_t before = loader_rows_added(cycle->loader);
    Status status = loader_add_file(cycle->loader, path, &fault);
    if (status == ERR_SYNTAX) {
        run_directory_set_aside(path, fault.message);
        return OK;
    }
    if (status) return fail(err, status, "%s", fault.message);
    int64_t rows = loader_rows_added(cycle->loader) - before;
    cycle->rows += rows;
    status = run_index_set_value(cycle->index, index_key(cycle, path), (double)rows, err);
    return status ? status : remember(cycle, path, err);
}

/* At a start: the rows of each file as far as the index has them (0: not), and the first file that
 * the window needs; what is older need not be unpacked. */
static Status find_window(const Cycle *cycle, char *const *paths, int count, Arena *arena,
                          int64_t **rows, int *first, Error *err) {
    int64_t total = 0, newer = 0;
    *rows = arena_alloc(arena, mem_array_bytes((size_t)count + 1, sizeof **rows));
    if (!*rows) return fail(err, ERR_MEMORY, "no room for the counts of row files");
    for (int i = 0; i < count; i++) {
        (*rows)[i] = (int64_t)run_index_value(cycle->index, index_key(cycle, paths[i]));
        total += (*rows)[i];
    }
    int64_t wanted = window_rows(&cycle->config.window, total);
    for (*first = count; *first > 0 && newer < wanted; (*first)--)
        newer += (*rows)[*first - 1];
    return OK;
}

Status cycle_read_rows(Cycle *cycle, Error *err) {
    Arena arena = {0};
    char **paths;
    int64_t *rows = NULL;
    int count, first = 0;
    size_t sorted = cycle->known_count;
    Status status = run_directory_row_files(&cycle->directory, &arena, &paths, &count, err);
    if (sorted)
        qsort(cycle->known, sorted, sizeof *cycle->known, compare_paths);
    else if (!status)
        status = find_window(cycle, paths, count, &arena, &rows, &first, err);
    for (int i = 0; i < count && !status; i++) {
        if (is_known(cycle, sorted, paths[i])) continue;
        if (i < first && rows[i] > 0) {
            cycle->rows += rows[i];
            status = remember(cycle, paths[i], err);
        } else {
            status = take_file(cycle, paths[i], err);
        }
    }
    loader_set_window(cycle->loader, window_rows(&cycle->config.window, cycle->rows));
    arena_clear(&arena);
    return status;
}

static Status keep_metrics(Cycle *cycle, Error *err) {
    const Metrics *m = &cycle->metrics;
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"loss", m->loss},
               {"loss.policy", m->policy},
               {"loss.policy_over_entropy", m->policy - m->policy_entropy_target},
               {"loss.value", m->value},
               {"loss.ownership", m->ownership},
               {"loss.score_mean", m->score_mean},
               {"accuracy.policy", m->policy_accuracy},
               {"accuracy.value", m->value_accuracy},
               {"gradient", m->gradient_norm},
               {"speed", cycle->speed}};
    double seconds = cycle_seconds(cycle);
    Status status = cycle_keep_totals(cycle, err);
    if (!status) status = run_index_begin(cycle->index, err);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = run_index_add_metric(cycle->index, ALL[i].name, trainer_samples(cycle->trainer),
                                      seconds, ALL[i].value, err);
    cycle_keep_curves(cycle, "train", m);
    return run_index_end(cycle->index, status, err);
}

/* Means over at most VALIDATION_ROWS rows of the games that are not trained on. */
static Status validate(Cycle *cycle, Error *err) {
    static const char *const NAMES[] = {"loss", "loss.policy", "loss.value", "accuracy.policy",
                                        "accuracy.value"};
    Metrics mean = {0};
    double rows = 0;
    Status status = OK;
    for (int number = 0; !status && rows < VALIDATION_ROWS; number++) {
        Batch batch;
        Metrics now;
        status = loader_validation(cycle->loader, number, &batch, err);
        if (status || !batch.count) break;
        status = trainer_measure(cycle->trainer, &batch, &now, err);
        rows += batch.count;
        if (!status) metrics_smooth(&mean, &now, batch.count / rows);
    }
    if (status || rows <= 0) return status;
    cycle_keep_curves(cycle, "validation", &mean);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !status; i++) {
        const MetricField *field = METRIC_FIELDS;
        char name[64];
        while (strcmp(field->name, NAMES[i]) != 0)
            field++;
        snprintf(name, sizeof name, "validation.%s", field->name);
        status = run_index_add_metric(cycle->index, name, trainer_samples(cycle->trainer),
                                      cycle_seconds(cycle), metrics_value(&mean, field), err);
    }
    return status;
}

Status cycle_train(Cycle *cycle, int64_t samples, Error *err) {
    int64_t start = trainer_samples(cycle->trainer), goal = start + samples;
    cycle->went_back = false;
    Status status = cycle_hold_training(cycle, err);
    if (!status && !loader_rows(cycle->loader))
        status = fail(err, ERR_ARGUMENT, "there are no rows to train on yet");
    cycle->phase_started = clock_seconds();
    if (!status) status = trainers_begin(cycle, err);
    while (!status && trainer_samples(cycle->trainer) + cycle->config.loader.batch <= goal &&
           !cycle_must_stop(cycle)) {
        Batch batch;
        Metrics metrics;
        status = loader_next(cycle->loader, &batch, err);
        if (!status) {
            status = trainers_step(cycle, &batch, &metrics, err);
            cycle->went_back = status == ERR_ARGUMENT; /* a loss or weight that is not finite */
        }
        if (status) break;
        metrics_smooth(&cycle->metrics, &metrics, 0.02);
        cycle_show(cycle, "training", (double)(trainer_samples(cycle->trainer) - start),
                   (double)samples, false);
    }
    if (status) return status;
    Error fault = {0};
    status = trainers_save(cycle, &fault);
    while (status == ERR_IO) {
        log_warning("%s", fault.message);
        status = cycle_wait_for_room(cycle, true, &fault);
        if (!status) status = trainers_save(cycle, &fault);
    }
    if (status) return fail(err, status, "%s", fault.message);
    status = trainers_compare(cycle, err);
    if (!status) status = keep_metrics(cycle, err);
    return status ? status : validate(cycle, err);
}

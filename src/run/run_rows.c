/* The row files of a run, as they appear: counted once for the index, with what their makers noted,
 * and listed for the loader, which reads those of the window when it needs them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "data/row_file.h"
#include "run/cycle_private.h"

enum {
    TRANSACTION_FILES = 500,
};

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

/* What another process did for a file. */
static Status add_note(Cycle *cycle, const WorkNote *note, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{GAMES_FACT, (double)note->games},
               {"evaluations", (double)note->evaluations},
               {COMPUTE_FACT, note->multiply_adds}};
    Status status = OK;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++) {
        if (ALL[i].value > 0)
            status = run_index_add_value(cycle->index, ALL[i].name, ALL[i].value, err);
    }
    cycle->games += note->games;
    cycle->games_kept += note->games;
    cycle->compute += note->multiply_adds;
    cycle->compute_kept += note->multiply_adds;
    cycle->counted += note->evaluations;
    atomic_fetch_add(&cycle->evaluations, (long long)note->evaluations);
    return status;
}

/* `*rows` 0: it is bad, and set aside, or gone. */
static Status count_file(Cycle *cycle, const char *path, int64_t *rows, Error *err) {
    Error fault = {0};
    Status status = row_file_count(path, rows, &fault);
    if (!status) {
        WorkNote note = work_note_read(path);
        status = run_index_set_value(cycle->index, index_key(cycle, path), (double)*rows, err);
        return status ? status : add_note(cycle, &note, err);
    }
    *rows = 0;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    if (file_exists(path)) run_directory_set_aside(path, fault.message);
    return OK;
}

static Status take_file(Cycle *cycle, const char *path, Error *err) {
    int64_t rows = (int64_t)run_index_value(cycle->index, index_key(cycle, path));
    Status status = rows > 0 ? OK : count_file(cycle, path, &rows, err);
    if (status || !rows) return status;
    cycle->rows += rows;
    status = loader_list_file(cycle->loader, path, rows, err);
    return status ? status : remember(cycle, path, err);
}

/* Many in one transaction: a start may find thousands. A stop leaves the rest to the next start. */
static Status take_new_files(Cycle *cycle, char *const *paths, int count, Error *err) {
    size_t sorted = cycle->known_count;
    int begun = 0; /* files of the transaction */
    Look look = cycle_look("row files", count);
    Status status = OK;
    if (sorted) qsort(cycle->known, sorted, sizeof *cycle->known, compare_paths);
    for (int i = 0; i < count && !status && !stop_requested(); i++) {
        if (is_known(cycle, sorted, paths[i])) continue;
        if (!begun) status = run_index_begin(cycle->index, err);
        if (status) break;
        begun++;
        status = take_file(cycle, paths[i], err);
        cycle_tell_look(cycle, &look, i + 1);
        if (begun < TRANSACTION_FILES) continue;
        status = run_index_end(cycle->index, status, err);
        begun = 0;
    }
    return begun ? run_index_end(cycle->index, status, err) : status;
}

void cycle_set_bad_aside(Cycle *cycle) {
    BadFile bad;
    Error fault = {0};
    while (loader_take_bad(cycle->loader, &bad)) {
        run_directory_set_aside(bad.path, bad.reason);
        cycle->rows -= bad.rows;
        if (run_index_set_value(cycle->index, index_key(cycle, bad.path), 0, &fault))
            log_warning("%s", fault.message);
        free(bad.path);
    }
}

Status cycle_read_rows(Cycle *cycle, Error *err) {
    Arena arena = {0};
    char **paths;
    int count;
    cycle_set_bad_aside(cycle);
    Status status = run_directory_row_files(&cycle->directory, &arena, &paths, &count, err);
    if (!status) status = take_new_files(cycle, paths, count, err);
    loader_set_window(cycle->loader, window_rows(&cycle->config.window, cycle->rows));
    arena_clear(&arena);
    return status;
}

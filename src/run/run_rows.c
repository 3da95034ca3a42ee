/* The row files of a run, as they appear: counted once for the index, with what their makers noted,
 * and listed for the loader, which reads those of the window when it needs them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "data/row_file.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"

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

/* Of a file that came, or (less than 0) went. */
static void count_rows(Cycle *cycle, const char *path, int64_t rows) {
    static const char RANDOM[] = "rows/000000/"; /* net 0 is random play */
    cycle->rows += rows;
    if (strncmp(index_key(cycle, path), RANDOM, strlen(RANDOM)) == 0) cycle->random_rows += rows;
}

/* What came in one transaction: the run has it once the index has. */
typedef struct {
    int tried, count; /* files; those with rows */
    struct {
        const char *path;
        int64_t rows;
    } files[TRANSACTION_FILES];
    WorkNote note; /* the sum of theirs */
} Arrivals;

/* What was done for a file, by whatever process. */
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
    return status;
}

/* `*rows` 0: it is bad, and set aside, or gone. */
static Status count_file(Cycle *cycle, const char *path, int64_t *rows, WorkNote *sum, Error *err) {
    Error fault = {0};
    Status status = row_file_count(path, rows, &fault);
    if (!status) {
        WorkNote note = work_note_read(path);
        status = run_index_set_value(cycle->index, index_key(cycle, path), (double)*rows, err);
        if (!status) status = add_note(cycle, &note, err);
        sum->games += note.games;
        sum->evaluations += note.evaluations;
        sum->multiply_adds += note.multiply_adds;
        return status;
    }
    *rows = 0;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    if (file_exists(path)) run_directory_set_aside(path, fault.message);
    return OK;
}

static Status find_file(Cycle *cycle, const char *path, Arrivals *came, Error *err) {
    int64_t rows = (int64_t)run_index_value(cycle->index, index_key(cycle, path));
    Status status = came->tried++ ? OK : run_index_begin(cycle->index, err);
    if (status) return status;
    if (rows <= 0) status = count_file(cycle, path, &rows, &came->note, err);
    if (status || !rows) return status;
    came->files[came->count].path = path;
    came->files[came->count++].rows = rows;
    return OK;
}

static Status take_batch(Cycle *cycle, Arrivals *came, Status status, Error *err) {
    if (!came->tried) return status;
    status = run_index_end(cycle->index, status, err);
    const WorkNote note = came->note;
    cycle->games += status ? 0 : note.games;
    cycle->compute += status ? 0 : note.multiply_adds;
    cycle->compute_kept += status ? 0 : note.multiply_adds;
    cycle->counted += status ? 0 : note.evaluations;
    atomic_fetch_add(&cycle->evaluations, status ? 0 : (long long)note.evaluations);
    for (int i = 0; i < came->count && !status; i++) {
        count_rows(cycle, came->files[i].path, came->files[i].rows);
        status = loader_list_file(cycle->loader, came->files[i].path, came->files[i].rows, err);
        if (!status) status = remember(cycle, came->files[i].path, err);
    }
    came->tried = came->count = 0;
    came->note = (WorkNote){0};
    return status;
}

/* Many in one transaction: a start may find thousands. A stop leaves the rest to the next start. */
static Status take_new_files(Cycle *cycle, char *const *paths, int count, Error *err) {
    size_t sorted = cycle->known_count;
    Arrivals *came;
    Look look = cycle_look("row files", count);
    Status status = mem_new(1, sizeof *came, &came, err);
    if (status) return status;
    if (sorted) qsort(cycle->known, sorted, sizeof *cycle->known, compare_paths);
    for (int i = 0; i < count && !status && !stop_requested(); i++) {
        if (is_known(cycle, sorted, paths[i])) continue;
        status = find_file(cycle, paths[i], came, err);
        cycle_tell_look(cycle, &look, i + 1);
        if (came->tried == TRANSACTION_FILES) status = take_batch(cycle, came, status, err);
    }
    status = take_batch(cycle, came, status, err);
    free(came);
    return status;
}

void cycle_set_bad_aside(Cycle *cycle) {
    BadFile bad;
    Error fault = {0};
    while (loader_take_bad(cycle->loader, &bad)) {
        run_directory_set_aside(bad.path, bad.reason);
        count_rows(cycle, bad.path, -bad.rows);
        if (run_index_set_value(cycle->index, index_key(cycle, bad.path), 0, &fault))
            log_warning("%s", fault.message);
        free(bad.path);
    }
}

Status cycle_read_rows(Cycle *cycle, Error *err) {
    const WindowConfig *window = &cycle->config.window;
    Arena arena = {0};
    char **paths;
    int count;
    cycle_set_bad_aside(cycle);
    Status status = run_directory_row_files(&cycle->directory, &arena, &paths, &count, err);
    if (!status) status = take_new_files(cycle, paths, count, err);
    loader_set_window(cycle->loader,
                      window_rows(window, window_usable(window, cycle->rows, cycle->random_rows)));
    arena_clear(&arena);
    return status;
}

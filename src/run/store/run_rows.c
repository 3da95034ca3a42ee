/* How new row files of a run are found and counted:
 *   1. run_rows_read() lists the files in the directory, and passes over those that the loader
 *      already has.
 *   2. find_file() looks up each other file in the index. If the index does not have the file, the
 *      file is opened, and its number of rows and the work in its note are added to the index.
 *   3. One transaction of the index covers many files, because a start may find thousands.
 *      take_batch() commits the transaction. Then it adds the rows of these files to the counts of
 *      the run, and gives the names of the files to the loader. The loader reads a file of the
 *      window when it needs the rows. */
#include "run/store/run_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread.h"
#include "data/rows/row_file.h"
#include "run/store/file_scan.h"
#include "run/store/journal.h"

enum {
    TRANSACTION_FILES = 500,
    WITHOUT_ROWS = -1 /* in the index, instead of 0 rows, for a file that has games but no rows; 0
                         would mean that the file is not counted yet */
};

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns whether `path` is among the first `sorted` known paths, which are sorted. */
static bool is_known(const RunRows *rows, size_t sorted, const char *path) {
    return sorted && bsearch(&path, rows->known, sorted, sizeof *rows->known, compare_paths);
}

static Status remember(RunRows *rows, const char *path, Error *err) {
    Status status = mem_grow(&rows->known, &rows->known_capacity, rows->known_count + 1,
                             sizeof *rows->known, err);
    if (status) return status;
    char *copy = arena_copy(&rows->known_arena, path, strlen(path));
    if (!copy) return fail(err, ERR_MEMORY, "no room for the names of row files");
    rows->known[rows->known_count++] = copy;
    return OK;
}

/* The key under which the index has the number of rows of a file, "rows/000042/w000-0000.npz". */
static const char *index_key(const RunStore *store, const char *path) {
    return path + strlen(store->directory.rows.text) - strlen("rows");
}

/* Adds `count` rows of a file to the counts of the run. `count` is negative if the file is taken
 * out. */
static void count_rows(RunRows *rows, const RunStore *store, const char *path, int64_t count) {
    static const char RANDOM[] = "rows/000000/"; /* net 0 is random play */
    rows->count += count;
    if (strncmp(index_key(store, path), RANDOM, strlen(RANDOM)) == 0) rows->random += count;
}

/* The new files of one transaction. Their rows count for the run after the transaction is
 * committed. */
typedef struct {
    RunRows *rows;
    RunStore *store;
    RunClock *clock;
    int tried; /* number of files that were looked at */
    int count; /* number of files that have rows, which are in `files` */
    struct {
        const char *path;
        int64_t rows;
    } files[TRANSACTION_FILES];
    WorkNote note; /* sum of the notes of files that were new to the index */
} Arrivals;

/* Adds the work in a note to the index. */
static Status add_note(RunStore *store, const WorkNote *note, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{GAMES_FACT, (double)note->games},
               {"evaluations", (double)note->evaluations},
               {COMPUTE_FACT, note->multiply_adds}};
    Status status = OK;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++) {
        if (ALL[i].value > 0)
            status = run_index_add_value(store->index, ALL[i].name, ALL[i].value, err);
    }
    return status;
}

/* Counts the rows of a file that is new to the index. Adds the rows and the work in the file's note
 * to the index, and also adds the note to `sum`. Sets `*rows` to 0 if the file is gone, or if it is
 * bad and was set aside. */
static Status count_file(RunStore *store, const char *path, int64_t *rows, WorkNote *sum,
                         Error *err) {
    Error fault = {0};
    RowFileSize size;
    Status status = row_file_size(path, &size, &fault);
    *rows = size.rows;
    if (!status) {
        WorkNote note = work_note_read(path);
        if (note.rows >= 0 && note.rows != *rows)
            log_warning("%s has %lld rows, but its note says %lld: has another file taken its "
                        "place?",
                        path, (long long)*rows, (long long)note.rows);
        double indexed = *rows ? (double)*rows : WITHOUT_ROWS;
        status = run_index_set_value(store->index, index_key(store, path), indexed, err);
        if (!status) status = add_note(store, &note, err);
        sum->games += note.games;
        sum->evaluations += note.evaluations;
        sum->multiply_adds += note.multiply_adds;
        return status;
    }
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    if (file_exists(path)) run_directory_set_aside(path, fault.message);
    return OK;
}

static Status find_file(Arrivals *came, const char *path, Error *err) {
    RunIndex *index = came->store->index;
    double indexed;
    Status status = run_index_read(index, index_key(came->store, path), &indexed, err);
    if (!status) status = came->tried++ ? OK : run_index_begin(index, err);
    if (status) return status;
    int64_t rows = (int64_t)indexed;
    if (rows == 0) status = count_file(came->store, path, &rows, &came->note, err);
    if (status || rows <= 0) return status;
    came->files[came->count].path = path;
    came->files[came->count++].rows = rows;
    return OK;
}

/* Ends the transaction. If it was committed, counts its files and adds them to the loader. */
static Status take_batch(Arrivals *came, Status status, Error *err) {
    RunRows *rows = came->rows;
    if (!came->tried) return status;
    status = run_index_end(came->store->index, status, err);
    if (!status) {
        rows->games += came->note.games;
        run_clock_add_known(came->clock, came->note.multiply_adds, came->note.evaluations);
    }
    for (int i = 0; i < came->count && !status; i++) {
        count_rows(rows, came->store, came->files[i].path, came->files[i].rows);
        status = loader_list_file(rows->loader, came->files[i].path, came->files[i].rows, err);
        if (!status) status = remember(rows, came->files[i].path, err);
    }
    came->tried = came->count = 0;
    came->note = (WorkNote){0};
    return status;
}

/* Takes all new files. If a stop is requested, the rest is left to the next start. */
static Status take_new_files(Arrivals *came, const RunPlan *plan, char *const *paths, int count,
                             Error *err) {
    RunRows *rows = came->rows;
    size_t sorted = rows->known_count;
    FileScan scan = file_scan_begin("row files", count);
    Status status = OK;
    if (sorted) qsort(rows->known, sorted, sizeof *rows->known, compare_paths);
    for (int i = 0; i < count && !status && !stop_requested(); i++) {
        if (is_known(rows, sorted, paths[i])) continue;
        status = find_file(came, paths[i], err);
        file_scan_show(plan, &scan, i + 1);
        if (came->tried == TRANSACTION_FILES) status = take_batch(came, status, err);
    }
    return take_batch(came, status, err);
}

Status run_rows_open(RunRows *rows, const LoaderSettings *loader, Error *err) {
    return loader_new(loader, &rows->loader, err);
}

void run_rows_clear(RunRows *rows) {
    loader_free(rows->loader);
    free(rows->known);
    arena_clear(&rows->known_arena);
}

void run_rows_set_bad_aside(RunRows *rows, const RunStore *store) {
    BadFile bad;
    Error fault = {0};
    while (loader_take_bad(rows->loader, &bad)) {
        run_directory_set_aside(bad.path, bad.reason);
        count_rows(rows, store, bad.path, -bad.rows);
        if (run_index_set_value(store->index, index_key(store, bad.path), 0, &fault))
            log_warning("%s", fault.message);
        free(bad.path);
    }
}

Status run_rows_read(RunRows *rows, const RunPlan *plan, RunStore *store, RunClock *clock,
                     Error *err) {
    const WindowSettings *window = &plan->config.window;
    Arena arena = {0};
    Arrivals *came = NULL;
    char **paths;
    int count;
    run_rows_set_bad_aside(rows, store);
    Status status = run_directory_row_files(&store->directory, &arena, &paths, &count, err);
    if (!status) status = mem_new(1, sizeof *came, &came, err);
    if (!status) {
        came->rows = rows;
        came->store = store;
        came->clock = clock;
        status = take_new_files(came, plan, paths, count, err);
    }
    loader_set_window(rows->loader,
                      window_rows(window, window_usable(window, rows->count, rows->random)));
    free(came);
    arena_clear(&arena);
    return status;
}

#include "run/supervised/supervised_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "data/rows/row_file.h"
#include "data/rows/row_files.h"
#include "eval/arch/heads.h"
#include "train/objective.h"

Status supervised_rows_length(const RowPaths *paths, int *length, Error *err) {
    RowFiles files;
    Status status = row_files_find(paths->paths, paths->count, &files, err);
    *length = 0;
    for (int i = 0; i < files.count && (!status || status == ERR_SYNTAX); i++) {
        RowFileSize size;
        status = row_file_size(files.paths[i], &size, err);
        if (size.length > *length) *length = size.length;
    }
    row_files_clear(&files);
    return status == ERR_SYNTAX && *length ? OK : status;
}

/* Returns the rows of all files and their bytes in memory. Files that cannot be read are left out
 * here; add_files() reports them. */
static RowFileSize sum_of(const RowFiles *files) {
    RowFileSize sum = {0}, size;
    for (int i = 0; i < files->count; i++) {
        if (row_file_size(files->paths[i], &size, NULL)) continue;
        sum.rows += size.rows;
        sum.bytes += size.bytes;
    }
    return sum;
}

/* Returns how many bytes of rows the loader may have in memory. */
static int64_t memory_bytes(const LoaderSettings *settings) {
    return settings->memory_mb << 20;
}

/* Logs that a file cannot be used. Only the first NAMED_MAX such files are named in the log. */
static void tell_of(int index, const char *reason) {
    enum { NAMED_MAX = 5 };
    if (index < NAMED_MAX) log_warning("this file is left out: %s", reason);
}

/* Adds a file to the loader. `read` says whether to read it now. */
static Status add_file(Loader *loader, const char *path, bool read, Error *err) {
    RowFileSize size;
    if (read) return loader_add_file(loader, path, err);
    Status status = row_file_size(path, &size, err);
    return status ? status : loader_list_file(loader, path, size.rows, err);
}

/* Adds all files to the loader. Leaves out damaged files and files with boards that are too
 * large. */
static Status add_files(Loader *loader, const RowFiles *files, bool read, int *used, Error *err) {
    int bad = 0;
    *used = 0;
    for (int i = 0; i < files->count; i++) {
        Error fault = {0};
        Status status = add_file(loader, files->paths[i], read, &fault);
        if (status && status != ERR_SYNTAX) return fail(err, status, "%s", fault.message);
        if (status) tell_of(bad++, fault.message);
        *used += !status;
    }
    if (bad) log_warning("%d of %d row files are left out", bad, files->count);
    return OK;
}

static Status open_loader(const RowPaths *paths, const LoaderSettings *settings, bool read_all,
                          Loader **out, int *used, Error *err) {
    RowFiles files;
    *out = NULL;
    Status status = row_files_find(paths->paths, paths->count, &files, err);
    if (!status) status = loader_new(settings, out, err);
    bool read = read_all || sum_of(&files).bytes <= memory_bytes(settings);
    if (!status) status = add_files(*out, &files, read, used, err);
    if (!status && !loader_rows(*out))
        status = fail(err, ERR_SYNTAX, "%s: no row file in it can be used", paths->paths[0]);
    row_files_clear(&files);
    return status;
}

/* If the training rows do not fit in memory, collects validation rows among them, so that they are
 * the same at each validation. For larger data the rows come from every second file, every third
 * file, and so on, so that they take about an eighth of the memory for training rows at most. */
static Status collect_validation(const SupervisedRowsSetup *setup, LoaderSettings settings,
                                 Loader **out, Error *err) {
    enum { PART_OF_MEMORY = 8 };
    RowFiles files;
    Status status = row_files_find(setup->training.paths, setup->training.count, &files, err);
    const RowFileSize all = status ? (RowFileSize){0} : sum_of(&files);
    int64_t memory = memory_bytes(&settings);
    double most = (double)memory / PART_OF_MEMORY,
           held_out = (double)all.bytes * settings.validation;
    int step = (int)fmin(ceil(held_out / most), fmax(files.count, 1));
    settings.only_validation = true;
    settings.memory_mb = 1 << 24; /* all rows of validation stay in memory */
    if (!status && all.bytes > memory && held_out > 0) {
        status = loader_new(&settings, out, err);
        for (int i = 0; i < files.count && !status; i += step) {
            Error fault = {0};
            status = loader_add_file(*out, files.paths[i], &fault);
            if (status == ERR_SYNTAX) status = OK; /* training reports the file */
            if (status) status = fail(err, status, "%s", fault.message);
        }
    }
    row_files_clear(&files);
    return status;
}

Status supervised_rows_open(const SupervisedRowsSetup *setup, SupervisedRows *out, Error *err) {
    LoaderSettings settings = setup->loader;
    HeadIndex heads;
    int used;
    *out = (SupervisedRows){0};
    Status status = heads_find_trained(setup->net, &heads, err);
    if (!status && !settings.length)
        status = supervised_rows_length(&setup->training, &settings.length, err);
    if (status) return status;
    settings.boards = heads_need_boards(&heads);
    settings.point_columns = objective_point_columns(&heads);
    settings.q_values = heads.policies.at[POLICY_Q_SCORE] >= 0;
    settings.players = heads.metadata >= 0;
    if (setup->validation.count) settings.validation = 0;
    out->length = settings.length;
    status = open_loader(&setup->training, &settings, false, &out->training, &out->files, err);
    if (!status) out->rows = loader_rows(out->training);
    if (!status && !setup->validation.count)
        return collect_validation(setup, settings, &out->validation, err);
    settings.validation = 1;
    settings.memory_mb = 1 << 24; /* all rows of validation stay in memory */
    if (!status)
        status = open_loader(&setup->validation, &settings, true, &out->validation, &used, err);
    return status;
}

void supervised_rows_tell_of_bad(const SupervisedRows *rows) {
    BadFile bad;
    while (loader_take_bad(rows->training, &bad)) {
        log_warning("%s is left out from now on: %s", bad.path, bad.reason);
        free(bad.path);
    }
}

void supervised_rows_close(SupervisedRows *rows) {
    loader_free(rows->training);
    loader_free(rows->validation);
    *rows = (SupervisedRows){0};
}

Status supervised_rows_validation(const SupervisedRows *rows, int number, Batch *out, Error *err) {
    return loader_validation(rows->validation ? rows->validation : rows->training, number, out,
                             err);
}

Status supervised_rows_validation_count(const SupervisedRows *rows, int64_t *out, Error *err) {
    return loader_validation_rows(rows->validation ? rows->validation : rows->training, out, err);
}

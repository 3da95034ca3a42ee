#include "data/shards/row_job.h"

#include <string.h>

#include "base/memory.h"
#include "data/rows/row_files.h"

typedef struct {
    const RowJobSetup *setup;
    RowJobFiles files;
    StrBuf settings; /* as text */
    HashText origin;
    GameIndex index;
} Job;

static Status name_files(const RowJobSetup *setup, RowJobFiles *out, Error *err) {
    const struct {
        Path *path;
        const char *name;
    } ALL[] = {{&out->games, setup->games_name}, {&out->index, "games.index"},
               {&out->problems, "problems.txt"}, {&out->summary, "summary.txt"},
               {&out->settings, "settings.cfg"}, {&out->train, "train"},
               {&out->validation, "validation"}};
    Status status = OK;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = path_join(ALL[i].path, setup->folder, ALL[i].name, err);
    return status;
}

/* Hashes the names and sizes of the sources together with the settings. */
static void set_origin(Job *job) {
    const FileSources *sources = job->setup->sources;
    HashSum sum = hash_sum_begin();
    hash_sum_add(&sum, job->settings.text, job->settings.length);
    for (int i = 0; file_sources_path(sources, i); i++) {
        const char *path = file_sources_path(sources, i);
        int64_t bytes = file_bytes(path);
        hash_sum_add(&sum, path, strlen(path) + 1);
        hash_sum_add(&sum, &bytes, sizeof bytes);
    }
    job->origin = hash_sum_end(&sum);
}

static Status save_text(const char *path, const StrBuf *text, Error *err) {
    Status status = strbuf_status(text, err);
    return status ? status : file_write(path, strbuf_text(text), text->length, err);
}

static Status scan(Job *job, Error *err) {
    const RowScan *stage = &job->setup->scan;
    StrBuf summary = {0};
    Status status = stage->run(stage->context, &job->files, &job->index, &summary, err);
    job->index.origin = job->origin;
    if (!status) status = save_text(job->files.summary.text, &summary, err);
    if (!status) status = save_text(job->files.settings.text, &job->settings, err);
    if (!status) status = game_index_save(&job->index, job->files.index.text, err);
    strbuf_clear(&summary);
    return status;
}

/* Refuses a folder of row files that has no index, because nobody knows whose rows these are. */
static Status check_empty(const Job *job, const char *folder, Error *err) {
    RowFiles files;
    bool has_rows = !row_files_find(&folder, 1, &files, NULL) && files.count;
    row_files_clear(&files);
    if (!has_rows) return OK;
    return fail(
        err, ERR_ARGUMENT,
        "%s has row files, but no %s that says whose rows they are; name another folder, or "
        "remove it",
        folder, path_name(job->files.index.text));
}

/* Reads the index of an earlier call, if that call completed the first stage. Refuses the folder if
 * it has rows of other games or settings. */
static Status find_index(Job *job, bool *found, Error *err) {
    *found = file_exists(job->files.index.text);
    if (!*found) {
        Status status = check_empty(job, job->files.train.text, err);
        return status ? status : check_empty(job, job->files.validation.text, err);
    }
    Status status = game_index_load(job->files.index.text, &job->index, err);
    if (status || strcmp(job->index.origin.text, job->origin.text) == 0) return status;
    return fail(
        err, ERR_ARGUMENT,
        "%s has rows of other games or settings (its %s); name another folder, or remove it",
        job->setup->folder, path_name(job->files.settings.text));
}

static Status write_part(const Job *job, bool validation, Error *err) {
    const Path *folder = validation ? &job->files.validation : &job->files.train;
    const RowShardsSetup setup = {.games_path = job->files.games.text,
                                  .folder = folder->text,
                                  .maker = job->setup->maker[validation],
                                  .settings = job->setup->shards,
                                  .watch = job->setup->watch,
                                  .validation = validation};
    RowShardsState state;
    Status status = directory_make(folder->text, err);
    if (status) return status;
    directory_sweep(folder->text);
    return row_shards_write(&setup, &job->index, &state, err);
}

/* Refuses the folder of a run, whose subfolders have the same names. */
static Status check_folder(const char *folder, Error *err) {
    Path path;
    Status status = path_join(&path, folder, "run.cfg", err);
    if (!status && file_exists(path.text))
        status =
            fail(err, ERR_ARGUMENT, "%s has a run of `aji learn`; name another folder", folder);
    return status;
}

static Status run(Job *job, Error *err) {
    const RowJobSetup *setup = job->setup;
    bool found = false;
    Status status = name_files(setup, &job->files, err);
    if (!status) status = check_folder(setup->folder, err);
    settings_write(setup->groups, &job->settings);
    if (!status) status = strbuf_status(&job->settings, err);
    if (!status) set_origin(job);
    if (!status) status = directory_make(setup->folder, err);
    if (!status) status = find_index(job, &found, err);
    if (!status) directory_sweep(setup->folder);
    if (!status && !found) status = scan(job, err);
    if (status) return status;
    if (!job->index.count)
        return fail(err, ERR_SYNTAX,
                    "no game is left of all that were read; %s and problems.txt say "
                    "why",
                    job->files.summary.text);
    game_index_shuffle(&job->index, (uint64_t)setup->shards->seed);
    status = write_part(job, false, err);
    return status ? status : write_part(job, true, err);
}

Status row_job_run(const RowJobSetup *setup, Error *err) {
    Job job = {.setup = setup};
    Status status = run(&job, err);
    game_index_clear(&job.index);
    strbuf_clear(&job.settings);
    return status;
}

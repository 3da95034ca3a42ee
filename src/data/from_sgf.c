#include "data/from_sgf.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"

const SettingsField SGF_ROWS_FIELDS[] = {
    FIELD_TEXT(SgfRowsSettings, rules, "chinese",
               "rules of games that name none, or unknown ones; GoNN reads all games by these",
               .source = "GoNN, cpp/write.cpp"),
    FIELD_BOOL(SgfRowsSettings, forfeits_count, false,
               "whether a loss on time or by forfeit is a value target; otherwise only the moves "
               "of such a game are learned"),
    FIELD_BOOL(SgfRowsSettings, encore, false,
               "whether games by territory rules go on with KataGo's encore after the passes; for "
               "games of KataGo's self-play"),
    FIELD_INT(SgfRowsSettings, playouts, 0, 0, 100000,
              "number of random games that find the dead stones of a finished game, so that its "
              "ownership becomes known; 0: none; 100 take about as long as making the rows",
              .source = "Bouzy and Helmstetter 2003, Monte-Carlo Go Developments"),
    FIELD_DOUBLE(SgfRowsSettings, validation, 0.05, 0, 1,
                 "fraction of the games that are kept for validation, chosen by the hash of their "
                 "moves",
                 .source = "GoNN, cpp/write.cpp"),
    FIELD_BOOL(SgfRowsSettings, players, false,
               "whether rows say who played, for nets that read it (arch.players, arch.ranks): "
               "ranks, date, time limits and server; the column is KataGo's metadataInputNC",
               .source = "KataGo, cpp/neuralnet/sgfmetadata.cpp"),
    FIELD_INT(
        SgfRowsSettings, size, 0, 0, BOARD_SIDE_MAX,
        "height and width of the frames in which boards lie; larger boards are dropped; 0: as "
        "the largest board that is kept"),
    FIELD_INT(SgfRowsSettings, shard_rows, 10000, 1, 100000, "maximum number of rows in a file"),
    FIELD_INT(SgfRowsSettings, pool_rows, 200000, 1, 1 << 30,
              "rows that are shuffled together and spread over files; about 1.4 KB of memory each",
              .source = "GoNN, cpp/write.cpp"),
    FIELD_INT64(SgfRowsSettings, seed, 1, 0, 9e15, "seed of the order of the rows"),
    FIELD_INT(SgfRowsSettings, threads, 0, 0, 4096,
              "threads; 0: one per processor that this process may use; the rows are the same with "
              "any number"),
    {0},
};

/* The files of the folder. */
typedef struct {
    Path games, index, problems, summary, settings, train, validation;
} Files;

typedef struct {
    const FromSgfSetup *setup;
    Files files;
    SgfFilter filter;
    SgfRowsSettings rows;
    Rules rules;
    StrBuf settings; /* as text, without the number of threads */
    SgfSources *sources;
    HashText origin;
    SgfIndex index;
} Job;

static Status name_files(const char *folder, Files *out, Error *err) {
    const struct {
        Path *path;
        const char *name;
    } ALL[] = {{&out->games, "games.sgfs"},      {&out->index, "games.index"},
               {&out->problems, "problems.txt"}, {&out->summary, "summary.txt"},
               {&out->settings, "settings.cfg"}, {&out->train, "train"},
               {&out->validation, "validation"}};
    Status status = OK;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = path_join(ALL[i].path, folder, ALL[i].name, err);
    return status;
}

static Status read_settings(Job *job, Error *err) {
    const FromSgfSetup *setup = job->setup;
    job->rows = *setup->rows;
    job->rules = rules_tromp_taylor();
    Status status = settings_check(SGF_ROWS_FIELDS, "rows", setup->rows, err);
    if (!status) status = rules_parse_with_komi(job->rows.rules, &job->rules, err);
    if (status) return fail_within(err, ERR_ARGUMENT, "rows.rules");
    status = sgf_filter_make(setup->filter, (uint64_t)job->rows.seed, &job->filter, err);
    SgfRowsSettings rows = job->rows;
    SgfFilterSettings filter = *setup->filter;
    rows.threads = 0;
    const SettingsGroup groups[] = {
        {"filter", SGF_FILTER_FIELDS, &filter}, {"rows", SGF_ROWS_FIELDS, &rows}, {0}};
    settings_write(groups, &job->settings);
    return status ? status : strbuf_status(&job->settings, err);
}

/* Opens the sources, and hashes their names and sizes together with the settings. */
static Status open_sources(Job *job, Error *err) {
    const SgfOptions options = {.rules = &job->rules, .cut = true};
    const SgfSourcesSetup setup = {.paths = job->setup->paths,
                                   .count = job->setup->path_count,
                                   .except = job->setup->folder,
                                   .options = &options};
    HashSum sum = hash_sum_begin();
    Status status = sgf_sources_open(&setup, &job->sources, err);
    if (status) return status;
    hash_sum_add(&sum, job->settings.text, job->settings.length);
    for (int i = 0; sgf_sources_path(job->sources, i); i++) {
        const char *path = sgf_sources_path(job->sources, i);
        int64_t bytes = file_bytes(path);
        hash_sum_add(&sum, path, strlen(path) + 1);
        hash_sum_add(&sum, &bytes, sizeof bytes);
    }
    job->origin = hash_sum_end(&sum);
    return OK;
}

static Status save_text(const char *path, const StrBuf *text, Error *err) {
    Status status = strbuf_status(text, err);
    return status ? status : file_write(path, strbuf_text(text), text->length, err);
}

static Status scan(Job *job, Error *err) {
    const SgfScanSetup setup = {.sources = job->sources,
                                .filter = &job->filter,
                                .settings = &job->rows,
                                .games_path = job->files.games.text,
                                .problems_path = job->files.problems.text,
                                .watch = job->setup->scan_watch};
    SgfCounts counts;
    StrBuf summary = {0};
    Status status = sgf_scan_run(&setup, &job->index, &counts, err);
    job->index.origin = job->origin;
    sgf_counts_write(&counts, &summary);
    if (!status) status = save_text(job->files.summary.text, &summary, err);
    if (!status) status = save_text(job->files.settings.text, &job->settings, err);
    if (!status) status = sgf_index_save(&job->index, job->files.index.text, err);
    strbuf_clear(&summary);
    return status;
}

/* Reads the index of an earlier call, if that call has completed the first stage. Refuses a folder
 * with rows of other games or settings. */
static Status find_index(Job *job, bool *found, Error *err) {
    *found = file_exists(job->files.index.text);
    if (!*found) return OK;
    Status status = sgf_index_load(job->files.index.text, &job->index, err);
    if (status || strcmp(job->index.origin.text, job->origin.text) == 0) return status;
    return fail(
        err, ERR_ARGUMENT,
        "%s has rows of other games or settings (its %s); name another folder, or remove it",
        job->setup->folder, path_name(job->files.settings.text));
}

static Status write_part(const Job *job, bool validation, Error *err) {
    const Path *folder = validation ? &job->files.validation : &job->files.train;
    const SgfShardsSetup setup = {.games_path = job->files.games.text,
                                  .folder = folder->text,
                                  .filter = &job->filter,
                                  .settings = &job->rows,
                                  .watch = job->setup->shards_watch,
                                  .validation = validation};
    SgfShardsState state;
    Status status = directory_make(folder->text, err);
    if (status) return status;
    directory_sweep(folder->text);
    return sgf_shards_write(&setup, &job->index, &state, err);
}

static Status run(Job *job, Error *err) {
    bool found = false;
    Status status = name_files(job->setup->folder, &job->files, err);
    if (!status) status = read_settings(job, err);
    if (!status) status = open_sources(job, err);
    if (!status) status = directory_make(job->setup->folder, err);
    if (!status) status = find_index(job, &found, err);
    if (!status) directory_sweep(job->setup->folder);
    if (!status && !found) status = scan(job, err);
    if (status) return status;
    if (!job->index.count)
        return fail(err, ERR_SYNTAX, "no game is left of all that were read; %s says why",
                    job->files.summary.text);
    sgf_index_shuffle(&job->index, (uint64_t)job->rows.seed);
    status = write_part(job, false, err);
    return status ? status : write_part(job, true, err);
}

Status from_sgf_run(const FromSgfSetup *setup, Error *err) {
    Job job = {.setup = setup};
    Status status = run(&job, err);
    sgf_sources_close(job.sources);
    sgf_index_clear(&job.index);
    strbuf_clear(&job.settings);
    return status;
}

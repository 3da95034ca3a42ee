#include "data/sgf/from_sgf.h"

#include <string.h>

#include "data/shards/row_job.h"

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
    FIELD_BOOL(SgfRowsSettings, players, false,
               "whether rows say who played, for nets that read it (arch.players, arch.ranks): "
               "ranks, date, time limits and server; the column is KataGo's metadataInputNC",
               .source = "KataGo, cpp/neuralnet/sgfmetadata.cpp"),
    {0},
};

const SettingsField SGF_NET_FIELDS[] = {
    FIELD_TEXT(SgfRowsSettings, net, "",
               "file of a net that plays finished games on until both sides pass; this tells the "
               "dead stones, so that the ownership of the game becomes known; empty: none",
               .source = "KataGo, cpp/command/writetrainingdata.cpp"),
    {0},
};

const SettingsField SGF_HASH_FIELDS[] = {
    FIELD_TEXT(SgfRowsSettings, net_hash, "", "checksum of the net that played games on"),
    {0},
};

typedef struct {
    const FromSgfSetup *setup;
    SgfFilter filter;
    Rules rules;
    SgfSources *sources;
} Job;

static Status read_settings(Job *job, Error *err) {
    const FromSgfSetup *setup = job->setup;
    job->rules = rules_tromp_taylor();
    Status status = settings_check(SGF_ROWS_FIELDS, "rows", setup->rows, err);
    if (!status) status = settings_check(ROW_SHARDS_FIELDS, "rows", setup->shards, err);
    if (status) return status;
    if (rules_parse_with_komi(setup->rows->rules, &job->rules, err))
        return fail_within(err, ERR_ARGUMENT, "rows.rules");
    return sgf_filter_make(setup->filter, (uint64_t)setup->shards->seed, &job->filter, err);
}

static Status open_sources(Job *job, Error *err) {
    const SgfOptions options = {.rules = &job->rules, .cut = true};
    const SgfSourcesSetup setup = {.paths = job->setup->paths,
                                   .count = job->setup->path_count,
                                   .except = job->setup->folder,
                                   .options = &options};
    return sgf_sources_open(&setup, &job->sources, err);
}

/* The first stage of the work (RowScan). */
static Status scan(void *context, const RowJobFiles *files, GameIndex *index, StrBuf *summary,
                   Error *err) {
    Job *job = context;
    const SgfScanSetup setup = {.sources = job->sources,
                                .filter = &job->filter,
                                .settings = job->setup->rows,
                                .evaluator = job->setup->evaluator,
                                .shards = job->setup->shards,
                                .games_path = files->games.text,
                                .problems_path = files->problems.text,
                                .watch = job->setup->scan_watch};
    SgfCounts counts;
    Status status = sgf_scan_run(&setup, index, &counts, err);
    sgf_counts_write(&counts, summary);
    return status;
}

static Status make_rows(const Job *job, bool validation, const char *line,
                        const GameIndexEntry *entry, Rng *rng, Rows *rows, Error *err) {
    /* The file of games has only results that count, because sgf_record_write() left out the
     * others. So `forfeits_count` is true here. */
    const SgfRecordOptions options = {
        .forfeits_count = true, .encore = job->setup->rows->encore, .dead_in_comment = true};
    SgfGame sgf;
    SgfRecord record = {0};
    Status status = sgf_game_parse(line, entry->bytes, NULL, &sgf, err);
    if (status) return status;
    status = sgf_record_make(&sgf, &options, &record, err);
    if (!status) sgf_filter_turns(&job->filter, &sgf, validation, &record);
    if (!status) status = rows_from_game(&record.record, rng, rows, err);
    sgf_record_clear(&record);
    sgf_game_clear(&sgf);
    return status;
}

static Status make_training(const void *context, const char *line, const GameIndexEntry *entry,
                            Rng *rng, Rows *rows, Error *err) {
    return make_rows(context, false, line, entry, rng, rows, err);
}

static Status make_validation(const void *context, const char *line, const GameIndexEntry *entry,
                              Rng *rng, Rows *rows, Error *err) {
    return make_rows(context, true, line, entry, rng, rows, err);
}

Status from_sgf_run(const FromSgfSetup *setup, Error *err) {
    Job job = {.setup = setup};
    SgfFilterSettings filter = *setup->filter;
    SgfRowsSettings rows = *setup->rows;
    RowShardsSettings shards = *setup->shards;
    shards.threads = 0; /* any number of threads may continue the work */
    RowPointSettings points = setup->points ? *setup->points : (RowPointSettings){0};
    unsigned point_columns = row_points_wanted(setup->points);
    SettingsGroup groups[7] = {{"filter", SGF_FILTER_FIELDS, &filter},
                               {"rows", SGF_ROWS_FIELDS, &rows},
                               {"rows", ROW_SHARDS_FIELDS, &shards}};
    int group_count = 3;
    /* The next groups are left out if they ask for nothing, so that folders of earlier versions,
     * which did not have them, can still be continued. */
    if (*filter.sources)
        groups[group_count++] = (SettingsGroup){"filter", SGF_SOURCE_FIELDS, &filter};
    if (point_columns) groups[group_count++] = (SettingsGroup){"rows", ROW_POINT_FIELDS, &points};
    if (setup->evaluator) groups[group_count++] = (SettingsGroup){"rows", SGF_HASH_FIELDS, &rows};
    RowJobSetup work = {.folder = setup->folder,
                        .games_name = "games.sgfs",
                        .groups = groups,
                        .shards = setup->shards,
                        .scan = {scan, &job},
                        .maker = {{make_training, &job, setup->rows->players, point_columns},
                                  {make_validation, &job, setup->rows->players, point_columns}},
                        .watch = setup->shards_watch};
    Status status = read_settings(&job, err);
    if (!status) status = open_sources(&job, err);
    if (!status) {
        work.sources = sgf_sources_files(job.sources);
        status = row_job_run(&work, err);
    }
    sgf_sources_close(job.sources);
    return status;
}

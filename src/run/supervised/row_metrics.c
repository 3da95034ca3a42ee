#include "run/supervised/row_metrics.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"
#include "data/rows/row_files.h"
#include "eval/arch/heads.h"
#include "run/supervised/supervised_config.h"

enum { BATCH = 256 };

static Status make_trainer(const Net *net, int length, int threads, Trainer **out, Error *err) {
    SupervisedConfig config;
    Net *copy;
    *out = NULL;
    supervised_config_defaults(&config);
    TrainerSetup setup = {.training = config.training, .batch = BATCH, .length = length};
    setup.training.trainer.threads = threads ? threads : thread_processors();
    setup.training.trainer.precision = TRAINER_F32;
    Status status = net_copy(net, &copy, err);
    return status ? status : trainer_new(&setup, copy, out, err);
}

/* Makes the settings of a loader that gives all rows of its file as validation rows. */
static Status loader_settings(const Net *net, int length, LoaderSettings *out, Error *err) {
    HeadIndex heads;
    Status status = heads_find_trained(net, &heads, err);
    settings_defaults(LOADER_FIELDS, out);
    out->batch = BATCH;
    out->length = length;
    out->validation = 1;
    out->boards = !status && heads_need_boards(&heads);
    if (!status) out->point_columns = objective_point_columns(&heads);
    out->q_values = !status && heads.policies.at[POLICY_Q_SCORE] >= 0;
    out->players = !status && heads.metadata >= 0;
    return status;
}

/* The arguments of measure_file(), besides the file. */
typedef struct {
    Trainer *trainer;
    LoaderSettings loader;
    Metrics *rows;    /* of a batch */
    GameLosses games; /* of all files */
    bool has_profile; /* the net is told `players` instead of the players of the rows */
    GameMetadata players;
} Measurement;

/* Tells the net the profile's players in each sample. Rows do not say which color moves, so Black
 * of the profile is the mover. */
static void tell_profile(const GameMetadata *players, Batch *batch) {
    int cells = batch->length * batch->length;
    for (int n = 0; n < batch->count; n++) {
        const float *mask = batch->mask + (size_t)n * (size_t)cells;
        int area = 0;
        for (int i = 0; i < cells; i++)
            area += mask[i] > 0;
        metadata_encode(players, COLOR_BLACK, area, batch->players + (size_t)n * METADATA_COUNT);
    }
}

static Status read_profile(const char *profile, Measurement *m, Error *err) {
    m->has_profile = profile != NULL;
    if (!profile) return OK;
    if (!m->loader.players)
        return fail(err, ERR_ARGUMENT, "this net does not read who played, so it needs no profile");
    return metadata_profile(profile, &m->players, err);
}

static Status measure_file(Measurement *m, const char *path, int file, RowMetrics *out,
                           Error *err) {
    Loader *loader;
    Error fault = {0};
    Status status = loader_new(&m->loader, &loader, err);
    if (status) return status;
    status = loader_add_file(loader, path, &fault);
    if (status == ERR_SYNTAX) {
        log_warning("this file is left out: %s", fault.message);
        loader_free(loader);
        return OK;
    }
    if (status) status = fail(err, status, "%s", fault.message);
    out->files += !status;
    for (int number = 0; !status; number++) {
        Batch batch;
        Metrics its;
        status = loader_validation(loader, number, &batch, err);
        if (status || !batch.count) break;
        if (m->has_profile) tell_profile(&m->players, &batch);
        status = trainer_measure_rows(m->trainer, &batch, m->rows, &its, err);
        if (!status) status = game_losses_add(&m->games, &batch, m->rows, file, err);
        out->rows += batch.count;
        if (!status) metrics_smooth(&out->mean, &its, (double)batch.count / (double)out->rows);
    }
    loader_free(loader);
    return status;
}

/* Copies the games with the largest losses. */
static Status list_worst(Measurement *m, const RowFiles *files, int wanted, RowMetrics *out,
                         Error *err) {
    game_losses_finish(&m->games);
    out->games = (int)m->games.count;
    int count = wanted < out->games ? wanted : out->games;
    Status status = count ? mem_new((size_t)count, sizeof *out->worst, &out->worst, err) : OK;
    for (int i = 0; i < count && !status; i++, out->worst_count++) {
        const GameLoss *game = &m->games.games[i];
        out->worst[i].loss = *game;
        snprintf(out->worst[i].file.text, sizeof out->worst[i].file.text, "%s",
                 files->paths[game->file]);
    }
    return status;
}

void row_metrics_clear(RowMetrics *metrics) {
    free(metrics->worst);
    *metrics = (RowMetrics){0};
}

Status row_metrics_measure(const Net *net, const RowMetricsSetup *setup, RowMetrics *out,
                           Error *err) {
    RowFiles files;
    Measurement m = {0};
    int length = setup->size;
    *out = (RowMetrics){0};
    Status status = row_files_find(setup->paths.paths, setup->paths.count, &files, err);
    if (!status && !length) status = supervised_rows_length(&setup->paths, &length, err);
    if (!status) status = loader_settings(net, length, &m.loader, err);
    if (!status) status = read_profile(setup->profile, &m, err);
    if (!status) status = make_trainer(net, length, setup->threads, &m.trainer, err);
    if (!status) status = mem_new(BATCH, sizeof *m.rows, &m.rows, err);
    for (int i = 0; i < files.count && !status; i++) {
        status = measure_file(&m, files.paths[i], i, out, err);
        if (!status) status = progress_report(setup->watch, i + 1, files.count, err);
    }
    if (!status && !out->rows)
        status = fail(err, ERR_SYNTAX, "%s: no row file in it can be used", setup->paths.paths[0]);
    if (!status) status = list_worst(&m, &files, setup->worst_games, out, err);
    if (status) row_metrics_clear(out);
    game_losses_clear(&m.games);
    free(m.rows);
    trainer_free(m.trainer);
    row_files_clear(&files);
    return status;
}

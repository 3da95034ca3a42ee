/* How training on a fixed set of rows works:
 *   1. supervised_open() takes the lock of the folder and writes the settings. In a new folder it
 *      also writes the first net. Otherwise it loads that net and, if there is one, the checkpoint.
 *   2. measure_beginning() measures a new net before its first sample.
 *   3. train_epoch() trains until the number of samples reaches the next multiple of the epoch's
 *      length. From time to time it writes a checkpoint.
 *   4. end_epoch() measures the net and the averaged net on the validation rows, and adds points to
 *      the curves. It writes the averaged net as last.aji. If the loss of the averaged net is the
 *      smallest so far, it also writes this net as best.aji. If the given time is over within an
 *      epoch, end_epoch() runs too, so that the last net has all that was learned.
 * The number of samples alone says in which epoch a training is. So the epoch is not stored. */
#include "run/supervised/supervised.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "build_info.h"
#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"
#include "nn/infer/infer_quantisation.h"
#include "run/charts/run_page.h"
#include "run/stages/curves.h"
#include "run/stages/run_results.h"

static const double SMOOTHING = 0.02; /* weight of a batch in the smoothed metrics */

struct Supervised {
    SupervisedConfig config;
    Progress *progress;
    RunStore store; /* folder, index of the curves, and lock */
    SupervisedRows rows;
    Trainer *trainer;
    RunResults results;
    /* `epoch` is the mean over the present epoch. `own` and `averaged` are the means of the net and
     * of the averaged net on the validation rows. */
    Metrics epoch, own, averaged;
    double epoch_batches, best_loss, begun, seconds_before, deadline, next_save;
    int64_t best_samples;
};

static Status path_of(const Supervised *supervised, const char *name, Path *out, Error *err) {
    return path_join(out, supervised->store.directory.root.text, name, err);
}

bool supervised_has_begun(const char *folder) {
    Path path;
    return !path_join(&path, folder, "begin.aji", NULL) && file_exists(path.text);
}

Status supervised_settings(const char *folder, SupervisedConfig *config, Error *err) {
    Path path;
    SettingsGroup groups[SUPERVISED_GROUPS];
    supervised_config_groups(config, groups);
    Status status = path_join(&path, folder, "train.cfg", err);
    return status ? status : settings_load(groups, path.text, err);
}

static Status write_settings(Supervised *supervised, Error *err) {
    Path path;
    StrBuf text = {0};
    SettingsGroup groups[SUPERVISED_GROUPS];
    supervised_config_groups(&supervised->config, groups);
    strbuf_addf(&text, "# made by aji %s (%s, %s)\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE);
    settings_write(groups, &text);
    Status status = strbuf_status(&text, err);
    if (!status) status = path_of(supervised, "train.cfg", &path, err);
    if (!status) status = file_write(path.text, strbuf_text(&text), text.length, err);
    strbuf_clear(&text);
    return status;
}

/* Checks that the training in the folder began from the net `from`. */
static Status check_begin(const Supervised *supervised, const char *from, const Net *begin,
                          Error *err) {
    Net *net;
    Status status = net_file_load(from, &net, err);
    if (status) return status;
    if (strcmp(net_hash(net).text, net_hash(begin).text) != 0)
        status = fail(err, ERR_ARGUMENT,
                      "%s has a training that began with a net other than %s; name another folder",
                      supervised->store.directory.root.text, from);
    net_free(net);
    return status;
}

/* Loads or makes the net with the first weights. Sets `*made` to true if the folder does not have
 * this net yet. */
static Status first_net(const Supervised *supervised, const char *from, bool *made, Net **out,
                        Error *err) {
    Path path;
    Rng rng = rng_seeded((uint64_t)supervised->config.supervised.seed);
    *out = NULL;
    *made = false;
    Status status = path_of(supervised, "begin.aji", &path, err);
    if (status) return status;
    if (file_exists(path.text)) {
        status = net_load(path.text, out, err);
        return status || !from ? status : check_begin(supervised, from, *out, err);
    }
    *made = true;
    if (!from) return arch_build_text(supervised->config.supervised.arch, &rng, out, err);
    status = net_file_load(from, out, err);
    if (!status) quantisation_remove(*out); /* it belongs to the weights before training */
    return status;
}

static Status write_begin(const Supervised *supervised, const Net *net, Error *err) {
    Path path;
    Status status = path_of(supervised, "begin.aji", &path, err);
    return status ? status : net_save(net, path.text, err);
}

/* Refuses an optimiser other than that of the checkpoint in the folder, which does not have its
 * state. */
static Status check_optimiser(const Supervised *supervised, Error *err) {
    const char *folder = supervised->store.directory.root.text;
    SupervisedConfig old;
    Path path;
    supervised_config_defaults(&old);
    Status status = path_of(supervised, "train.cfg", &path, err);
    if (status || !file_exists(path.text)) return status;
    status = supervised_settings(folder, &old, err);
    int before = old.training.optimiser.kind, now = supervised->config.training.optimiser.kind;
    if (status || before == now) return status;
    return fail(err, ERR_ARGUMENT,
                "%s trains by optimiser.kind %s; %s needs another folder (--out)", folder,
                optimiser_kind_name(before), optimiser_kind_name(now));
}

/* Makes the trainer, and loads the checkpoint if there is one. */
static Status open_trainer(Supervised *supervised, Net *net /* taken */, Error *err) {
    const TrainerSetup setup =
        supervised_config_trainer(&supervised->config, supervised->rows.length);
    Path path;
    Status status = trainer_new(&setup, net, &supervised->trainer, err);
    if (!status) status = path_of(supervised, "checkpoint.aji", &path, err);
    if (status || !file_exists(path.text)) return status;
    status = check_optimiser(supervised, err);
    return status ? status : trainer_load(supervised->trainer, path.text, err);
}

/* Reads the loss and the samples of the best net from best.aji. */
static Status recall_best(Supervised *supervised, Error *err) {
    Net *best;
    Path path;
    supervised->best_loss = HUGE_VAL;
    Status status = path_of(supervised, "best.aji", &path, err);
    if (status || !file_exists(path.text)) return status;
    status = net_load(path.text, &best, err);
    if (status) return status;
    const char *loss = net_note(best, "validation_loss");
    if (loss) supervised->best_loss = strtod(loss, NULL);
    supervised->best_samples = net_note_count(best, "samples");
    net_free(best);
    return OK;
}

static Status open_folder(Supervised *supervised, const char *folder, Error *err) {
    RunStore *store = &supervised->store;
    Status status = run_directory_name(folder, &store->directory, err);
    if (!status && file_exists(store->directory.config.text))
        status = fail(err, ERR_ARGUMENT, "%s has a run of `aji learn`; name another folder (--out)",
                      folder);
    if (!status) status = directory_make(folder, err);
    if (!status) status = run_store_lock_training(store, err);
    if (status) return status;
    directory_sweep(folder);
    status = directory_make(store->directory.report.text, err);
    if (!status) status = log_open(store->directory.log.text, err);
    if (!status) status = run_store_open_index(store, err);
    if (!status) status = run_index_read(store->index, "seconds", &supervised->seconds_before, err);
    return status;
}

static Status open_rows(Supervised *supervised, const SupervisedSetup *setup, const Net *net,
                        Error *err) {
    SupervisedRowsSetup rows = {.training = setup->training,
                                .validation = setup->validation,
                                .loader = supervised->config.loader,
                                .net = net};
    rows.loader.length = supervised->config.supervised.size;
    /* The order of the rows differs from that in earlier processes of this training. */
    rows.loader.seed = (uint64_t)supervised->config.supervised.seed +
                       (uint64_t)run_index_value(supervised->store.index, "samples");
    return supervised_rows_open(&rows, &supervised->rows, err);
}

Status supervised_open(const SupervisedSetup *setup, Supervised **out, Error *err) {
    Supervised *supervised;
    Net *net = NULL;
    bool made;
    int length;
    *out = NULL;
    Status status = mem_new(1, sizeof *supervised, &supervised, err);
    if (status) return status;
    supervised->config = *setup->config;
    supervised->progress = setup->progress;
    run_store_init(&supervised->store);
    status = supervised_rows_length(&setup->training, &length, err); /* before there is a folder */
    if (!status) status = open_folder(supervised, setup->folder, err);
    if (!status) status = first_net(supervised, setup->from, &made, &net, err);
    if (!status) status = open_rows(supervised, setup, net, err);
    /* Settings that the trainer refuses are not written. */
    if (!status) {
        status = open_trainer(supervised, net, err);
        net = NULL;
    }
    if (!status) status = write_settings(supervised, err);
    if (!status && made) status = write_begin(supervised, trainer_net(supervised->trainer), err);
    if (!status) status = recall_best(supervised, err);
    net_free(net);
    if (status)
        supervised_close(supervised);
    else
        *out = supervised;
    return status;
}

void supervised_close(Supervised *supervised) {
    if (!supervised) return;
    trainer_free(supervised->trainer);
    supervised_rows_close(&supervised->rows);
    run_store_close(&supervised->store);
    log_close();
    free(supervised);
}

static double working_seconds(const Supervised *supervised) {
    double now = supervised->begun > 0 ? clock_seconds() - supervised->begun : 0;
    return supervised->seconds_before + now;
}

SupervisedTotals supervised_totals(const Supervised *supervised) {
    return (SupervisedTotals){.samples = trainer_samples(supervised->trainer),
                              .best_samples = supervised->best_samples,
                              .best_loss = supervised->best_loss,
                              .seconds = working_seconds(supervised)};
}

static int64_t samples_of_epoch(const Supervised *supervised) {
    const SupervisedSettings *settings = &supervised->config.supervised;
    int64_t batch = supervised->config.loader.batch,
            samples = settings->epoch_samples / settings->fast_factor;
    return samples > 0 ? (samples + batch - 1) / batch * batch : batch;
}

/* Return the number of epochs that have ended, and the number of samples at which the present epoch
 * ends. */
static int64_t epochs_of(const Supervised *supervised) {
    return trainer_samples(supervised->trainer) / samples_of_epoch(supervised);
}
/* Returns the number of epochs so far, of which the last may have ended only in part. */
static double epochs_done(const Supervised *supervised) {
    return (double)trainer_samples(supervised->trainer) / (double)samples_of_epoch(supervised);
}
static int64_t goal_of(const Supervised *supervised) {
    return (epochs_of(supervised) + 1) * samples_of_epoch(supervised);
}

static bool must_stop(const Supervised *supervised) {
    return stop_requested() ||
           (supervised->deadline > 0 && clock_seconds() >= supervised->deadline);
}

static bool is_complete(const Supervised *supervised) {
    int epochs = supervised->config.supervised.epochs;
    return epochs && epochs_of(supervised) >= epochs;
}

/* Returns how long training will still take, or "" if training has no end. */
static TimeText time_left(const Supervised *supervised, double speed) {
    const SupervisedSettings *settings = &supervised->config.supervised;
    double left = HUGE_VAL, samples = (double)trainer_samples(supervised->trainer),
           total = (double)(settings->epochs * samples_of_epoch(supervised));
    if (supervised->deadline > 0) left = supervised->deadline - clock_seconds();
    if (settings->epochs && speed > 0)
        left = fmin(left, progress_seconds_left(samples, total, samples / speed));
    return isfinite(left) ? clock_duration_text(left) : (TimeText){""};
}

static void show(const Supervised *supervised, double speed) {
    const SupervisedSettings *settings = &supervised->config.supervised;
    const Metrics *m = &supervised->results.metrics, *v = &supervised->averaged;
    int64_t samples = trainer_samples(supervised->trainer), of_epoch = samples_of_epoch(supervised);
    double fraction = progress_fraction((double)(samples % of_epoch), (double)of_epoch);
    char block[640], line[320], of[24] = "", validation[120] = "";
    if (!supervised->progress) return;
    TimeText left = time_left(supervised, speed);
    if (settings->epochs) snprintf(of, sizeof of, " of %d", settings->epochs);
    if (v->rows > 0)
        snprintf(validation, sizeof validation,
                 "  validation: policy %.3f   value %.3f   best move %.1f%%\n", v->policy, v->value,
                 100 * v->policy_accuracy);
    snprintf(block, sizeof block,
             "epoch %lld%s  %s %3.0f%%   %.0f samples/s%s%s\n"
             "  loss %.3f   policy %.3f   value %.3f   best move %.1f%%\n%s",
             (long long)epochs_of(supervised) + 1, of, progress_bar(fraction, 24).text,
             100 * fraction, speed, *left.text ? "   left: " : "", left.text, m->loss, m->policy,
             m->value, 100 * m->policy_accuracy, validation);
    snprintf(line, sizeof line,
             "epoch %lld%s  %3.0f%%  samples %lld (%.0f/s)  loss %.3f policy %.3f value %.3f%s%s",
             (long long)epochs_of(supervised) + 1, of, 100 * fraction, (long long)samples, speed,
             m->loss, m->policy, m->value, *left.text ? "  left " : "", left.text);
    progress_show(supervised->progress, block, line, false);
}

static Status save(Supervised *supervised, Error *err) {
    Path path;
    RunStore *store = &supervised->store;
    Status status = run_store_check_locks(store, err);
    if (!status) status = path_of(supervised, "checkpoint.aji", &path, err);
    if (!status) status = trainer_save(supervised->trainer, path.text, err);
    if (!status)
        status = run_index_set_value(store->index, "seconds", working_seconds(supervised), err);
    if (!status)
        status = run_index_set_value(store->index, "samples",
                                     (double)trainer_saved_samples(supervised->trainer), err);
    supervised->next_save = clock_seconds() + supervised->config.supervised.checkpoint_seconds;
    return status;
}

/* Sets `*was` to whether the trainer has had more than `setbacks` setbacks. If it has, logs the
 * newest setback and counts it in the index. */
static Status note_setback(Supervised *supervised, int64_t setbacks, bool *was, Error *err) {
    *was = trainer_setbacks(supervised->trainer) > setbacks;
    if (!*was) return OK;
    log_warning("training went back to a good state: %s",
                trainer_setback_text(supervised->trainer));
    return run_index_add_value(supervised->store.index, SETBACKS_FACT, 1, err);
}

/* Trains to the end of the epoch, or until work must stop. */
static Status train_epoch(Supervised *supervised, Error *err) {
    Trainer *trainer = supervised->trainer;
    int64_t goal = goal_of(supervised), first = trainer_samples(trainer);
    double begun = clock_seconds();
    Status status = OK;
    while (!status && trainer_samples(trainer) < goal && !must_stop(supervised)) {
        Batch batch;
        Metrics metrics;
        bool lost = false;
        int64_t setbacks = trainer_setbacks(trainer);
        status = loader_next(supervised->rows.training, &batch, err);
        if (!status) status = trainer_step(trainer, &batch, &metrics, err);
        if (!status) status = note_setback(supervised, setbacks, &lost, err);
        if (status || lost) continue; /* after a setback, `metrics` come from lost weights */
        metrics_smooth(&supervised->results.metrics, &metrics, SMOOTHING);
        metrics_smooth(&supervised->epoch, &metrics, 1 / ++supervised->epoch_batches);
        show(supervised, (double)(trainer_samples(trainer) - first) / (clock_seconds() - begun));
        if (clock_seconds() >= supervised->next_save) status = save(supervised, err);
    }
    supervised_rows_tell_of_bad(&supervised->rows);
    return status;
}

/* Measures the net and the averaged net on the validation rows, or on a fraction of them in whole
 * batches. If there are no validation rows, the field `rows` of both means is 0. */
static Status validate(Supervised *supervised, Net *averaged, Error *err) {
    const SupervisedSettings *settings = &supervised->config.supervised;
    int64_t count;
    double rows = 0, fraction = settings->validation_fraction / settings->fast_factor;
    supervised->own = supervised->averaged = (Metrics){0};
    Status status = supervised_rows_validation_count(&supervised->rows, &count, err);
    for (int number = 0; !status && (!number || rows < fraction * (double)count); number++) {
        Batch batch;
        Metrics own, its;
        status = supervised_rows_validation(&supervised->rows, number, &batch, err);
        if (status || !batch.count) break;
        status = trainer_measure(supervised->trainer, &batch, &own, err);
        if (!status) status = trainer_measure_net(supervised->trainer, averaged, &batch, &its, err);
        if (status) break;
        rows += batch.count;
        metrics_smooth(&supervised->own, &own, batch.count / rows);
        metrics_smooth(&supervised->averaged, &its, batch.count / rows);
    }
    return status;
}

static Status keep_curve(Supervised *supervised, const char *kind, const char *prefix,
                         const Metrics *mean, Error *err) {
    const CurvePlace place = {prefix, trainer_samples(supervised->trainer),
                              working_seconds(supervised)};
    const CurvePoint point = {kind, place.samples, place.seconds, mean, NULL};
    if (!(mean->rows > 0)) return OK;
    curves_add(&supervised->store.directory, &point, &supervised->results.csv_fits);
    return run_results_keep(&supervised->store, &place, mean, err);
}

static Status keep_curves(Supervised *supervised, Error *err) {
    RunStore *store = &supervised->store;
    const CurvePlace place = {"", trainer_samples(supervised->trainer),
                              working_seconds(supervised)};
    Status status = run_index_begin(store->index, err);
    if (!status) status = keep_curve(supervised, "train", "", &supervised->epoch, err);
    curves_add_net_numbers(&store->directory, supervised->trainer);
    if (!status) status = run_results_keep_one(store, &place, "gradient", &supervised->epoch, err);
    if (!status)
        status = keep_curve(supervised, "validation", "validation.", &supervised->own, err);
    if (!status)
        status = keep_curve(supervised, "validation_averaged", "validation_averaged.",
                            &supervised->averaged, err);
    if (!status)
        status = run_index_set_value(store->index, OUTLIERS_FACT,
                                     (double)trainer_outliers(supervised->trainer), err);
    const IndexedNet net = {.number = (int)ceil(epochs_done(supervised)),
                            .file = "last.aji",
                            .samples = place.samples,
                            .rows = supervised->rows.rows,
                            .seconds = place.seconds};
    if (!status) status = run_index_add_net(store->index, &net, err);
    status = run_index_end(store->index, status, err);
    return status ? status : run_page_write(&store->directory, store->index, err);
}

/* Writes the averaged net as last.aji, and as best.aji if it is the best so far. */
static Status keep_net(Supervised *supervised, Net *net, bool *best, Error *err) {
    const Metrics *measured = &supervised->averaged;
    double loss = measured->rows > 0 ? measured->policy + measured->value : (double)NAN;
    char text[40];
    Path path;
    *best = loss < supervised->best_loss;
    snprintf(text, sizeof text, "%lld", (long long)trainer_samples(supervised->trainer));
    Status status = net_set_note(net, "samples", text, err);
    snprintf(text, sizeof text, "%dx%d", supervised->rows.length, supervised->rows.length);
    if (!status) status = net_set_note(net, "board", text, err);
    snprintf(text, sizeof text, "%.9g", loss);
    if (!status && isfinite(loss)) status = net_set_note(net, "validation_loss", text, err);
    if (!status) status = run_store_check_locks(&supervised->store, err);
    if (!status) status = path_of(supervised, "last.aji", &path, err);
    if (!status) status = net_save(net, path.text, err);
    if (status || !*best) return status;
    supervised->best_loss = loss;
    supervised->best_samples = trainer_samples(supervised->trainer);
    status = path_of(supervised, "best.aji", &path, err);
    return status ? status : net_save(net, path.text, err);
}

/* Prints a line about the epoch. If `first` is true, prints the names of the columns above it. */
static void print_epoch(const Supervised *supervised, bool best, bool first) {
    const Metrics *m = &supervised->epoch, *v = &supervised->averaged;
    char line[200], measured[80] = "";
    double epochs = epochs_done(supervised);
    if (!supervised->progress) return;
    if (first)
        progress_print(supervised->progress,
                       "epoch    samples      time   training: policy   value  best move   "
                       "validation: policy   value  best move");
    if (v->rows > 0)
        snprintf(measured, sizeof measured, "%21.4f  %6.4f  %8.1f%%%s", v->policy, v->value,
                 100 * v->policy_accuracy, best ? "  best so far" : "");
    snprintf(line, sizeof line, "%5.*f %10lld %9s %18.4f  %6.4f  %8.1f%% %s",
             epochs == floor(epochs) ? 0 : 2, epochs,
             (long long)trainer_samples(supervised->trainer),
             clock_duration_text(working_seconds(supervised)).text, m->policy, m->value,
             100 * m->policy_accuracy, measured);
    if (!(m->rows > 0)) /* nothing is trained yet */
        snprintf(line, sizeof line, "%5d %10d %9s %36s %s", 0, 0, "", "", measured);
    progress_print(supervised->progress, line);
}

/* Before the first sample, measures the net on the validation rows, so that curves begin with its
 * first weights. */
static Status measure_beginning(Supervised *supervised, Error *err) {
    Net *averaged;
    RunStore *store = &supervised->store;
    Status status = trainer_averaged_net(supervised->trainer, &averaged, err);
    if (status) return status;
    status = validate(supervised, averaged, err);
    net_free(averaged);
    if (!status) status = run_index_begin(store->index, err);
    if (status) return status;
    status = keep_curve(supervised, "validation", "validation.", &supervised->own, err);
    if (!status)
        status = keep_curve(supervised, "validation_averaged", "validation_averaged.",
                            &supervised->averaged, err);
    status = run_index_end(store->index, status, err);
    if (!status && supervised->averaged.rows > 0) print_epoch(supervised, false, true);
    return status;
}

/* Measures the net, keeps the averaged net, and writes a line and points of the curves about the
 * epoch, or about the part of an epoch after which the time is over. */
static Status end_epoch(Supervised *supervised, bool first, Error *err) {
    Net *averaged;
    bool best = false;
    Status status = trainer_settle(supervised->trainer, err);
    if (!status) status = trainer_averaged_net(supervised->trainer, &averaged, err);
    if (status) return status;
    status = validate(supervised, averaged, err);
    if (!status) status = keep_net(supervised, averaged, &best, err);
    if (!status) status = keep_curves(supervised, err);
    if (!status) print_epoch(supervised, best, first);
    if (!status) status = save(supervised, err);
    net_free(averaged);
    supervised->epoch = (Metrics){0};
    supervised->epoch_batches = 0;
    return status;
}

Status supervised_run(Supervised *supervised, double seconds, Error *err) {
    Status status = OK;
    bool first = true;
    supervised->begun = clock_seconds();
    supervised->deadline = seconds > 0 ? supervised->begun + seconds : 0;
    supervised->next_save = supervised->begun + supervised->config.supervised.checkpoint_seconds;
    if (!trainer_samples(supervised->trainer)) {
        status = measure_beginning(supervised, err);
        /* If there are validation rows, the names of the columns are printed already. */
        first = !(supervised->averaged.rows > 0);
    }
    while (!status && !is_complete(supervised) && !must_stop(supervised)) {
        int64_t goal = goal_of(supervised);
        status = train_epoch(supervised, err);
        if (!status && trainer_samples(supervised->trainer) < goal && stop_requested()) break;
        if (!status && supervised->epoch_batches > 0) status = end_epoch(supervised, first, err);
        first = false;
    }
    if (!status) status = trainer_settle(supervised->trainer, err);
    return status ? status : save(supervised, err);
}

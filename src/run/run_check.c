/* What a run's files decide once for all: another net, another optimiser or a smaller board would
 * make its checkpoints or rows useless. */
#include "run/run_check.h"
#include <string.h>

static Status has_checkpoint(const RunDirectory *run, bool *out, Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = run_directory_checkpoints(run->train.text, &arena, &paths, &count, err);
    *out = count > 0;
    arena_clear(&arena);
    return status;
}

static Status has_rows(const RunDirectory *run, bool *out, Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = run_directory_row_files(run, &arena, &paths, &count, err);
    *out = count > 0;
    arena_clear(&arena);
    return status;
}

static const char *optimiser_name(int kind) {
    return kind == OPTIMISER_SGD ? "sgd" : kind == OPTIMISER_ADAMW ? "adamw" : "muon";
}

Status run_check(const RunDirectory *run, const RunConfig *config, Error *err) {
    RunConfig old;
    SettingsGroup groups[RUN_GROUPS];
    int before = 0, now = 0;
    bool trained = false, played = false;
    if (!file_exists(run->config.text)) return OK;
    run_config_defaults(&old);
    run_config_groups(&old, groups);
    Status status = settings_load(groups, run->config.text, err);
    if (!status) status = selfplay_edge_most(&old.selfplay, &before, err);
    if (!status) status = selfplay_edge_most(&config->selfplay, &now, err);
    if (!status) status = has_checkpoint(run, &trained, err);
    if (!status) status = has_rows(run, &played, err);
    if (status) return status;
    if (trained && strcmp(old.run.arch, config->run.arch) != 0)
        return fail(err, ERR_ARGUMENT,
                    "%s trains a net %s; run.arch %s needs a run of its own (--run DIR)",
                    run->root.text, old.run.arch, config->run.arch);
    if (trained && *old.run.larger_arch &&
        strcmp(old.run.larger_arch, config->run.larger_arch) != 0)
        return fail(err, ERR_ARGUMENT,
                    "%s trains a net %s beside; run.larger_arch \"%s\" needs a run of its own "
                    "(--run DIR)",
                    run->root.text, old.run.larger_arch, config->run.larger_arch);
    if (trained && old.optimiser.kind != config->optimiser.kind)
        return fail(err, ERR_ARGUMENT,
                    "%s trains by optimiser.kind %s; %s needs a run of its own (--run DIR)",
                    run->root.text, optimiser_name(old.optimiser.kind),
                    optimiser_name(config->optimiser.kind));
    if (played && now < before)
        return fail(err, ERR_ARGUMENT,
                    "%s has rows of boards up to %dx%d; a largest board of %dx%d needs a run of "
                    "its own (--run DIR)",
                    run->root.text, before, before, now, now);
    return OK;
}

/* Once a run has files, some of its settings can no longer change. Its checkpoints are of no use
 * for another net or optimiser, and its rows do not fit into tensors for smaller boards. */
#include "run/cycle/run_check.h"

#include <string.h>

#include "base/log.h"
#include "data/rows/row_file.h"
#include "eval/arch/arch.h"
#include "eval/arch/heads.h"
#include "play/setup/row_steps.h"
#include "run/stages/matches/stage_anchor.h"
#include "run/stages/run_trainers.h"

static Status has_checkpoint(const RunDirectory *run, bool *out, Error *err) {
    Arena arena = {0};
    char **paths;
    int count = 0;
    Status status = run_directory_checkpoints(run->train.text, &arena, &paths, &count, err);
    *out = count > 0;
    arena_clear(&arena);
    return status;
}

/* Checks the description of a net that a run is to learn. */
static Status check_arch(const char *text, const RowPointSettings *rows, Error *err) {
    ArchSettings arch;
    Status status = arch_parse(text, &arch, err);
    if (!status && arch_reads_players(&arch))
        status = fail(err, ERR_ARGUMENT,
                      "a net that reads who played learns from games of people (aji train), not "
                      "from self-play");
    else if (!status && (!arch.pass || !head_is_wanted(HEAD_VALUE, &arch)))
        status = fail(err, ERR_ARGUMENT,
                      "a net without the %s learns from games (aji train), not from self-play",
                      arch.pass ? "value" : "pass");
    unsigned missing = status ? 0 : objective_will_need_points(&arch) & ~row_points_wanted(rows);
    for (int c = 0; !status && c < ROW_POINT_COLUMNS; c++) {
        if (missing >> c & 1)
            status = fail(err, ERR_ARGUMENT, "the rows lack a target of the net; set rows.%s=true",
                          ROW_POINT_FIELDS[c].name);
    }
    return status;
}

Status run_check_settings(const RunConfig *config, Error *err) {
    RateSchedule schedule;
    Status status = check_arch(config->run.arch, &config->rows, err);
    if (status) return fail_within(err, status, "run.arch");
    for (int k = 0; !status; k++) {
        LargerArch larger = run_larger_arch(&config->run, k);
        if (!*larger.text) break;
        status = check_arch(larger.text, &config->rows, err);
        if (status) return fail_within(err, status, "run.larger_arch");
    }
    PlayerSpec anchor;
    bool exists;
    if (!status) status = anchor_player(config->run.anchor, &anchor, &exists, err);
    if (status) return fail_within(err, status, "run.anchor");
    if (!status) status = schedule_init(&schedule, &config->training.schedule, err);
    if (!status) status = row_steps_check(config->gate.steps, STEPS_OF_VISITS, "gate.steps", err);
    return status || !config->gate.sequential ? status : sprt_check(&config->sprt, err);
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

/* Whether two texts describe the same architecture. */
static bool is_same_arch(const char *one, const char *other) {
    ArchSettings a, b;
    if (arch_parse(one, &a, NULL) || arch_parse(other, &b, NULL)) return strcmp(one, other) == 0;
    return strcmp(arch_text(&a).text, arch_text(&b).text) == 0;
}

/* Finds out whether `words`, the text of an architecture, is run.arch or one of the architectures
 * in run.larger_arch. These two settings must be valid. */
static Status is_named(const RunSettings *run, const char *words, bool *out, Error *err) {
    ArchSettings wanted;
    Status status = arch_parse(run->arch, &wanted, err);
    *out = !status && strcmp(words, arch_text(&wanted).text) == 0;
    for (int k = 0; !status && !*out; k++) {
        LargerArch larger = run_larger_arch(run, k);
        if (!*larger.text) break;
        status = arch_parse(larger.text, &wanted, err);
        *out = !status && strcmp(words, arch_text(&wanted).text) == 0;
    }
    return status;
}

/* Checks that the settings name the architecture of the newest net that is not damaged. `lost`
 * says, for the message, what is wrong with run.cfg. */
static Status check_nets(const RunDirectory *run, const RunConfig *config, const char *lost,
                         Error *err) {
    ArchSettings its;
    Net *net;
    bool named;
    int number;
    Status status = run_directory_read_newest(run, &number, &net, err);
    if (status) return status;
    bool says = net && !arch_of_net(net, &its, NULL);
    net_free(net);
    if (!says) return OK;
    const ArchText text = arch_text(&its);
    status = is_named(&config->run, text.text, &named, err);
    if (status || named) return status;
    return fail(err, ERR_ARGUMENT,
                "%s %s, and the nets of the run are %s, not %s: repeat the settings of this run, "
                "for example --set run.arch=%s",
                run->config.text, lost, text.text, config->run.arch, text.text);
}

/* Checks that the newest rows that can be read fit the boards of the settings. */
static Status check_rows(const RunDirectory *run, const RunConfig *config, char *const *paths,
                         int count, const char *lost, Error *err) {
    int found = 0;
    for (int i = count - 1; i >= 0 && !found; i--) {
        Rows rows;
        if (row_file_read(paths[i], &rows, NULL)) continue;
        found = rows.length;
        rows_clear(&rows);
    }
    if (!found || selfplay_has_side(&config->selfplay, found)) return OK;
    return fail(err, ERR_ARGUMENT,
                "%s %s, and the newest rows of the run are of boards up to %dx%d, not of %s: "
                "repeat the settings of this run, for example --size %d",
                run->config.text, lost, found, found, selfplay_sizes_text(&config->selfplay).text,
                found);
}

/* Checks the settings against a run whose own settings are lost. */
static Status check_lost(const RunDirectory *run, const RunConfig *config, const char *lost,
                         Error *err) {
    Arena arena = {0};
    char **nets, **rows;
    int *numbers, net_count = 0, row_count = 0;
    bool trained = false;
    Status status = run_directory_nets(run, &arena, &nets, &numbers, &net_count, err);
    if (!status) status = run_directory_row_files(run, &arena, &rows, &row_count, err);
    if (!status) status = has_checkpoint(run, &trained, err);
    if (!status) status = check_nets(run, config, lost, err);
    if (!status) status = check_rows(run, config, rows, row_count, lost, err);
    if (!status && (net_count || row_count || trained))
        log_warning("%s %s, although the run has nets (%d) or rows (%d files): its settings are "
                    "lost, and it continues with those of this start, which are the defaults "
                    "except for those given now",
                    run->config.text, lost, net_count, row_count);
    arena_clear(&arena);
    return status;
}

/* Checks the board sizes. `before` is the largest side for which the run has room, and `now` is the
 * largest side of the settings. */
static Status check_edge(const RunDirectory *run, int before, int now, bool own, Error *err) {
    bool played = false;
    Status status = has_rows(run, &played, err);
    if (status) return status;
    if (played && now < before)
        return fail(err, ERR_ARGUMENT,
                    "%s has rows of boards up to %dx%d; a largest board of %dx%d needs a run of "
                    "its own (--run DIR)",
                    run->root.text, before, before, now, now);
    if (own && now > before)
        return fail(err, ERR_ARGUMENT,
                    "%s has boards up to %dx%d, as its %s says, so the process that trains cannot "
                    "read rows of %dx%d; start the process that trains with the larger boards "
                    "first (--set selfplay.sizes=...)",
                    run->root.text, before, before, path_name(run->config.text), now, now);
    return OK;
}

/* Checks the larger nets. Larger nets that have begun to train must keep their architectures.
 * Others may be added after them. */
static Status check_larger(const RunDirectory *run, const RunSettings *old, const RunSettings *now,
                           Error *err) {
    for (int k = 0;; k++) {
        LargerArch before = run_larger_arch(old, k), wanted = run_larger_arch(now, k);
        Path folder;
        Status status = run_trainers_larger_path(run, k, "", &folder, err);
        if (status || !*before.text || !file_exists(folder.text)) return status;
        if (!is_same_arch(before.text, wanted.text))
            return fail(err, ERR_ARGUMENT,
                        "%s has trained a larger net %s; run.larger_arch \"%s\" needs a run of its "
                        "own (--run DIR) or must begin with \"%s\"",
                        run->root.text, before.text, now->larger_arch, old->larger_arch);
    }
}

/* Finds the number of rows that the run had when its newest net was made. This number decides which
 * board sizes are played. */
static Status rows_of_newest(const RunDirectory *run, int64_t *rows, Error *err) {
    Net *net;
    int number;
    Status status = run_directory_read_newest(run, &number, &net, err);
    *rows = net ? net_note_count(net, "rows") : 0;
    net_free(net);
    return status;
}

/* Warns if the run changes its board sizes, because its komi does not change with them. */
static void tell_other_boards(const RunDirectory *run, const SelfplaySettings *old,
                              const SelfplaySettings *now) {
    BoardSizesText before = selfplay_sizes_text(old), after = selfplay_sizes_text(now);
    if (strcmp(before.text, after.text) == 0) return;
    log_warning("%s played on %s and plays on %s from now on (selfplay.sizes), at komi %g on "
                "average (selfplay.komi.mean)",
                run->root.text, before.text, after.text, now->komi.mean);
}

Status run_check(const RunDirectory *run, const RunConfig *config, bool own, Error *err) {
    RunConfig old;
    int before = 0, now = 0;
    int64_t rows = 0;
    bool trained = false;
    if (!file_exists(run->config.text)) return check_lost(run, config, "is missing", err);
    if (!run_directory_has_settings(run->root.text))
        return check_lost(run, config, "is empty", err);
    Status status = run_config_load(run->root.text, &old, err);
    if (!status) status = rows_of_newest(run, &rows, err);
    if (!status) status = selfplay_board_size_at(&old.selfplay, rows, &before, err);
    if (!status) status = selfplay_board_size_at(&config->selfplay, rows, &now, err);
    if (!status) status = has_checkpoint(run, &trained, err);
    if (status) return status;
    if (trained && !is_same_arch(old.run.arch, config->run.arch))
        return fail(err, ERR_ARGUMENT,
                    "%s trains a net %s; run.arch %s needs a run of its own (--run DIR)",
                    run->root.text, old.run.arch, config->run.arch);
    status = check_larger(run, &old.run, &config->run, err);
    if (status) return status;
    if (trained && old.training.optimiser.kind != config->training.optimiser.kind)
        return fail(err, ERR_ARGUMENT,
                    "%s trains by optimiser.kind %s; %s needs a run of its own (--run DIR)",
                    run->root.text, optimiser_kind_name(old.training.optimiser.kind),
                    optimiser_kind_name(config->training.optimiser.kind));
    status = check_edge(run, before, now, own, err);
    if (!status && !own) tell_other_boards(run, &old.selfplay, &config->selfplay);
    return status;
}

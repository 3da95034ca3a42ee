/* Reads the file of an experiment and lets its runs learn, slice by slice. */
#include "run/experiment/experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/sections.h"
#include "base/thread.h"
#include "run/cycle/cycle.h"
#include "run/cycle/run_check.h"
#include "run/experiment/experiment_private.h"
#include "run/store/size_rules.h"

/* At each of experiment.moments moments, the nets that all runs have then play against each other.
 * If experiment.games is 0, each of these nets plays at least NET_GAMES games, and each pair of
 * them plays at least GAMES_MIN games. */
enum { NET_GAMES = 100, GAMES_MIN = 4 };

const SettingsField EXPERIMENT_FIELDS[] = {
    FIELD_INT(ExperimentSettings, seeds, 3, 1, 100,
              "number of runs of each arm; their seeds are run.seed, run.seed + 1 and so on"),
    FIELD_DOUBLE(ExperimentSettings, compute, 1e12, 1, 1e30,
                 "compute of each run, in multiply-adds of nets: each evaluation of self-play "
                 "counts once, each training sample three times",
                 .source = "Wu 2019, section 5"),
    FIELD_INT(ExperimentSettings, slices, 4, 1, 1000,
              "parts into which each run is cut; the runs take turns after each part"),
    FIELD_INT(ExperimentSettings, moments, 4, 1, MOMENTS_MAX,
              "number of moments, evenly spread over the compute, at which nets are compared"),
    FIELD_INT(ExperimentSettings, games, 0, 0, 100000,
              "even number of games of each pair of nets of one moment; 0: the number with which "
              "each net plays at least 100 games and each pair at least 4"),
    FIELD_INT(ExperimentSettings, link_games, 20, 0, 100000,
              "games between the nets that a run has at two successive moments"),
    FIELD_INT(ExperimentSettings, visits, 100, 1, 1000000,
              "visits per move of the games between nets"),
    FIELD_INT(ExperimentSettings, opening, 2, 0, 100,
              "random moves at the start of the games between nets"),
    {0},
};

/* Returns the settings of a section in one line, like "run.arch = x, optimiser.kind = sgd". */
static const char *summarise_settings(const char *text, Arena *arena) {
    StrBuf line = {0};
    while (*text) {
        const char *end = text + strcspn(text, "\n"), *last = end;
        const char *comment = memchr(text, '#', (size_t)(end - text));
        if (comment) last = comment;
        while (text < last && isspace((unsigned char)*text))
            text++;
        while (last > text && isspace((unsigned char)last[-1]))
            last--;
        if (last > text) {
            strbuf_add(&line, line.length ? ", " : "");
            strbuf_add_bytes(&line, text, (size_t)(last - text));
        }
        text = *end ? end + 1 : end;
    }
    char *kept = arena_copy(arena, strbuf_text(&line), line.length);
    strbuf_clear(&line);
    return kept ? kept : "";
}

static Status load_arm(const Section *section, const char *path, const RunConfig *base,
                       Arena *arena, ExperimentArm *arm, Error *err) {
    SettingsGroup groups[RUN_GROUPS];
    *arm = (ExperimentArm){section->name, summarise_settings(section->text, arena), *base};
    run_config_groups(&arm->config, groups);
    if (*section->name == '.')
        return fail(err, ERR_SYNTAX, "%s:%d: the name of an arm must not begin with a dot", path,
                    section->line);
    Error fault = {0};
    Status status = settings_parse_from(groups, section->text, path, section->line, err);
    if (status || !run_check_settings(&arm->config, &fault)) return status;
    return fail(err, ERR_ARGUMENT, "%s:%d: [%s]: %.300s", path, section->line, section->name,
                fault.message);
}

/* Reads the settings that all arms share. The defaults depend on the board size. So the settings
 * are read twice: first to find the board size, and again after the defaults are set. */
static Status read_shared(const Section *section, const char *path, SettingsGroup *groups,
                          RunConfig *base, Error *err) {
    Status status = settings_parse(groups, section->text, path, err);
    if (!status) status = size_rules_defaults(base, err);
    base->run.rate_games = 0; /* the experiment rates the nets of all runs together */
    return status ? status : settings_parse(groups, section->text, path, err);
}

Status experiment_load(const char *path, Experiment *out, Error *err) {
    Section *sections;
    int count;
    RunConfig base;
    SettingsGroup groups[RUN_GROUPS + 1] = {{0}};
    *out = (Experiment){0};
    run_config_defaults(&base);
    run_config_groups(&base, groups + 1);
    groups[0] = (SettingsGroup){"experiment", EXPERIMENT_FIELDS, &out->settings};
    settings_defaults(EXPERIMENT_FIELDS, &out->settings);
    Status status = sections_load(path, &out->arena, &sections, &count, err);
    if (!status) status = read_shared(&sections[0], path, groups, &base, err);
    if (!status && count < 2)
        status = fail(err, ERR_SYNTAX, "%s names no arm; an arm begins with a line [NAME]", path);
    if (!status && out->settings.games % 2)
        status = fail(err, ERR_ARGUMENT, "%s: experiment.games is %d, expected an even number",
                      path, out->settings.games);
    out->arm_count = status ? 0 : count - 1;
    if (!status) {
        out->arms = arena_alloc(&out->arena, (size_t)count * sizeof *out->arms);
        if (!out->arms) status = fail(err, ERR_MEMORY, "no room for %d arms", count);
    }
    for (int i = 1; i < count && !status; i++)
        status = load_arm(&sections[i], path, &base, &out->arena, &out->arms[i - 1], err);
    if (status) experiment_clear(out);
    return status;
}

void experiment_clear(Experiment *experiment) {
    arena_clear(&experiment->arena);
    *experiment = (Experiment){0};
}

int experiment_games(const Experiment *experiment) {
    int others = experiment->settings.seeds * experiment->arm_count - 1, games = GAMES_MIN;
    if (experiment->settings.games) return experiment->settings.games;
    while (others > 0 && games * others < NET_GAMES)
        games += 2;
    return games;
}

/* Finds the first line in which two texts of the same settings differ. Returns NULL if there is
 * none. */
static const char *first_difference(const char *kept, const char *now) {
    while (*kept || *now) {
        size_t length = strcspn(kept, "\n"), other = strcspn(now, "\n");
        if (length != other || strncmp(kept, now, length) != 0) return kept;
        kept += length + (kept[length] == '\n');
        now += other + (now[other] == '\n');
    }
    return NULL;
}

/* Checks that the settings in the file `path` are those of `groups`. `kept` is the text of the
 * file. The text is read into `groups`, and the check fails if this changes a value. If an older
 * version wrote the file, it may lack some settings. These may have any value. */
static Status compare_settings(const char *path, const char *kept, const SettingsGroup *groups,
                               const char *what, Error *err) {
    StrBuf now = {0}, before = {0};
    settings_write(groups, &now);
    Status status = settings_parse(groups, kept, path, err);
    if (!status) settings_write(groups, &before);
    if (!status) status = strbuf_status(&now, err);
    if (!status) status = strbuf_status(&before, err);
    const char *line = status ? NULL : first_difference(strbuf_text(&before), strbuf_text(&now));
    if (line)
        status = fail(err, ERR_ARGUMENT,
                      "%s were begun with other settings (%s: %.*s); choose another folder", what,
                      path, (int)strcspn(line, "\n"), line);
    strbuf_clear(&now);
    strbuf_clear(&before);
    return status;
}

/* Writes the settings of `what` to FOLDER/NAME.cfg. If the file exists, compares the settings with
 * it. The structs behind `groups` may change. */
static Status write_or_compare(const Experiment *experiment, const char *folder_name,
                               const char *name, const SettingsGroup *groups, const char *what,
                               Error *err) {
    Path folder, path;
    char file[64], *kept;
    size_t length;
    Arena arena = {0};
    StrBuf text = {0};
    snprintf(file, sizeof file, "%s.cfg", name);
    Status status = path_join(&folder, experiment->directory, folder_name, err);
    if (!status) status = directory_make(folder.text, err);
    if (!status) status = path_join(&path, folder.text, file, err);
    if (!status && file_exists(path.text)) {
        status = file_read(path.text, 1 << 20, &arena, &kept, &length, err);
        if (!status) status = compare_settings(path.text, kept, groups, what, err);
    } else if (!status) {
        settings_write(groups, &text);
        status = strbuf_status(&text, err);
        if (!status) status = file_write(path.text, text.text, text.length, err);
    }
    strbuf_clear(&text);
    arena_clear(&arena);
    return status;
}

/* Stores the settings of an arm. They must not change after its runs have begun. The number of
 * threads is left out, because it may change. The seed is left out, because check_seed() compares
 * it for each run. */
static Status write_or_compare_arm(const Experiment *experiment, const ExperimentArm *arm,
                                   Error *err) {
    char what[80];
    RunConfig config = arm->config;
    SettingsGroup groups[RUN_GROUPS];
    config.run.seed = 0;
    config.run.threads = 0;
    run_config_groups(&config, groups);
    snprintf(what, sizeof what, "the runs of [%s]", arm->name);
    return write_or_compare(experiment, "arms", arm->name, groups, what, err);
}

Status experiment_keep_rating_settings(const Experiment *experiment, Error *err) {
    ExperimentSettings settings = experiment->settings;
    const SettingsField *fields = EXPERIMENT_FIELDS;
    SettingsField kept[3] = {{0}};
    for (int count = 0; fields->name; fields++) {
        bool counts = strcmp(fields->name, "visits") == 0 || strcmp(fields->name, "opening") == 0;
        if (counts) kept[count++] = *fields;
    }
    const SettingsGroup groups[] = {{"experiment", kept, &settings}, {0}};
    return write_or_compare(experiment, "games", "settings", groups, "the games", err);
}

Status experiment_run_path(const Experiment *experiment, int arm, int seed, ExperimentRun *out,
                           Error *err) {
    Path folder;
    *out = (ExperimentRun){.arm = arm, .seed = seed};
    snprintf(out->name, sizeof out->name, "%s-s%d", experiment->arms[arm].name, seed + 1);
    Status status = path_join(&folder, experiment->directory, "runs", err);
    return status ? status : path_join(&out->directory, folder.text, out->name, err);
}

/* Checks that a run was begun with the seed of this experiment. The other settings are compared
 * with the files in arms/. */
static Status check_seed(const Experiment *experiment, const ExperimentRun *run, Error *err) {
    RunConfig begun;
    int64_t seed = experiment->arms[run->arm].config.run.seed + run->seed;
    if (!run_directory_has_settings(run->directory.text)) return OK;
    Status status = run_config_load(run->directory.text, &begun, err);
    if (status || begun.run.seed == seed) return status;
    return fail(err, ERR_ARGUMENT,
                "%s was begun with other settings (run.seed %lld, not %lld); choose another folder",
                run->name, (long long)begun.run.seed, (long long)seed);
}

static Status check_seeds(const Experiment *experiment, Error *err) {
    int runs = experiment->settings.seeds * experiment->arm_count;
    Status status = OK;
    for (int i = 0; i < runs && !status; i++) {
        ExperimentRun run;
        status = experiment_run_path(experiment, i % experiment->arm_count,
                                     i / experiment->arm_count, &run, err);
        if (!status) status = check_seed(experiment, &run, err);
    }
    return status;
}

/* Marks the run as failed. The other runs go on, and a later start leaves this run out. */
static Status mark_failed(const ExperimentRun *run, const char *reason, Error *err) {
    Path path;
    Status status = path_join(&path, run->directory.text, FAILED_FILE, err);
    log_error("%s has failed: %s; the other runs go on (to try it again, remove %s/" FAILED_FILE
              ")",
              run->name, reason, run->directory.text);
    return status ? status : file_write(path.text, reason, strlen(reason), err);
}

/* Lets one run learn until it has used `compute` multiply-adds in all. The net that is being made
 * at that time is completed first, except in the last slice. If the run cannot go on, for example
 * because its training diverges again and again, it is marked as failed. */
static Status learn_slice(const Experiment *experiment, const ExperimentRun *run, double compute,
                          bool last, Error *err) {
    RunConfig config = experiment->arms[run->arm].config;
    Cycle *cycle;
    Error fault = {0};
    bool grows;
    Status status;
    config.run.seed += run->seed;
    do {
        status = cycle_open_alone(run->directory.text, &config, experiment->progress, &cycle, err);
        if (status) return fail_within(err, status, "%s", run->name);
        cycle_limit_compute(cycle, compute, !last);
        status = cycle_run(cycle, 0, &fault);
        grows = !status && cycle_outgrown(cycle) && !cycle_spent(cycle);
        cycle_close(cycle);
    } while (grows);
    if (status == ERR_STOPPED) return fail(err, status, "%s", fault.message);
    if (status == ERR_IO || status == ERR_MEMORY) /* the machine is at fault, not the run */
        return fail(err, status, "%s: %s", run->name, fault.message);
    return status ? mark_failed(run, fault.message, err) : OK;
}

ExperimentSlice experiment_slice(const Experiment *experiment, int turn) {
    int runs = experiment->settings.seeds * experiment->arm_count;
    int slice = turn / runs, seed = turn % runs / experiment->arm_count;
    /* The order of the arms is rotated from seed to seed and from slice to slice, so that no arm
     * always follows the same other arm. */
    return (ExperimentSlice){slice, (turn + slice + seed) % experiment->arm_count, seed};
}

Status experiment_learn(Experiment *experiment, Error *err) {
    const ExperimentSettings *settings = &experiment->settings;
    int turns = settings->slices * settings->seeds * experiment->arm_count;
    Status status = OK;
    for (int a = 0; a < experiment->arm_count && !status; a++)
        status = write_or_compare_arm(experiment, &experiment->arms[a], err);
    if (!status) status = check_seeds(experiment, err);
    for (int i = 0; i < turns && !status; i++) {
        ExperimentSlice turn = experiment_slice(experiment, i);
        ExperimentRun run;
        double compute = settings->compute * (turn.slice + 1) / settings->slices;
        char line[160];
        status = experiment_run_path(experiment, turn.arm, turn.seed, &run, err);
        if (!status) status = experiment_read_run(&run, err);
        if (status || *run.failed || run.compute >= compute) continue;
        if (stop_requested()) return fail(err, ERR_STOPPED, "stopped");
        snprintf(line, sizeof line, "slice %d of %d: %s", turn.slice + 1, settings->slices,
                 run.name);
        if (experiment->progress) progress_print(experiment->progress, line);
        status = learn_slice(experiment, &run, compute, turn.slice + 1 == settings->slices, err);
    }
    return status;
}

#include "run/store/run_config.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "build_info.h"
#include "play/setup/game_setup.h"
#include "run/store/sample_budget.h"
#include "search/result/resign.h"
#include "search/tree/search_presets.h"

#define WU_GATE "Wu 2019, appendix D"
#define GATEKEEPER "KataGo, cpp/command/gatekeeper.cpp"

const SettingsField RUN_FIELDS[] = {
    FIELD_TEXT(RunSettings, arch, "b4c32-fixup-nodist",
               "architecture of the net, such as b6c96 or b4c32-batch-mish"),
    FIELD_TEXT(RunSettings, larger_arch, "",
               "larger net that learns beside the present one and replaces it once the losses of "
               "the larger net are lower; several nets, separated by blanks, do this one after "
               "another",
               .source = "Wu 2019"),
    FIELD_INT64(RunSettings, larger_rows, 50000, 0, 1e15,
                "the larger net begins when the run has this many rows; the k-th of several larger "
                "nets begins when the run has k times as many rows"),
    FIELD_INT(RunSettings, threads, 0, 0, 4096,
              "threads; 0: one per processor that this process may use"),
    FIELD_INT64(RunSettings, seed, 1, 0, 9e15, "seed of all randomness"),
    FIELD_INT(RunSettings, rows_first, 1000, 1, 1000000000,
              "rows of random play before the first training"),
    FIELD_INT(RunSettings, rows_cycle, 1500, 1, 1000000000, "new rows between two trainings"),
    FIELD_DOUBLE(RunSettings, samples_per_row, 16, 0.01, 1000,
                 "training samples for each new row (the replay ratio); if run.reuse is chunks, "
                 "the maximum number of samples for each new row"),
    FIELD_CHOICE(
        RunSettings, reuse, REUSE_BUCKET, "bucket|chunks",
        "rule that limits how many samples are trained; bucket: each new row allows "
        "run.samples_per_row samples; chunks: every run.rows_cycle new rows allow a fraction of "
        "the window (run.chunk_fraction)",
        .source = "KataGo, python/train.py; p3achygo"),
    FIELD_DOUBLE(RunSettings, chunk_fraction, 0.25, 0.001, 1,
                 "if run.reuse is chunks: maximum fraction of the window that is trained on for "
                 "every run.rows_cycle new rows",
                 .source = "p3achygo", .former = "chunk_share"),
    FIELD_INT64(
        RunSettings, bucket_max, 0, 0, 1e15,
        "maximum number of samples that new rows have allowed but that were not trained yet; 0: no "
        "maximum; the maximum is never less than one batch, and never less than run.rows_cycle * "
        "run.samples_per_row samples",
        .source = "KataGo, python/train.py", .former = "bucket_most"),
    FIELD_INT64(RunSettings, samples_max, 500000, 1, 1e15,
                "maximum number of samples of one training; then the net is written, even if new "
                "rows allow more samples; the maximum is never less than run.samples_per_row times "
                "the larger of run.rows_first and run.rows_cycle",
                .source = "KataGo, python/selfplay/synchronous_loop.sh", .former = "samples_most"),
    FIELD_CHOICE(RunSettings, precision, PRECISION_AUTO, "f32|bf16|int8|auto",
                 "arithmetic of nets in self-play; auto: the fastest that is native to the "
                 "processor; int8 only if the net's results in int8 stay close to those in f32"),
    FIELD_INT64(RunSettings, cache_mb, 64, 1, 1 << 24, "memory of the cache of evaluations, MB"),
    FIELD_INT(RunSettings, gate_games, 0, 0, 1000000,
              "games that decide whether a candidate net is accepted; 0: accept all without games",
              .source = WU_GATE),
    FIELD_INT(RunSettings, gate_visits, 16, 1, 1000000,
              "visits per move in the games of run.gate_games"),
    FIELD_DOUBLE(RunSettings, gate_score, 0.5, 0, 1,
                 "minimum score with which a candidate net is accepted, as a fraction of the games",
                 .source = WU_GATE),
    FIELD_INT(RunSettings, rate_games, 10, 0, 1000000,
              "games of a rated net against each of two earlier nets; 0: nets are not rated"),
    FIELD_INT(RunSettings, rate_every, 5, 1, 1000000,
              "nets whose number is a multiple of this are rated, and the newest net at the end"),
    FIELD_INT(RunSettings, rate_drawn, 0, 0, 1000,
              "number of opponents of a rated net that are drawn among the rated nets, after its "
              "games against the net that was rated before: an opponent's probability is in "
              "proportion to p (1 - p), where p is the expected score; 0: one fixed earlier net",
              .source = "Wu 2019"),
    FIELD_INT(RunSettings, rate_visits, 16, 1, 1000000, "visits per move in rating games"),
    FIELD_TEXT(
        RunSettings, anchor, "auto",
        "player outside of the run, written as a PLAYER of `aji match`, whom rated nets also "
        "play; auto: GNU Go, level 10, where it is installed; none: no such player"),
    FIELD_INT(RunSettings, anchor_games, 10, 1, 1000000, "games of a rated net against the anchor"),
    FIELD_DOUBLE(RunSettings, anchor_share, 0.02, 0, 1,
                 "maximum fraction of the run's working time that games against the anchor take"),
    FIELD_INT64(RunSettings, disk_reserve_mb, 200, 0, 1 << 30,
                "work pauses while the disk has less free space than this, MB"),
    FIELD_INT(RunSettings, nets, 0, 0, 1000000000,
              "number of the net with which the run ends; 0: the run ends after --time, after "
              "--compute or on Ctrl-C"),
    FIELD_INT(
        RunSettings, checkpoint_seconds, 100, 1, 86400,
        "seconds between two checkpoints of a training; a kill loses at most the training of this "
        "time; a checkpoint is also written at the end of a training"),
    FIELD_INT(RunSettings, keep_checkpoints, 3, 1, 1000,
              "number of the newest checkpoints that are kept"),
    {0},
};

const SettingsField GATE_FIELDS[] = {
    FIELD_CHOICE(GateSettings, search, GATE_SEARCH_PLAY, "play|run",
                 "search settings of games between nets; play: the defaults of search.*; run: the "
                 "run's own settings search.*, without the noise of self-play"),
    FIELD_BOOL(GateSettings, sequential, false,
               "end gating games as soon as the sequential test sprt.* has decided; run.gate_games "
               "is the maximum",
               .source = "Wald 1945; Van den Bergh 2019"),
    FIELD_BOOL(GateSettings, early_end, false,
               "end gating games as soon as the games that are left cannot change whether the "
               "candidate reaches run.gate_score; has no effect with gate.sequential",
               .source = GATEKEEPER),
    FIELD_BOOL(GateSettings, draw, false,
               "each pair of gating games draws its board, rules and komi from the settings "
               "selfplay.*; false: the largest board, and the same rules and komi in all games",
               .source = WU_GATE),
    FIELD_TEXT(GateSettings, steps, "",
               "visits of gating games that change during the run: VISITS@ROWS, such as "
               "\"300@90e6, 400@130e6\", takes the place of run.gate_visits from so many rows on",
               .source = "Wu 2019, first version, section 6.1"),
    FIELD_DOUBLE(GateSettings, temperature, 0.1, 0, 10,
                 "temperature of the choice of moves late in gating games (Wu: 0.2)",
                 .source = WU_GATE),
    FIELD_DOUBLE(GateSettings, temperature_early, 0.1, 0, 10,
                 "temperature of the choice of moves at the start of gating games (Wu: 0.5)",
                 .source = WU_GATE),
    FIELD_DOUBLE(GateSettings, resign_threshold, -0.9, -1, 0,
                 "in gating games a net resigns if its win - loss is at most this in each of the "
                 "last gate.resign_turns searches of both nets",
                 .source = WU_GATE),
    FIELD_INT(GateSettings, resign_turns, 0, 0, RESIGN_TURNS_MAX,
              "number of searches in a row that must find a win - loss of at most "
              "gate.resign_threshold (Wu: 5); 0: nets play lost games to the end",
              .source = WU_GATE),
    {0},
};

LargerArch run_larger_arch(const RunSettings *run, int k) {
    static const char BLANKS[] = " \t"; /* not commas, which are part of an architecture */
    LargerArch out = {""};
    const char *at = run->larger_arch + strspn(run->larger_arch, BLANKS);
    for (; k > 0 && *at; k--) {
        at += strcspn(at, BLANKS);
        at += strspn(at, BLANKS);
    }
    memcpy(out.text, at, strcspn(at, BLANKS));
    return out;
}

int run_lead_from_score(const RunConfig *config) {
    int from = config->loader.lead_from_score;
    bool searched = config->selfplay.lead.probability > 0;
    return searched && from == LEAD_FROM_SCORE_BY_FILE ? LEAD_FROM_SCORE_NEVER : from;
}

/* Settings whose defaults in a run differ from their defaults in the rest of the program. */
static const char *const PRESET[] = {
    "window.min=20000",
    "averaging.period_samples=4000",
    "selfplay.opening.temperature=6",
    "selfplay.opening.area_fraction=0.06",
    "selfplay.opening.random_fraction=0.8",
    "selfplay.opening.random_moves=4",
    "selfplay.reduce.threshold=0.98",
    "selfplay.ramp.start=0.4",
    "selfplay.ramp.rows=60000",
};

void run_config_defaults(RunConfig *config) {
    memset(config, 0, sizeof *config);
    SettingsGroup groups[RUN_GROUPS];
    run_config_groups(config, groups);
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &config->search);
    for (size_t i = 0; i < sizeof PRESET / sizeof *PRESET; i++) {
        Status status = settings_assign(groups, PRESET[i], NULL);
        assert(!status); /* all presets are valid settings */
        (void)status;
    }
}

/* If run.cfg lacks a setting, it was written before this setting existed. This function gives some
 * of these settings the values with which the run works as it did then. */
static void set_former_behaviour(const char *text, RunConfig *config) {
    if (!strstr(text, "objective.score_area")) config->training.objective.score_area = 0;
    if (strstr(text, "trainer.clip_median")) return;
    config->training.trainer.clip_median = 0;
    if (!(config->training.schedule.rate > 0) && config->training.optimiser.kind != OPTIMISER_SGD)
        config->training.schedule.rate = 8e-6; /* the usual rate at that time */
}

Status run_config_add(const char *directory, RunConfig *config, Error *err) {
    SettingsGroup groups[RUN_GROUPS];
    Arena arena = {0};
    Path path;
    char *text;
    size_t length;
    run_config_groups(config, groups);
    Status status = path_join(&path, directory, "run.cfg", err);
    if (!status) status = settings_load(groups, path.text, err);
    if (!status) status = file_read(path.text, 1 << 20, &arena, &text, &length, err);
    if (!status && strstr(text, "run.arch")) set_former_behaviour(text, config);
    arena_clear(&arena);
    return status;
}

Status run_config_load(const char *directory, RunConfig *out, Error *err) {
    run_config_defaults(out);
    return run_config_add(directory, out, err);
}

float run_config_komi(const RunConfig *config) {
    return roundf((float)config->selfplay.komi.mean * 2) / 2;
}

Status run_config_rules(const RunConfig *config, Rules *out, Error *err) {
    GameChoices choices;
    Status status = game_choices_read(&config->selfplay, &choices, err);
    if (status) return status;
    *out = game_usual_rules(&choices);
    out->komi = run_config_komi(config);
    return OK;
}

SearchSettings run_config_match_search(const RunConfig *config) {
    SearchSettings search, play;
    search_preset_begin(SEARCH_PRESET_PLAY, &play);
    search = play;
    if (config->gate.search == GATE_SEARCH_RUN) {
        search = config->search;
        search_preset_apply(SEARCH_PRESET_NO_NOISE, &search);
        search.gumbel.scale = 0;
        /* In self-play the first round of Gumbel search may give each move only one visit. Without
         * noise, such moves would have too much influence. So the minimum number of visits of a
         * move in the first round is that of play. */
        search.gumbel.min_visits = play.gumbel.min_visits;
    }
    search_preset_apply(SEARCH_PRESET_MATCH, &search);
    return search;
}

void run_config_groups(RunConfig *config, SettingsGroup groups[RUN_GROUPS]) {
    const SettingsGroup own[] = {
        {"run", RUN_FIELDS, &config->run},
        {"gate", GATE_FIELDS, &config->gate},
        {"sprt", SPRT_FIELDS, &config->sprt},
        {"selfplay", SELFPLAY_FIELDS, &config->selfplay},
        {"search", SEARCH_FIELDS, &config->search},
        {"surprise", SURPRISE_FIELDS, &config->surprise},
        {"rows", ROW_POINT_FIELDS, &config->rows},
        {"window", WINDOW_FIELDS, &config->window},
        {"loader", LOADER_FIELDS, &config->loader},
    };
    enum { COUNT = sizeof own / sizeof *own };
    _Static_assert(COUNT + TRAINING_GROUPS + 1 == RUN_GROUPS, "all groups and {0}");
    memcpy(groups, own, sizeof own);
    training_settings_groups(&config->training, groups + COUNT);
    groups[COUNT + TRAINING_GROUPS] = (SettingsGroup){0};
}

void run_config_write(RunConfig *config, StrBuf *out) {
    SettingsGroup groups[RUN_GROUPS];
    run_config_groups(config, groups);
    strbuf_addf(out, "# made by aji %s (%s, %s)\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE);
    settings_write(groups, out);
}

/* cycle.h - self-play, train, gate, rate, and again: the whole run on one machine, from whatever the directory holds. */
#pragma once
#include "base/settings.h"
#include "base/progress.h"
#include "data/loader.h"
#include "eval/arch.h"
#include "play/selfplay_settings.h"
#include "run/run_directory.h"
#include "run/run_index.h"
#include "train/trainer.h"

typedef struct {
    char arch[SETTINGS_TEXT_SIZE];
    int threads;               /* 0: as many as this process may use */
    int64_t seed;
    int rows_first, rows_cycle; /* rows before the first training; new rows a cycle */
    float samples_per_row;     /* training samples for each new row */
    int precision;             /* of self-play: f32 | bf16 | auto */
    int64_t cache_mb;
    int gate_games, gate_visits; /* 0 games: every candidate is accepted */
    float gate_score;
    int rate_games, rate_every; /* games of each new rated net against earlier ones; every k-th net */
    float final_share;         /* share of the time kept for the last rating and the report */
    int64_t disk_reserve_mb;   /* pause below this much free space */
    int keep_checkpoints;
} RunSettings;
extern const ConfigField RUN_FIELDS[];

/* Everything that a run is made of, and the groups that name it. */
typedef struct {
    RunSettings run;
    SelfplaySettings selfplay;
    SearchSettings search; /* of full self-play searches */
    SurpriseConfig surprise;
    WindowConfig window;
    LoaderConfig loader;
    TrainerConfig trainer;
    ObjectiveConfig objective;
    OptimiserConfig optimiser;
    ScheduleConfig schedule;
    AveragingConfig averaging;
} RunConfig;
enum { RUN_GROUPS = 12 };
void run_config_defaults(RunConfig *config);
void run_config_groups(RunConfig *config, SettingsGroup groups[RUN_GROUPS]); /* ends with {0} */

typedef struct Cycle Cycle;
/* Opens or makes the run; recovers journals; loads the newest net and checkpoint. */
MUST_USE Status cycle_open(const char *directory, const RunConfig *config, Progress *progress, Cycle **out, Error *err);
void cycle_close(Cycle *cycle);
/* Goes on until `seconds` of work in this call are over or a stop is asked for. ERR_STOPPED: asked. */
MUST_USE Status cycle_run(Cycle *cycle, double seconds, Error *err);
/* Last ratings, tables and report/index.html; prints the summary. */
MUST_USE Status cycle_finish(Cycle *cycle, Error *err);

/* The parts, for workers of their own. */
MUST_USE Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err);
MUST_USE Status cycle_train(Cycle *cycle, int64_t samples, Error *err);

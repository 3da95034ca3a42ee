/* run_config.h - everything that a run is made of, and the names of its settings. Threading:
 * immutable once read. */
#pragma once
#include "data/loader.h"
#include "play/match/sprt.h"
#include "play/setup/selfplay_settings.h"
#include "train/trainer.h"

typedef struct {
    char arch[SETTINGS_TEXT_SIZE];
    char larger_arch[SETTINGS_TEXT_SIZE]; /* "": no net is trained beside; run_larger_arch() */
    int64_t larger_rows;
    int threads; /* 0: as many as this process may use */
    int64_t seed;
    int rows_first, rows_cycle; /* rows before the first training; new rows for each further one */
    double samples_per_row;     /* training samples for each new row */
    int reuse;                  /* ReuseRule */
    double chunk_fraction;      /* of reuse by chunks */
    int64_t bucket_max, samples_max;
    int precision; /* of self-play: Precision */
    int64_t cache_mb;
    int gate_games, gate_visits; /* 0 games: every candidate is accepted */
    double gate_score;
    int rate_games, rate_every, rate_visits; /* games of every k-th net against earlier ones */
    int64_t disk_reserve_mb;                 /* pause below this much free space */
    int nets;                                /* the run ends with this one; 0: with its time */
    int keep_checkpoints;
} RunSettings;
extern const SettingsField RUN_FIELDS[];
/* The k-th net, from 0 on, of those that run.larger_arch names; empty where there are fewer. */
typedef struct {
    char text[SETTINGS_TEXT_SIZE];
} LargerArch;
LargerArch run_larger_arch(const RunSettings *run, int k);

typedef enum { GATE_SEARCH_PLAY, GATE_SEARCH_RUN } GateSearch;
typedef struct {
    int search;      /* GateSearch: of games between nets */
    bool sequential; /* gating ends when a sequential test has decided */
} GateSettings;
extern const SettingsField GATE_FIELDS[];

typedef struct {
    RunSettings run;
    GateSettings gate;
    SprtSettings sprt; /* of the gate */
    SelfplaySettings selfplay;
    SearchSettings search; /* of full self-play searches */
    SurpriseSettings surprise;
    WindowSettings window;
    LoaderSettings loader;
    TrainerSettings trainer;
    ObjectiveSettings objective;
    OptimiserSettings optimiser;
    ScheduleSettings schedule;
    AveragingSettings averaging;
    DivergenceSettings divergence;
} RunConfig;
enum { RUN_GROUPS = 15 };
/* LeadFromScore of the run's own rows. Where leads are found by search, a file that happens to have
 * none must not teach scores as leads. */
int run_lead_from_score(const RunConfig *config);
void run_config_defaults(RunConfig *config);
/* Sets what the run in `directory` has written down. Settings that an earlier version did not have
 * get the values by which it worked; all others stay. Errors as run_config_load(). */
MUST_USE Status run_config_add(const char *directory, RunConfig *config, Error *err);
/* The settings that the run in `directory` has written down, else the defaults; ERR_IO: it has none
 * (run.cfg). */
MUST_USE Status run_config_load(const char *directory, RunConfig *out, Error *err);
/* The komi of games between nets: the mean of self-play, to the half point. */
float run_config_komi(const RunConfig *config);
/* The search of games between nets: as nets play elsewhere, or the run's own kind (Gumbel, for
 * example) without the noise of self-play. */
SearchSettings run_config_match_search(const RunConfig *config);
void run_config_groups(RunConfig *config, SettingsGroup groups[RUN_GROUPS]); /* ends with {0} */

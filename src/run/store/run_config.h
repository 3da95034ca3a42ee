/* run_config.h - the whole content of a run's file run.cfg: the settings of every part of the run,
 * as groups with a prefix each. Threading: immutable once read. */
#pragma once
#include "data/loader.h"
#include "play/match/sprt.h"
#include "play/setup/selfplay_settings.h"
#include "train/trainer.h"

typedef struct {
    char arch[SETTINGS_TEXT_SIZE];
    char larger_arch[SETTINGS_TEXT_SIZE]; /* larger nets, see run_larger_arch(); "": none */
    int64_t larger_rows;                  /* rows from which the first larger net trains */
    int threads;                          /* 0: as many as this process may use */
    int64_t seed;
    int rows_first, rows_cycle; /* rows before the first training; new rows before each later one */
    double samples_per_row;     /* training samples for each new row (replay ratio) */
    int reuse;                  /* ReuseRule */
    double chunk_fraction;      /* REUSE_CHUNKS: maximum fraction of the window for each chunk */
    int64_t bucket_max;         /* maximum number of samples that may wait; 0: none */
    int64_t samples_max;        /* maximum number of samples of one training */
    int precision;              /* Precision of the nets in self-play */
    int64_t cache_mb;
    int gate_games, gate_visits; /* 0 games: every candidate is accepted */
    double gate_score;           /* minimum score of an accepted candidate, a fraction */
    int rate_games, rate_every, rate_visits; /* games of every k-th net against earlier ones */
    int64_t disk_reserve_mb;                 /* work pauses while less space than this is free */
    int nets; /* number of the net with which the run ends; 0: it ends with its time */
    int checkpoint_seconds;
    int keep_checkpoints;
} RunSettings;
extern const SettingsField RUN_FIELDS[];
/* The architecture of the k-th larger net, counted from 0, in run.larger_arch; empty if there are
 * fewer. */
typedef struct {
    char text[SETTINGS_TEXT_SIZE];
} LargerArch;
LargerArch run_larger_arch(const RunSettings *run, int k);

typedef enum { GATE_SEARCH_PLAY, GATE_SEARCH_RUN } GateSearch;
typedef struct {
    int search;      /* GateSearch: the search settings of games between nets */
    bool sequential; /* gating ends as soon as the sequential test has decided */
} GateSettings;
extern const SettingsField GATE_FIELDS[];

typedef struct {
    RunSettings run;
    GateSettings gate;
    SprtSettings sprt; /* the sequential test of the gate */
    SelfplaySettings selfplay;
    SearchSettings search; /* full searches of self-play */
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
/* LeadFromScore for the run's own rows. If the run searches for leads, a file that happens to have
 * no searched lead must not teach scores as leads. */
int run_lead_from_score(const RunConfig *config);
void run_config_defaults(RunConfig *config);
/* Sets the settings that the run.cfg in `directory` holds. Settings that an earlier version did not
 * have get the values that reproduce its behaviour; all others stay. Errors as run_config_load(). */
MUST_USE Status run_config_add(const char *directory, RunConfig *config, Error *err);
/* Reads the run.cfg in `directory`; settings that it does not mention have their defaults. ERR_IO:
 * there is no run.cfg. */
MUST_USE Status run_config_load(const char *directory, RunConfig *out, Error *err);
/* The komi of games between nets: the mean of self-play, rounded to half a point. */
float run_config_komi(const RunConfig *config);
/* The search settings of games between nets (gate.search): those of play, or those of the run (with
 * Gumbel search, for example) without the noise of self-play. */
SearchSettings run_config_match_search(const RunConfig *config);
void run_config_groups(RunConfig *config, SettingsGroup groups[RUN_GROUPS]); /* ends with {0} */

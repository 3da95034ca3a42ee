/* run_config.h - the settings of a run, as its file run.cfg holds them. Each part of the run has a
 * group of settings with a prefix of its own, such as "trainer". Threading: immutable once read. */
#pragma once
#include "data/loader.h"
#include "play/match/sprt.h"
#include "play/setup/selfplay_settings.h"
#include "train/trainer.h"

typedef struct {
    char arch[SETTINGS_LONG_TEXT_SIZE];
    char larger_arch[SETTINGS_LONG_TEXT_SIZE]; /* see run_larger_arch(); may be empty */
    int64_t larger_rows; /* rows of the run at which the first larger net begins */
    int threads;         /* 0 means one for each processor that this process may use */
    int64_t seed;
    int rows_first, rows_cycle; /* rows before the first training; new rows before each later one */
    double samples_per_row;     /* training samples for each new row (replay ratio) */
    int reuse;                  /* ReuseRule */
    double
        chunk_fraction;  /* REUSE_CHUNKS: maximum fraction of the window that each training uses */
    int64_t bucket_max;  /* maximum number of samples that new rows have allowed, but that were not
                            trained yet; 0: no maximum */
    int64_t samples_max; /* maximum number of samples of one training */
    int precision;       /* Precision of the nets in self-play */
    int64_t cache_mb;
    int gate_games, gate_visits;             /* with 0 games the gate accepts every candidate */
    double gate_score;                       /* minimum score of an accepted candidate, per game */
    int rate_games, rate_every, rate_visits; /* games of rated nets against earlier nets */
    int rate_drawn; /* number of earlier nets that are drawn (rate_opponent.h); 0: none */
    char anchor[SETTINGS_TEXT_SIZE]; /* see anchor_player() in stage_anchor.h */
    int anchor_games;
    double anchor_share;     /* maximum fraction of the working time for these games */
    int64_t disk_reserve_mb; /* work pauses while less space than this is free */
    int nets;                /* the run ends when the net of this number is made; 0: no such end */
    int checkpoint_seconds;
    int keep_checkpoints;
} RunSettings;
extern const SettingsField RUN_FIELDS[];
/* The architecture of the k-th larger net in run.larger_arch, counted from 0. The text is empty if
 * the setting names k nets or fewer. A larger net trains beside the present net and takes over when
 * it is better. */
typedef struct {
    char text[SETTINGS_LONG_TEXT_SIZE];
} LargerArch;
LargerArch run_larger_arch(const RunSettings *run, int k);

typedef enum { GATE_SEARCH_PLAY, GATE_SEARCH_RUN } GateSearch;
typedef struct {
    int search;      /* GateSearch: the search settings with which nets play each other */
    bool sequential; /* gating ends as soon as the sequential test has decided */
    bool early_end;  /* gating ends as soon as the rest of the games cannot change the decision */
    bool draw;       /* board, rules and komi of each pair of games are drawn as in self-play */
    double temperature, temperature_early; /* of the choice of moves, see choose_temperature() */
    char steps[SETTINGS_TEXT_SIZE];        /* run.gate_visits from certain numbers of rows on */
    double resign_threshold;               /* maximum win - loss for resigning */
    int resign_turns; /* searches in a row that must find at most this; 0: nets do not resign */
} GateSettings;
extern const SettingsField GATE_FIELDS[];

typedef struct {
    RunSettings run;
    GateSettings gate;
    SprtSettings sprt; /* the sequential test of the gate */
    SelfplaySettings selfplay;
    SearchSettings search; /* full searches of self-play */
    SurpriseSettings surprise;
    RowPointSettings rows; /* optional columns of the rows of self-play */
    WindowSettings window;
    LoaderSettings loader;
    TrainingSettings training;
} RunConfig;
enum { RUN_GROUPS = 9 + TRAINING_GROUPS + 1 }; /* its own, those of training, and {0} */
/* Returns the LeadFromScore (data/loader.h) for the run's own rows. It says whether training uses
 * the final score as the lead of rows whose lead was not searched for. If the run searches for
 * leads, training must not use the score in this way, not even for a file that happens to have no
 * row with a lead. */
int run_lead_from_score(const RunConfig *config);
void run_config_defaults(RunConfig *config);
/* Sets the settings that the run.cfg in `directory` holds. If an earlier version wrote this file,
 * some settings that did not exist then get the values that reproduce the behaviour of that
 * version. All other settings stay as they are. The errors are those of run_config_load(). */
MUST_USE Status run_config_add(const char *directory, RunConfig *config, Error *err);
/* Reads the run.cfg in `directory`. Settings that it does not mention have their defaults, or the
 * values that run_config_add() gives them. ERR_IO: there is no run.cfg. */
MUST_USE Status run_config_load(const char *directory, RunConfig *out, Error *err);
/* Returns the komi of games between nets: the mean komi of self-play, rounded to half a point. */
float run_config_komi(const RunConfig *config);
/* Finds the rules of games between nets: game_usual_rules() of the self-play settings, with the
 * komi of run_config_komi(). ERR_ARGUMENT: a list in the self-play settings cannot be read. */
MUST_USE Status run_config_rules(const RunConfig *config, Rules *out, Error *err);
/* Returns the search settings of games between nets. gate.search decides whether they are the
 * settings of play, or the settings of the run's self-play (for example with Gumbel search) without
 * the noise of self-play. */
SearchSettings run_config_match_search(const RunConfig *config);
void run_config_groups(RunConfig *config, SettingsGroup groups[RUN_GROUPS]); /* ends with {0} */
/* Appends the text of run.cfg: the version of the program, and all settings. */
void run_config_write(RunConfig *config, StrBuf *out);

/* analysis_nets.h - the nets, the options and the setup of an analysis engine, for the commands
 * analysis and serve. Threading: confined, but the engine's threads call the functions in `setup`.
 */
#pragma once
#include <stdatomic.h>

#include "base/file.h"
#include "base/options/options.h"
#include "cli/engine/net_run.h"
#include "protocol/analysis/analysis.h"

typedef struct {
    const char *command; /* its name, for messages */
    const char *net_path, *human_path;
    Path net_file;  /* the file of the net. Usually analysis_nets_load() finds this file by
                       `net_path`, and then sets `net_path` to net_file.text. A caller that has set
                       `net_path` to net_file.text has chosen the file */
    int visits;     /* -1 if not given */
    double seconds; /* -1 if not given */
    AnalysisEngineSettings engine;
    AnalysisSetup setup;
    Net *net, *human; /* `net` is NULL for the uniform evaluator; `human` may be NULL */
    EvaluationCache *cache;
    ModelFormat model_format;
    AnalysisModel models[2];
    NetRun run;
    /* [width][height]: whether net_run_warn() was already called for this size of board. */
    atomic_bool warned[BOARD_SIDE_MAX + 1][BOARD_SIDE_MAX + 1];
} AnalysisNets; /* {0} before analysis_nets_defaults() */

/* Sets the defaults of all settings. */
void analysis_nets_defaults(AnalysisNets *nets, const char *command);
/* Writes the settings and options that set up the nets and the search. They point into `nets`. */
enum { ANALYSIS_GROUPS = 5, ANALYSIS_OPTIONS = 6 };
void analysis_nets_groups(AnalysisNets *nets,
                          SettingsGroup out[ANALYSIS_GROUPS]); /* {0} is the last one */
void analysis_nets_options(AnalysisNets *nets, Option out[ANALYSIS_OPTIONS]);
/* The number of threads that will search. */
int analysis_nets_threads(const AnalysisNets *nets);
/* Loads the nets and completes `setup` by the options, for analysis_new(). ERR_ARGUMENT: no net or
 * no limit of the search is given, or --human-net is not a net of human play. Other errors: a net
 * cannot be loaded. */
MUST_USE Status analysis_nets_load(AnalysisNets *nets, Error *err);
/* Frees the nets and the cache. Call it after analysis_free(), also if analysis_nets_load() has
 * failed. */
void analysis_nets_clear(AnalysisNets *nets);

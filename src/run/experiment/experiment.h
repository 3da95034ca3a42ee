/* experiment.h - compares settings of learning runs. Each variant of the settings (arm) runs with
 * several seeds, and all runs get equal compute:
 * 1. Learning is cut into slices, and the runs take turns after each slice, so that disturbances of
 *    the machine affect all runs alike.
 * 2. The nets of all runs at equal fractions of the compute ("moments") play games.
 * 3. One fit rates all nets, and each arm is compared with the first.
 * A directory holds everything, and a later start goes on from what is there:
 *     runs/ARM-sSEED/  the runs          arms/ARM.cfg     the settings they were begun with
 *     games/           rating games      report/          report.txt, index.html
 * Threading: confined (threads inside). */
#pragma once
#include "base/memory.h"
#include "base/progress.h"
#include "run/store/run_config.h"

enum { MOMENTS_MAX = 20 };
typedef struct {
    int seeds;
    double compute; /* net multiply-adds of each run: CycleTotals */
    int slices, moments;
    int games, link_games, visits, opening;
} ExperimentSettings;
extern const SettingsField EXPERIMENT_FIELDS[];

typedef struct {
    const char *name;
    const char *text; /* the settings that it changes, as "NAME = VALUE, ..." */
    RunConfig config;
} ExperimentArm;

typedef struct {
    ExperimentSettings settings;
    ExperimentArm *arms; /* the others are compared with the first */
    int arm_count;
    const char *directory; /* borrowed */
    Progress *progress;    /* borrowed; NULL: none */
    Arena arena;
} Experiment;

/* Reads a file of settings. Lines before the first [NAME] hold for all arms, lines after [NAME] for
 * that arm. On failure `*out` is {0}. ERR_SYNTAX, ERR_ARGUMENT: the message has file and line.
 * ERR_IO. */
MUST_USE Status experiment_load(const char *path, Experiment *out, Error *err);
void experiment_clear(Experiment *experiment);
/* Lets each run learn until it has used its compute. A run that fails is marked, and the others go
 * on. ERR_STOPPED: stop_requested(); the same call goes on later. ERR_ARGUMENT: the directory holds
 * runs of other settings. */
MUST_USE Status experiment_learn(Experiment *experiment, Error *err);
/* Plays the rating games that are still missing, and writes the report, its text also to `out`.
 * ERR_ARGUMENT: fewer than two nets have reached a moment, or the games in the directory had other
 * visits or openings. */
MUST_USE Status experiment_report(Experiment *experiment, StrBuf *out, Error *err);

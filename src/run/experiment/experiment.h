/* experiment.h - compares settings of learning runs. Each variant of the settings is an arm. Each
 * arm has several runs, which differ by their seeds, and all runs get equal compute:
 * 1. Learning is cut into slices. The runs take turns, one slice at a time, so that disturbances
 *    of the machine affect all runs alike.
 * 2. At equal fractions of the compute, which are called moments, the newest net of each run is
 *    taken. These nets play games.
 * 3. One fit rates all nets, and each arm is compared with the first arm.
 * A directory holds everything, and a later start goes on from what is there:
 *     runs/ARM-sN/     run N of an arm   arms/ARM.cfg     settings with which its runs were begun
 *     games/           rating games      report/          report.txt, index.html
 * Threading: confined (threads inside). */
#pragma once
#include "base/memory.h"
#include "base/progress.h"
#include "run/store/run_config.h"

enum { MOMENTS_MAX = 20 };
typedef struct {
    int seeds;
    double compute; /* multiply-adds of each run, counted as in CycleTotals */
    int slices, moments;
    int games, link_games, visits, opening;
} ExperimentSettings;
extern const SettingsField EXPERIMENT_FIELDS[];

typedef struct {
    const char *name;
    const char *text; /* the settings that the arm changes, like "NAME = VALUE, ..." */
    RunConfig config;
} ExperimentArm;

typedef struct {
    ExperimentSettings settings;
    ExperimentArm *arms; /* all others are compared with the first */
    int arm_count;
    const char *directory; /* borrowed */
    Progress *progress;    /* borrowed, or NULL */
    Arena arena;
} Experiment;

/* Reads a file of settings. Lines before the first [NAME] hold for all arms, and lines after [NAME]
 * hold for that arm. On failure `*out` is {0}. ERR_SYNTAX, ERR_ARGUMENT: something in the file is
 * wrong. ERR_IO: the file cannot be read. */
MUST_USE Status experiment_load(const char *path, Experiment *out, Error *err);
void experiment_clear(Experiment *experiment);
/* Lets each run learn until it has used its compute. If a run fails, the failure is noted in the
 * directory of the run, and the other runs go on. ERR_STOPPED: a stop was requested; the same call
 * continues later. ERR_ARGUMENT: the directory holds runs with other settings. ERR_IO, ERR_MEMORY:
 * the whole call ends, because the run is not at fault. It also ends if a run cannot be opened. */
MUST_USE Status experiment_learn(Experiment *experiment, Error *err);
/* Plays the rating games that are still missing, and writes the report. Its text is also written to
 * `out`. ERR_ARGUMENT: there are no two nets that play each other yet, no net of the first arm has
 * reached the last moment, or the games in the directory had other visits or openings. */
MUST_USE Status experiment_report(Experiment *experiment, StrBuf *out, Error *err);

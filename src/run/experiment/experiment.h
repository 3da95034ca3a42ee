/* experiment.h - the same run under several settings ("arms") and seeds with equal compute, run in
 * slices that take turns, so that what disturbs the machine disturbs all alike; then games between
 * all nets at the same share of the compute, one fit of all, and what each arm is worth against the
 * first. A directory holds it all and any start goes on from there:
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
    const char *text; /* what it changes, as in the file */
    RunConfig config;
} ExperimentArm;

typedef struct {
    ExperimentSettings settings;
    ExperimentArm *arms; /* the first is what the others are compared with */
    int arm_count;
    const char *directory; /* borrowed */
    Progress *progress;    /* borrowed; NULL: none */
    Arena arena;
} Experiment;

/* Reads a file of settings whose lines before the first [NAME] hold for all arms, those below it
 * for that arm. `*out` is {0} on failure. ERR_SYNTAX, ERR_ARGUMENT with file and line; ERR_IO. */
MUST_USE Status experiment_load(const char *path, Experiment *out, Error *err);
void experiment_clear(Experiment *experiment);
/* Lets each run come to its compute. ERR_STOPPED: the same call goes on; ERR_ARGUMENT: the
 * directory holds runs of other settings. */
MUST_USE Status experiment_learn(Experiment *experiment, Error *err);
/* Plays what is not yet played between the nets that are there, and writes the report; its text
 * comes in `out` too. ERR_ARGUMENT: fewer than two nets have come far enough, or games that are
 * there had other visits or openings. */
MUST_USE Status experiment_report(Experiment *experiment, StrBuf *out, Error *err);

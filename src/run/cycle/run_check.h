/* run_check.h - whether settings fit the run that is in the directory. Threading: confined. */
#pragma once
#include "run/store/run_config.h"
#include "run/store/run_directory.h"

/* Checks what can be checked without a run: that the nets can be made, and that the schedule and
 * the sequential test make sense. ERR_ARGUMENT, ERR_SYNTAX. */
MUST_USE Status run_check_settings(const RunConfig *config, Error *err);
/* ERR_ARGUMENT: the run has checkpoints of another net, or rows of larger boards, or smaller boards
 * where these settings are a process's `own` beside those that the run keeps; ERR_SYNTAX: its
 * run.cfg cannot be read. A new run is OK. Where run.cfg is missing or empty, nets and rows tell
 * what they can, and the loss of the settings is logged. */
MUST_USE Status run_check(const RunDirectory *run, const RunConfig *config, bool own, Error *err);

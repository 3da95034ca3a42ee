/* run_check.h - checks that settings fit the run in the directory. Threading: confined. */
#pragma once
#include "run/store/run_config.h"
#include "run/store/run_directory.h"

/* Checks what can be checked without a run: that the nets can be made, and that the schedule and
 * the sequential test make sense. ERR_ARGUMENT, ERR_SYNTAX. */
MUST_USE Status run_check_settings(const RunConfig *config, Error *err);
/* Checks the settings against the run.cfg and the files of the run; a new run is OK. `own`: the
 * settings are those of a process that plays or gates, and the run keeps its own. ERR_ARGUMENT: the
 * run has checkpoints of another net or optimiser, or rows of larger boards, or, with `own`, has
 * room for smaller boards only. ERR_SYNTAX: run.cfg cannot be read. If run.cfg is missing or empty
 * although the run has nets or rows, a warning is logged and the settings are checked against
 * those. */
MUST_USE Status run_check(const RunDirectory *run, const RunConfig *config, bool own, Error *err);

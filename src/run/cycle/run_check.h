/* run_check.h - checks that settings fit the run in the directory. Threading: confined. */
#pragma once
#include "run/store/run_config.h"
#include "run/store/run_directory.h"

/* Checks what can be checked without a run: the architectures of the nets, the anchor, the schedule
 * of learning rates and, if gate.sequential is on, the sequential test of the gate. ERR_ARGUMENT,
 * ERR_SYNTAX: one of these is wrong. */
MUST_USE Status run_check_settings(const RunConfig *config, Error *err);
/* Checks the settings against the run.cfg and the files of the run. Any settings fit a new run.
 * `own` is for a process that only plays or only gates, whose settings are not written to the run.
 * If run.cfg is missing or empty although the run has nets or rows, a warning is logged, and the
 * settings are checked against the nets and rows.
 *   ERR_ARGUMENT: The run has checkpoints of another net, larger net or optimiser, or rows of
 *   larger boards. Or `own` is true, and the boards of the settings are larger than those of the
 *   run. Or run.cfg is lost, and the settings do not fit the nets or rows.
 *   ERR_SYNTAX: run.cfg cannot be read. */
MUST_USE Status run_check(const RunDirectory *run, const RunConfig *config, bool own, Error *err);

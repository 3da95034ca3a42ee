/* analysis_worker.h - a thread that searches several positions at once. Searches on boards of one
 * size and with the same settings of the net share an evaluator, so that a batch can hold leaves of
 * several searches.
 * Threading: one thread makes and frees a worker. */
#pragma once
#include "protocol/analysis/analysis_engine.h"

typedef struct AnalysisWorker AnalysisWorker;
/* Starts a thread. It moves tasks of the engine to the places active[] and searches them. The
 * last setup.extra_positions of these analysis_setup_places() places are extra places. */
MUST_USE Status analysis_worker_new(AnalysisEngine *engine, ActiveTask *active,
                                    AnalysisWorker **out, Error *err);
/* Waits until the thread ends, and frees the worker. Call analysis_engine_close() first. NULL is
 * fine. */
void analysis_worker_free(AnalysisWorker *worker);

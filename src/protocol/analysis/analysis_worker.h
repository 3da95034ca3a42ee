/* analysis_worker.h - a thread that searches: several positions at once on one evaluator, and
 * another evaluator for another size of board or other settings of the net.
 * Threading: one thread makes and frees a worker. */
#pragma once
#include "protocol/analysis/analysis_engine.h"

typedef struct AnalysisWorker AnalysisWorker;
/* Starts a thread that takes tasks from the engine to slots[setup.positions_at_once]. */
MUST_USE Status analysis_worker_new(AnalysisEngine *engine, AnalysisSlot *slots,
                                    AnalysisWorker **out, Error *err);
/* Waits for the end of the thread. Call analysis_engine_close() before. NULL is fine. */
void analysis_worker_free(AnalysisWorker *worker);

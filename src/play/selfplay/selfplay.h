/* selfplay.h - a worker: many games on one driver, replaced as they end. Threading: confined. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/selfplay/selfplay_game.h"
#include "search/driver/driver.h"

typedef struct SelfplayWorker SelfplayWorker;
typedef struct {
    const SelfplaySettings *settings; /* copied */
    const SearchSettings *search;     /* of full searches; cheap ones are made from it (copied) */
    const SurpriseSettings *surprise; /* by which rows are weighed before leads are found for those
                                         that are kept; NULL: they have their weight (copied) */
    uint64_t seed;
    int64_t rows; /* of the run: sizes of the first games; -1: all sizes */
    void (*on_game)(void *context,
                    GameRecord *record); /* a finished game; the record is freed afterwards */
    void *context;
} SelfplayWorkerSetup;
MUST_USE Status selfplay_worker_new(const SelfplayWorkerSetup *setup,
                                    Evaluator *evaluator /* borrowed */, const char *net_name,
                                    SelfplayWorker **out, Error *err);
void selfplay_worker_free(SelfplayWorker *worker);
/* Games under way go on with the new net. */
MUST_USE Status selfplay_worker_set_net(SelfplayWorker *worker, Evaluator *evaluator,
                                        const char *net_name, Error *err);
/* The run has so many rows now, which sizes and turn_searches() follow from here on; -1: it has
 * grown up, as its searches are also taken to have before the first call. */
void selfplay_worker_set_rows(SelfplayWorker *worker, int64_t rows);
MUST_USE Status selfplay_worker_step(SelfplayWorker *worker,
                                     Error *err); /* one round of all its games */

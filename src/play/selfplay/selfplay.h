/* selfplay.h - a worker of self-play. It plays many games at once on one driver, which evaluates
 * the leaves of all their searches in shared batches. A game that ends is replaced by a new one.
 * Threading: confined. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/selfplay/selfplay_game.h"
#include "search/driver/driver.h"

typedef struct SelfplayWorker SelfplayWorker;
typedef struct {
    const SelfplaySettings *settings; /* copied */
    /* Settings of full searches, from which those of cheap ones are made (copied). */
    const SearchSettings *search;
    /* How surprise changes the weights of rows (copied); NULL leaves them as they are. The worker
     * changes weights only if leads are wanted (selfplay.lead.probability), because it finds leads
     * only for rows that will be kept. Otherwise it leaves surprise_apply() to the caller. */
    const SurpriseSettings *surprise;
    uint64_t seed;
    int64_t rows; /* rows of the run, which decide the sizes of the first games; -1 allows all */
    /* Called with each finished game; the record is freed afterwards. */
    void (*on_game)(void *context, GameRecord *record);
    void *context;
} SelfplayWorkerSetup;
MUST_USE Status selfplay_worker_new(const SelfplayWorkerSetup *setup,
                                    Evaluator *evaluator /* borrowed */, const char *net_name,
                                    SelfplayWorker **out, Error *err);
void selfplay_worker_free(SelfplayWorker *worker);
/* Replaces the net. Games under way continue with the new one. */
MUST_USE Status selfplay_worker_set_net(SelfplayWorker *worker, Evaluator *evaluator,
                                        const char *net_name, Error *err);
/* Tells the worker how many rows the run has now, because board sizes and turn_searches() depend on
 * this number. If `rows` is -1, all sizes are played, and the ramps of the searches (selfplay.ramp)
 * have ended. Before the first call the ramps are taken to have ended. */
void selfplay_worker_set_rows(SelfplayWorker *worker, int64_t rows);
/* Evaluates one batch for all games. Games whose searches are then done go on to their next
 * search. */
MUST_USE Status selfplay_worker_step(SelfplayWorker *worker, Error *err);

#include "play/selfplay.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

struct SelfplayWorker {
    SelfplaySettings settings;     /* with the visits of now */
    int full_visits, cheap_visits; /* when the run has grown up */
    GameChoices choices;
    SearchSettings full, cheap;
    Rng rng;
    Driver *driver;
    char net_name[80];
    SelfplayGame **games;
    Search **searches; /* of the games, in order */
    int count;
    Report *report;
    Position fork; /* where the next new game leaves a finished one */
    bool fork_waits;
    void (*on_game)(void *context, GameRecord *record);
    void *context;
};

/* Cheap searches: no noise, no forced playouts, root temperature 1 (Wu 2019, section 3.1). */
static SearchSettings cheap_of(const SearchSettings *full) {
    SearchSettings cheap = *full;
    cheap.root_noise = false;
    cheap.forced_playouts = 0;
    cheap.root_temperature = cheap.root_temperature_early = 1;
    cheap.root_fpu_reduction = full->fpu_reduction;
    return cheap;
}

static Status start_game(SelfplayWorker *worker, int slot, Error *err) {
    SelfplayGameSetup setup = {
        .settings = &worker->settings,
        .choices = &worker->choices,
        .full = &worker->full,
        .cheap = &worker->cheap,
        .net_name = worker->net_name,
        .fork = worker->fork_waits ? &worker->fork : NULL,
    };
    Rng rng = rng_split(&worker->rng, (uint64_t)slot);
    Status status = selfplay_game_new(&setup, rng, &worker->games[slot], err);
    if (status) return status;
    worker->fork_waits = false;
    worker->searches[slot] = selfplay_game_search(worker->games[slot]);
    return OK;
}

Status selfplay_worker_new(const SelfplayWorkerSetup *setup, Evaluator *evaluator,
                           const char *net_name, SelfplayWorker **out, Error *err) {
    SelfplayWorker *worker;
    *out = NULL;
    Status status = mem_new(1, sizeof *worker, &worker, err);
    if (status) return status;
    worker->settings = *setup->settings;
    worker->full_visits = setup->settings->full_visits;
    worker->cheap_visits = setup->settings->cheap_visits;
    worker->full = *setup->search;
    worker->cheap = cheap_of(setup->search);
    worker->rng = rng_seeded(setup->seed);
    worker->on_game = setup->on_game;
    worker->context = setup->context;
    worker->count = worker->settings.games_at_once;
    status = game_choices_read(&worker->settings, &worker->choices, err);
    if (!status)
        status = mem_new((size_t)worker->count, sizeof *worker->games, &worker->games, err);
    if (!status)
        status = mem_new((size_t)worker->count, sizeof *worker->searches, &worker->searches, err);
    if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, err);
    if (!status) status = selfplay_worker_use(worker, evaluator, net_name, err);
    for (int i = 0; i < worker->count && !status; i++)
        status = start_game(worker, i, err);
    if (status) {
        selfplay_worker_free(worker);
        return status;
    }
    *out = worker;
    return OK;
}

void selfplay_worker_free(SelfplayWorker *worker) {
    if (!worker) return;
    for (int i = 0; worker->games && i < worker->count; i++)
        selfplay_game_free(worker->games[i]);
    driver_free(worker->driver);
    position_clear(&worker->fork);
    free(worker->games);
    free(worker->searches);
    free(worker->report);
    free(worker);
}

Status selfplay_worker_use(SelfplayWorker *worker, Evaluator *evaluator, const char *net_name,
                           Error *err) {
    Driver *driver;
    Status status = driver_new(evaluator, &driver, err);
    if (status) return status;
    driver_free(worker->driver);
    worker->driver = driver;
    memset(worker->net_name, 0, sizeof worker->net_name);
    strncpy(worker->net_name, net_name, sizeof worker->net_name - 1);
    return OK;
}

static int scaled(int visits, double share) {
    int now = (int)(visits * share + 0.5);
    return now > 1 ? now : 1;
}

void selfplay_worker_progress(SelfplayWorker *worker, int64_t rows) {
    SelfplaySettings *settings = &worker->settings;
    double grown = settings->ramp_rows > 0 ? (double)rows / (double)settings->ramp_rows : 1;
    double start = (double)settings->ramp_start;
    double share = start + (1 - start) * (grown < 1 ? grown : 1);
    settings->full_visits = scaled(worker->full_visits, share);
    settings->cheap_visits = scaled(worker->cheap_visits, share);
}

static Status finish_game(SelfplayWorker *worker, int slot, Error *err) {
    SelfplayGame *game = worker->games[slot];
    worker->on_game(worker->context, selfplay_game_record(game));
    if (!worker->fork_waits) worker->fork_waits = selfplay_game_fork(game, &worker->fork);
    selfplay_game_free(game);
    worker->games[slot] = NULL;
    worker->searches[slot] = NULL;
    return start_game(worker, slot, err);
}

Status selfplay_worker_step(SelfplayWorker *worker, Error *err) {
    int active;
    Status status = driver_step(worker->driver, worker->searches, worker->count, &active, err);
    if (status || active == worker->count) return status;
    for (int i = 0; i < worker->count && !status; i++) {
        while (!status && search_done(worker->searches[i])) {
            bool over;
            status = selfplay_game_advance(worker->games[i], worker->net_name, worker->report,
                                           &over, err);
            if (!status && over) status = finish_game(worker, i, err);
        }
    }
    return status;
}

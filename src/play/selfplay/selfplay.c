/* A worker plays its games side by side:
 * 1. driver_step() evaluates one batch of leaves of all their searches.
 * 2. A game whose search is done plays the turn, or does what else the search was for, and begins
 *    its next search (selfplay_game.c).
 * 3. A game that is over gives its record to the caller. It may leave a position at which the next
 *    new game begins as a fork, and positions for the archives of Go-Exploit and of seki forks.
 * 4. A new game takes its place. It begins at the position of a waiting fork, at a position that is
 *    drawn from an archive or an SGF file, or on an empty board. */
#include "play/selfplay/selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "play/selfplay/selfplay_branches.h"
#include "play/setup/seki_fork.h"
#include "play/setup/start_positions.h"
#include "play/setup/turn_searches.h"

struct SelfplayWorker {
    SelfplaySettings settings; /* with the visits that the ramps (selfplay.ramp) give now */
    SearchSettings full, cheap;
    SelfplaySettings final_settings; /* with the visits after the ramps have ended */
    SearchSettings final_search;
    SurpriseSettings surprise;
    bool surprises;
    GameChoices choices;
    Rng rng;
    Driver *driver;
    char net_name[80];
    SelfplayGame **games;
    Search **searches; /* searches of the games, in the same order */
    int count;
    Report *report;
    Position fork; /* if fork_waits, the position at which the next new game begins */
    bool fork_waits;
    SelfplayOrigin fork_origin;
    ExploitArchive archive; /* used with Go-Exploit */
    ExploitArchive sekis;   /* used with seki forks */
    StartPositions *starts, *hints;
    void (*on_game)(void *context, GameRecord *record);
    void *context;
};

/* Draws whether a new game begins at a position of the archives or the SGF files. If so, the
 * position is written to `other`, and `*setup` is set so that the game begins there. */
static Status draw_start(SelfplayWorker *worker, Rng *rng, SelfplayGameSetup *setup,
                         Position *other, Error *err) {
    const SelfplaySettings *s = &worker->settings;
    PositionSeed seed;
    bool seki = s->seki_fork_probability > 0 && rng_uniform(rng) < s->seki_fork_probability &&
                exploit_archive_take(&worker->sekis, rng, &seed);
    if (seki || (s->exploit.kind && exploit_archive_draw(&worker->archive, s, rng, &seed))) {
        Status status = position_seed_restore(&seed, NULL, other, err);
        bool late_fork = seed.late_fork;
        position_seed_clear(&seed);
        /* A move of the earlier game, such as a pass for ko, may be illegal under the new rules.
         * Then this game begins at the position before that move. */
        if (seki && status == ERR_ILLEGAL) status = OK;
        /* If the game is over under the new rules, a game on an empty board is played instead. */
        if (status || other->over) return status;
        setup->fork = other;
        setup->origin = seki ? ORIGIN_SEKI : late_fork ? ORIGIN_ARCHIVE_FORK : ORIGIN_ARCHIVE;
        return OK;
    }
    bool hint = worker->hints && rng_uniform(rng) < s->hint.probability;
    bool start = !hint && worker->starts && rng_uniform(rng) < s->start.probability;
    if (!hint && !start) return OK;
    GameDraw draw = game_draw(s, &worker->choices, rng);
    Error fault = {0};
    Status status = start_positions_draw(hint ? worker->hints : worker->starts, &draw.rules, rng,
                                         other, &setup->hint, &fault);
    if (status == ERR_ILLEGAL)
        log_warning("a start position cannot be reached under the rules that were drawn: %s",
                    fault.message);
    else if (status)
        return fail(err, status, "%s", fault.message);
    /* If the rules do not allow the position, or the game is over under them, a game on an empty
     * board is played instead. */
    if (status || other->over) return OK;
    setup->fork = other;
    setup->origin = hint ? ORIGIN_HINT : ORIGIN_SGF;
    return OK;
}

static Status start_game(SelfplayWorker *worker, int slot, Error *err) {
    SelfplayGameSetup setup = {
        .settings = &worker->settings,
        .choices = &worker->choices,
        .full = &worker->full,
        .cheap = &worker->cheap,
        .surprise = worker->surprises ? &worker->surprise : NULL,
        .net_name = worker->net_name,
        .fork = worker->fork_waits ? &worker->fork : NULL,
        .origin = worker->fork_origin,
    };
    Rng rng = rng_split(&worker->rng, (uint64_t)slot);
    Position other = {0};
    Status status = OK;
    if (!setup.fork) status = draw_start(worker, &rng, &setup, &other, err);
    if (!status) status = selfplay_game_new(&setup, rng, &worker->games[slot], err);
    position_clear(&other);
    if (status) return status;
    worker->fork_waits = false;
    worker->searches[slot] = selfplay_game_search(worker->games[slot]);
    return OK;
}

/* Opens the sources of positions at which games may begin: archives and SGF files. */
static Status open_starts(SelfplayWorker *worker, Error *err) {
    const SelfplaySettings *s = &worker->settings;
    StartPositionsSetup setup = {.max_board_size =
                                     game_board_size_at(&worker->choices, worker->choices.rows),
                                 .turn_decay = s->start.turn_decay};
    Status status = OK;
    if (s->exploit.kind) status = exploit_archive_init(&worker->archive, s->exploit.size, err);
    if (!status && s->seki_fork_probability > 0)
        status = exploit_archive_init(&worker->sekis, SEKI_FORKS_KEPT, err);
    setup.folder = s->start.sgfs;
    if (!status && s->start.probability > 0)
        status = start_positions_load(&setup, &worker->starts, err);
    setup.folder = s->hint.sgfs;
    setup.hints = true;
    if (!status && s->hint.probability > 0)
        status = start_positions_load(&setup, &worker->hints, err);
    return status;
}

Status selfplay_worker_new(const SelfplayWorkerSetup *setup, Evaluator *evaluator,
                           const char *net_name, SelfplayWorker **out, Error *err) {
    SelfplayWorker *worker;
    *out = NULL;
    Status status = mem_new(1, sizeof *worker, &worker, err);
    if (status) return status;
    worker->settings = worker->final_settings = *setup->settings;
    worker->final_search = *setup->search;
    worker->surprises = setup->surprise != NULL;
    if (setup->surprise) worker->surprise = *setup->surprise;
    worker->rng = rng_seeded(setup->seed);
    worker->on_game = setup->on_game;
    worker->context = setup->context;
    worker->count = worker->settings.games_at_once;
    status = game_choices_read(&worker->settings, &worker->choices, err);
    selfplay_worker_set_rows(worker, -1);
    if (setup->rows >= 0) worker->choices.rows = setup->rows;
    if (!status) status = open_starts(worker, err);
    if (!status)
        status = mem_new((size_t)worker->count, sizeof *worker->games, &worker->games, err);
    if (!status)
        status = mem_new((size_t)worker->count, sizeof *worker->searches, &worker->searches, err);
    if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, err);
    if (!status) status = selfplay_worker_set_net(worker, evaluator, net_name, err);
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
    exploit_archive_clear(&worker->archive);
    exploit_archive_clear(&worker->sekis);
    start_positions_free(worker->starts);
    start_positions_free(worker->hints);
    free(worker->games);
    free(worker->searches);
    free(worker->report);
    free(worker);
}

Status selfplay_worker_set_net(SelfplayWorker *worker, Evaluator *evaluator, const char *net_name,
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

void selfplay_worker_set_rows(SelfplayWorker *worker, int64_t rows) {
    TurnSearches now = turn_searches(&worker->final_settings, &worker->final_search, rows);
    worker->choices.rows = rows < 0 ? INT64_MAX : rows;
    worker->settings.full.visits = now.full_visits;
    worker->settings.cheap.visits = now.cheap_visits;
    worker->full = now.full;
    worker->cheap = now.cheap;
}

static Status finish_game(SelfplayWorker *worker, int slot, Error *err) {
    SelfplayGame *game = worker->games[slot];
    worker->on_game(worker->context, selfplay_game_record(game));
    if (!worker->fork_waits)
        worker->fork_waits = selfplay_branches_fork(game, &worker->fork, &worker->fork_origin);
    Status status = OK;
    if (worker->settings.exploit.kind)
        status = selfplay_branches_archive(game, &worker->archive, err);
    if (!status && worker->settings.seki_fork_probability > 0)
        status = selfplay_branches_keep_seki(game, &worker->sekis, err);
    selfplay_game_free(game);
    worker->games[slot] = NULL;
    worker->searches[slot] = NULL;
    return status ? status : start_game(worker, slot, err);
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

/* Threads take games in order; each plays several side by side where only engines play, one at a
 * time with other programs. */
#include "play/match/tournament.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "eval/formats/net_file.h"
#include "play/match/match_opening.h"
#include "play/match/tournament_count.h"
#include "play/match/tournament_game.h"
#include "play/match/tournament_resume.h"

enum { CACHE_MB = 16, CACHES_MB = 128 }; /* of one net; of all nets of one worker, about */

static bool is_over(const Tournament *tournament) {
    double deadline = tournament->setup->deadline;
    return stop_requested() || atomic_load(&tournament->over) ||
           (deadline > 0 && clock_seconds() >= deadline);
}

/* The next game of this round that is not finished; NULL: there is none. */
static const GamePlace *take_game(Tournament *tournament) {
    for (;;) {
        int at = atomic_fetch_add(&tournament->next, 1);
        if (at >= tournament->order_count || is_over(tournament)) return NULL;
        const GamePlace *place = &tournament->order[at];
        if (place->programs == tournament->programs &&
            !tournament->results[place->pairing][place->number].finished)
            return place;
    }
}

/* What the seeds of an engine's evaluations differ by: its place in a match, its name in a
 * tournament, so that other players change nothing. */
static uint64_t player_salt(const TournamentSetup *setup, int player) {
    const char *name = setup->players[player].name;
    return setup->is_match ? (uint64_t)player : hash_bytes(name, strlen(name), 1);
}

/* Evaluations depend on the position alone, not on who plays which games: the same seed gives the
 * same games with any number of threads. */
static Status make_seat(TournamentWorker *worker, int player, Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    const PlayerSpec *spec = &setup->players[player];
    Seat *seat = &worker->seats[player];
    if (seat->ready || spec->kind != PLAYER_ENGINE) return OK;
    NetEvaluatorSetup config = {.batch = search_settings_batch(worker->slot_count),
                                .buffer_width = setup->width,
                                .buffer_height = setup->height,
                                .precision = spec->has_precision ? spec->precision : PRECISION_AUTO,
                                .symmetry = SYMMETRY_BY_POSITION,
                                .seed = setup->seed + player_salt(setup, player),
                                .features = FEATURE_OPTIONS_DEFAULT};
    Evaluator *inner;
    int64_t cache_mb = CACHES_MB / setup->player_count;
    if (cache_mb > CACHE_MB) cache_mb = CACHE_MB;
    search_settings_evaluator(&spec->search, &config);
    Status status = spec->random_net
                        ? evaluator_uniform_new(config.batch, &inner, err)
                        : evaluator_net_new(worker->tournament->nets[player], &config, &inner, err);
    if (status) return fail_within(err, status, "%.100s", spec->name);
    if (!status) {
        status = evaluation_cache_new((cache_mb > 1 ? cache_mb : 1) << 20, &seat->cache, err);
        if (!status)
            status = evaluator_cached_exact_new(inner, seat->cache, &seat->evaluator, err);
        else
            evaluator_free(inner);
    }
    if (!status) status = driver_new(seat->evaluator, &seat->driver, err);
    seat->ready = true;
    return status;
}

/* The searches of one player's turns share its batches. */
static Status run_searches(TournamentWorker *worker, Error *err) {
    bool had[GAMES_SIDE_BY_SIDE] = {false};
    Status status = OK;
    for (int i = 0; i < worker->slot_count && !status; i++) {
        Search *searches[GAMES_SIDE_BY_SIDE];
        int count = 0, active, player = -1;
        for (int k = i; k < worker->slot_count; k++) {
            Slot *slot = &worker->slots[k];
            if (had[k] || slot->number < 0 || !slot->searching) continue;
            int side = tournament_side(slot);
            if (player >= 0 && slot->player[side] != player) continue;
            player = slot->player[side];
            searches[count++] = slot->search[side];
            had[k] = true;
        }
        if (count)
            status = driver_step(worker->seats[player].driver, searches, count, &active, err);
    }
    return status;
}

static Status begin_next(TournamentWorker *worker, Slot *slot, bool *more, Error *err) {
    const GamePlace *place = take_game(worker->tournament);
    *more = place != NULL;
    if (!place) return OK;
    const TournamentPairing *pairing = &worker->tournament->setup->pairings[place->pairing];
    Status status = make_seat(worker, pairing->first, err);
    if (!status) status = make_seat(worker, pairing->second, err);
    return status ? status : tournament_begin(worker, slot, place, err);
}

static Status play_all(TournamentWorker *worker, Error *err) {
    Status status = OK;
    bool more = true;
    for (int busy = 1; busy && !status;) {
        busy = 0;
        for (int i = 0; i < worker->slot_count && !status; i++) {
            Slot *slot = &worker->slots[i];
            if (slot->number < 0 && more) status = begin_next(worker, slot, &more, err);
            if (!status && slot->number >= 0) status = tournament_advance(worker, slot, err);
            busy += slot->number >= 0;
        }
        if (!status) status = run_searches(worker, err);
        if (is_over(worker->tournament)) break;
        busy += more;
    }
    return status;
}

static void free_worker(TournamentWorker *worker) {
    if (!worker) return;
    for (int i = 0; i < worker->slot_count; i++) {
        position_clear(&worker->slots[i].position);
        search_free(worker->slots[i].search[0]);
        search_free(worker->slots[i].search[1]);
    }
    for (int p = 0; worker->seats && p < worker->tournament->setup->player_count; p++) {
        Seat *seat = &worker->seats[p];
        if (seat->evaluator)
            atomic_fetch_add(&worker->tournament->evaluations, seat->evaluator->evaluations);
        driver_free(seat->driver);
        evaluator_free(seat->evaluator);
        evaluation_cache_free(seat->cache);
        gtp_client_stop(seat->program);
    }
    free(worker->seats);
    free(worker->report);
    free(worker);
}

static void run_worker(void *argument, int index) {
    (void)index;
    Tournament *tournament = argument;
    TournamentWorker *worker;
    Error error = {0};
    Status status = mem_new(1, sizeof *worker, &worker, &error);
    if (!status) {
        worker->tournament = tournament;
        worker->slot_count = tournament->programs ? 1 : GAMES_SIDE_BY_SIDE;
        for (int i = 0; i < worker->slot_count; i++) {
            Slot *slot = &worker->slots[i];
            slot->number = slot->search_player[0] = slot->search_player[1] = -1;
        }
        status = mem_new((size_t)tournament->setup->player_count, sizeof *worker->seats,
                         &worker->seats, &error);
        if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, &error);
        if (!status) status = play_all(worker, &error);
        free_worker(worker);
    }
    pthread_mutex_lock(&tournament->lock);
    if (status && !tournament->status) {
        tournament->status = status;
        tournament->error = error;
        atomic_store(&tournament->over, true); /* the others stop too */
    }
    pthread_mutex_unlock(&tournament->lock);
}

static Status load_nets(Tournament *tournament, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    size_t players = (size_t)setup->player_count;
    Status status = mem_new(players, sizeof *tournament->nets, &tournament->nets, err);
    if (!status) status = mem_new(players, sizeof *tournament->loaded, &tournament->loaded, err);
    for (int p = 0; p < setup->player_count && !status; p++) {
        const PlayerSpec *spec = &setup->players[p];
        tournament->nets[p] = setup->nets ? setup->nets[p] : NULL;
        if (spec->kind != PLAYER_ENGINE || spec->random_net || tournament->nets[p]) continue;
        status = net_file_load(spec->net_path, &tournament->loaded[p], err);
        tournament->nets[p] = tournament->loaded[p];
    }
    return status;
}

/* Two games of every pairing, then two more of each, so that what is done at any time is even. */
static Status plan(Tournament *tournament, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    size_t total = 0, pairings = (size_t)setup->pairing_count;
    int max = 0;
    Status status = mem_new(pairings, sizeof *tournament->salts, &tournament->salts, err);
    if (!status)
        status = mem_new(pairings, sizeof *tournament->openings, &tournament->openings, err);
    if (!status) status = mem_new(pairings, sizeof *tournament->results, &tournament->results, err);
    for (int i = 0; i < setup->pairing_count && !status; i++) {
        int games = setup->pairings[i].games;
        total += (size_t)games;
        if (games > max) max = games;
        tournament->salts[i] = tournament_setup_salt(setup, &setup->pairings[i]);
        status =
            mem_new((size_t)games + 1, sizeof **tournament->results, &tournament->results[i], err);
        if (!status)
            status = match_draw_openings(setup, tournament->salts[i], (games + 1) / 2,
                                         &tournament->openings[i], err);
    }
    if (!status) status = mem_new(total + 1, sizeof *tournament->order, &tournament->order, err);
    for (int number = 0; number < max && !status; number += 2) {
        for (int i = 0; i < setup->pairing_count; i++) {
            const TournamentPairing *p = &setup->pairings[i];
            bool programs = setup->players[p->first].kind == PLAYER_GTP ||
                            setup->players[p->second].kind == PLAYER_GTP;
            for (int k = number; k < number + 2 && k < p->games; k++)
                tournament->order[tournament->order_count++] = (GamePlace){i, k, programs};
        }
    }
    return status;
}

static Status run_round(Tournament *tournament, bool programs, Error *err) {
    int threads = tournament->setup->threads, left = 0;
    for (int i = 0; i < tournament->order_count; i++) {
        const GamePlace *place = &tournament->order[i];
        left += place->programs == programs &&
                !tournament->results[place->pairing][place->number].finished;
    }
    if (!left || is_over(tournament)) return OK;
    tournament->programs = programs;
    atomic_store(&tournament->next, 0);
    Status status = thread_parallel(threads > 0 ? threads : 1, run_worker, tournament, err);
    if (!status && tournament->status)
        status = fail(err, tournament->status, "%s", tournament->error.message);
    return status;
}

static Status run_games(Tournament *tournament, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    Status status = OK;
    if (setup->out_directory) status = tournament_resume(tournament, err);
    if (status) return status;
    pthread_mutex_init(&tournament->lock, NULL);
    tournament_test(tournament);
    status = run_round(tournament, false, err);
    if (!status) status = run_round(tournament, true, err);
    pthread_mutex_destroy(&tournament->lock);
    return status;
}

static void release(Tournament *tournament) {
    const TournamentSetup *setup = tournament->setup;
    for (int p = 0; p < setup->player_count && tournament->loaded; p++)
        net_free(tournament->loaded[p]);
    for (int i = 0; i < setup->pairing_count && tournament->results; i++)
        free(tournament->results[i]);
    for (int i = 0; i < setup->pairing_count && tournament->openings; i++)
        free(tournament->openings[i]);
    free(tournament->nets);
    free(tournament->loaded);
    free(tournament->salts);
    free(tournament->results);
    free(tournament->order);
    free(tournament->openings);
    free(tournament->answered);
}

static Status finish(Tournament *tournament, MatchResult *results, double seconds, Status status,
                     Error *err) {
    const TournamentSetup *setup = tournament->setup;
    int total = 0;
    for (int i = 0; i < setup->pairing_count; i++) {
        Status added = tournament_add_up(tournament, i, &results[i], status ? NULL : err);
        if (added && !status) status = added;
        results[i].seconds = seconds;
        results[i].evaluations = (double)atomic_load(&tournament->evaluations);
        total += results[i].games + results[i].unfinished;
    }
    if (!status && !tournament->decided && total < tournament->order_count)
        status =
            fail(err, ERR_STOPPED, "stopped after %d of %d games", total, tournament->order_count);
    return status;
}

Status tournament_run(const TournamentSetup *setup, MatchResult *results, Error *err) {
    Tournament tournament = {.setup = setup};
    double start = clock_seconds();
    for (int i = 0; i < setup->pairing_count; i++)
        results[i] = (MatchResult){0};
    Status status = tournament_setup_check(setup, err);
    if (status) return status;
    status = mem_new((size_t)setup->player_count, sizeof *tournament.answered, &tournament.answered,
                     err);
    if (!status && setup->out_directory) status = directory_make(setup->out_directory, err);
    if (!status) status = load_nets(&tournament, err);
    if (!status) status = plan(&tournament, err);
    if (!status) {
        status = run_games(&tournament, err);
        status = finish(&tournament, results, clock_seconds() - start, status, err);
    }
    release(&tournament);
    return status;
}

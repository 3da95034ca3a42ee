/* How tournament_run() goes:
 * 1. Check the setup, load the nets, draw the openings, and schedule two games of every pairing,
 *    then two more, and so on (plan_games()).
 * 2. Read the games that the folder holds (tournament_resume()).
 * 3. Play the games without other programs (GTP), then those with them (run_round()). Workers take
 *    games from the schedule. Without programs a worker plays GAMES_SIDE_BY_SIDE games at once and
 *    steps the searches of one player in one batch. With programs it plays one game at a time.
 * 4. Sum the results of each pairing. */
#include "play/match/tournament/tournament.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "eval/formats/net_file.h"
#include "play/match/match_opening.h"
#include "play/match/tournament/tournament_count.h"
#include "play/match/tournament/tournament_game.h"
#include "play/match/tournament/tournament_resume.h"

/* Maximum size of the cache of one player, and of all caches of a worker. But each cache has at
 * least 1 MB. */
enum { CACHE_MB = 16, CACHES_MB = 128 };

static bool should_stop(const Tournament *tournament) {
    double deadline = tournament->setup->deadline;
    return stop_requested() || atomic_load(&tournament->ends) ||
           (deadline > 0 && clock_seconds() >= deadline);
}

/* Takes the next game of this round that is not finished. Returns NULL if there is none, or if the
 * tournament should stop. */
static const ScheduledGame *take_scheduled_game(Tournament *tournament) {
    for (;;) {
        int at = atomic_fetch_add(&tournament->next_game, 1);
        if (at >= tournament->schedule_count || should_stop(tournament)) return NULL;
        const ScheduledGame *scheduled = &tournament->schedule[at];
        if (scheduled->with_program == tournament->with_program &&
            !tournament->results[scheduled->pairing][scheduled->number].finished)
            return scheduled;
    }
}

/* Returns what is added to the seed of an engine's evaluations. In a match it is the index of the
 * player. In a tournament it is a hash of the player's name, so that it does not depend on the
 * other players. */
static uint64_t player_salt(const TournamentSetup *setup, int player) {
    const char *name = setup->players[player].name;
    return setup->is_match ? (uint64_t)player : hash_bytes(name, strlen(name), 1);
}

/* Makes the evaluator of a player, if it is an engine. Its evaluations depend only on the position,
 * not on the order of games, so that the same seed gives the same games with any number of
 * threads. */
static Status make_instance(TournamentWorker *worker, int player, Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    const PlayerSpec *spec = &setup->players[player];
    PlayerInstance *instance = &worker->instances[player];
    if (instance->ready || spec->kind != PLAYER_ENGINE) return OK;
    NetEvaluatorSetup config = {.batch = search_settings_batch(worker->game_count),
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
        status = evaluation_cache_new((cache_mb > 1 ? cache_mb : 1) << 20, &instance->cache, err);
        if (!status)
            status = evaluator_cached_exact_new(inner, instance->cache, &instance->evaluator, err);
        else
            evaluator_free(inner);
    }
    if (!status) status = driver_new(instance->evaluator, &instance->driver, err);
    instance->ready = true;
    return status;
}

/* Steps all searches under way. The searches of one player share a batch. */
static Status step_searches(TournamentWorker *worker, Error *err) {
    bool is_stepped[GAMES_SIDE_BY_SIDE] = {false};
    Status status = OK;
    for (int i = 0; i < worker->game_count && !status; i++) {
        Search *searches[GAMES_SIDE_BY_SIDE];
        int count = 0, active, player = -1;
        for (int k = i; k < worker->game_count; k++) {
            ActiveGame *game = &worker->games_under_way[k];
            if (is_stepped[k] || game->number < 0 || !game->searching) continue;
            int side = tournament_side(game);
            if (player >= 0 && game->player[side] != player) continue;
            player = game->player[side];
            searches[count++] = game->search[side];
            is_stepped[k] = true;
        }
        if (count)
            status = driver_step(worker->instances[player].driver, searches, count, &active, err);
    }
    return status;
}

static Status begin_next_game(TournamentWorker *worker, ActiveGame *game, bool *more, Error *err) {
    const ScheduledGame *scheduled = take_scheduled_game(worker->tournament);
    *more = scheduled != NULL;
    if (!scheduled) return OK;
    const TournamentPairing *pairing = &worker->tournament->setup->pairings[scheduled->pairing];
    Status status = make_instance(worker, pairing->first, err);
    if (!status) status = make_instance(worker, pairing->second, err);
    return status ? status : tournament_begin(worker, game, scheduled, err);
}

static Status play_games(TournamentWorker *worker, Error *err) {
    Status status = OK;
    bool more = true;
    for (int active = 1; active && !status;) {
        active = 0;
        for (int i = 0; i < worker->game_count && !status; i++) {
            ActiveGame *game = &worker->games_under_way[i];
            if (game->number < 0 && more) status = begin_next_game(worker, game, &more, err);
            if (!status && game->number >= 0) status = tournament_advance(worker, game, err);
            active += game->number >= 0;
        }
        if (!status) status = step_searches(worker, err);
        if (should_stop(worker->tournament)) break;
        active += more;
    }
    return status;
}

static void free_worker(TournamentWorker *worker) {
    if (!worker) return;
    for (int i = 0; i < worker->game_count; i++) {
        position_clear(&worker->games_under_way[i].position);
        search_free(worker->games_under_way[i].search[0]);
        search_free(worker->games_under_way[i].search[1]);
    }
    for (int p = 0; worker->instances && p < worker->tournament->setup->player_count; p++) {
        PlayerInstance *instance = &worker->instances[p];
        if (instance->evaluator)
            atomic_fetch_add(&worker->tournament->evaluations, instance->evaluator->evaluations);
        driver_free(instance->driver);
        evaluator_free(instance->evaluator);
        evaluation_cache_free(instance->cache);
        gtp_client_stop(instance->program);
    }
    free(worker->instances);
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
        worker->game_count = tournament->with_program ? 1 : GAMES_SIDE_BY_SIDE;
        for (int i = 0; i < worker->game_count; i++) {
            ActiveGame *game = &worker->games_under_way[i];
            game->number = game->search_player[0] = game->search_player[1] = -1;
        }
        status = mem_new((size_t)tournament->setup->player_count, sizeof *worker->instances,
                         &worker->instances, &error);
        if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, &error);
        if (!status) status = play_games(worker, &error);
        free_worker(worker);
    }
    pthread_mutex_lock(&tournament->lock);
    if (status && !tournament->status) {
        tournament->status = status;
        tournament->error = error;
        atomic_store(&tournament->ends, true); /* the other workers stop too */
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
        if (status) fail_within(err, status, "player %s", spec->name);
        tournament->nets[p] = tournament->loaded[p];
    }
    return status;
}

/* Schedules two games of every pairing, then two more of each, so that at any time all pairings
 * have played about the same number of games. */
static Status plan_games(Tournament *tournament, Error *err) {
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
    if (!status)
        status = mem_new(total + 1, sizeof *tournament->schedule, &tournament->schedule, err);
    for (int number = 0; number < max && !status; number += 2) {
        for (int i = 0; i < setup->pairing_count; i++) {
            const TournamentPairing *p = &setup->pairings[i];
            bool with_program = setup->players[p->first].kind == PLAYER_GTP ||
                                setup->players[p->second].kind == PLAYER_GTP;
            for (int k = number; k < number + 2 && k < p->games; k++)
                tournament->schedule[tournament->schedule_count++] =
                    (ScheduledGame){i, k, with_program};
        }
    }
    return status;
}

static Status run_round(Tournament *tournament, bool with_program, Error *err) {
    int threads = tournament->setup->threads, unfinished = 0;
    for (int i = 0; i < tournament->schedule_count; i++) {
        const ScheduledGame *scheduled = &tournament->schedule[i];
        unfinished += scheduled->with_program == with_program &&
                      !tournament->results[scheduled->pairing][scheduled->number].finished;
    }
    if (!unfinished || should_stop(tournament)) return OK;
    tournament->with_program = with_program;
    atomic_store(&tournament->next_game, 0);
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
    tournament_update_test(tournament);
    status = run_round(tournament, false, err);
    if (!status) status = run_round(tournament, true, err);
    pthread_mutex_destroy(&tournament->lock);
    return status;
}

static void tournament_clear(Tournament *tournament) {
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
    free(tournament->schedule);
    free(tournament->openings);
    free(tournament->answered);
}

static Status sum_results(Tournament *tournament, MatchResult *results, double seconds,
                          Status status, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    int total = 0;
    for (int i = 0; i < setup->pairing_count; i++) {
        Status added = tournament_sum_results(tournament, i, &results[i], status ? NULL : err);
        if (added && !status) status = added;
        results[i].seconds = seconds;
        results[i].evaluations = (double)atomic_load(&tournament->evaluations);
        total += results[i].games + results[i].unfinished;
    }
    if (!status && !tournament->decided_pairs && total < tournament->schedule_count)
        status = fail(err, ERR_STOPPED, "stopped after %d of %d games", total,
                      tournament->schedule_count);
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
    if (!status) status = plan_games(&tournament, err);
    if (!status) {
        status = run_games(&tournament, err);
        status = sum_results(&tournament, results, clock_seconds() - start, status, err);
    }
    tournament_clear(&tournament);
    return status;
}

#include "run/rating/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "play/match/tournament/tournament.h"
#include "run/charts/run_page.h"
#include "run/store/index/net_index.h"
#include "run/store/index/run_index.h"
#include "run/store/run_directory.h"

static Status open_index(const char *directory, RunDirectory *run, RunIndex **index, Error *err) {
    Path path;
    Status status = path_join(&path, directory, "run.db", err);
    if (status) return status;
    if (!file_exists(path.text))
        return fail(err, ERR_IO, "%s: no run is there (it has no run.db)", directory);
    status = run_directory_open(directory, run, err);
    return status ? status : run_index_open(path.text, index, err);
}

Status rate_nets(const char *directory, RatedNet **out, int *count, Error *err) {
    RunDirectory run;
    RunIndex *index;
    IndexedNet *indexed = NULL;
    *out = NULL;
    *count = 0;
    Status status = open_index(directory, &run, &index, err);
    if (status) return status;
    status = run_index_nets(index, &indexed, count, err);
    if (!status) net_index_compare(directory, indexed, *count);
    if (!status) status = mem_new((size_t)*count + 1, sizeof **out, out, err);
    for (int i = 0; i < *count && !status; i++) {
        const IndexedNet *net = &indexed[i];
        RatedNet *rated = &(*out)[i];
        *rated = (RatedNet){.number = net->number,
                            .seconds = net->seconds,
                            .evaluations = net->evaluations,
                            .rows = net->rows,
                            .samples = net->samples,
                            .elo = net->elo,
                            .deviation = net->elo_deviation};
        snprintf(rated->name, sizeof rated->name, "%.79s", net->file);
    }
    free(indexed);
    run_index_close(index);
    return status;
}

RatedNet rate_net_at(const RatedNet *nets, int count, double seconds) {
    RatedNet found = {0};
    for (int i = 0; i < count; i++) {
        if (nets[i].seconds <= seconds) found = nets[i];
    }
    return found;
}

/* Writes the score to the index and the page of the run. Only warns if that fails, for example
 * because the run is read-only. */
static void keep_score(const RunDirectory *run, RunIndex *index, const char *metric,
                       const RatedNet *net, double score) {
    Error fault = {0};
    Status status = run_index_set_metric(index, metric, net->samples, net->seconds, score, &fault);
    if (!status) status = run_page_write(run, index, &fault);
    if (status) log_warning("%s; the score is not kept in the run", fault.message);
}

Status rate_against(const char *directory, const RatedNet *net, const MatchSetup *setup,
                    MatchResult *out, Error *err) {
    RunDirectory run;
    RunIndex *index;
    MatchSetup match = *setup;
    Path path;
    char metric[160];
    Status status = open_index(directory, &run, &index, err);
    if (status) return status;
    status = path_join(&path, run.nets.text, net->name, err);
    if (!status) {
        snprintf(match.players[0].net_path, sizeof match.players[0].net_path, "%s", path.text);
        snprintf(match.players[0].name, sizeof match.players[0].name, "%.79s", net->name);
        snprintf(metric, sizeof metric, SCORE_METRIC "%s", setup->players[1].name);
        status = match_run(&match, out, err);
    }
    if (!status && !out->games && out->unfinished)
        status =
            fail(err, ERR_ARGUMENT,
                 "%s refused a legal move in all %d games; choose --rules that both players know",
                 setup->players[1].name, out->unfinished);
    if (!status) keep_score(&run, index, metric, net, match_score(out));
    run_index_close(index);
    return status;
}

/* Lists the nets, then the players of the ladder. */
static Status list_players(const RunDirectory *run, const RateLadder *rating, PlayerSpec **out,
                           Error *err) {
    const Ladder *ladder = rating->ladder;
    int count = rating->count;
    char engine[64];
    snprintf(engine, sizeof engine, "net=given,visits=%d", rating->visits);
    Status status = mem_new((size_t)(count + ladder->count), sizeof **out, out, err);
    for (int i = 0; i < count && !status; i++) {
        Path path;
        PlayerSpec *player = &(*out)[i];
        status = player_parse(engine, player, err);
        if (!status) status = path_join(&path, run->nets.text, rating->nets[i].name, err);
        if (status) break;
        snprintf(player->net_path, sizeof player->net_path, "%s", path.text);
        snprintf(player->name, sizeof player->name, "%.79s@%d", rating->nets[i].name,
                 rating->visits);
    }
    for (int i = 0; i < ladder->count && !status; i++)
        (*out)[count + i] = ladder->players[i];
    return status;
}

static Status ladder_folder(const RunDirectory *run, const RateLadder *rating, Path *out,
                            Error *err) {
    char name[40] = "ladder";
    if (rating->out_directory) return path_join(out, rating->out_directory, "", err);
    if (rating->seed != 1)
        snprintf(name, sizeof name, "ladder-%llu", (unsigned long long)rating->seed);
    return path_join(out, run->root.text, name, err);
}

static Status play_ladder(const RunDirectory *run, const PlayerSpec *players,
                          const RateLadder *rating, RatePool *pool, Error *err) {
    TournamentPairing *pairings = NULL;
    MatchResult *results = NULL;
    Path folder;
    int count = 0, nets = rating->count;
    const Ladder *ladder = rating->ladder;
    Status status = ladder_folder(run, rating, &folder, err);
    if (!status)
        status = mem_new((size_t)(nets * ladder->count) + 1, sizeof *pairings, &pairings, err);
    for (int i = 0; i < nets && !status; i++) {
        for (int k = 0; k < ladder->count; k++)
            pairings[count++] = (TournamentPairing){i, nets + k, rating->games};
    }
    if (!status) status = mem_new((size_t)count + 1, sizeof *results, &results, err);
    const TournamentSetup setup = {.players = players,
                                   .player_count = nets + ladder->count,
                                   .pairings = pairings,
                                   .pairing_count = count,
                                   .width = ladder->settings.size,
                                   .height = ladder->settings.size,
                                   .rules = ladder->rules,
                                   .opening_moves = ladder->settings.opening,
                                   .threads = rating->threads,
                                   .seed = rating->seed,
                                   .out_directory = folder.text,
                                   .on_game = rating->on_game,
                                   .context = rating->context};
    if (!status) status = tournament_run(&setup, results, err);
    for (int i = 0; i < setup.player_count && !status; i++) {
        if (rate_pool_get_player(pool, players[i].name) < 0)
            status = fail(err, ERR_MEMORY, "no room for the names of players");
    }
    if (!status) status = rate_pool_add_directory(pool, folder.text, err);
    free(results);
    free(pairings);
    return status;
}

static Status fit_ladder(const RatePool *pool, const Ladder *ladder, EloFit *fit, Error *err) {
    double *fixed;
    Status status = mem_new((size_t)pool->players, sizeof *fixed, &fixed, err);
    for (int i = 0; i < pool->players && !status; i++)
        fixed[i] = HUGE_VAL;
    for (int i = 0; i < ladder->count && !status; i++)
        fixed[rate_pool_find(pool, ladder->players[i].name)] = ladder->elo[i];
    if (!status)
        status = elo_fit_new(&(EloSetup){.games = pool->games,
                                         .game_count = pool->pairs,
                                         .players = pool->players,
                                         .fixed = fixed,
                                         .anchor = rate_pool_find(pool, ladder->players[0].name),
                                         .prior_games = 0.5},
                             fit, err);
    free(fixed);
    return status;
}

/* Writes the page. A failure is only logged, because the ratings are already in the index and the
 * page can be written again later. */
static void write_page(const RunDirectory *run, RunIndex *index) {
    Error fault = {0};
    if (run_page_write(run, index, &fault)) log_warning("%s", fault.message);
}

Status rate_on_ladder(const RateLadder *rating, RatePool *pool, EloFit *fit, Error *err) {
    RunDirectory run;
    RunIndex *index;
    PlayerSpec *players = NULL;
    char metric[160];
    *pool = (RatePool){0};
    *fit = (EloFit){0};
    Status status = open_index(rating->directory, &run, &index, err);
    if (status) return status;
    snprintf(metric, sizeof metric, LADDER_METRIC "%s", rating->ladder_name);
    status = list_players(&run, rating, &players, err);
    if (!status) status = play_ladder(&run, players, rating, pool, err);
    if (!status) status = fit_ladder(pool, rating->ladder, fit, err);
    for (int i = 0; i < rating->count && !status; i++) {
        const RatedNet *net = &rating->nets[i];
        int player = rate_pool_find(pool, players[i].name);
        /* Group 0 has the players whom games connect with the fixed ratings or the anchor. */
        if (fit->group[player] != 0) continue;
        Error fault = {0};
        if (!run_index_set_metric(index, metric, net->samples, net->seconds, fit->elo[player],
                                  &fault))
            continue;
        log_warning("%s; the ratings are not kept in the run", fault.message);
        break;
    }
    if (!status) write_page(&run, index);
    free(players);
    run_index_close(index);
    return status;
}

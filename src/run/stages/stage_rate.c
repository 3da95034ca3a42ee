#include "run/stages/stage_rate.h"

#include <stdlib.h>

#include "run/stages/net_match.h"

static Status load_number(const RunDirectory *run, int wanted, Net **out, Error *err) {
    Arena arena = {0};
    char **paths;
    int *numbers, count;
    *out = NULL;
    Status status = run_directory_nets(run, &arena, &paths, &numbers, &count, err);
    for (int i = 0; i < count && !status; i++) {
        if (numbers[i] == wanted) status = net_load(paths[i], out, err);
    }
    arena_clear(&arena);
    return status;
}

/* Whether the index has games of these two nets: the rating was stopped after this match. */
static Status has_played(const RateParts *parts, int number, bool *played, Error *err) {
    EloGames *pairings;
    int count;
    *played = false;
    Status status = run_index_pairings(parts->store->index, &pairings, &count, err);
    for (int i = 0; i < count && !status; i++)
        *played |= pairings[i].first == parts->nets->number && pairings[i].second == number;
    free(pairings);
    return status;
}

static Status play_earlier(const RateParts *parts, int number, Error *err) {
    const RunSettings *run = &parts->plan->config.run;
    const RunNets *nets = parts->nets;
    Net *other = NULL;
    MatchResult result;
    bool played;
    Status status = has_played(parts, number, &played, err);
    if (status || played) return status;
    status = number > 0 ? load_number(&parts->store->directory, number, &other, err) : OK;
    if (!status && (number == 0 || other)) {
        const NetMatchSetup match = {
            .plan = parts->plan,
            .store = parts->store,
            .screen = parts->screen,
            .phase = "rating",
            .first = nets->net,
            .second = other,
            .games = run->rate_games,
            .visits = run->rate_visits,
            .deadline = parts->plan->role == CYCLE_GATES ? parts->clock->deadline : 0,
            .rows = nets->rows,
            .samples = parts->samples};
        status = net_match_play(&match, &result, err);
        if (!status) {
            const EloGames games = {nets->number, number, result.wins[0], result.draws,
                                    result.wins[1]};
            status = run_index_add_games(parts->store->index, &games, "rating", err);
            if (!status) net_match_forget(parts->store, "rating");
        }
    }
    net_free(other);
    return status;
}

Status stage_rate(const RateParts *parts, Error *err) {
    const RunSettings *run = &parts->plan->config.run;
    int every = run->rate_every, number = parts->nets->number;
    if (!parts->nets->net || !run->rate_games) return OK;
    Status status = play_earlier(parts, number > every ? number - every : 0, err);
    if (!status && number > 3 * every) status = play_earlier(parts, number - 3 * every, err);
    return status ? status : stage_rate_fit(parts, err);
}

/* Numbers the nets of the games as players, in order of appearance; net 0, random play, is player
 * 0. Games of a net that is no longer there are left out. Returns how many pairings stay. */
static int number_players(EloGames *pairings, int count, int newest, int *players_by_number,
                          int *numbers, int *players) {
    int kept = 0;
    *players = 1;
    for (int i = 0; i < count; i++) {
        EloGames pairing = pairings[i];
        int *const sides[2] = {&pairing.first, &pairing.second};
        if (pairing.first > newest || pairing.second > newest) continue;
        for (int k = 0; k < 2; k++) {
            int number = *sides[k];
            if (number && !players_by_number[number]) {
                numbers[*players] = number;
                players_by_number[number] = (*players)++;
            }
            *sides[k] = players_by_number[number];
        }
        pairings[kept++] = pairing;
    }
    return kept;
}

/* Keeps the ratings, and the newest net's as a point on the curve of Elo. */
static Status keep_ratings(const RateParts *parts, const EloRating *ratings, const int *numbers,
                           int players, Error *err) {
    RunResults *results = parts->results;
    RunIndex *index = parts->store->index;
    Status status = run_index_begin(index, err);
    for (int i = 1; i < players && !status; i++) {
        if (!ratings[i].known) continue; /* it has played only nets that are gone */
        status = run_index_set_rating(index, numbers[i], ratings[i].elo, ratings[i].deviation, err);
        if (numbers[i] != parts->nets->number) continue;
        results->elo_net = numbers[i];
        results->elo = ratings[i].elo;
        results->elo_deviation = ratings[i].deviation;
        if (!status)
            status = run_index_add_metric(index, "elo", parts->samples,
                                          run_clock_seconds(parts->clock), results->elo, err);
    }
    return run_index_end(index, status, err);
}

/* Random play, net 0, has the rating 0. */
Status stage_rate_fit(const RateParts *parts, Error *err) {
    EloGames *pairings;
    EloRating *ratings = NULL;
    int count, players = 1, *players_by_number = NULL, *numbers = NULL,
               newest = parts->nets->number;
    size_t room = (size_t)newest + 2;
    Status status = run_index_pairings(parts->store->index, &pairings, &count, err);
    if (!status) status = mem_new(room, sizeof *players_by_number, &players_by_number, err);
    if (!status) status = mem_new(room, sizeof *numbers, &numbers, err);
    if (!status)
        count = number_players(pairings, count, newest, players_by_number, numbers, &players);
    if (!status) status = mem_new((size_t)players, sizeof *ratings, &ratings, err);
    if (!status && count)
        status = elo_rate(
            &(EloSetup){
                .games = pairings, .game_count = count, .players = players, .prior_games = 0.5},
            ratings, err);
    if (!status) status = keep_ratings(parts, ratings, numbers, players, err);
    free(pairings);
    free(players_by_number);
    free(numbers);
    free(ratings);
    return status;
}

#include "run/stages/matches/stage_rate.h"

#include <stdlib.h>

#include "run/stages/matches/net_match.h"
#include "run/stages/matches/rate_opponent.h"
#include "run/stages/matches/stage_anchor.h"
#include "run/store/index/net_ratings.h"

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

/* Finds out whether the index has games of the newest net against net `number`. The index has them
 * if an earlier rating was stopped after this match. */
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

static NetMatchSetup match_of(const RateParts *parts) {
    const RunSettings *run = &parts->plan->config.run;
    return (NetMatchSetup){.plan = parts->plan,
                           .store = parts->store,
                           .screen = parts->screen,
                           .phase = "rating",
                           .first = parts->nets->net,
                           .games = run->rate_games,
                           .visits = run->rate_visits,
                           .rows = parts->nets->rows,
                           .samples = parts->samples};
}

static Status play_earlier(const RateParts *parts, int number, Error *err) {
    const RunNets *nets = parts->nets;
    Net *other = NULL;
    MatchResult result;
    bool played;
    Status status = has_played(parts, number, &played, err);
    if (status || played) return status;
    status = number > 0 ? load_number(&parts->store->directory, number, &other, err) : OK;
    if (!status && (number == 0 || other)) {
        NetMatchSetup match = match_of(parts);
        match.second = other;
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

/* Sets `*opponent` to the next drawn opponent of the newest net, or to -1 if it needs no more. The
 * draw depends only on the seed, the net and the games so far, so a rating that was stopped goes on
 * with the same opponent. */
static Status draw_opponent(const RateParts *parts, int *opponent, Error *err) {
    const RunSettings *run = &parts->plan->config.run;
    NetRatings ratings = {0};
    EloGames *games;
    int count, number = parts->nets->number, played = 0;
    *opponent = -1;
    Status status = run_index_pairings(parts->store->index, &games, &count, err);
    if (status) return status;
    for (int i = 0; i < count; i++)
        played += games[i].first == number && games[i].second != ANCHOR_NUMBER;
    Rng rng = rng_seeded((uint64_t)run->seed + (uint64_t)number);
    rng = rng_split(&rng, (uint64_t)played);
    if (played <= run->rate_drawn) /* one of them was not drawn */
        status = net_ratings_fit(parts->store->index, number, &ratings, err);
    if (!status) *opponent = rate_opponent_draw(&ratings, number, games, count, &rng);
    net_ratings_clear(&ratings);
    free(games);
    return status;
}

/* Lets the newest net play opponents that are drawn. The ratings are fitted again before each
 * draw. */
static Status play_drawn(const RateParts *parts, Error *err) {
    Status status = OK;
    for (int i = 0; i < parts->plan->config.run.rate_drawn && !status; i++) {
        int opponent;
        status = draw_opponent(parts, &opponent, err);
        if (status || opponent < 0) return status;
        status = play_earlier(parts, opponent, err);
    }
    return status;
}

Status stage_rate(const RateParts *parts, Error *err) {
    const RunSettings *run = &parts->plan->config.run;
    int every = run->rate_every, number = parts->nets->number;
    if (!parts->nets->net || !run->rate_games) return OK;
    int rated = (number - 1) / every * every; /* the net that was rated before; 0 is random play */
    Status status = play_earlier(parts, rated, err);
    if (!status && run->rate_drawn)
        status = play_drawn(parts, err);
    else if (!status && rated > 2 * every)
        status = play_earlier(parts, rated - 2 * every, err);
    const NetMatchSetup match = match_of(parts);
    if (!status)
        status =
            stage_anchor(&match, parts->clock, number, &parts->results->anchor_has_failed, err);
    return status ? status : stage_rate_fit(parts, err);
}

/* Writes the ratings to the index. */
static Status keep_ratings(const RateParts *parts, const NetRatings *ratings, Error *err) {
    RunIndex *index = parts->store->index;
    Status status = run_index_begin(index, err);
    for (int i = 0; i < ratings->count && !status; i++) {
        const NetRating *net = &ratings->nets[i];
        status =
            run_index_set_rating(index, net->number, net->random.elo, net->random.deviation, err);
    }
    return run_index_end(index, status, err);
}

Status stage_rate_fit(const RateParts *parts, Error *err) {
    NetRatings ratings;
    Status status = net_ratings_fit(parts->store->index, parts->nets->number, &ratings, err);
    if (!status) status = keep_ratings(parts, &ratings, err);
    if (!status) run_results_take_ratings(parts->results, &ratings);
    net_ratings_clear(&ratings);
    return status;
}

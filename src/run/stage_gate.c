/* New nets: the averaged net of the trainer is written, plays for its place where gating is on, and
 * is rated now and then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "play/match.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"
#include "run/trainers.h"

/* Games between two nets (second NULL: random play) on the largest size that is played now. */
typedef struct {
    const char *phase; /* as it is shown */
    const Net *first, *second;
    int games, visits;
    const SprtSettings *sprt; /* NULL: all are played */
    Cycle *cycle;
} Games;

/* By any thread of the match, one at a time, while the cycle's own waits for it. */
static void show_game(void *context, const MatchStanding *standing) {
    const Games *games = context;
    cycle_show(games->cycle, games->phase, standing->done, games->games, false);
}

static Status play_games(Games *games, MatchResult *out, Error *err) {
    Cycle *cycle = games->cycle;
    int edge;
    Status status = selfplay_edge_at(&cycle->config.selfplay, cycle->net_rows, &edge, err);
    MatchSetup setup = {.games = games->games,
                        .width = edge,
                        .height = edge,
                        .opening_moves = 2,
                        .threads = cycle->threads,
                        .sprt = games->sprt,
                        .deadline = cycle->role == CYCLE_GATES ? cycle->deadline : 0,
                        .seed = (uint64_t)cycle->config.run.seed + (uint64_t)cycle_samples(cycle),
                        .on_game = show_game,
                        .context = games};
    setup.rules = rules_tromp_taylor();
    setup.rules.komi = run_config_komi(&cycle->config);
    const Net *nets[2] = {games->first, games->second};
    for (int i = 0; i < 2; i++) {
        if (!status)
            status = player_parse(nets[i] ? "net=given" : "random", &setup.players[i], err);
        if (status) return status;
        setup.players[i].visits = games->visits;
        setup.players[i].search = run_config_match_search(&cycle->config);
        setup.nets[i] = nets[i];
    }
    cycle_show(cycle, games->phase, 0, games->games, true);
    return match_run(&setup, out, err);
}

static Status note(Net *net, const char *key, int64_t value, Error *err) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return net_set_note(net, key, text, err);
}

/* Of the process that keeps it: where the index is lost, it comes back from there. */
static Status note_compute(const Cycle *cycle, Net *net, Error *err) {
    char text[40];
    if (!cycle->index) return OK;
    snprintf(text, sizeof text, "%.17g", cycle_compute(cycle));
    return net_set_note(net, COMPUTE_FACT, text, err);
}

Status gate_write_net(Cycle *cycle, Net *net, const char *folder, const char *number, Path *path,
                      Error *err) {
    char name[96];
    Status status = note(net, "samples", cycle_samples(cycle), err);
    if (!status) status = note(net, "rows", cycle->rows, err);
    if (!status) status = note_compute(cycle, net, err);
    NetHash hash = net_hash(net);
    if (!status && !*hash.text) status = fail(err, ERR_MEMORY, "no room to name net %s", number);
    snprintf(name, sizeof name, "%s-%.8s.aji", number, hash.text);
    if (!status) status = path_join(path, folder, name, err);
    if (status) return status;
    Failures failures = {0};
    Error fault = {0};
    do
        status = net_save(net, path->text, &fault);
    while (status && !(status = cycle_try_again(cycle, status, &failures, &fault, err)));
    return status;
}

Status cycle_index_net(Cycle *cycle, const IndexedNet *net, double compute, Error *err) {
    Status status = run_index_begin(cycle->index, err);
    if (status) return status;
    status = run_index_add_net(cycle->index, net, err);
    if (!status && compute > 0)
        status = run_index_set_metric(cycle->index, COMPUTE_METRIC, net->samples, net->seconds,
                                      compute, err);
    return run_index_end(cycle->index, status, err);
}

/* Takes the net. */
static Status adopt(Cycle *cycle, Net *net, Error *err) {
    Path path;
    int number = cycle->net_number + 1;
    Status status =
        gate_write_net(cycle, net, cycle->directory.nets.text, net_number(number).text, &path, err);
    if (status) {
        net_free(net);
        return status;
    }
    net_free(cycle->net);
    cycle->net = net;
    cycle->net_number = number;
    cycle->net_rows = cycle->rows;
    snprintf(cycle->net_name, sizeof cycle->net_name, "%.70s", path_name(path.text));
    IndexedNet entry = {.number = number,
                        .samples = cycle_samples(cycle),
                        .rows = cycle->rows,
                        .games = cycle->games,
                        .evaluations = atomic_load(&cycle->evaluations),
                        .seconds = cycle_seconds(cycle)};
    snprintf(entry.file, sizeof entry.file, "%s", cycle->net_name);
    log_info("net %d accepted: %s, %lld samples, %lld rows", number, cycle->net_name,
             (long long)entry.samples, (long long)entry.rows);
    if (!cycle->index) return OK; /* the process that writes it finds the net */
    return cycle_index_net(cycle, &entry, cycle_compute(cycle), err);
}

/* Whether the candidate may take the newest net's place. */
static Status gate(Cycle *cycle, const Net *candidate, bool *passes, Error *err) {
    const RunSettings *run = &cycle->config.run;
    MatchResult result;
    *passes = true;
    if (!run->gate_games || !cycle->net) return OK;
    Games games = {.phase = "gating",
                   .first = candidate,
                   .second = cycle->net,
                   .games = run->gate_games,
                   .visits = run->gate_visits,
                   .sprt = cycle->config.gate.sequential ? &cycle->config.sprt : NULL,
                   .cycle = cycle};
    Status status = play_games(&games, &result, err);
    if (status == ERR_STOPPED) log_info("gate: left undecided after %d games", result.games);
    if (status) return status;
    *passes = result.sprt.state == SPRT_GOES_ON ? match_score(&result) >= (double)run->gate_score
                                                : result.sprt.state == SPRT_ACCEPTS_1;
    char ratio[48] = "";
    if (cycle->config.gate.sequential)
        snprintf(ratio, sizeof ratio, ", log likelihood ratio %.2f", result.sprt.ratio);
    log_info("gate: %d games, score %.3f%s: %s", result.games, match_score(&result), ratio,
             *passes ? "accepted" : "rejected");
    return OK;
}

static Status reject(Cycle *cycle, Net *net, Error *err) {
    Path path;
    Status status = gate_write_net(cycle, net, cycle->directory.rejected.text,
                                   net_number(cycle->net_number + 1).text, &path, err);
    net_free(net);
    return status;
}

Status gate_decide(Cycle *cycle, Net *net, Error *err) {
    bool passes;
    Status status = gate(cycle, net, &passes, err);
    if (status) {
        net_free(net);
        return status;
    }
    if (!passes) return reject(cycle, net, err);
    status = adopt(cycle, net, err);
    if (status) return status;
    if (cycle->workers && !cycle_outgrown(cycle)) return workers_use_net(cycle, err);
    cycle_count_compute(cycle);
    return OK;
}

Status cycle_accept(Cycle *cycle, Error *err) {
    Net *net;
    Status status = cycle_hold_gating(cycle, err);
    if (!status && !cycle->trainer) status = trainers_open(cycle, err);
    if (!status) status = trainer_averaged_net(cycle->trainer, &net, err);
    return status ? status : gate_decide(cycle, net, err);
}

static Status load_number(Cycle *cycle, int wanted, Net **out, Error *err) {
    Arena arena = {0};
    char **paths;
    int *numbers, count;
    *out = NULL;
    Status status = run_directory_nets(&cycle->directory, &arena, &paths, &numbers, &count, err);
    for (int i = 0; i < count && !status; i++) {
        if (numbers[i] == wanted) status = net_load(paths[i], out, err);
    }
    arena_clear(&arena);
    return status;
}

static Status play_earlier(Cycle *cycle, int number, Error *err) {
    const RunSettings *run = &cycle->config.run;
    Net *other = NULL;
    MatchResult result;
    Status status = number > 0 ? load_number(cycle, number, &other, err) : OK;
    if (!status && (number == 0 || other)) {
        Games games = {.phase = "rating",
                       .first = cycle->net,
                       .second = other,
                       .games = run->rate_games,
                       .visits = run->rate_visits,
                       .cycle = cycle};
        status = play_games(&games, &result, err);
        if (!status)
            status = run_index_add_games(cycle->index,
                                         &(EloGames){cycle->net_number, number, result.wins[0],
                                                     result.draws, result.wins[1]},
                                         "rating", err);
    }
    net_free(other);
    return status;
}

Status cycle_rate(Cycle *cycle, Error *err) {
    int every = cycle->config.run.rate_every, number = cycle->net_number;
    if (!cycle->net || !cycle->config.run.rate_games) return OK;
    Status status = play_earlier(cycle, number > every ? number - every : 0, err);
    if (!status && number > 3 * every) status = play_earlier(cycle, number - 3 * every, err);
    return status ? status : cycle_fit(cycle, err);
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

/* All games between nets of the run in one fit; net 0, random play, is the anchor. */
Status cycle_fit(Cycle *cycle, Error *err) {
    EloGames *pairings;
    EloRating *ratings = NULL;
    int count, players = 1, *players_by_number = NULL, *numbers = NULL;
    Status status = run_index_pairings(cycle->index, &pairings, &count, err);
    if (!status)
        status = mem_new((size_t)cycle->net_number + 2, sizeof *players_by_number,
                         &players_by_number, err);
    if (!status) status = mem_new((size_t)cycle->net_number + 2, sizeof *numbers, &numbers, err);
    if (!status)
        count = number_players(pairings, count, cycle->net_number, players_by_number, numbers,
                               &players);
    if (!status) status = mem_new((size_t)players, sizeof *ratings, &ratings, err);
    if (!status && count)
        status = elo_rate(
            &(EloSetup){
                .games = pairings, .game_count = count, .players = players, .prior_games = 0.5},
            ratings, err);
    if (!status) status = run_index_begin(cycle->index, err);
    for (int i = 1; i < players && !status; i++) {
        if (!ratings[i].known) continue; /* only nets that are gone connected it */
        status = run_index_set_rating(cycle->index, numbers[i], ratings[i].elo,
                                      ratings[i].deviation, err);
        if (numbers[i] != cycle->net_number) continue;
        cycle->elo_net = numbers[i];
        cycle->elo = ratings[i].elo;
        cycle->elo_deviation = ratings[i].deviation;
        if (!status)
            status = run_index_add_metric(cycle->index, "elo", cycle_samples(cycle),
                                          cycle_seconds(cycle), cycle->elo, err);
    }
    status = run_index_end(cycle->index, status, err);
    free(pairings);
    free(players_by_number);
    free(numbers);
    free(ratings);
    return status;
}

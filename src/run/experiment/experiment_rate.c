/* How experiment_rate() goes:
 * 1. find_players() takes, for each run and each moment that the run has reached, the newest net
 *    that was made within the compute of the moment. The nets become the players of a pool.
 * 2. make_schedule() pairs every net of a moment with every other net of this moment, and with the
 *    net that its run had at the moment before.
 * 3. play_rating_games() plays these games, except those that are already in the directory.
 * 4. fit_ratings() rates all nets in one fit, shifts the ratings so that the mean of the first
 *    arm's final nets is 0, and computes the effects of the arms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "play/match/tournament/tournament.h"
#include "run/cycle/cycle.h"
#include "run/experiment/experiment_private.h"
#include "run/store/index/net_index.h"
#include "run/store/index/run_index.h"

static Status open_run(const ExperimentRun *run, RunIndex **index, Error *err) {
    Path path;
    *index = NULL;
    Status status = path_join(&path, run->directory.text, "run.db", err);
    if (status || !file_exists(path.text)) return status;
    return run_index_open(path.text, index, err);
}

static Status read_failed(ExperimentRun *run, Error *err) {
    Arena arena = {0};
    Path path;
    char *text;
    size_t length;
    Status status = path_join(&path, run->directory.text, FAILED_FILE, err);
    *run->failed = 0;
    if (status || !file_exists(path.text)) return status;
    status = file_read(path.text, 1 << 12, &arena, &text, &length, err);
    if (!status) {
        const char *reason = *text && *text != '\n' ? text : "unknown";
        snprintf(run->failed, sizeof run->failed, "%.*s", (int)strcspn(reason, "\n"), reason);
    }
    arena_clear(&arena);
    return status;
}

Status experiment_read_run(ExperimentRun *run, Error *err) {
    RunIndex *index;
    IndexedNet *nets = NULL;
    Status status = read_failed(run, err);
    if (!status) status = open_run(run, &index, err);
    if (status || !index) return status;
    status = run_index_nets(index, &nets, &run->nets, err);
    if (!status) net_index_compare(run->directory.text, nets, run->nets);
    run->compute = run_index_value(index, COMPUTE_FACT);
    run->evaluations = (int64_t)run_index_value(index, "evaluations");
    run->seconds = run_index_value(index, "seconds");
    if (!status && run->nets) {
        run->rows = nets[run->nets - 1].rows;
        run->samples = nets[run->nets - 1].samples;
    }
    free(nets);
    run_index_close(index);
    return status;
}

/* Returns the compute of the run when the net was made, or infinity if it is not known. */
static double compute_of(const IndexedNet *net, const MetricPoint *points, int count) {
    double found = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        if (points[i].samples == net->samples) found = points[i].value;
    }
    return found;
}

const IndexedNet *experiment_net_at(const IndexedNet *nets, int count, const MetricPoint *points,
                                    int point_count, double max, double *compute) {
    const IndexedNet *found = NULL;
    *compute = 0;
    for (int i = 0; i < count; i++) {
        double cost = compute_of(&nets[i], points, point_count);
        if (cost > max) continue;
        found = &nets[i];
        *compute = cost;
    }
    return found;
}

static Status add_net(Experiment *experiment, ExperimentResult *result, int run,
                      const IndexedNet *net, int *player, Error *err) {
    char name[256], file[160];
    Path path;
    snprintf(name, sizeof name, "%s/%s", result->runs[run].name, net->file);
    snprintf(file, sizeof file, "nets/%s", net->file);
    int before = result->pool.players;
    *player = rate_pool_get_player(&result->pool, name);
    if (*player < 0) return fail(err, ERR_MEMORY, "no room for the names of nets");
    if (*player < before) return OK;
    Status status = path_join(&path, result->runs[run].directory.text, file, err);
    if (status) return status;
    result->run_of[*player] = run;
    result->paths[*player] = arena_copy(&experiment->arena, path.text, strlen(path.text));
    return result->paths[*player] ? OK : fail(err, ERR_MEMORY, "no room for the names of nets");
}

static Status choose_nets(Experiment *experiment, ExperimentResult *result, int r, Error *err) {
    ExperimentRun *run = &result->runs[r];
    const ExperimentSettings *settings = &experiment->settings;
    RunIndex *index;
    IndexedNet *nets = NULL;
    MetricPoint *points = NULL;
    int net_count = 0, point_count = 0;
    for (int m = 0; m < settings->moments; m++)
        run->at[m] = (MomentNet){-1, 0};
    Status status = open_run(run, &index, err);
    if (status || !index) return status;
    status = run_index_nets(index, &nets, &net_count, err);
    if (!status) status = run_index_metric(index, COMPUTE_METRIC, &points, &point_count, err);
    for (int m = 0; m < settings->moments && !status; m++) {
        double max = settings->compute * (m + 1) / settings->moments;
        const IndexedNet *found =
            experiment_net_at(nets, net_count, points, point_count, max, &run->at[m].compute);
        if (!found) continue;
        /* A run that has not reached the moment has no net for it. */
        if (run->compute < max * 0.999) continue;
        status = add_net(experiment, result, r, found, &run->at[m].player, err);
    }
    free(nets);
    free(points);
    run_index_close(index);
    return status;
}

static Status find_players(Experiment *experiment, ExperimentResult *result, Error *err) {
    size_t runs = (size_t)(experiment->arm_count * experiment->settings.seeds),
           max = runs * (size_t)experiment->settings.moments + 1;
    Status status = mem_new(runs, sizeof *result->runs, &result->runs, err);
    if (!status) status = mem_new(max, sizeof *result->paths, &result->paths, err);
    if (!status) status = mem_new(max, sizeof *result->run_of, &result->run_of, err);
    for (int a = 0; a < experiment->arm_count && !status; a++) {
        for (int k = 0; k < experiment->settings.seeds && !status; k++) {
            int r = result->run_count;
            status = experiment_run_path(experiment, a, k, &result->runs[r], err);
            if (!status) status = experiment_read_run(&result->runs[r], err);
            if (!status) status = choose_nets(experiment, result, r, err);
            result->run_count++;
        }
    }
    return status;
}

typedef struct {
    TournamentPairing *pairings;
    int count;
    bool *is_paired; /* [players][players] */
    int players;
} Schedule;

static void schedule_add(Schedule *schedule, int first, int second, int games) {
    bool *is_paired = first < 0 || second < 0 || first == second || !games
                          ? NULL
                          : &schedule->is_paired[first * schedule->players + second];
    if (!is_paired || *is_paired) return;
    *is_paired = schedule->is_paired[second * schedule->players + first] = true;
    schedule->pairings[schedule->count++] = (TournamentPairing){first, second, games};
}

/* Pairs every net of a moment with every other net of this moment, and with the net that its run
 * had at the moment before. */
static Status make_schedule(const Experiment *experiment, const ExperimentResult *result,
                            Schedule *out, Error *err) {
    const ExperimentSettings *settings = &experiment->settings;
    size_t runs = (size_t)result->run_count, players = (size_t)result->pool.players;
    int games = experiment_games(experiment);
    *out = (Schedule){.players = result->pool.players};
    Status status = mem_new(runs * (runs + 1) * (size_t)settings->moments + 1,
                            sizeof *out->pairings, &out->pairings, err);
    if (!status)
        status = mem_new(players * players + 1, sizeof *out->is_paired, &out->is_paired, err);
    for (int m = settings->moments - 1; m >= 0 && !status; m--) {
        for (int i = 0; i < result->run_count; i++) {
            int player = result->runs[i].at[m].player;
            for (int k = i + 1; k < result->run_count; k++)
                schedule_add(out, player, result->runs[k].at[m].player, games);
            if (m)
                schedule_add(out, player, result->runs[i].at[m - 1].player, settings->link_games);
        }
    }
    return status;
}

typedef struct {
    const Experiment *experiment;
    int games;
} RatingProgress;

static void show_progress(void *context, const MatchStanding *standing) {
    const RatingProgress *show = context;
    char line[96];
    snprintf(line, sizeof line, "rating: %d of %d games\n", standing->done, show->games);
    if (show->experiment->progress)
        progress_show(show->experiment->progress, line, line, standing->done == show->games);
}

static Status make_players(const Experiment *experiment, const ExperimentResult *result,
                           PlayerSpec **out, Error *err) {
    char engine[64];
    snprintf(engine, sizeof engine, "net=given,visits=%d", experiment->settings.visits);
    Status status = mem_new((size_t)result->pool.players + 1, sizeof **out, out, err);
    for (int i = 0; i < result->pool.players && !status; i++) {
        PlayerSpec *player = &(*out)[i];
        status = player_parse(engine, player, err);
        player->search =
            run_config_match_search(&experiment->arms[result->runs[result->run_of[i]].arm].config);
        snprintf(player->net_path, sizeof player->net_path, "%s", result->paths[i]);
        snprintf(player->name, sizeof player->name, "%s", result->pool.names[i]);
    }
    return status;
}

static Status play_rating_games(Experiment *experiment, ExperimentResult *result,
                                const Schedule *schedule, const PlayerSpec *players,
                                MatchResult *results, Error *err) {
    const RunConfig *config = &experiment->arms[0].config;
    RatingProgress show = {experiment, 0};
    Path folder;
    int length;
    for (int i = 0; i < schedule->count; i++)
        show.games += schedule->pairings[i].games;
    Status status = path_join(&folder, experiment->directory, "games", err);
    if (!status) status = selfplay_max_board_size(&config->selfplay, &length, err);
    if (!status) status = experiment_keep_rating_settings(experiment, err);
    if (status) return status;
    TournamentSetup setup = {.players = players,
                             .player_count = result->pool.players,
                             .pairings = schedule->pairings,
                             .pairing_count = schedule->count,
                             .width = length,
                             .height = length,
                             .opening_moves = experiment->settings.opening,
                             .threads =
                                 config->run.threads ? config->run.threads : thread_processors(),
                             .seed = (uint64_t)config->run.seed,
                             .out_directory = folder.text,
                             .on_game = show_progress,
                             .context = &show};
    status = run_config_rules(config, &setup.rules, err);
    if (!status) status = tournament_run(&setup, results, err);
    for (int i = 0; i < schedule->count && !status; i++) {
        const TournamentPairing *p = &schedule->pairings[i];
        const MatchResult *r = &results[i];
        status =
            rate_pool_add(&result->pool,
                          &(NamedGames){result->pool.names[p->first], result->pool.names[p->second],
                                        r->wins[0], r->draws, r->wins[1]},
                          err);
    }
    return status;
}

/* Shifts the ratings so that the mean of the first arm's final nets is 0. */
static Status set_zero(ExperimentResult *result, int last, Error *err) {
    size_t players = (size_t)result->pool.players;
    Status status =
        mem_new(players, sizeof *result->reference_weights, &result->reference_weights, err);
    if (!status) status = mem_new(players, sizeof *result->weights, &result->weights, err);
    for (int i = 0; i < result->run_count && !status; i++) {
        int player = result->runs[i].at[last].player;
        if (result->runs[i].arm || player < 0) continue;
        result->reference_weights[player] = 1.0 / result->effects[0].seeds;
        result->anchor = player;
    }
    double mean = result->effects[0].mean;
    for (int i = 0; i < result->pool.players && !status; i++)
        result->fit.elo[i] -= mean;
    return status;
}

/* Fits the ratings and finds the effects of the arms. */
static Status fit_ratings(Experiment *experiment, ExperimentResult *result, Error *err) {
    int last = experiment->settings.moments - 1, count = 0, *players, *arms;
    Status status = elo_fit_new(&(EloSetup){.games = result->pool.games,
                                            .game_count = result->pool.pairs,
                                            .players = result->pool.players,
                                            .prior_games = 0.5},
                                &result->fit, err);
    if (status) return status;
    status = mem_new(2 * (size_t)result->run_count + 1, sizeof *players, &players, err);
    if (status) return status;
    arms = players + result->run_count;
    for (int i = 0; i < result->run_count; i++) {
        if (result->runs[i].at[last].player < 0) continue;
        players[count] = result->runs[i].at[last].player;
        arms[count++] = result->runs[i].arm;
    }
    status = mem_new((size_t)experiment->arm_count, sizeof *result->effects, &result->effects, err);
    if (!status)
        status = experiment_effects(
            &(RatedRuns){&result->fit, players, arms, count, experiment->arm_count},
            result->effects, &result->spread, err);
    if (!status) status = set_zero(result, last, err);
    for (int a = experiment->arm_count - 1; a >= 0 && !status; a--)
        result->effects[a].mean -= result->effects[0].mean;
    free(players);
    return status;
}

Status experiment_rate(Experiment *experiment, ExperimentResult *out, Error *err) {
    Schedule schedule = {0};
    PlayerSpec *players = NULL;
    MatchResult *results = NULL;
    *out = (ExperimentResult){0};
    Status status = find_players(experiment, out, err);
    if (!status) status = make_schedule(experiment, out, &schedule, err);
    if (!status && !schedule.count)
        status = fail(err, ERR_ARGUMENT,
                      "%s: fewer than two nets have reached a moment at which they can be compared",
                      experiment->directory);
    if (!status) status = make_players(experiment, out, &players, err);
    if (!status) status = mem_new((size_t)schedule.count + 1, sizeof *results, &results, err);
    if (!status) status = play_rating_games(experiment, out, &schedule, players, results, err);
    if (!status) status = fit_ratings(experiment, out, err);
    free(schedule.pairings);
    free(schedule.is_paired);
    free(players);
    free(results);
    if (status) experiment_result_clear(out);
    return status;
}

void experiment_result_clear(ExperimentResult *result) {
    free(result->runs);
    free(result->paths);
    free(result->run_of);
    free(result->effects);
    free(result->reference_weights);
    free(result->weights);
    elo_fit_clear(&result->fit);
    rate_pool_clear(&result->pool);
    *result = (ExperimentResult){0};
}

bool experiment_has_rating(const ExperimentResult *result, int player) {
    return player >= 0 && elo_fit_connects(&result->fit, player, result->anchor);
}

/* Returns the net of a run at a moment if the run belongs to this arm and the net has a rating, and
 * otherwise -1. */
static int net_of_arm(const ExperimentResult *result, int run, int arm, int moment) {
    const ExperimentRun *of = &result->runs[run];
    return of->arm == arm && experiment_has_rating(result, of->at[moment].player)
               ? of->at[moment].player
               : -1;
}

double experiment_mean(const ExperimentResult *result, int arm, int moment, int *count) {
    double sum = 0;
    *count = 0;
    for (int i = 0; i < result->run_count; i++) {
        int player = net_of_arm(result, i, arm, moment);
        if (player < 0) continue;
        sum += result->fit.elo[player];
        (*count)++;
    }
    return *count ? sum / *count : HUGE_VAL;
}

static void begin_contrast(const ExperimentResult *result) {
    for (int i = 0; i < result->fit.players; i++)
        result->weights[i] = -result->reference_weights[i];
}

ContrastError experiment_mean_error(const ExperimentResult *result, int arm, int moment) {
    int count;
    begin_contrast(result);
    experiment_mean(result, arm, moment, &count);
    for (int i = 0; i < result->run_count; i++) {
        int player = net_of_arm(result, i, arm, moment);
        if (player >= 0) result->weights[player] += 1.0 / count;
    }
    return experiment_contrast(&result->fit, &result->spread, result->weights);
}

ContrastError experiment_net_error(const ExperimentResult *result, int player) {
    begin_contrast(result);
    result->weights[player] += 1;
    return experiment_contrast(&result->fit, &result->spread, result->weights);
}

/* Returns the fraction of the compute at which an arm's curve reaches `elo`, by linear
 * interpolation over ln(compute). If the curve rises through `elo` several times, the last time
 * counts. The curve begins after the last moment at which the arm has no rating. If the curve never
 * rises through `elo`, sets `*is_bound` to true. Then the result is the fraction of the compute at
 * the first moment of the curve. */
static double compute_fraction_at(const Experiment *experiment, const ExperimentResult *result,
                                  int arm, double elo, bool *is_bound) {
    int moments = experiment->settings.moments, count, first = 0;
    double after = experiment_mean(result, arm, moments - 1, &count);
    *is_bound = false;
    for (int m = moments - 2; m >= 0; m--) {
        double before = experiment_mean(result, arm, m, &count);
        if (!count) {
            first = m + 1;
            break;
        }
        if (before <= elo && after > before) {
            double part = fmin(1, (elo - before) / (after - before));
            return (m + 1) * pow((m + 2.0) / (m + 1), part) / moments;
        }
        after = before;
    }
    *is_bound = true;
    return (first + 1.0) / moments;
}

double experiment_compute_ratio(const Experiment *experiment, const ExperimentResult *result,
                                int arm, bool *is_bound) {
    const ArmEffect *arm_effect = &result->effects[arm];
    *is_bound = false;
    if (!arm || !arm_effect->seeds || experiment->settings.moments < 2) return arm ? 0 : 1;
    if (arm_effect->effect < 0)
        return 1 / compute_fraction_at(experiment, result, 0, arm_effect->mean, is_bound);
    return compute_fraction_at(experiment, result, arm, 0, is_bound);
}

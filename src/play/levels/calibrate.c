#include "play/levels/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "play/match/elo.h"
#include "play/match/tournament/tournament.h"
#include "search/result/level.h"

static const double STRENGTHS[] = {0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95, 1};
enum {
    POINTS = sizeof STRENGTHS / sizeof *STRENGTHS,
    RANDOM = POINTS, /* players: the strengths, random play, the anchor */
    ANCHOR,
    PLAYERS,
    PAIRINGS_MAX = 64,
    /* The anchor plays this number of strengths, a few games each, and then the two whose ratings
     * are nearest to its own. */
    PROBES = 3,
    NEAREST = 2
};

typedef struct {
    const CalibrateSetup *setup;
    PlayerSpec players[PLAYERS];
    TournamentPairing pairings[PAIRINGS_MAX];
    MatchResult results[PAIRINGS_MAX];
    int pairing_count;
    MatchStanding before; /* the games of earlier tournaments */
} Calibration;

static int probe_games(const CalibrateSetup *setup) {
    return (setup->games + 7) / 8;
}

static int random_games(const CalibrateSetup *setup) {
    return (setup->games + 3) / 4;
}

int calibrate_games(const CalibrateSetup *setup) {
    int games = setup->games * (2 * POINTS - 3) + 2 * random_games(setup);
    if (setup->anchor) games += PROBES * probe_games(setup) + NEAREST * setup->games;
    return games;
}

static void add_pairing(Calibration *c, int first, int second, int games) {
    c->pairings[c->pairing_count++] = (TournamentPairing){first, second, games};
}

static void on_game(void *context, const MatchStanding *standing) {
    const Calibration *c = context;
    const TournamentSetup *t = &c->setup->tournament;
    const MatchStanding sum = {c->before.done + standing->done,
                               c->before.counted + standing->counted,
                               c->before.points + standing->points};
    if (t->on_game) t->on_game(t->context, &sum);
}

/* Plays the pairings from `first` on. */
static Status play(Calibration *c, int first, Error *err) {
    TournamentSetup tournament = c->setup->tournament;
    tournament.players = c->players;
    tournament.player_count = c->setup->anchor ? PLAYERS : ANCHOR;
    tournament.pairings = c->pairings + first;
    tournament.pairing_count = c->pairing_count - first;
    tournament.on_game = on_game;
    tournament.context = c;
    Status status = tournament_run(&tournament, c->results + first, err);
    for (int i = first; i < c->pairing_count; i++) {
        const MatchResult *r = &c->results[i];
        c->before.done += r->games + r->unfinished;
        c->before.counted += r->games;
        if (status || c->pairings[i].second != ANCHOR || !(r->failures[1] || r->unfinished))
            continue;
        status = fail(err, ERR_UNSUPPORTED, "%s %s", c->players[ANCHOR].name,
                      r->failures[1] ? "failed during a game"
                                     : "refused a move that the rules allow; choose other rules");
    }
    return status;
}

/* Fits the ratings, and sets `*total` to the number of games. The later of two pairings of the same
 * players holds the games of both. */
static Status rate(const Calibration *c, EloFit *fit, int *total, Error *err) {
    EloGames games[PAIRINGS_MAX];
    int count = 0;
    *total = 0;
    for (int i = 0; i < c->pairing_count; i++) {
        const TournamentPairing *p = &c->pairings[i];
        const MatchResult *r = &c->results[i];
        bool is_later = false;
        for (int k = i + 1; k < c->pairing_count; k++)
            is_later = is_later ||
                       (c->pairings[k].first == p->first && c->pairings[k].second == p->second);
        if (is_later || r->games == 0) continue;
        *total += r->games;
        games[count++] = (EloGames){p->first, p->second, r->wins[0], r->draws, r->wins[1]};
    }
    bool has_anchor = c->setup->anchor;
    return elo_fit_new(&(EloSetup){.games = games,
                                   .game_count = count,
                                   .players = has_anchor ? PLAYERS : ANCHOR,
                                   .anchor = has_anchor ? ANCHOR : RANDOM,
                                   .prior_games = 0.5},
                       fit, err);
}

static Status set_players(Calibration *c, Error *err) {
    Status status = OK;
    for (int i = 0; i < POINTS && !status; i++) {
        char text[1200];
        snprintf(text, sizeof text, "net=%.1024s,strength=%g,name=strength %g", c->setup->net,
                 STRENGTHS[i], STRENGTHS[i]);
        status = player_parse(text, &c->players[i], err);
    }
    if (!status) status = player_parse("random", &c->players[RANDOM], err);
    if (c->setup->anchor) c->players[ANCHOR] = *c->setup->anchor;
    return status;
}

/* Lets the anchor play the strengths whose ratings are nearest to its own, which is 0. */
static Status play_nearest(Calibration *c, const EloFit *fit, Error *err) {
    int nearest[NEAREST] = {0, 1}, first = c->pairing_count;
    for (int i = 1; i + 1 < POINTS; i++)
        if (fabs(fit->elo[i] + fit->elo[i + 1]) < fabs(fit->elo[nearest[0]] + fit->elo[nearest[1]]))
            nearest[0] = i, nearest[1] = i + 1;
    for (int i = 0; i < NEAREST; i++)
        add_pairing(c, nearest[i], ANCHOR, c->setup->games);
    return play(c, first, err);
}

/* Makes the ratings rise with the strength. Neighbouring ratings that do not rise are replaced by
 * their mean, weighted by 1 / variance. */
static void set_points(const EloFit *fit, LevelScale *out) {
    double sum[POINTS], weight[POINTS];
    int length[POINTS], blocks = 0, at = 0;
    for (int i = 0; i < POINTS; i++) {
        double deviation = fmax(1, elo_fit_deviation_anchor(fit, i));
        out->points[i] = (LevelPoint){STRENGTHS[i], 0, deviation};
        weight[blocks] = 1 / (deviation * deviation);
        sum[blocks] = fit->elo[i] * weight[blocks];
        length[blocks++] = 1;
        while (blocks > 1 &&
               sum[blocks - 2] / weight[blocks - 2] >= sum[blocks - 1] / weight[blocks - 1]) {
            blocks--;
            sum[blocks - 1] += sum[blocks];
            weight[blocks - 1] += weight[blocks];
            length[blocks - 1] += length[blocks];
        }
    }
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < length[b]; k++)
            out->points[at++].elo = sum[b] / weight[b];
    out->count = POINTS;
}

static Status calibrate_with(Calibration *c, LevelScale *out, Error *err) {
    EloFit fit = {0};
    const CalibrateSetup *setup = c->setup;
    int games = 0;
    for (int i = 0; i < POINTS; i++) {
        for (int distance = 1; distance <= 2 && i + distance < POINTS; distance++)
            add_pairing(c, i, i + distance, setup->games);
    }
    for (int i = 0; i < 2; i++)
        add_pairing(c, i, RANDOM, random_games(setup));
    for (int i = 0; i < PROBES && setup->anchor; i++)
        add_pairing(c, i * (POINTS - 1) / (PROBES - 1), ANCHOR, probe_games(setup));
    Status status = set_players(c, err);
    if (!status) status = play(c, 0, err);
    if (!status) status = rate(c, &fit, &games, err);
    if (!status && setup->anchor) {
        status = play_nearest(c, &fit, err);
        elo_fit_clear(&fit);
        if (!status) status = rate(c, &fit, &games, err);
    }
    if (status) return status;
    const TournamentSetup *t = &setup->tournament;
    *out = (LevelScale){.strength_version = LEVEL_STRENGTH_VERSION,
                        .width = t->width,
                        .height = t->height,
                        .rules = t->rules,
                        .games = games,
                        .has_ranks = setup->anchor};
    snprintf(out->net, sizeof out->net, "%s", path_name(setup->net));
    set_points(&fit, out);
    elo_fit_clear(&fit);
    return OK;
}

Status calibrate(const CalibrateSetup *setup, LevelScale *out, Error *err) {
    Calibration *c;
    Status status = mem_new(1, sizeof *c, &c, err);
    if (status) return status;
    c->setup = setup;
    status = calibrate_with(c, out, err);
    free(c);
    return status;
}

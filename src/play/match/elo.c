#include "play/match/elo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "play/match/elo_solve.h"

#define ELO_PER_NAT (400.0 / 2.302585092994046) /* Elo per natural unit, a factor e in strength */
/* nu is the parameter of draws (elo.h). Its prior has this many games between equal players, of
 * which half are drawn. */
static const double DRAW_PRIOR_GAMES = 1;

double elo_expected(double difference) {
    return 1 / (1 + pow(10, -difference / 400));
}

double elo_of_score(double score) {
    if (score <= 0) return -HUGE_VAL;
    if (score >= 1) return HUGE_VAL;
    return 0 - 400 * log10(1 / score - 1); /* 0, not -0 */
}

EloText elo_interval_text(double score, double low, double high) {
    EloText out;
    if ((score >= 1 && low < 0.5) || (score <= 0 && high > 0.5))
        snprintf(out.text, sizeof out.text, "unknown after so few games");
    else if (score >= 1)
        snprintf(out.text, sizeof out.text, "over %+.0f", elo_of_score(low));
    else if (score <= 0)
        snprintf(out.text, sizeof out.text, "under %+.0f", elo_of_score(high));
    else
        snprintf(out.text, sizeof out.text, "%+.0f (%+.0f to %+.0f)", elo_of_score(score),
                 elo_of_score(low), elo_of_score(high));
    return out;
}

double elo_superiority(double difference, double deviation) {
    if (deviation <= 0) return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
    return 0.5 * erfc(-difference / (deviation * sqrt(2)));
}

/* The state of the maximisation. The unknowns are the strength of each player, in natural units. If
 * any game was drawn, ln nu is the last unknown. */
typedef struct {
    const EloSetup *setup;
    int unknowns;
    bool draws;
    double center;                        /* the strength that the prior favours */
    double *theta, *gradient, *curvature; /* unknowns, slopes, negative Hessian */
} PosteriorFit;

static bool is_fixed(const EloSetup *setup, int player) {
    return setup->fixed && isfinite(setup->fixed[player]);
}

/* Adds what one pairing contributes to gradient and negative Hessian of the log likelihood. */
static void add_game_derivatives(PosteriorFit *fit, const EloGames *g) {
    int n = fit->unknowns, i = g->first, j = g->second, e = n - 1;
    double half = (fit->theta[i] - fit->theta[j]) / 2, nu = fit->draws ? exp(fit->theta[e]) : 0;
    double largest = fabs(half); /* the next three are divided by e^largest: none overflows */
    double win = exp(half - largest), loss = exp(-half - largest), draw = nu * exp(-largest);
    double sum = win + loss + draw, games = g->wins + g->losses + g->draws;
    win /= sum, loss /= sum, draw /= sum;
    double derivative = (g->wins - g->losses - games * (win - loss)) / 2;
    double second_derivative = games * (win + loss - (win - loss) * (win - loss)) / 4;
    double *h = fit->curvature;
    fit->gradient[i] += derivative;
    fit->gradient[j] -= derivative;
    h[i * n + i] += second_derivative;
    h[j * n + j] += second_derivative;
    h[i * n + j] -= second_derivative;
    h[j * n + i] -= second_derivative;
    if (!fit->draws) return;
    double cross = games * draw * (win - loss) / 2;
    fit->gradient[e] += g->draws - games * draw;
    h[e * n + e] += games * draw * (1 - draw);
    h[e * n + i] -= cross;
    h[i * n + e] -= cross;
    h[e * n + j] += cross;
    h[j * n + e] += cross;
}

/* Adds the prior. Each player has `prior_games` drawn games against an opponent at the center. For
 * nu, DRAW_PRIOR_GAMES games between equal players are half drawn. */
static void add_prior_derivatives(PosteriorFit *fit) {
    int n = fit->unknowns, e = n - 1;
    double games = fit->setup->prior_games;
    for (int i = 0; i < fit->setup->players; i++) {
        double expected = 1 / (1 + exp(fit->center - fit->theta[i]));
        fit->gradient[i] += games * (0.5 - expected);
        fit->curvature[i * n + i] += games * expected * (1 - expected);
    }
    if (!fit->draws) return;
    double nu = exp(fit->theta[e]), drawn = nu / (2 + nu);
    fit->gradient[e] += DRAW_PRIOR_GAMES * (0.5 - drawn);
    fit->curvature[e * n + e] += DRAW_PRIOR_GAMES * drawn * (1 - drawn);
}

/* Sets the Newton step of fixed players to 0. This does not change the steps of the others. */
static void pin_fixed_players(PosteriorFit *fit) {
    int n = fit->unknowns;
    for (int i = 0; i < fit->setup->players; i++) {
        if (!is_fixed(fit->setup, i)) continue;
        fit->gradient[i] = 0;
        for (int k = 0; k < n; k++)
            fit->curvature[i * n + k] = fit->curvature[k * n + i] = 0;
        fit->curvature[i * n + i] = 1;
    }
}

static void compute_derivatives(PosteriorFit *fit) {
    size_t n = (size_t)fit->unknowns;
    for (size_t i = 0; i < n; i++)
        fit->gradient[i] = 0;
    for (size_t i = 0; i < n * n; i++)
        fit->curvature[i] = 0;
    for (int k = 0; k < fit->setup->game_count; k++)
        add_game_derivatives(fit, &fit->setup->games[k]);
    add_prior_derivatives(fit);
    pin_fixed_players(fit);
}

/* Maximises the log posterior, which is concave, by Newton's method with steps of at most 1. Leaves
 * the Cholesky factor of the curvature in `curvature`. Returns false if the curvature is not
 * positive definite. */
static bool maximise_posterior(PosteriorFit *fit) {
    for (int iteration = 0; iteration < 200; iteration++) {
        compute_derivatives(fit);
        if (!elo_solve_factor(fit->curvature, fit->unknowns)) return false;
        elo_solve(fit->curvature, fit->unknowns, fit->gradient);
        double largest = 0;
        for (int i = 0; i < fit->unknowns; i++)
            largest = fmax(largest, fabs(fit->gradient[i]));
        double scale = largest > 1 ? 1 / largest : 1;
        for (int i = 0; i < fit->unknowns; i++)
            fit->theta[i] += scale * fit->gradient[i];
        if (largest < 1e-9) return true;
    }
    return true;
}

static Status check_games(const EloSetup *setup, Error *err) {
    if (setup->players < 1 || setup->anchor < 0 || setup->anchor >= setup->players)
        return fail(err, ERR_ARGUMENT, "anchor %d is not one of %d players", setup->anchor,
                    setup->players);
    if (!(setup->prior_games > 0))
        return fail(err, ERR_ARGUMENT, "the prior has %g games, but needs more than 0",
                    setup->prior_games);
    for (int i = 0; i < setup->game_count; i++) {
        const EloGames *g = &setup->games[i];
        bool good = g->first >= 0 && g->first < setup->players && g->second >= 0 &&
                    g->second < setup->players && g->first != g->second && g->wins >= 0 &&
                    g->losses >= 0 && g->draws >= 0 && isfinite(g->wins + g->losses + g->draws);
        if (!good)
            return fail(
                err, ERR_ARGUMENT,
                "pairing %d is impossible: player %d against player %d, wins %g to %g, %g draws", i,
                g->first, g->second, g->wins, g->losses, g->draws);
    }
    return OK;
}

/* Gives the fixed players their ratings, and the others the mean of the fixed ratings, which is
 * also the center of the prior. If no rating is fixed, all begin at 0. */
static void set_start_ratings(PosteriorFit *fit) {
    const EloSetup *setup = fit->setup;
    int fixed = 0;
    for (int i = 0; i < setup->players; i++) {
        if (!is_fixed(setup, i)) continue;
        fit->theta[i] = setup->fixed[i] / ELO_PER_NAT;
        fit->center += fit->theta[i];
        fixed++;
    }
    if (fixed) fit->center /= fixed;
    for (int i = 0; i < setup->players && fixed; i++) {
        if (!is_fixed(setup, i)) fit->theta[i] = fit->center;
    }
}

/* Writes the inverse of the curvature, column by column, without the row and column of nu. */
static void write_covariance(const PosteriorFit *fit, double *column, EloFit *out) {
    for (int i = 0; i < out->players; i++) {
        for (int k = 0; k < fit->unknowns; k++)
            column[k] = k == i;
        elo_solve(fit->curvature, fit->unknowns, column);
        for (int k = 0; k < out->players; k++) {
            bool fixed = is_fixed(fit->setup, i) || is_fixed(fit->setup, k);
            out->covariance[k * out->players + i] =
                fixed ? 0 : column[k] * ELO_PER_NAT * ELO_PER_NAT;
        }
    }
}

static void write_fit(const PosteriorFit *fit, EloFit *out) {
    const EloSetup *setup = fit->setup;
    bool fixed = false;
    for (int i = 0; i < setup->players; i++)
        fixed = fixed || is_fixed(setup, i);
    out->anchor = fixed ? -1 : setup->anchor;
    double shift = fixed ? 0 : setup->anchor_elo - fit->theta[setup->anchor] * ELO_PER_NAT;
    for (int i = 0; i < setup->players; i++)
        out->elo[i] = fit->theta[i] * ELO_PER_NAT + shift;
    if (!fixed) out->elo[setup->anchor] = setup->anchor_elo;
    out->draw = fit->draws ? exp(fit->theta[fit->unknowns - 1]) : 0;
    write_covariance(fit, fit->gradient, out);
}

/* Replaces group `from` by group `to`. */
static void merge_groups(int *group, int players, int from, int to) {
    for (int i = 0; i < players && from != to; i++) {
        if (group[i] == from) group[i] = to;
    }
}

static Status find_groups(const EloSetup *setup, EloFit *out, Error *err) {
    int n = setup->players, first = -1;
    Status status = mem_new((size_t)n, sizeof *out->group, &out->group, err);
    if (status) return status;
    for (int i = 0; i < n; i++)
        out->group[i] = i + 1;
    for (int i = 0; i < n; i++) { /* all fixed players are on one scale */
        if (is_fixed(setup, i) && first < 0) first = i;
        if (is_fixed(setup, i)) merge_groups(out->group, n, out->group[i], out->group[first]);
    }
    for (int k = 0; k < setup->game_count; k++) {
        const EloGames *g = &setup->games[k];
        if (g->wins + g->losses + g->draws > 0)
            merge_groups(out->group, n, out->group[g->first], out->group[g->second]);
    }
    merge_groups(out->group, n, out->group[first < 0 ? setup->anchor : first], 0);
    return OK;
}

Status elo_fit_new(const EloSetup *setup, EloFit *out, Error *err) {
    *out = (EloFit){0};
    Status status = check_games(setup, err);
    if (status) return status;
    double draws = 0, *memory;
    for (int i = 0; i < setup->game_count; i++)
        draws += setup->games[i].draws;
    size_t players = (size_t)setup->players, n = players + (draws > 0);
    status = mem_new(n * n + 2 * n, sizeof *memory, &memory, err);
    if (status) return status;
    PosteriorFit fit = {setup, (int)n, draws > 0, 0, memory, memory + n, memory + 2 * n};
    set_start_ratings(&fit);
    status = mem_new(players, sizeof *out->elo, &out->elo, err);
    if (!status)
        status = mem_new(players * players, sizeof *out->covariance, &out->covariance, err);
    if (!status) status = find_groups(setup, out, err);
    if (!status && !maximise_posterior(&fit))
        status = fail(err, ERR_ARGUMENT,
                      "the games do not determine the ratings: the curvature is singular");
    out->players = setup->players;
    if (!status) write_fit(&fit, out);
    free(memory);
    if (status) elo_fit_clear(out);
    return status;
}

void elo_fit_clear(EloFit *fit) {
    free(fit->elo);
    free(fit->covariance);
    free(fit->group);
    *fit = (EloFit){0};
}

double elo_fit_deviation(const EloFit *fit, int i, int j) {
    const double *s = fit->covariance;
    int n = fit->players;
    return i == j ? 0 : sqrt(fmax(0, s[i * n + i] + s[j * n + j] - 2 * s[i * n + j]));
}

double elo_fit_deviation_anchor(const EloFit *fit, int i) {
    if (fit->anchor >= 0) return elo_fit_deviation(fit, i, fit->anchor);
    return sqrt(fmax(0, fit->covariance[i * fit->players + i]));
}

bool elo_fit_connects(const EloFit *fit, int i, int j) {
    return fit->group[i] == fit->group[j];
}

double elo_fit_superiority(const EloFit *fit, int i, int j) {
    return elo_superiority(fit->elo[i] - fit->elo[j], elo_fit_deviation(fit, i, j));
}

double elo_fit_contrast_deviation(const EloFit *fit, const double *weights) {
    double sum = 0;
    for (int i = 0; i < fit->players; i++) {
        for (int j = 0; j < fit->players && weights[i] != 0; j++)
            sum += weights[i] * weights[j] * fit->covariance[i * fit->players + j];
    }
    return sqrt(fmax(0, sum));
}

Status elo_rate(const EloSetup *setup, EloRating *ratings, Error *err) {
    EloFit fit;
    Status status = elo_fit_new(setup, &fit, err);
    if (status) return status;
    for (int i = 0; i < setup->players; i++)
        ratings[i] = (EloRating){fit.elo[i], elo_fit_deviation_anchor(&fit, i), fit.group[i] == 0};
    elo_fit_clear(&fit);
    return OK;
}

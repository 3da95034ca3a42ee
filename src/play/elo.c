#include "play/elo.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

#define ELO_PER_NAT (400.0 / 2.302585092994046) /* Elo of a factor e in strength */

double elo_expected(double difference) {
    return 1 / (1 + pow(10, -difference / 400));
}

double elo_of_score(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

double elo_superiority(double difference, double deviation) {
    if (deviation <= 0) return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
    return 0.5 * erfc(-difference / (deviation * sqrt(2)));
}

/* Adds one pairing's share of gradient and negative Hessian of the log likelihood at `theta`. */
static void add_pairing(int i, int j, double wins, double losses, const double *theta, int players,
                        double *gradient, double *curvature) {
    double expected = 1 / (1 + exp(theta[j] - theta[i]));
    double games = wins + losses;
    double slope = wins - games * expected;
    double bend = games * expected * (1 - expected);
    gradient[i] += slope;
    gradient[j] -= slope;
    curvature[i * players + i] += bend;
    curvature[j * players + j] += bend;
    curvature[i * players + j] -= bend;
    curvature[j * players + i] -= bend;
}

/* The prior: `games` draws of each player against one of rating 0 (the average, as the fit is
 * centred). */
static void add_prior(double games, const double *theta, int players, double *gradient,
                      double *curvature) {
    for (int i = 0; i < players; i++) {
        double expected = 1 / (1 + exp(-theta[i]));
        gradient[i] += games * (0.5 - expected);
        curvature[i * players + i] += games * expected * (1 - expected);
    }
}

/* Lower Cholesky factor in place; false: not positive definite. */
static bool cholesky(double *a, int n) {
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j) {
                if (!(sum > 0)) return false;
                a[j * n + j] = sqrt(sum);
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
    }
    return true;
}

static void cholesky_solve(const double *factor, int n, double *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= factor[i * n + k] * x[k];
        x[i] /= factor[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= factor[k * n + i] * x[k];
        x[i] /= factor[i * n + i];
    }
}

typedef struct {
    const EloPairing *pairings;
    int count, players;
    double prior_games;
    double *theta, *gradient, *curvature; /* natural units */
} Fit;

/* Newton's method with a bounded step; the log posterior is concave. Leaves the factor in
 * curvature. */
static bool fit_run(Fit *fit) {
    size_t n = (size_t)fit->players;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < n; i++)
            fit->gradient[i] = 0;
        for (size_t i = 0; i < n * n; i++)
            fit->curvature[i] = 0;
        for (int k = 0; k < fit->count; k++) {
            const EloPairing *p = &fit->pairings[k];
            add_pairing(p->first, p->second, p->wins, p->losses, fit->theta, fit->players,
                        fit->gradient, fit->curvature);
        }
        add_prior(fit->prior_games, fit->theta, fit->players, fit->gradient, fit->curvature);
        if (!cholesky(fit->curvature, fit->players)) return false;
        cholesky_solve(fit->curvature, fit->players, fit->gradient);
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(fit->gradient[i]));
        double scale = largest > 1 ? 1 / largest : 1;
        for (size_t i = 0; i < n; i++)
            fit->theta[i] += scale * fit->gradient[i];
        if (largest < 1e-9) return true;
    }
    return true;
}

/* Variance of theta[i] - theta[anchor] from the factor of the curvature. */
static double difference_variance(const Fit *fit, int i, int anchor, double *work) {
    for (int k = 0; k < fit->players; k++)
        work[k] = 0;
    work[i] += 1;
    work[anchor] -= 1;
    cholesky_solve(fit->curvature, fit->players, work);
    return work[i] - work[anchor];
}

Status elo_fit(const EloPairing *pairings, int pairing_count, int players, int anchor,
               double prior_games, EloRating *ratings, Error *err) {
    if (players < 1 || anchor < 0 || anchor >= players)
        return fail(err, ERR_ARGUMENT, "anchor %d is not one of %d players", anchor, players);
    if (!(prior_games > 0))
        return fail(err, ERR_ARGUMENT, "the prior needs more than %g games", prior_games);
    for (int i = 0; i < pairing_count; i++) {
        const EloPairing *p = &pairings[i];
        bool good = p->first >= 0 && p->first < players && p->second >= 0 && p->second < players &&
                    p->first != p->second && p->wins >= 0 && p->losses >= 0 &&
                    isfinite(p->wins + p->losses);
        if (!good)
            return fail(err, ERR_ARGUMENT, "pairing %d (%d against %d, %g to %g) is impossible", i,
                        p->first, p->second, p->wins, p->losses);
    }
    size_t n = (size_t)players;
    double *memory;
    Status status = mem_new(n * n + 3 * n, sizeof *memory, &memory, err);
    if (status) return status;
    Fit fit = {pairings, pairing_count, players, prior_games, memory, memory + n, memory + 3 * n};
    if (!fit_run(&fit)) {
        free(memory);
        return fail(err, ERR_ARGUMENT, "the games do not determine the ratings");
    }
    for (int i = 0; i < players; i++) {
        double variance = i == anchor ? 0 : difference_variance(&fit, i, anchor, memory + 2 * n);
        ratings[i] = (EloRating){(fit.theta[i] - fit.theta[anchor]) * ELO_PER_NAT,
                                 sqrt(fmax(0, variance)) * ELO_PER_NAT};
    }
    free(memory);
    return OK;
}

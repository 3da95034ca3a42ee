/* elo.h - Elo ratings of any number of players from their games, by one fit (maximum a posteriori)
 * with the full covariance, which gives the interval of the difference of any two players. Without
 * draws the model is Bradley and Terry's (Hunter 2004, "MM algorithms for generalized Bradley-Terry
 * models"); with draws it is Davidson's (1970, "On extending the Bradley-Terry model to accommodate
 * ties in paired comparison experiments"). With d the difference of two strengths in natural units
 * (Elo * ln(10) / 400):
 *     P(win) = e^(d/2) / Z    P(loss) = e^(-d/2) / Z    P(draw) = nu / Z
 *     Z = e^(d/2) + e^(-d/2) + nu
 * As in Bayeselo (Coulom 2005) there is a prior of a few drawn games. Threading: confined. */
#pragma once
#include "base/error.h"
#include <stdbool.h>

typedef struct {
    int first, second;
    double wins, draws, losses; /* of `first` */
} EloGames;
typedef struct {
    const EloGames *games;
    int game_count, players;
    const double *fixed; /* [players], Elo; not finite: the fit finds this rating. NULL: the fit
                            finds all */
    int anchor;          /* without fixed ratings, this player gets anchor_elo */
    double anchor_elo;
    double prior_games; /* virtual draws of each player against the mean of the fixed ratings (or of
                           all), above 0: they keep the rating finite if all games were won */
} EloSetup;
typedef struct {
    int players;
    double *elo;        /* [players] */
    double *covariance; /* [players][players], Elo^2, of the ratings before they are shifted to the
                           anchor; 0 for fixed ratings */
    double draw;        /* nu; 0: there were no draws */
    int anchor;         /* -1: some ratings were fixed */
    int *group;         /* [players]: players that games connect have the same number, and those
                           connected with the anchor or with fixed ratings have 0. Differences
                           between groups come from the prior alone. */
} EloFit;
/* Finds the ratings. The caller calls elo_fit_clear(). ERR_ARGUMENT: an index or a count is
 * impossible, or the games do not determine the ratings. */
MUST_USE Status elo_fit_new(const EloSetup *setup, EloFit *out, Error *err);
void elo_fit_clear(EloFit *fit);
typedef struct {
    double elo, deviation; /* standard error of the difference to the anchor or to fixed ratings */
    bool known;            /* games connect the player with them; otherwise only the prior does */
} EloRating;
/* Writes ratings[players], relative to the anchor, without the covariance. Errors as
 * elo_fit_new(). */
MUST_USE Status elo_rate(const EloSetup *setup, EloRating *ratings, Error *err);
/* The standard error of the difference of two ratings, with S the covariance:
 *     sqrt(S_ii + S_jj - 2 S_ij) */
double elo_fit_deviation(const EloFit *fit, int i, int j);
/* The standard error of the difference to the anchor or to the fixed ratings. */
double elo_fit_deviation_anchor(const EloFit *fit, int i);
/* Whether games connect the two players, so that more than the prior says how far apart they
 * are. */
bool elo_fit_connects(const EloFit *fit, int i, int j);
/* P(i is stronger than j). */
double elo_fit_superiority(const EloFit *fit, int i, int j);
/* The standard error of sum weights[i] * elo[i]. */
double elo_fit_contrast_deviation(const EloFit *fit, const double *weights);

/* P(a is stronger than b) for the Elo difference a - b with this standard error. */
double elo_superiority(double difference, double deviation);
/* The expected score, 0..1, of a player who is `difference` Elo stronger. */
double elo_expected(double difference);
/* The Elo difference with this expected score; infinite for 0 and 1. */
double elo_of_score(double score);
typedef struct {
    char text[64];
} EloText;
/* The Elo of a score with the interval of scores low .. high, like "+100 (+36 to +172)". If all
 * games were won or lost, the only finite end of the interval: "over +382", "under -382". */
EloText elo_interval_text(double score, double low, double high);

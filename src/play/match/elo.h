/* elo.h - ratings of all players of many games in one fit (maximum a posteriori), with the full
 * covariance, so that the difference of any two has an interval of its own. Without draws the model
 * is Bradley and Terry's (Hunter 2004, "MM algorithms for generalized Bradley-Terry models"); with
 * draws Davidson's (1970, "On extending the Bradley-Terry model to accommodate ties in paired
 * comparison experiments"): with d the difference in natural units,
 *     P(win) = e^(d/2) / Z, P(loss) = e^(-d/2) / Z, P(draw) = nu / Z, Z their sum.
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
    const double *fixed; /* [players], Elo; NAN: to be found. NULL: none is fixed, and all are
                            shifted so that `anchor` is `anchor_elo` */
    int anchor;
    double anchor_elo;
    double prior_games; /* virtual draws of each player against the average, or against the mean of
                           those that are fixed, so that a clean sweep stays finite */
} EloSetup;
typedef struct {
    int players;
    double *elo;        /* [players] */
    double *covariance; /* [players][players], Elo^2: of the ratings before the anchor's is taken
                           from them; what is fixed has 0 */
    double draw;        /* nu; 0: there were no draws */
    int anchor;         /* -1: some were fixed */
    int *group;         /* [players]: those whom games connect have one number, 0 with the anchor or
                           with what is fixed. What is between groups the prior alone has set. */
} EloFit;
/* ERR_ARGUMENT: an index or a number that cannot be. */
MUST_USE Status elo_fit_new(const EloSetup *setup, EloFit *out, Error *err);
void elo_fit_clear(EloFit *fit);
typedef struct {
    double elo, deviation; /* its standard error against the anchor, or against what is fixed */
    bool known;            /* games connect it with that; else the prior alone has set it */
} EloRating;
/* ratings[players], of such a fit, where all that is asked is against the anchor. */
MUST_USE Status elo_rate(const EloSetup *setup, EloRating *ratings, Error *err);
/* The standard error of the difference of two: sqrt(S_ii + S_jj - 2 S_ij). */
double elo_fit_deviation(const EloFit *fit, int i, int j);
/* The same against the anchor, or against what is fixed. */
double elo_fit_deviation_anchor(const EloFit *fit, int i);
/* Whether games say how far apart they are. */
bool elo_fit_knows(const EloFit *fit, int i, int j);
/* P(i is stronger than j). */
double elo_fit_superiority(const EloFit *fit, int i, int j);
/* The standard error of sum weights[i] * elo[i]. */
double elo_fit_contrast_deviation(const EloFit *fit, const double *weights);

/* P(a is stronger than b). */
double elo_superiority(double difference, double deviation);
double elo_expected(double difference); /* score of the stronger, 0..1 */
double elo_of_score(double score);
/* "+100 (+36 to +172)"; of a clean sweep the end of the interval that there is: "over +382". */
typedef struct {
    char text[64];
} EloText;
EloText elo_interval_text(double score, double low, double high);

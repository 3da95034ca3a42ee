/* elo.h - Elo ratings of any number of players from their games, by one fit (maximum a posteriori).
 * The fit gives the full covariance, and so an interval for the difference of any two players.
 * Without draws the model is Bradley and Terry's (Hunter 2004, "MM algorithms for generalized
 * Bradley-Terry models"); with draws it is Davidson's (1970, "On extending the Bradley-Terry model
 * to accommodate ties in paired comparison experiments"). If d is the difference of two strengths
 * in natural units (Elo * ln(10) / 400):
 *     P(win) = e^(d/2) / Z    P(loss) = e^(-d/2) / Z    P(draw) = nu / Z
 *     Z = e^(d/2) + e^(-d/2) + nu
 * As in Bayeselo (Coulom 2005), the prior consists of a few drawn games. Threading: confined. */
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
    const double *fixed; /* [players], Elo; the fit finds the ratings of the players whose number
                            here is not finite, or of all players if this is NULL */
    int anchor;          /* without fixed ratings, this player gets anchor_elo */
    double anchor_elo;
    double prior_games; /* number of virtual games of each player, all drawn. The opponent in them
                           has the mean of the fixed ratings or, if none is fixed, a constant
                           rating, which becomes about the mean of the players. The number must
                           be above 0. Therefore a player who never lost gets a finite rating
                           too. */
} EloSetup;
typedef struct {
    int players;
    double *elo;        /* [players] */
    double *covariance; /* [players][players], Elo^2, of the ratings before they are shifted to the
                           anchor; 0 for fixed ratings */
    double draw;        /* nu; 0 if there were no draws */
    int anchor;         /* the player with anchor_elo; -1 if some ratings were fixed */
    int *group;         /* [players]: players whom games connect have the same number. Players
                           connected with the anchor or with fixed ratings have the number 0.
                           Only the prior determines differences between groups. */
} EloFit;
/* Finds the ratings. The caller calls elo_fit_clear(). ERR_ARGUMENT: an index of a player or a
 * number of games in `setup` is impossible, or the games do not determine the ratings. */
MUST_USE Status elo_fit_new(const EloSetup *setup, EloFit *out, Error *err);
void elo_fit_clear(EloFit *fit);
typedef struct {
    double elo, deviation; /* deviation: standard error of the difference to the anchor or to the
                              fixed ratings */
    bool known;            /* games connect the player with the anchor or with fixed ratings;
                              otherwise only the prior gives the rating */
} EloRating;
/* Writes the ratings with their standard errors to ratings[players], for callers that do not need
 * the covariance. Errors are those of elo_fit_new(). */
MUST_USE Status elo_rate(const EloSetup *setup, EloRating *ratings, Error *err);
/* Returns the standard error of the difference of two ratings, where S is the covariance:
 *     sqrt(S_ii + S_jj - 2 S_ij) */
double elo_fit_deviation(const EloFit *fit, int i, int j);
/* Returns the standard error of the rating of player i relative to the anchor or to the fixed
 * ratings. */
double elo_fit_deviation_anchor(const EloFit *fit, int i);
/* Returns whether games connect the two players. If not, only the prior says how far apart they
 * are. */
bool elo_fit_connects(const EloFit *fit, int i, int j);
/* Returns P(i is stronger than j). */
double elo_fit_superiority(const EloFit *fit, int i, int j);
/* Returns the standard error of sum weights[i] * elo[i]. */
double elo_fit_contrast_deviation(const EloFit *fit, const double *weights);

/* Returns P(a is stronger than b), where the Elo difference a - b has this standard error. */
double elo_superiority(double difference, double deviation);
/* Returns the expected score, 0..1, of a player who is `difference` Elo stronger. */
double elo_expected(double difference);
/* Returns the Elo difference with this expected score; it is infinite for 0 and 1. */
double elo_of_score(double score);
typedef struct {
    char text[64];
} EloText;
/* Writes the Elo difference of a score with its interval, such as "+100 (+36 to +172)"; the scores
 * low .. high give the interval. If all games were won or all were lost, only one end of the
 * interval is finite. The text then is this end, such as "over +382" or "under -382". If even this
 * end does not show who is better, the text says that there are too few games. */
EloText elo_interval_text(double score, double low, double high);

/* net_ratings.h - the Elo ratings of a run's nets, by one fit to all games in the index. Random
 * play loses nearly every game, so ratings relative to random play are known only roughly.
 * Differences between nets are known much better, so the reports show these differences.
 * The anchor is a player outside of the run that rated nets also play, for example GNU Go
 * (run.anchor).
 * Threading: confined. */
#pragma once
#include "run/store/index/run_index.h"

/* An Elo difference and its standard error, which is computed from the full covariance of the
 * fit. */
typedef struct {
    double elo, deviation;
} EloGain;

typedef struct {
    int number;
    EloGain random; /* over random play */
    EloGain first;  /* over the first rated net of the run; 0 for the first rated net */
    EloGain before; /* over the rated net before this one; 0 for the first rated net */
    EloGain anchor; /* over the anchor; 0 if no games connect the net with the anchor */
} NetRating;

typedef struct {
    NetRating *nets; /* in order of their numbers; only nets that games connect with random play */
    int count;
    AnchorName anchor; /* empty if no net has played the anchor */
} NetRatings;

/* Rates the nets up to number `newest`. Games of nets with higher numbers are left out, because
 * those nets no longer exist. The caller calls net_ratings_clear() on `*out`. */
MUST_USE Status net_ratings_fit(RunIndex *index, int newest, NetRatings *out, Error *err);
void net_ratings_clear(NetRatings *ratings);
/* Returns the rating of a net, or NULL if it is not rated. */
const NetRating *net_ratings_find(const NetRatings *ratings, int number);
/* Returns the strongest net, or the newest of equally strong ones. Returns NULL if no net is
 * rated. */
const NetRating *net_ratings_best(const NetRatings *ratings);

/* rate_pool.h - the games of any number of runs and matches, by the names of the players, and their
 * ratings in one fit. A name is one player wherever it comes from: so random play, a fixed program
 * or an old net ties several runs to one scale. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "play/match/elo.h"
#include <stddef.h>

typedef struct {
    char **names; /* [players] */
    int players;
    EloGames *games; /* one entry a pair that met */
    int pairs;
    size_t name_capacity, pair_capacity;
    int width, height; /* the board of the games of folders and runs; 0: none yet */
    float komi;
    bool komi_told;      /* that there is another one, too */
    char board_from[96]; /* what was of that board first */
} RatePool;              /* {0} is empty */
void rate_pool_clear(RatePool *pool);
/* The player of this name; made where there is none. -1: no memory. */
int rate_pool_player(RatePool *pool, const char *name);
int rate_pool_find(const RatePool *pool, const char *name); /* -1: none */
typedef struct {
    const char *first, *second;
    double wins, draws, losses; /* of `first` */
} NamedGames;
/* Games of two players; those of one with himself say nothing. */
MUST_USE Status rate_pool_add(RatePool *pool, const NamedGames *games, Error *err);
/* A run: its games between nets, called FILE@VISITS as `aji match` does, and "random". Else a
 * folder of games (*.sgf) with names and results. ERR_IO: there is nothing of that kind.
 * ERR_ARGUMENT: games on boards of two sizes, on which a name (random play, say) would be one
 * player; two komi are only told, in one line. */
MUST_USE Status rate_pool_add_directory(RatePool *pool, const char *directory, Error *err);

/* Ratings, best first: Elo with its 95% interval relative to the anchor of the fit, games, score,
 * draws, and how likely each player is better than the next one. A player whom no games connect
 * with the anchor has no Elo. */
void rate_pool_table(const RatePool *pool, const EloFit *fit, StrBuf *out);
/* How likely each player is better than each other, in percent, best first; "?": no games
 * connect them. */
void rate_pool_matrix(const RatePool *pool, const EloFit *fit, StrBuf *out);

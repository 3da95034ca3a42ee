/* rate_pool.h - collects the games of any number of runs and matches by the names of their players,
 * and shows the ratings of one fit. A name is the same player in all of them, so that random play,
 * a fixed program or an old net brings several runs to one scale. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "play/match/elo.h"
#include <stddef.h>

typedef struct {
    char **names; /* [players] */
    int players;
    EloGames *games; /* one entry for each pair of players that met */
    int pairs;
    size_t name_capacity, pair_capacity;
    int width, height; /* of the board of all games; 0: no games yet */
    float komi;
    bool komi_warned;      /* a warning of different komi was logged */
    char board_source[96]; /* the file or folder that the board comes from */
} RatePool;                /* {0} is empty */
void rate_pool_clear(RatePool *pool);
/* Returns the player of this name, who is added if new. -1: no memory. */
int rate_pool_get_player(RatePool *pool, const char *name);
/* Returns the player of this name; -1: none. */
int rate_pool_find(const RatePool *pool, const char *name);
typedef struct {
    const char *first, *second;
    double wins, draws, losses; /* of `first` */
} NamedGames;
/* Adds games of two players. Games of a player against himself are ignored. */
MUST_USE Status rate_pool_add(RatePool *pool, const NamedGames *games, Error *err);
/* Adds the games of a run between its nets (named FILE@VISITS as by `aji match`) and "random", or
 * the games of a folder (*.sgf) that have names and results. ERR_IO: the directory holds neither.
 * ERR_ARGUMENT: the board size differs from that of games in the pool, on which a name would be
 * another player. Different komi only give one warning. */
MUST_USE Status rate_pool_add_directory(RatePool *pool, const char *directory, Error *err);

/* Writes a table of the players, best first: Elo with its 95% interval relative to the anchor of
 * the fit, games, score, draws, and the probability that the player is better than the next one.
 * Players whom no games connect with the anchor have no Elo. */
void rate_pool_table(const RatePool *pool, const EloFit *fit, StrBuf *out);
/* Writes the matrix of probabilities, in percent, that each player is better than each other one,
 * best first. "?": no games connect them. */
void rate_pool_matrix(const RatePool *pool, const EloFit *fit, StrBuf *out);

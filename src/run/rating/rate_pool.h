/* rate_pool.h - a pool of players. It collects the games of any number of runs and matches, and
 * writes tables of the ratings that a fit to these games gives. Players with the same name count as
 * the same player. So random play, a fixed program or an old net can connect several runs, and then
 * the ratings of all these runs are on one scale. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "play/match/elo.h"
#include <stddef.h>

typedef struct {
    char **names; /* [players] */
    int players;
    EloGames *games; /* [pairs]: an entry for each pair of players that met */
    int pairs;
    size_t name_capacity, pair_capacity;
    int width, height; /* board size of all games; 0 until there are games */
    float komi;
    bool komi_warned;      /* whether a warning of different komi was logged */
    char board_source[96]; /* the file or folder from which the board size was taken */
} RatePool;                /* {0} is an empty pool */
void rate_pool_clear(RatePool *pool);
/* Returns the index of the player of this name. Adds the player if there is none of this name.
 * Returns -1 if there is no memory. */
int rate_pool_get_player(RatePool *pool, const char *name);
/* Returns the index of the player of this name, or -1 if there is none. */
int rate_pool_find(const RatePool *pool, const char *name);
typedef struct {
    const char *first, *second;
    double wins, draws, losses; /* of `first` */
} NamedGames;
/* Adds games of two players. Games of a player against itself are ignored. */
MUST_USE Status rate_pool_add(RatePool *pool, const NamedGames *games, Error *err);
/* Adds the games of a run or of a folder of *.sgf files. Games of files count only if both players
 * have names and the result is known. The nets of a run get the names FILE@VISITS, as in `aji
 * match`. Random play gets the name "random", and the anchor has its own name. If the komi differs
 * from that in the pool, there is only a warning. ERR_IO: the directory has no run and no games.
 * ERR_ARGUMENT: the board size differs from that in the pool; ratings on different boards cannot be
 * compared. */
MUST_USE Status rate_pool_add_directory(RatePool *pool, const char *directory, Error *err);

/* Writes a table of the players, best first. Its columns are: Elo with its 95% interval, relative
 * to the anchor or to the fixed ratings of the fit (play/match/elo.h); number of games; score;
 * draws; and the probability that the player is better than the next one. Players whom no games
 * connect with the anchor or the fixed ratings have no Elo. */
void rate_pool_table(const RatePool *pool, const EloFit *fit, StrBuf *out);
/* Writes a matrix of probabilities in percent: that the player of the row is better than the player
 * of the column. The best player is first, and only the best 40 are shown. "?" stands for two
 * players whom no games connect. */
void rate_pool_matrix(const RatePool *pool, const EloFit *fit, StrBuf *out);

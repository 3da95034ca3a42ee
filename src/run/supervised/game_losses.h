/* game_losses.h - the losses of a net on the rows of each game. They help to find games that the
 * net does not expect, for example games with a wrong result or games in which a player lost on
 * purpose (GoNN, README). Rows belong to the same game if they have the same hash (TARGET_HASH).
 * Threading: confined. */
#pragma once
#include "data/loader.h"
#include "train/trainer.h"

typedef struct {
    uint64_t hash[2];
    int64_t rows;
    int file;             /* number of the first file with a row of the game */
    double weight;        /* of all rows of the game together */
    double policy, value; /* cross entropies, means over the rows of the game */
} GameLoss;

typedef struct {
    GameLoss *games; /* before game_losses_finish(), one for each row, with sums */
    size_t count, capacity;
} GameLosses; /* {0} is empty */

/* Adds the rows of a batch. `rows` has the metrics of each row, as sums. ERR_MEMORY. */
MUST_USE Status game_losses_add(GameLosses *losses, const Batch *batch, const Metrics *rows,
                                int file, Error *err);
/* Joins the rows of each game, and sorts the games by the sum of policy and value loss, the largest
 * first. */
void game_losses_finish(GameLosses *losses);
void game_losses_clear(GameLosses *losses);

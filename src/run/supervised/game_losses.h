/* game_losses.h - the losses of a net on the rows of each game, to find games that it does not
 * expect, such as those with a wrong result or of players who lost on purpose (GoNN, README). Rows
 * belong to the same game if they have the same hash (TARGET_HASH). Threading: confined. */
#pragma once
#include "data/loader.h"
#include "train/trainer.h"

typedef struct {
    uint64_t hash[2];
    int64_t rows;
    int file;             /* number of the first file with a row of it */
    double weight;        /* of all its rows together */
    double policy, value; /* cross entropies, means over its rows */
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

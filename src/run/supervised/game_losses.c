#include "run/supervised/game_losses.h"

#include <stdlib.h>

#include "base/memory.h"
#include "data/rows/row.h"

enum { HASH_PART = 3, FIRST_BITS = 22, SECOND_BITS = 44 }; /* write_hash() of row_targets.c */

/* Joins the three numbers in which a row holds one half of its game's hash. A damaged file may have
 * any numbers there. */
static uint64_t join_hash(const float *parts) {
    uint64_t part[HASH_PART];
    for (int i = 0; i < HASH_PART; i++)
        part[i] = parts[i] >= 0 && parts[i] < (1 << FIRST_BITS) ? (uint64_t)parts[i] : 0;
    return part[0] | part[1] << FIRST_BITS | part[2] << SECOND_BITS;
}

Status game_losses_add(GameLosses *losses, const Batch *batch, const Metrics *rows, int file,
                       Error *err) {
    size_t wanted = losses->count + (size_t)batch->count;
    Status status = mem_grow(&losses->games, &losses->capacity, wanted, sizeof *losses->games, err);
    if (status) return status;
    for (int n = 0; n < batch->count; n++) {
        const float *hash = batch->targets + n * ROW_GLOBAL_TARGETS + TARGET_HASH;
        losses->games[losses->count++] = (GameLoss){.hash = {join_hash(hash), join_hash(hash + 3)},
                                                    .rows = 1,
                                                    .file = file,
                                                    .weight = rows[n].rows,
                                                    .policy = rows[n].policy,
                                                    .value = rows[n].value};
    }
    return OK;
}

static int by_hash(const void *a, const void *b) {
    const GameLoss *x = a, *y = b;
    for (int i = 0; i < 2; i++) {
        if (x->hash[i] != y->hash[i]) return x->hash[i] < y->hash[i] ? -1 : 1;
    }
    return x->file - y->file;
}

static int by_loss(const void *a, const void *b) {
    const GameLoss *x = a, *y = b;
    double first = x->policy + x->value, second = y->policy + y->value;
    return first > second ? -1 : first < second ? 1 : by_hash(a, b);
}

void game_losses_finish(GameLosses *losses) {
    size_t count = 0;
    GameLoss *games = losses->games;
    if (losses->count) qsort(games, losses->count, sizeof *games, by_hash);
    for (size_t i = 0; i < losses->count; i++) {
        GameLoss *last = count ? &games[count - 1] : NULL;
        if (!last || last->hash[0] != games[i].hash[0] || last->hash[1] != games[i].hash[1]) {
            games[count++] = games[i];
            continue;
        }
        last->rows += games[i].rows;
        last->weight += games[i].weight;
        last->policy += games[i].policy;
        last->value += games[i].value;
    }
    for (size_t i = 0; i < count; i++) {
        double weight = games[i].weight > 0 ? games[i].weight : 1;
        games[i].policy /= weight;
        games[i].value /= weight;
    }
    losses->count = count;
    if (count) qsort(games, count, sizeof *games, by_loss);
}

void game_losses_clear(GameLosses *losses) {
    free(losses->games);
    *losses = (GameLosses){0};
}

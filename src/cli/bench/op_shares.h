/* op_shares.h - which fraction of the time of an executor each op takes, by kind of op and by
 * layer, as a table and as JSON.
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "nn/graph/net.h"
#include "nn/graph/op_time.h"

/* The share of a layer, or of all layers of one kind that run with the same code. */
typedef struct {
    char name[72];            /* of the layer, as in `aji net info --layers`; "" for a kind */
    char kind[48];            /* such as "conv 3x3" */
    const char *code;         /* OpTime.code */
    int layers;               /* how many there are of this kind; 1 for a layer */
    double forward, backward; /* fractions of the whole time */
} OpShare;

typedef struct {
    OpShare *layers; /* in the order of the ops, without those that took no time; owned */
    OpShare *kinds;  /* the largest share first; owned */
    int layer_count, kind_count;
    double rest; /* the fraction that no op took */
} OpShares;

/* Divides the times of ops by `seconds`, the whole time of all threads. The caller clears `*out`.
 * ERR_MEMORY. */
MUST_USE Status op_shares_init(const Net *net, const OpTime *times, int count, double seconds,
                               OpShares *out, Error *err);
void op_shares_clear(OpShares *shares);
/* Prints a table of the kinds or, if `by_layer`, of the layers. If `backward`, the table has a
 * column for the backward pass. `heading` begins the first line of the table. */
void op_shares_print(const OpShares *shares, const char *heading, bool by_layer, bool backward);
/* Returns an object {"kinds": [...], "layers": [...], "rest": fraction}, which the caller owns, or
 * NULL without memory. */
json_t *op_shares_json(const OpShares *shares, bool backward);

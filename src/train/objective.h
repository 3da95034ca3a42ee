/* objective.h - the losses of a batch and their gradients at the outputs of the net. Each loss is a
 * sum over the rows of the batch, in which each row has its weight. Threading: immutable;
 * shards of one batch may be evaluated at the same time. */
#pragma once
#include "data/loader.h"
#include "train/losses.h"
#include "train/metrics.h"

/* Some rows of a batch, with the outputs that one executor computed for them. */
typedef struct {
    const Batch *batch;
    int first, count; /* rows of the batch */
    /* The policies of the net. If values of moves are among them, the batch must have such values,
     * too. */
    PolicyChannels policies;
    double seki_weight; /* objective_seki_weight(), for the auxiliary heads */
    /* The outputs of each head, by HeadId, starting with row `first`; NULL if the net lacks the
     * head. */
    const float *outputs[HEAD_COUNT];
    /* In the same layout: d(sum of losses) / d(output), which is written for `count` rows. */
    float *gradients[HEAD_COUNT];
    Metrics *rows; /* gets the metrics of each of the `count` rows, as sums; may be NULL */
} ObjectiveShard;
/* Returns a factor of the loss of seki points, which is larger if few points are unowned:
 *     8 * 0.005 / (0.005 + unowned)
 * `unowned` is the mean fraction of points that nobody owns. KataGo,
 * python/katago/train/metrics_pytorch.py. */
double objective_seki_weight(double unowned);
/* Writes the gradients of the shard's rows, and adds the rows' losses and metrics to `sums`, which
 * metrics_divide() later turns into means. Heads that every net has must be present. */
void objective_evaluate(const ObjectiveSettings *settings, const ObjectiveShard *shard,
                        Metrics *sums);

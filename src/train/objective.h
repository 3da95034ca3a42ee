/* objective.h - the losses of a batch and their gradients at the outputs of the net. Losses are
 * sums over rows of the row's loss times the row's weight; Metrics are means. Threading: immutable;
 * shards of one batch may be evaluated at the same time. */
#pragma once
#include "data/loader.h"
#include "train/losses.h"
#include "train/metrics.h"

/* Some rows of a batch, with the outputs that one executor computed for them. */
typedef struct {
    const Batch *batch;
    int first, count;    /* rows of the batch */
    int policy_channels; /* of the net; heads.h. With values of moves the batch has them, too */
    double seki_weight;  /* of the auxiliary heads; objective_seki_weight() */
    /* By HeadId: the head's outputs, starting with row `first`. NULL: the net has no such head. */
    const float *outputs[HEAD_COUNT];
    /* In the same layout: d(sum of losses) / d(output), which is written for `count` rows. */
    float *gradients[HEAD_COUNT];
} ObjectiveShard;
/* The weight of seki points, which are rare:
 *     8 * 0.005 / (0.005 + unowned)
 * unowned: the mean fraction of points that nobody owns. KataGo,
 * python/katago/train/metrics_pytorch.py. */
double objective_seki_weight(double unowned);
/* Adds sums (not means) to `sums`. Only heads that are optional for a net may be absent. */
void objective_evaluate(const ObjectiveSettings *settings, const ObjectiveShard *shard,
                        Metrics *sums);

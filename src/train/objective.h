/* objective.h - the losses of a batch and their gradients at the net's outputs. Losses are sums over
 * the batch of per-row losses times row weights; the metrics are means. Threading: immutable; shares
 * of one batch may be evaluated at the same time. */
#pragma once
#include "data/loader.h"
#include "train/losses.h"
#include "train/metrics.h"

typedef struct { /* one executor's share of a batch */
    const Batch *batch;
    int first, count;    /* rows of the batch */
    int policy_channels; /* of the net; heads.h. With values of moves: the batch has them */
    double seki_weight;  /* of the auxiliary heads; objective_seki_weight() */
    /* By HeadId; row 0 is the share's first; NULL: the net has no such head. */
    const float *outputs[HEAD_COUNT];
    /* The same: d(sum of losses) / d(output), written for `count` rows. */
    float *gradients[HEAD_COUNT];
} ObjectiveShard;
/* 8 * 0.005 / (0.005 + u), u the mean share of points that nobody owns (KataGo,
 * python/katago/train/metrics_pytorch.py). */
double objective_seki_weight(double unowned);
/* Adds sums (not means) to `sums`. Only heads that a net need not have may be absent. */
void objective_evaluate(const ObjectiveSettings *config, const ObjectiveShard *share,
                        Metrics *sums);

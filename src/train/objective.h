/* objective.h - the losses of a batch and their gradients at the outputs of the net. Each loss is a
 * weighted sum over the rows of the batch, with the weights of the rows.
 * Threading: immutable; shards of one batch may be evaluated at the same time. */
#pragma once
#include "data/loader.h"
#include "train/losses/losses.h"
#include "train/metrics.h"

/* Some rows of a batch, with the outputs that one executor computed for them. */
typedef struct {
    const Batch *batch;
    int first, count; /* rows of the batch */
    /* The channels of the net's policy head. If two of these channels are the values of moves
     * (POLICY_Q_WINLOSS, POLICY_Q_SCORE), the batch must have the targets Batch.q_values. */
    PolicyChannels policies;
    double seki_weight; /* objective_seki_weight(), for the auxiliary heads */
    /* The outputs of each head, by HeadId, starting with row `first`; NULL if the net lacks the
     * head. */
    const float *outputs[HEAD_COUNT];
    /* d(sum of losses) / d(output), in the layout of `outputs`. They are written for `count`
     * rows. */
    float *gradients[HEAD_COUNT];
    Metrics *rows; /* gets the metrics of each of the `count` rows, as sums; may be NULL */
} ObjectiveShard;
/* Returns the set of columns of row_points.h that the losses of the net's heads need. Column c is
 * the bit 1 << c. */
unsigned objective_point_columns(const HeadIndex *heads);
/* Returns the same for a net with these settings. */
unsigned objective_will_need_points(const ArchSettings *settings);
/* Returns the factor of the loss of seki points:
 *     8 * 0.005 / (0.005 + unowned)
 * `unowned` is the mean fraction of points that nobody owns at the end. The factor is larger if
 * this fraction is small (KataGo, python/katago/train/metrics_pytorch.py). */
double objective_seki_weight(double unowned);
/* Writes the gradients of the shard's rows. Adds the losses and metrics of the rows to `sums`, from
 * which metrics_divide() later makes means. A head whose outputs are NULL adds no loss. But the
 * losses of optimistic policies need HEAD_SCORE, and those of HEAD_TD_ERRORS need HEAD_TD. */
void objective_evaluate(const ObjectiveSettings *settings, const ObjectiveShard *shard,
                        Metrics *sums);

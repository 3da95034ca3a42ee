/* averaging.h - the averaged net. Games are played with this net. Its weights are an exponential
 * moving average of snapshots of the trained weights (Izmailov et al. 2018; KataGo takes a snapshot
 * every 250,000 samples, with decay 0.75). As long as there are few snapshots, the average is their
 * plain mean, so that it does not depend on the random initial weights. Values that are not
 * trained, such as constants and the running statistics of batch norm, are copied from the newest
 * snapshot, as in KataGo. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct {
    int64_t period_samples; /* samples between snapshots */
    /* The maximum weight of the old average when a snapshot is added. The weight is smaller as long
     * as there are few snapshots. */
    double decay;
} AveragingSettings;
extern const SettingsField AVERAGING_FIELDS[];

typedef struct Averaging Averaging;
/* Makes an average without snapshots, whose first period starts at `samples`. The program of `net`
 * must outlive the result. ERR_MEMORY. */
MUST_USE Status averaging_new(const Net *net, const AveragingSettings *settings, int64_t samples,
                              Averaging **out, Error *err);
void averaging_free(Averaging *averaging);
/* Takes a snapshot of `net` if a period has passed since the last snapshot. Returns whether it took
 * one. */
bool averaging_update(Averaging *averaging, const Net *net, int64_t samples);
/* Makes a new net with the averaged weights. The caller frees the net. Before the first snapshot it
 * is a copy of `net`. ERR_ARGUMENT: a value is not finite. ERR_MEMORY. */
MUST_USE Status averaging_net(const Averaging *averaging, const Net *net, Net **out, Error *err);
/* Adds the average to a checkpoint. ERR_MEMORY. */
MUST_USE Status averaging_save(const Averaging *averaging, TensorFile *file, Error *err);
/* Reads the average from a checkpoint. On failure some values may already be restored. ERR_SYNTAX:
 * a tensor is missing or damaged. */
MUST_USE Status averaging_restore(Averaging *averaging, const TensorFile *file, Error *err);

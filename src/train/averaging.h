/* averaging.h - the net that plays: an exponential moving average of snapshots of the trained
 * weights (Izmailov et al. 2018; KataGo: a snapshot every 250,000 samples, decay 0.75). The first
 * snapshots count equally, until a plain mean over them reaches as far back as the moving average
 * does; so the random initial weights are soon forgotten. Values that are not trained, such as the
 * running statistics of batch norm and constants, are those of the newest snapshot (as in KataGo).
 * Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct {
    int64_t period_samples; /* samples between snapshots */
    double decay;           /* fraction of the old average that a snapshot leaves */
} AveragingSettings;
extern const SettingsField AVERAGING_FIELDS[];

typedef struct Averaging Averaging;
/* The first period starts at `samples`. The program of `net` must outlive the result.
 * ERR_MEMORY. */
MUST_USE Status averaging_new(const Net *net, const AveragingSettings *settings, int64_t samples,
                              Averaging **out, Error *err);
void averaging_free(Averaging *averaging);
/* Takes a snapshot of `net` if a period has passed since the last one. Returns whether it did. */
bool averaging_update(Averaging *averaging, const Net *net, int64_t samples);
/* The average as a new net, which the caller frees; before the first snapshot a copy of `net`.
 * ERR_ARGUMENT: a value is not finite. ERR_MEMORY. */
MUST_USE Status averaging_net(const Averaging *averaging, const Net *net, Net **out, Error *err);
/* ERR_MEMORY. */
MUST_USE Status averaging_save(const Averaging *averaging, TensorFile *file, Error *err);
/* ERR_SYNTAX: a tensor is missing or damaged. On failure some values may already be restored. */
MUST_USE Status averaging_restore(Averaging *averaging, const TensorFile *file, Error *err);

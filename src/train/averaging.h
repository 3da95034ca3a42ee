/* averaging.h - the net that is shown to the world: an exponential moving average of snapshots
 * (Izmailov et al. 2018; KataGo: every 250,000 samples, decay 0.75). The first snapshots count
 * alike until their plain mean is as long as the moving one, so that the random start is soon
 * forgotten. What is not trained, running statistics of batch norm and constants, is that of the
 * newest snapshot (KataGo). Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/net.h"

typedef struct {
    int64_t period_samples;
    float decay; /* share that the old average keeps */
} AveragingSettings;
extern const ConfigField AVERAGING_FIELDS[];

typedef struct Averaging Averaging;
/* The first period begins at `samples`. */
MUST_USE Status averaging_new(const Net *net, const AveragingSettings *config, int64_t samples,
                              Averaging **out, Error *err);
void averaging_free(Averaging *averaging);
/* Takes a snapshot if a period has passed since the last; true: it did. */
bool averaging_update(Averaging *averaging, const Net *net, int64_t samples);
/* The average as a net of its own; before the first snapshot a copy of `net`. ERR_ARGUMENT: a value
 * is not finite. */
MUST_USE Status averaging_net(const Averaging *averaging, const Net *net, Net **out, Error *err);
MUST_USE Status averaging_save(const Averaging *averaging, TensorFile *file, Error *err);
/* On failure the average may be half restored. */
MUST_USE Status averaging_restore(Averaging *averaging, const TensorFile *file, Error *err);

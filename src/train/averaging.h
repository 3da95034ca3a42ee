/* averaging.h - the net that is shown to the world: an exponential moving average of snapshots (Izmailov et al. 2018; KataGo: every 250,000 samples, decay 0.75). */
#pragma once
#include "base/settings.h"
#include "nn/net.h"
#include <stdint.h>

typedef struct {
    int64_t period_samples;
    float decay; /* share that the old average keeps */
} AveragingConfig;
extern const ConfigField AVERAGING_FIELDS[];

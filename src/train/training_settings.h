/* training_settings.h - the settings of a trainer: its losses, optimiser, learning rate and
 * averages, and what it does if training diverges. Threading: immutable once read. */
#pragma once
#include "nn/learn/optimiser.h"
#include "nn/learn/schedule.h"
#include "train/averaging.h"
#include "train/divergence.h"
#include "train/objective.h"
#include "train/trainer_settings.h"

typedef struct {
    TrainerSettings trainer;
    ObjectiveSettings objective;
    OptimiserSettings optimiser;
    ScheduleSettings schedule;
    AveragingSettings averaging;
    DivergenceSettings divergence;
} TrainingSettings;
enum { TRAINING_GROUPS = 6 };
void training_settings_defaults(TrainingSettings *training); /* sets all to their defaults */
/* Lists the groups of settings, without {0} at the end. */
void training_settings_groups(TrainingSettings *training, SettingsGroup groups[TRAINING_GROUPS]);

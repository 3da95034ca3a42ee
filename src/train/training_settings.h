/* training_settings.h - all that a user may set about the training of a net, except which rows it
 * learns from. Threading: immutable once read. */
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
void training_settings_defaults(TrainingSettings *training);
/* Lists the groups of settings, without {0} at the end. */
void training_settings_groups(TrainingSettings *training, SettingsGroup groups[TRAINING_GROUPS]);

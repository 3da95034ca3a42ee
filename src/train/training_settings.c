#include "train/training_settings.h"

#include <string.h>

void training_settings_defaults(TrainingSettings *training) {
    SettingsGroup groups[TRAINING_GROUPS];
    training_settings_groups(training, groups);
    for (int i = 0; i < TRAINING_GROUPS; i++)
        settings_defaults(groups[i].fields, groups[i].target);
}

void training_settings_groups(TrainingSettings *training, SettingsGroup groups[TRAINING_GROUPS]) {
    const SettingsGroup all[TRAINING_GROUPS] = {
        {"trainer", TRAINER_FIELDS, &training->trainer},
        {"objective", OBJECTIVE_FIELDS, &training->objective},
        {"optimiser", OPTIMISER_FIELDS, &training->optimiser},
        {"schedule", SCHEDULE_FIELDS, &training->schedule},
        {"averaging", AVERAGING_FIELDS, &training->averaging},
        {"divergence", DIVERGENCE_FIELDS, &training->divergence},
    };
    memcpy(groups, all, sizeof all);
}

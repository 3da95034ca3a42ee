/* supervised_config.h - the settings of training on a fixed set of rows, as the file train.cfg of
 * its folder holds them. Threading: immutable once read. */
#pragma once
#include "data/loader.h"
#include "train/trainer.h"

typedef struct {
    char arch[SETTINGS_LONG_TEXT_SIZE];
    int threads; /* 0 means one for each processor that this process may use */
    int64_t seed;
    int64_t epoch_samples;
    int fast_factor; /* divides epoch_samples and validation_fraction, for a quick trial */
    double validation_fraction; /* fraction of the validation rows on which nets are measured */
    int epochs; /* 0: training ends only when its time is over or a stop is requested */
    int size;   /* width and height of the tensors; 0 means those of the rows' frames, the squares
                   in which rows store their boards */
    int checkpoint_seconds;
} SupervisedSettings;
extern const SettingsField SUPERVISED_FIELDS[];

typedef struct {
    SupervisedSettings supervised;
    LoaderSettings loader;
    TrainingSettings training;
} SupervisedConfig;
enum { SUPERVISED_GROUPS = 2 + TRAINING_GROUPS + 1 }; /* its own, of training, and {0} */
void supervised_config_defaults(SupervisedConfig *config);
/* Lists the groups of settings. The list ends with {0}. */
void supervised_config_groups(SupervisedConfig *config, SettingsGroup groups[SUPERVISED_GROUPS]);
/* How a trainer with these settings is made. `length`: the width and height of the tensors. */
TrainerSetup supervised_config_trainer(const SupervisedConfig *config, int length);

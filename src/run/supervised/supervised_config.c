#include "run/supervised/supervised_config.h"

#include <assert.h>
#include <string.h>

#include "base/thread.h"

const SettingsField SUPERVISED_FIELDS[] = {
    FIELD_TEXT(
        SupervisedSettings, arch, "b6c96",
        "architecture of a new net, such as b6c96 or b4c32-batch-mish; empty if training began "
        "with a net from a file"),
    FIELD_INT(SupervisedSettings, threads, 0, 0, 4096,
              "threads; 0: one per processor that this process may use"),
    FIELD_INT64(SupervisedSettings, seed, 1, 0, 9e15,
                "seed of the first weights, of the order of the rows and of what dropout drops"),
    FIELD_INT64(SupervisedSettings, epoch_samples, 100000, 1, 1e15,
                "samples between two validations of the net, rounded up to whole batches"),
    FIELD_INT(
        SupervisedSettings, fast_factor, 1, 1, 1000000,
        "for a quick trial: divides the samples of an epoch and the fraction of the validation "
        "rows that are used",
        .source = "GoNN, train.py (fast-factor)"),
    FIELD_DOUBLE(SupervisedSettings, validation_fraction, 1, 0, 1,
                 "fraction of the validation rows on which nets are measured, at least one batch; "
                 "the rows are always the same",
                 .source = "GoNN, train.py (validation-prop)"),
    FIELD_INT(SupervisedSettings, epochs, 10, 0, 1000000000,
              "training ends after this many epochs; 0: it ends only after --time or on Ctrl-C"),
    FIELD_INT(SupervisedSettings, size, 0, 0, BOARD_SIDE_MAX,
              "width and height of the net's input; no board may be larger; 0: the size of the "
              "frames in which the rows store their boards"),
    FIELD_INT(SupervisedSettings, checkpoint_seconds, 100, 1, 86400,
              "seconds between two checkpoints; a kill loses at most the training of this time"),
    {0},
};

/* Settings whose defaults here differ from their defaults in the rest of the program. */
static const char *const PRESET[] = {"loader.validation=0.05", "averaging.period_samples=4000"};

void supervised_config_defaults(SupervisedConfig *config) {
    SettingsGroup groups[SUPERVISED_GROUPS];
    memset(config, 0, sizeof *config);
    supervised_config_groups(config, groups);
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    for (size_t i = 0; i < sizeof PRESET / sizeof *PRESET; i++) {
        Status status = settings_assign(groups, PRESET[i], NULL);
        assert(!status); /* all presets are valid settings */
        (void)status;
    }
}

void supervised_config_groups(SupervisedConfig *config, SettingsGroup groups[SUPERVISED_GROUPS]) {
    const SettingsGroup own[] = {
        {"supervised", SUPERVISED_FIELDS, &config->supervised},
        {"loader", LOADER_FIELDS, &config->loader},
    };
    enum { COUNT = sizeof own / sizeof *own };
    _Static_assert(COUNT + TRAINING_GROUPS + 1 == SUPERVISED_GROUPS, "all groups and {0}");
    memcpy(groups, own, sizeof own);
    training_settings_groups(&config->training, groups + COUNT);
    groups[COUNT + TRAINING_GROUPS] = (SettingsGroup){0};
}

TrainerSetup supervised_config_trainer(const SupervisedConfig *config, int length) {
    TrainerSetup setup = {.training = config->training,
                          .seed = (uint64_t)config->supervised.seed,
                          .batch = config->loader.batch,
                          .length = length};
    if (!setup.training.trainer.threads)
        setup.training.trainer.threads = config->supervised.threads;
    if (!setup.training.trainer.threads) setup.training.trainer.threads = thread_processors();
    return setup;
}

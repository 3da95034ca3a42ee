#include "train/trainer_settings.h"

#define SR_STE "Zhou et al. 2021, Learning N:M fine-grained structured sparse neural networks"
#define RENORM "Ioffe 2017, Batch Renormalization; KataGo, python/train.py"

const SettingsField TRAINER_FIELDS[] = {
    FIELD_INT(TrainerSettings, threads, 0, 0, 1024,
              "number of threads that train; 0: as many as run.threads"),
    FIELD_CHOICE(TrainerSettings, precision, TRAINER_AUTO, "f32|bf16|auto",
                 "arithmetic of convolutions, dense layers and attention; auto: bf16 where the "
                 "processor supports it, else f32; sums and weights stay in f32"),
    FIELD_INT(TrainerSettings, accumulate, 1, 1, 4096,
              "batches whose gradients are averaged into one step",
              .source = "lczero-training, num_batch_splits"),
    FIELD_INT(TrainerSettings, lookahead.steps, 0, 0, 1000,
              "number of steps after which slow weights move towards the trained ones, which then "
              "continue from there; 0: no slow weights",
              .source = "Zhang et al. 2019, Lookahead Optimizer; KataGo, python/train.py (6)",
              .former = "lookahead"),
    FIELD_DOUBLE(
        TrainerSettings, lookahead.fraction, 0.5, 0.01, 1,
        "fraction of the way by which slow weights move to the trained ones; learning rates are "
        "divided by it",
        .source = "Zhang et al. 2019, Lookahead Optimizer; KataGo, python/train.py",
        .former = "lookahead_share"),
    FIELD_DOUBLE(
        TrainerSettings, clip_median, 4, 0, 1e9,
        "gradients are clipped to this many times the median norm of the last 256 batches that "
        "were no outliers, so that one value fits every net and board; 0: never",
        .source = "Seetharaman et al. 2020, AutoClip"),
    FIELD_DOUBLE(TrainerSettings, renorm.rmax, 3, 1, 1000,
                 "batch renorm, final limit of r: the factor by which the standard deviation of a "
                 "batch may differ from the running one",
                 .source = RENORM, .former = "renorm_rmax"),
    FIELD_DOUBLE(
        TrainerSettings, renorm.dmax, 5, 0, 1000,
        "batch renorm, final limit of d: how far the mean of a batch may differ from the running "
        "one, in running standard deviations",
        .source = RENORM, .former = "renorm_dmax"),
    FIELD_INT64(TrainerSettings, renorm.samples, 200000, 1, 1e15,
                "batch renorm: the limits r and d move exponentially from those of plain batch "
                "norm to the final ones; after this many samples 1/e of the way is left",
                .source = "KataGo, python/train.py", .former = "renorm_samples"),
    FIELD_CHOICE(TrainerSettings, sparsity.method, SPARSITY_OFF, "off|fixed|sr_ste",
                 "2:4 sparsity: of each four weights along the inputs two are 0; fixed: which "
                 "two is chosen once (the mask); sr_ste: the masks are chosen anew as training "
                 "goes on, and weights outside of them keep learning",
                 .source = "lczero-training (sparse); Mishra et al. 2021; " SR_STE),
    FIELD_TEXT(TrainerSettings, sparsity.layers, "conv dense",
               "2:4 sparsity: kinds of layers, conv and dense, separated by blanks; layers whose "
               "number of inputs is no multiple of 4 stay dense"),
    FIELD_TEXT(
        TrainerSettings, sparsity.names, "block",
        "2:4 sparsity: beginnings of names, separated by blanks; a layer of a kind in "
        "trainer.sparsity.layers stays dense unless its name begins with one of them; a word "
        "-PART leaves out the layers in whose names PART stands at the beginning or behind a "
        "dot, as -generate leaves out block2.generate1"),
    FIELD_INT64(TrainerSettings, sparsity.start_samples, 0, 0, 1e15,
                "2:4 sparsity: the masks are chosen after the first step at or after this many "
                "samples",
                .source = "lczero-training (sparse)"),
    FIELD_INT64(TrainerSettings, sparsity.refresh_samples, 1, 1, 1e15,
                "2:4 sparsity, sr_ste: samples between two choices of the masks; 1: at each step",
                .source = SR_STE),
    FIELD_DOUBLE(TrainerSettings, sparsity.decay, 0.02, 0, 100,
                 "2:4 sparsity, sr_ste: decay of weights outside of the masks, times the learning "
                 "rate",
                 .source = SR_STE ", eq. 9"),
    FIELD_BOOL(TrainerSettings, update_ratios, false,
               "measure how far each step moves each parameter, relative to its size, and write "
               "this to report/update_ratios.csv and report/tensorboard",
               .source = "lczero-training; GoNN, train.py"),
    FIELD_BOOL(TrainerSettings, activations, false,
               "measure how large the outputs of each layer are in training, as a mean square, and "
               "write this to report/activations.csv and report/tensorboard",
               .source = "GoNN, train.py"),
    {0},
};

/* optimiser.h - SGD with momentum, AdamW, Muon; clip by global norm; decoupled or coupled weight
 * decay. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef enum { OPTIMISER_SGD, OPTIMISER_ADAMW, OPTIMISER_MUON } OptimiserKind;
typedef struct {
    int kind;        /* OptimiserKind */
    double momentum; /* SGD */
    bool nesterov;
    double beta1, beta2,
        epsilon; /* AdamW (Loshchilov and Hutter 2019); beside Muon for all that it does not move */
    double weight_decay; /* < 0: as the kind is used to; SGD: L2 in the gradient; AdamW: decoupled;
                           on decayed parameters only */
    char head_names[SETTINGS_TEXT_SIZE]; /* parameters whose names begin with one of these words */
    double head_decay, input_decay;      /* decay of heads and of the first layer: times this */
    double gain_decay,
        bias_decay;             /* of what is spared: this share of weight_decay, gains towards 1 */
    bool decay_by_norm;         /* of all but heads and biases: so that the norm stays */
    double decay_rate_exponent; /* of all but heads: times the share of the rate to this */
    double head_rate;           /* rate of heads: times this */
    struct {
        char names[SETTINGS_TEXT_SIZE]; /* it moves the matrices whose names begin so */
        double momentum;
        double factor; /* rate against that of AdamW */
    } muon;
    double clip_norm; /* of the whole gradient; 0: none */
} OptimiserSettings;
extern const SettingsField OPTIMISER_FIELDS[];
/* A learning rate a sample that suits the net. SGD: 6e-5 (Wu 2019, appendix C). AdamW and Muon:
 * 12e-6 times min(1, sqrt(260 / s)), where s is the size of the net, numbers / (18 * channels of
 * the widest value of its blocks): for plain residual blocks about blocks * channels. Steps of
 * these two do not shrink with the gradient, and what they change at the outputs adds up over
 * layers and channels. Measured from b4c32 to b10c128 (docs/LEARNING.md, "Boards larger than 9x9").
 */
double optimiser_usual_rate(int kind, const Net *net);

typedef struct Optimiser Optimiser;
MUST_USE Status optimiser_new(Net *net, const OptimiserSettings *config, Optimiser **out,
                              Error *err); /* borrows the net */
void optimiser_free(Optimiser *optimiser);
/* The rate of the steps that follow, over the usual one of the run; 1 at first. */
void optimiser_rate_share(Optimiser *optimiser, double share);
/* Euclidean length of all gradients together. */
double optimiser_norm(const Optimiser *optimiser, float *const *gradients);
/* Longer gradients of the steps that follow are shortened to the lesser of `norm` and clip_norm; 0:
 * no such limit. */
void optimiser_limit_norm(Optimiser *optimiser, double norm);
/* `gradients[parameter]` (NULL where not trained), already scaled. *norm (may be NULL) gets the
 * norm before the clip. ERR_ARGUMENT: the gradient is not finite; nothing is changed then. */
MUST_USE Status optimiser_step(Optimiser *optimiser, float *const *gradients, double learning_rate,
                               double *norm, Error *err);
MUST_USE Status optimiser_save(const Optimiser *optimiser, TensorFile *file, Error *err);
MUST_USE Status optimiser_restore(Optimiser *optimiser, const TensorFile *file, Error *err);

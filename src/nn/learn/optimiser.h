/* optimiser.h - SGD with momentum, AdamW, Muon, Nadam and RMSprop, with clipping by the global norm
 * and with coupled or decoupled weight decay. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef enum {
    OPTIMISER_SGD,
    OPTIMISER_ADAMW,
    OPTIMISER_MUON,
    OPTIMISER_NADAM,
    OPTIMISER_RMSPROP
} OptimiserKind;
typedef struct {
    int kind;        /* OptimiserKind */
    double momentum; /* of SGD and RMSprop */
    bool nesterov;   /* of SGD */
    /* Settings of AdamW (Loshchilov and Hutter 2019) and Nadam; RMSprop uses the last two. With
     * Muon, AdamW updates the parameters that Muon does not. */
    double beta1, beta2, epsilon;
    /* Decay of weights: a term of the gradient (L2) for SGD, decoupled for the others. A negative
     * value means the default of the kind of optimiser. */
    double weight_decay;
    char head_names[SETTINGS_TEXT_SIZE]; /* the name of a head's parameter begins with one of these
                                            words */
    double head_decay, input_decay; /* factors of weight_decay for heads and for the first layer */
    double gain_decay, bias_decay;  /* decay of gains (towards 1) and of biases, as fractions
                                            of weight_decay */
    bool decay_by_norm;         /* let the decay grow with the norm of the trunk's weights, so that
                                   this norm stays near its first value; not for heads and biases */
    double decay_rate_exponent; /* multiply the decay by (rate / schedule.rate)^this; not for
                                   heads */
    double head_rate;           /* factor of the learning rate of heads */
    double center_rate;         /* factor of the rate of the weights in the middle of kernels */
    struct {
        char names[SETTINGS_TEXT_SIZE]; /* Muon updates matrices whose names begin with this */
        double momentum;
        double factor; /* learning rate of Muon relative to that of AdamW */
    } muon;
    double clip_norm; /* maximum norm of the whole gradient; 0: no maximum */
} OptimiserSettings;
extern const SettingsField OPTIMISER_FIELDS[];
/* Returns a learning rate per sample that suits the net:
 *     SGD:           6e-5   (Wu 2019, appendix C)
 *     the others:    12e-6 * min(1, sqrt(260 / s))
 *     s = parameters / (18 * c), where c is the largest number of channels that any op has whose
 *         name begins with "block"
 * For plain residual blocks s is about blocks * channels. With the other kinds, larger nets need a
 * smaller rate: the steps of these kinds do not shrink with the gradient, and the changes at the
 * outputs add up over layers and channels. The numbers come from measurements of b4c32, b5c48 and
 * b10c128 (docs/notebook/learning.md, "One rate for all nets"). */
double optimiser_usual_rate(int kind, const Net *net);

/* The name of an OptimiserKind, as in the setting optimiser.kind. */
const char *optimiser_kind_name(int kind);

typedef struct Optimiser Optimiser;
MUST_USE Status optimiser_new(Net *net, const OptimiserSettings *config, Optimiser **out,
                              Error *err); /* borrows the net */
void optimiser_free(Optimiser *optimiser);
/* Sets the ratio of the learning rate of the following steps to schedule.rate. Only the decay by
 * decay_rate_exponent uses this ratio. It is 1 at first. */
void optimiser_set_rate_fraction(Optimiser *optimiser, double fraction);
/* Returns the Euclidean norm of all gradients together. */
double optimiser_norm(const Optimiser *optimiser, float *const *gradients);
/* Limits the norm of the gradients of the following steps to the smaller of `norm` and clip_norm.
 * Longer gradients are shortened to this limit. Each of the two numbers may be 0, which means that
 * it sets no limit. */
void optimiser_limit_norm(Optimiser *optimiser, double norm);
/* Makes one step. `gradients[parameter]` is NULL for parameters that are not trained. `*norm` gets
 * the norm of the gradients before clipping; it may be NULL. ERR_ARGUMENT: the gradient is not
 * finite; its norm is too large to be squared in f32, even after clipping; or the learning rate is
 * not a finite number of at least 0. The net and the optimiser are then unchanged. */
MUST_USE Status optimiser_step(Optimiser *optimiser, float *const *gradients, double learning_rate,
                               double *norm, Error *err);
/* Adds the moments and the number of steps to a checkpoint and, with `decay_by_norm`, the first
 * norm of the weights. ERR_ARGUMENT: a moment of the optimiser is not finite. */
MUST_USE Status optimiser_save(const Optimiser *optimiser, TensorFile *file, Error *err);
/* Reads what optimiser_save() has added. ERR_ARGUMENT: a moment is missing in the file, because an
 * optimiser with other settings has written it. ERR_SYNTAX: the number of steps is missing in the
 * file; or a moment, the number of steps or the first norm of the weights has an impossible
 * value. */
MUST_USE Status optimiser_restore(Optimiser *optimiser, const TensorFile *file, Error *err);

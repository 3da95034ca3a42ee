/* latent_weights.h - weights that a net may use only in a restricted form, while training moves
 * them freely. Training then has two values for each such weight: the latent weight, which the
 * optimiser moves, and the restricted weight, with which the net computes. The optimiser takes the
 * gradient of the restricted weight as that of the latent weight (straight-through estimator,
 * Bengio et al. 2013, "Estimating or propagating gradients through stochastic neurons").
 *
 * There are two forms, which may be combined. The first form is rounding with learned steps (LSQ;
 * Esser et al. 2019). If an op weight_step follows a layer, this op has a step for each output
 * channel of the layer (int8) or for each group of weights (int4; see nn/ops/weight_step.c). Each
 * weight of the layer becomes a whole multiple of its step. The gradient of a step is that of
 * nn/ops/lsq.h with the scale
 *     1 / sqrt(weights with this step * level)
 * where the level is 127 (int8) or 7 (int4). The gradient of a step is computed from the gradients
 * of the weights, which already are sums over all uses of the weights in a batch.
 *
 * The second form is 2:4 sparsity (Mishra et al. 2021). A row has the weights from all inputs to
 * one output, at one tap of the kernel. It is cut into groups of four weights. In each group, the
 * two weights with the larger absolute values are kept, and the other two weights are 0. There are
 * two methods:
 *   fixed   The masks are chosen once. After each step of the optimiser the latent weights outside
 *           of the masks become 0. lczero-training does the same, with groups along the outputs.
 *   SR-STE  (Zhou et al. 2021, "Learning N:M fine-grained structured sparse neural networks from
 *           scratch", eq. 9) The latent weights keep all values, and the masks are chosen anew
 *           every `refresh_samples` samples. After each step of the optimiser the latent weights w
 *           outside of the masks also decay:
 *               w -= learning rate * decay * w
 *
 * Use: between latent_weights_enter() and latent_weights_leave() the net holds the latent weights.
 * At all other times it holds the restricted weights. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef enum { SPARSITY_OFF, SPARSITY_FIXED, SPARSITY_SR_STE } SparsityMethod;
typedef struct {
    int method;                      /* SparsityMethod */
    char layers[SETTINGS_TEXT_SIZE]; /* "conv", "dense" or both: kinds of layers that get masks */
    /* Words. Only layers whose names begin with one of them get masks, and of these not the ones
     * that a word "-PART" leaves out (name_list.h). */
    char names[SETTINGS_TEXT_SIZE];
    int64_t start_samples;           /* the first masks are chosen after this many samples */
    int64_t refresh_samples;         /* SR-STE: samples between two choices of the masks */
    double decay;                    /* SR-STE: decay of weights outside of the masks */
} SparsitySettings;

typedef struct LatentWeights LatentWeights;
/* Makes latent weights with the values of `net`, whose program must outlive the result. `*out` is
 * NULL if no weight of the net is restricted. The net does not change. ERR_ARGUMENT: `layers` has
 * an unknown word; sparsity is on, but no layer can get a mask; or an op weight_step follows no
 * layer with weights of its own or has a wrong number of steps. ERR_MEMORY. */
MUST_USE Status latent_weights_new(const Net *net, const SparsitySettings *settings,
                                   LatentWeights **out, Error *err);
void latent_weights_free(LatentWeights *latent); /* NULL is fine */
/* Forgets the masks, and takes the weights of `net` as the latent ones. */
void latent_weights_restart(LatentWeights *latent, const Net *net);
/* Writes the latent weights to the net. */
void latent_weights_enter(const LatentWeights *latent, Net *net);
/* Takes the latent weights from the net, and writes the restricted ones to it. */
void latent_weights_leave(LatentWeights *latent, Net *net);
/* Call this before a step of the optimiser, while the net holds restricted weights. It turns the
 * gradients of rounded weights into the gradients of the latent weights. It also adds the gradients
 * of the steps to `gradients`, which is indexed by parameter. */
void latent_weights_add_gradients(const LatentWeights *latent, const Net *net,
                                  float *const *gradients);
/* Call this after a step of the optimiser, while the net holds latent weights. With SR-STE, the
 * weights outside of the masks decay. With SPARSITY_FIXED, the weights outside of the masks become
 * 0. If it is time, new masks are chosen. `samples` is the number of samples that the net has
 * learned from, and `rate` is the learning rate of the step. */
void latent_weights_step(LatentWeights *latent, Net *net, int64_t samples, double rate);
/* Restricts the weights of a net that has the same program but is not trained itself, such as a net
 * with the average of latent weights. In layers whose masks have been chosen, keeps the two weights
 * of each group with the largest absolute values. Rounds weights by the steps in `net`. Also sets
 * the note of `net` by which its sparse weights are packed when it is saved (packed_weights.h). */
MUST_USE Status latent_weights_restrict(const LatentWeights *latent, Net *net, Error *err);
/* Adds the latent weights and the masks to a checkpoint. */
MUST_USE Status latent_weights_save(const LatentWeights *latent, TensorFile *file, Error *err);
/* Reads the latent weights and the masks. What the checkpoint lacks, because other settings were in
 * force, stays as latent_weights_restart() has left it. On failure some layers may already be
 * restored. ERR_SYNTAX: a mask does not keep two of each four weights, a weight is not finite, or
 * the masks were chosen after a negative number of samples. */
MUST_USE Status latent_weights_restore(LatentWeights *latent, const TensorFile *file, Error *err);

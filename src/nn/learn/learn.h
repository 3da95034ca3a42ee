/* learn.h - runs a net forward and backward. Gradients are of the sum over the batch of whatever
 * loss the caller differentiates. PRECISION_BF16: arithmetic of convolutions and dense layers in
 * bf16, everything kept and summed in f32. One executor a thread (single-threaded inside); several
 * may share a net: they read values, and each has gradients of its own. Threading: confined. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"

typedef struct {
    int batch, height, width;
    Precision precision;
    const char *backend; /* NULL: "auto" */
} LearnConfig;

typedef struct Learn Learn;
MUST_USE Status learn_new(Net *net, const LearnConfig *config, Learn **out,
                          Error *err); /* borrows the net */
void learn_free(Learn *learn);
float *learn_input(Learn *learn, int input);
/* `training`: batch norm uses the batch's statistics and updates the running ones (in the net; one
 * executor at a time does). */
MUST_USE Status learn_forward(Learn *learn, int count, bool training, Error *err);
/* What batch renorm may change while training: r within [1 / r_max, r_max], d within [-d_max,
 * d_max]. At first 1 and 0: batch norm. */
void learn_limit_renorm(Learn *learn, double r_max, double d_max);
/* A promise about the calls that follow: the weights are those of the last forward and backward, so
 * that what was made of them is kept. Off at first. */
void learn_keep_weights(Learn *learn, bool same);
const float *learn_output(const Learn *learn, int output);
float *learn_output_gradient(Learn *learn,
                             int output); /* cleared by learn_forward(); the caller writes it */
MUST_USE Status learn_backward(Learn *learn, Error *err); /* adds to the gradients */
float *learn_gradient(Learn *learn, int parameter);       /* NULL: not trained */
void learn_clear_gradients(Learn *learn);

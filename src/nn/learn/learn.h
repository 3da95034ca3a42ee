/* learn.h - runs a net forward and backward, for training. What the caller does for each batch:
 *   1. Fill the inputs.
 *   2. Call learn_forward().
 *   3. Write the gradient of its loss at the outputs.
 *   4. Call learn_backward(), which adds to the gradients of the parameters.
 * With PRECISION_BF16, convolutions, dense layers and attention multiply in bf16 where there is
 * fast code for this; everything is stored and summed in f32. A Learn is an executor. Use one
 * executor for each thread; an executor starts no threads. Several executors may share a net: they
 * read its values, and each executor has its own gradients.
 * Threading: confined. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/graph/op_time.h"

typedef struct {
    int batch, height, width;
    Precision precision;
    const char *backend; /* NULL: "auto" */
} LearnSetup;

typedef struct Learn Learn;
/* Borrows the net. ERR_ARGUMENT: the size of the batch or of the board is impossible.
 * ERR_UNSUPPORTED: the backend is unknown, or the precision is neither f32 nor bf16. ERR_MEMORY:
 * the system has too little memory. Large arrays are compared with what is free before they are
 * allocated, since the system could otherwise end this process or others. */
MUST_USE Status learn_new(Net *net, const LearnSetup *setup, Learn **out, Error *err);
void learn_free(Learn *learn);
float *learn_input(Learn *learn, int input);
/* Runs the first `count` samples. With `training`, dropout drops elements. Batch norm then uses the
 * statistics of the batch, and updates the running statistics, which are in the net. Only one
 * executor of a net may update them at a time. ERR_ARGUMENT: `count` is not from 1 to `batch`.
 * ERR_UNSUPPORTED: the net is for one board size, and a board has another size. */
MUST_USE Status learn_forward(Learn *learn, int count, bool training, Error *err);
/* Sets the limits of batch renorm (nn/ops/norms/batch_norm.c) while training: r stays within [1 /
 * r_max, r_max] and d within [-d_max, d_max]. Before the first call, r_max is 1 and d_max is 0,
 * which is plain batch norm. */
void learn_limit_renorm(Learn *learn, double r_max, double d_max);
/* Sets what the random numbers of the following calls depend on (nn/ops/dropout.c). `seed` should
 * differ from step to step. `first` is the number of the first sample; the samples of a batch are
 * numbered from it. Before the first call of this function, both are 0. */
void learn_seed(Learn *learn, uint64_t seed, int first);
/* If `same` is true, the caller promises that in the following calls of learn_forward() and
 * learn_backward() the weights of the net are still the same as in the last calls. Packed forms of
 * the weights are then used again. Before the first call of this function, `same` is false. */
void learn_keep_weights(Learn *learn, bool same);
const float *learn_output(const Learn *learn, int output);
/* A sum of squares, and how many numbers were squared. */
typedef struct {
    double sum, count;
} SquareSum;
/* Returns the sum of the squares of an op's values in the last forward pass. The sum is over its
 * samples and over the rows and channels of the op, but not over points off the board. The count is
 * 0 if the values are not kept, because several ops run as one step. */
SquareSum learn_square_sum(const Learn *learn, Value value);
/* Returns the array into which the caller writes the gradient of its loss with respect to an
 * output. It is NULL if the output depends on no trained parameter. learn_forward() sets it to
 * 0. */
float *learn_output_gradient(Learn *learn, int output);
MUST_USE Status learn_backward(Learn *learn, Error *err); /* adds to the gradients */
float *learn_gradient(Learn *learn, int parameter);       /* NULL if not trained */
void learn_clear_gradients(Learn *learn);
/* From now on, measures how long each op takes, forward and backward. A further call sets all times
 * to 0. ERR_MEMORY. */
MUST_USE Status learn_time_ops(Learn *learn, Error *err);
/* Returns the times by Value, one for each op of the program, or NULL before learn_time_ops(). If
 * several ops run in one pass, the first of them has the time of the whole pass. The times are
 * valid as long as the executor. */
const OpTime *learn_op_times(const Learn *learn);

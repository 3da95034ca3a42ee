/* lc0_parts.h - finds the layers of lc0's net files among the ops of a net, and writes them: the
 * reverse of lc0_layers.h. The functions lc0_find_*() start at the value in which a part ends and
 * go towards the inputs. A fault is a place where the net differs from what lc0's files can hold,
 * and its message names that place. After a fault the functions find nothing more. Threading:
 * confined. */
#pragma once
#include "base/memory.h"
#include "eval/formats/lc0/lc0_format.h"
#include "eval/formats/lc0/lc0_sink.h"
#include "nn/graph/net.h"

typedef struct {
    Lc0Sink sink;
    const Net *net;
    const Program *program;
    Error fault;
    Arena arena; /* weights that were changed for the file */
    /* Properties that lc0's format stores once for all layers. The first layer that has such a
     * property sets it, and later layers must agree. */
    Lc0Format format;
    bool has_activation, has_ffn, has_smolgen, has_epsilon;
    int heads;     /* of attention; 0: none found yet */
    Value smolgen; /* the op with the last matrix of smolgen, or -1 */
} Lc0Parts;

bool lc0_parts_good(const Lc0Parts *parts);
/* Records a fault at the op `at`. The message names the op, as in "block0.conv1: ...". If the op
 * has no name, the message says "behind" and the name of an op before it. Returns -1. */
Value lc0_parts_refuse(Lc0Parts *parts, Value at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the op that makes `value`. For -1 returns an op of no kind and without inputs. */
const Op *lc0_op(const Lc0Parts *parts, Value value);
Value lc0_input(const Lc0Parts *parts, Value value, int index);
const float *lc0_values(const Lc0Parts *parts, Value op, int slot);
/* Returns `value` if its op is of this kind. Otherwise records a fault and returns -1. */
Value lc0_expect(Lc0Parts *parts, Value value, OpKind kind);
/* Returns the input of a mask, or `value` itself if it is no mask. */
Value lc0_behind_mask(const Lc0Parts *parts, Value value);

/* A gain and a shift of each channel. */
typedef struct {
    float *gain, *shift;
    bool scales, shifts; /* whether any op gave a gain or a shift */
} Lc0Affine;
/* Finds the biases, gains and batch norms that end at `*end`, as one function of each channel, and
 * sets `*end` to their input. Returns false after a fault. */
bool lc0_find_affine(Lc0Parts *parts, Value *end, Lc0Affine *out);

/* A linear map: a convolution or a dense layer, and the biases, gains and batch norms behind it,
 * which are folded into it. */
typedef struct {
    Value input, matrix; /* `matrix` is -1 after a fault */
    int kernel, in, out;
    const float *weights; /* (out, kernel, kernel, in) */
    const float *biases;  /* (out); zeros if the net has none */
    bool has_bias;
} Lc0Linear;
/* Finds a map that ends at `end`. `kernel` is the width that its kernel must have. */
Lc0Linear lc0_find_linear(Lc0Parts *parts, Value end, int kernel);
/* Finds the activation that ends at `*end`, and sets `*end` to its input. Without an activation
 * returns LC0_ACTIVATION_NONE. */
Lc0Activation lc0_find_activation(Lc0Parts *parts, Value *end);
/* Checks a number that the file has only once. The first call sets it. */
void lc0_agree(Lc0Parts *parts, Value at, bool *known, Lc0Activation *kept, Lc0Activation found,
               const char *what);
/* Finds the activation of the net, which must be relu or mish. */
void lc0_find_net_activation(Lc0Parts *parts, Value *end);

/* Writes the weights, and the biases under the name `biases`, unless it is NULL. */
void lc0_put_linear(Lc0Parts *parts, const Lc0Linear *linear, const char *weights,
                    const char *biases);
/* Returns room for `count` numbers, or NULL after a fault. */
float *lc0_parts_room(Lc0Parts *parts, size_t count);

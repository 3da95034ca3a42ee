/* op.h - the definition of every op: forward and backward in plain C. Channels last: a value has
 * (n, rows, c) numbers, where rows is h * w for spatial values, 1 for vectors, the op's rows for
 * lists. Gradients are of one number with respect to everything. Threading: immutable table; a call
 * is confined. */
#pragma once
#include "nn/program.h"

typedef struct {
    const Op *op;
    int n, height, width;
    int active;        /* samples that count; the rest of n are padding */
    int in_rows, rows; /* of the first input and of the output, a sample */
    int in_channels[2];
    const float *mask; /* (n, h * w), 1 on the board */
    const float *area; /* (n), cells on the mask, at least 1 */
    const float *x[2];
    const float *parameters[4];
    float *running[2];    /* batch norm: mean and variance, updated while training */
    float r_most, d_most; /* limits of batch renorm */
    bool training;
    float *saved; /* what backward needs; as many as OpClass.saved says */
    float *y;     /* forward writes */
    const float *dy;
    float *dx[2]; /* NULL: not wanted. backward writes where first[i], else adds */
    bool first[2];
    float *gradients[4]; /* NULL: not trained. backward adds */
} OpCall;

typedef struct {
    void (*forward)(const OpCall *call);
    void (*backward)(const OpCall *call);
    size_t (*saved)(const Op *op, int n, int cells); /* NULL: 0 */
} OpClass;

const OpClass *op_class(OpKind kind);

/* For ops: how many numbers y has, all samples. */
size_t op_numbers(const OpCall *call);
/* dx = dy, or `add`: dx += dy. */
void op_pass_on(size_t count, const float *dy, float *dx, bool add);

/* ops/NAME.c */
extern const OpClass OP_CLASS_CONV, OP_CLASS_DENSE, OP_CLASS_SCALE, OP_CLASS_BIAS,
    OP_CLASS_BATCH_NORM, OP_CLASS_ACTIVATION, OP_CLASS_ADD, OP_CLASS_ADD_BROADCAST,
    OP_CLASS_MUL_BROADCAST, OP_CLASS_MASK, OP_CLASS_GLOBAL_POOL, OP_CLASS_CONCAT, OP_CLASS_SLICE,
    OP_CLASS_CONSTANT, OP_CLASS_MULTIPLY, OP_CLASS_RMS_NORM, OP_CLASS_ROTARY, OP_CLASS_ATTENTION;

/* Loops over numbers get a version for each instruction set. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OP_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OP_LOOP
#endif

/* op_kinds.h - what a program is made of: values, ops and the numbers that they learn. Values have
 * an implicit batch n. Kinds: SPATIAL (n, h, w, c), channels last; VECTOR (n, c); LIST (n, rows, c)
 * with fixed rows. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef int Value; /* index of the op that makes it; -1: none */

typedef enum { KIND_SPATIAL, KIND_VECTOR, KIND_LIST } ValueKind;
typedef enum {
    ACTIVATION_IDENTITY,
    ACTIVATION_RELU,
    ACTIVATION_MISH,
    ACTIVATION_SILU,
    ACTIVATION_TANH
} Activation;
typedef enum {
    POOL_MEAN_SCALE_MAX, /* c -> 3c: mean, mean * (sqrt(area) - 14) / 10, max over cells on the mask
                            (Wu 2019, section 3.3) */
    POOL_MEAN_SCALE_SCALE /* c -> 3c: mean, mean * (sqrt(area) - 14) / 10, mean * ((sqrt(area) -
                             14)^2 / 100 - 0.1) */
} PoolKind;

typedef enum {
    OP_INPUT,      /* spatial or vector, f32, filled by the caller */
    OP_CONSTANT,   /* list (rows, c), the same for every sample; a parameter that is not trained */
    OP_CONV,       /* k x k, stride 1, zero padded, no bias; weights (out, kh, kw, in) */
    OP_DENSE,      /* over the last axis of any kind, no bias; weights (out, in) */
    OP_SCALE,      /* per-channel gain, trained or a constant; weights (c) */
    OP_BIAS,       /* per-channel; weights (c) */
    OP_BATCH_NORM, /* statistics over cells on the mask; weights gamma (c), beta (c); state mean
                      (c), variance (c) */
    OP_ACTIVATION,
    OP_ADD,           /* same shape */
    OP_ADD_BROADCAST, /* spatial or list + vector (n, c) */
    OP_MUL_BROADCAST, /* spatial or list * vector (n, c) */
    OP_MASK,          /* 0 off the board */
    OP_GLOBAL_POOL,   /* spatial -> vector */
    OP_CONCAT,        /* along c; same kind */
    OP_SLICE,         /* channels first .. first + count - 1 */
    OP_MULTIPLY,      /* same shape, number by number */
    OP_RMS_NORM,  /* x / sqrt(mean of x^2 + epsilon) * gain, the mean over the channels of a row,
                     or of all cells on the mask; 0 off the mask; weights gain (c) */
    OP_ROTARY,    /* turns pairs of channels by angles that grow with the place of the cell;
                     weights rates (kv_heads, query_channels / 2, 2) */
    OP_ATTENTION, /* cells look at the cells on the mask; 0 off the mask */
    OP_KIND_COUNT
} OpKind;

/* Vaswani et al. 2017, "Attention is all you need", section 3.2.2, with fewer heads of keys and
 * values than of queries (Ainslie et al. 2023): query head i looks at keys and values of head
 * i / (heads / kv_heads). A row holds the queries, head by head, then the keys, then the values. */
typedef struct {
    int heads, kv_heads; /* a multiple of kv_heads */
    int query_channels;  /* of a head of queries, and of keys */
    int value_channels;  /* of a head of values */
} AttentionShape;

typedef struct {
    OpKind kind;
    char name[64];      /* of inputs and of ops with parameters unique; those are "name.weight",
                           "name.bias" ... */
    Value inputs[2];    /* -1: unused */
    ValueKind shape;    /* of the output */
    int channels, rows; /* of the output; rows for lists */
    int kernel_h, kernel_w;
    Activation activation;
    PoolKind pool;
    int first;               /* of a slice */
    float epsilon, momentum; /* norms; momentum of batch norm */
    bool renorm;             /* batch renorm */
    bool whole_board;        /* of an RMS norm: one mean of all cells */
    AttentionShape attention;
    int parameters[4]; /* indices into the net's parameters; -1: unused */
} Op;

typedef enum { INIT_ZERO, INIT_ONE, INIT_NORMAL, INIT_GIVEN } InitKind;
typedef struct {
    char name[72];
    int rank, dims[4];
    size_t count;
    bool trained; /* false: running statistics and constants */
    bool decayed; /* weight decay applies (weights yes; gains and biases no) */
    InitKind init;
    double deviation; /* INIT_NORMAL: truncated at 2 deviations */
    float *given;     /* INIT_GIVEN */
} ParameterSpec;

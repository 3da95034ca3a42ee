/* op_kinds.h - what a program is made of: values, ops and parameters. A value is a tensor whose
 * first dimension is the batch, n, and whose last one is the channels, c. There are three kinds:
 *     SPATIAL   (n, h, w, c)
 *     VECTOR    (n, c)
 *     LIST      (n, rows, c), where the number of rows is fixed */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef int Value; /* index of the op that makes it; -1: no value */

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
    POOL_MEAN_SCALE_SCALE, /* c -> 3c: mean, mean * (sqrt(area) - 14) / 10,
                              mean * ((sqrt(area) - 14)^2 / 100 - 0.1) */
    POOL_MEAN_MAX,         /* c -> 2c: mean, max over cells on the mask (GoNN, model.py) */
    POOL_MEAN,             /* c -> c: mean */
    POOL_MEAN_MAX_STDEV    /* c -> 3c: as POOL_MEAN_MAX, then the standard deviation over cells on
                              the mask, sqrt(variance + POOL_STDEV_EPSILON) (GoNN, README) */
} PoolKind;
/* Keeps the slope of the standard deviation finite; the number is our own. */
#define POOL_STDEV_EPSILON 1e-4f

typedef enum { GATE_BOTH, GATE_MULTIPLY, GATE_ADD } GateKind; /* gains and shifts, or one of them */

/* The forms of an attention map (attention_terms.c): a number for each offset between two points, a
 * number for each pair of points, or two short vectors u and v for each point. In the last form the
 * number of a pair is the dot product of the u of one point and the v of the other point, so the
 * map has a low rank. */
typedef enum { MAP_OFFSETS, MAP_POINTS, MAP_RANKS } MapKind;

/* The list of all ops. ROW(X) makes the enumerator OP_X of OpKind and declares the class OP_CLASS_X
 * (op.h). A file of nn/ops/ defines this class, with the formula and its source. Nothing depends on
 * the order of the rows. */
#define OP_LIST(ROW)                                                                               \
    ROW(INPUT)         /* spatial or vector, f32, filled by the caller */                          \
    ROW(CONSTANT)      /* list (rows, c), the same for every sample; weights (rows, c) */          \
    ROW(CONV)          /* kh x kw, stride 1, zero padded, no bias; weights (out, kh, kw, in) */    \
    ROW(DENSE)         /* over the last axis of any kind, no bias; weights (out, in) */            \
    ROW(SCALE)         /* multiplies by a gain for each channel, trained or fixed; weights (c) */  \
    ROW(BIAS)          /* adds a bias for each channel; weights (c) */                             \
    ROW(BATCH_NORM)    /* normalises by mean and variance of each channel; 4 parameters (c) */     \
    ROW(ACTIVATION)    /* one of Activation, element by element */                                 \
    ROW(ADD)           /* a + b, which have the same shape */                                      \
    ROW(ADD_BROADCAST) /* spatial or list + vector (n, c) */                                       \
    ROW(MUL_BROADCAST) /* spatial or list * vector (n, c) */                                       \
    ROW(MASK)          /* sets values off the board to 0 */                                        \
    ROW(GLOBAL_POOL)   /* spatial to vector; one of PoolKind */                                    \
    ROW(CONCAT)        /* joins two values of the same kind along c */                             \
    ROW(SLICE)         /* takes the channels first .. first + count - 1 */                         \
    ROW(MULTIPLY)      /* a * b, which have the same shape, element by element */                  \
    ROW(RMS_NORM)      /* x / sqrt(mean of x^2 + epsilon) * gain; weights (c) */                   \
    ROW(ROTARY)        /* rotates queries and keys by the row and column of their cell */          \
    ROW(ATTENTION)     /* each cell attends to the cells on the mask; the result is 0 off it */    \
    ROW(SIGMOID)       /* 1 / (1 + exp(-x)), element by element */                                 \
    ROW(PRELU)         /* x > 0 ? x : slope * x, element by element; weights slope (c) */          \
    ROW(LAYER_NORM)    /* (x - mean) / sqrt(variance + epsilon) * gain + bias, both (c) */         \
    ROW(POINTS)        /* a matrix (side^2, side^2) and a bias (side^2), for all channels */       \
    ROW(CHAIN_POOL)    /* the maximum over the chain of each stone */                              \
    ROW(DIAGONALS)     /* averages along the diagonals, with weights from the input */             \
    ROW(SOFTPLUS)      /* ln(1 + exp(x)), element by element; Op.limit may limit it */             \
    ROW(PLACE_GATE)    /* x * gain + shift, by place on the board; weights (places, c) */          \
    ROW(POINTS_VECTOR) /* spatial to vector: the values at the points of a board */                \
    ROW(VECTOR_ROWS)   /* vector (rows * c) to list (rows, c) */                                   \
    ROW(ATTENTION_TABLES) /* attention with a vector for each offset; up to 3 tables */            \
    ROW(ATTENTION_MAPS)   /* the same with 0 to 3 tables, and with maps from the second input */   \
    ROW(CRELU)            /* c -> 2c: max(x, 0), then max(-x, 0) */                                \
    ROW(MIXTURE)          /* list (rows, m) and vector (m) to list (rows, 1): ln of a mixture */   \
    ROW(QUERIES)          /* spatial (d) and vector (p d) to spatial (p): x . queries / sqrt(d) */ \
    ROW(FAKE_QUANTIZE)    /* rounds to 256 levels with a learned step, one for all elements */     \
    ROW(WEIGHT_STEP)      /* y = x; its parameter is the rounding steps of the layer before it */  \
    ROW(DROPOUT)          /* while training, sets random elements to 0 and scales the others */    \
    ROW(VECTOR_POINTS)    /* vector (side^2 * c) to spatial (c): the reverse of POINTS_VECTOR */

#define OP_KIND(NAME) OP_##NAME,
typedef enum { OP_LIST(OP_KIND) OP_KIND_COUNT } OpKind;
#undef OP_KIND

/* The heads of an attention (Vaswani et al. 2017, "Attention is all you need", section 3.2.2).
 * Several heads of queries may share one head of keys and values (Ainslie et al. 2023): query head
 * i reads the keys and values of head i / (heads / kv_heads). A row of the input holds the queries,
 * head by head, then the keys, then the values. */
typedef struct {
    int heads, kv_heads; /* heads is a multiple of kv_heads */
    int query_channels;  /* channels of a head of queries or keys */
    int value_channels;  /* channels of a head of values */
} AttentionShape;

/* One op of a program. Its class lists the attributes that it has (OpClass.fields); the others are
 * 0. */
typedef struct {
    OpKind kind;
    /* unique among inputs and among ops with parameters; the parameters are "name.weight",
     * "name.bias" and so on */
    char name[64];
    Value inputs[2];    /* -1: unused */
    ValueKind shape;    /* of the output */
    int channels, rows; /* of the output; `rows` only for lists */
    int kernel_h, kernel_w;
    int dilation; /* of a convolution: the distance between neighbouring taps, at least 1 */
    /* A dense op, or a convolution of k x 1 or 1 x k, may use the weights of an earlier op. This is
     * that op, or 0 if the op has weights of its own. An op of 1 x k may use weights of k x 1; they
     * are then transposed. */
    Value weights_of;
    Activation activation;
    PoolKind pool;
    int first;               /* first channel of a slice */
    float epsilon, momentum; /* epsilon of norms, momentum of batch norm */
    bool renorm;             /* batch renorm */
    bool whole_board;        /* an RMS norm with one mean over all cells */
    bool fixed;              /* its gains or frequencies are not trained */
    AttentionShape attention;
    int side;   /* the weights belong to the points of a board of side x side */
    bool edges; /* places are distances to the edges of the board */
    GateKind gate;
    bool trained; /* a constant that is learned */
    struct {
        MapKind kind;
        int rank; /* length of the vectors of MAP_RANKS */
        int rows; /* of the second input */
    } map;
    int tables;     /* of attention: the sum of 1 for queries, 2 for keys, 4 for values */
    int list_rows;  /* of the output of OP_VECTOR_ROWS */
    float limit;    /* the largest value of a softplus; 0: it has none */
    float rate;     /* of a dropout: the fraction of elements that become 0 */
    int zero_point; /* of OP_FAKE_QUANTIZE: how many levels are below 0, at most 255 */
    /* of OP_WEIGHT_STEP: 1 (int8, a step for each output), or 32 or 64 weights that share a step */
    int group;
    int steps;         /* of OP_WEIGHT_STEP: the number of steps for each output; 1 with int8 */
    int parameters[4]; /* indices into the net's parameters; -1: unused */
} Op;

typedef enum { INIT_ZERO, INIT_ONE, INIT_VALUE, INIT_NORMAL, INIT_GIVEN } InitKind;
typedef struct {
    char name[72];
    int rank, dims[4];
    size_t count;
    bool trained;     /* false for running statistics and for what an op keeps fixed */
    bool decayed;     /* weight decay applies (to weights, not to gains and biases) */
    bool nonnegative; /* after each step of the optimiser, negative values become 0 */
    InitKind init;
    double value;     /* INIT_VALUE: the value of every element */
    double deviation; /* INIT_NORMAL: standard deviation of the values */
    double center;    /* INIT_NORMAL: see program_emphasise_centers() */
    float *given;     /* INIT_GIVEN; owned */
} ParameterSpec;

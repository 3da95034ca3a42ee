/* infer_plan.h - a program lowered for inference: fewer, larger steps. Norms, gains and biases are
 * folded into the weights that they follow; activation, mask, residual and vector additions hang on
 * the step that makes the value. A step computes   y = activation(affine(op(x)) + vector +
 * residual) * mask. infer_lower.h makes
 * them. Threading: immutable once made. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/ops/op.h"

/* How a step's values are kept: bytes stand for (q - zero) * step, by channel. */
typedef enum { STORE_F32, STORE_BF16, STORE_INT8 } Store;

typedef enum {
    STEP_INPUT,
    STEP_CONSTANT,
    STEP_CONV,        /* also a dense layer over a spatial value, as 1 x 1 */
    STEP_DENSE,       /* over vectors and lists */
    STEP_ELEMENTWISE, /* op(x) is x, times vector_mul if there is one */
    STEP_POOL,
    STEP_CONCAT,
    STEP_SLICE,
    STEP_MULTIPLY,
    STEP_RMS_NORM,
    STEP_ROTARY,
    STEP_ATTENTION, /* turns queries and keys first, if it has weights */
    STEP_DEFINITION /* any op by its definition, in f32 */
} StepKind;

/* What a step by definition runs: the op, the ops that make its inputs, and copies of its
 * parameters. */
typedef struct {
    Op op, inputs[2];
    float *parameters[4]; /* NULL: unused; owned */
} Definition;

/* How the numbers of each channel become int8: round(x * inverse_scales) + zero_points, (c) each;
 * owned. */
typedef struct {
    float *inverse_scales;
    uint8_t *zero_points;
} Rounding;

typedef struct {
    StepKind kind;
    int inputs[2];                        /* steps; -1: unused */
    int residual, vector_add, vector_mul; /* steps; -1: none */
    ValueKind shape;
    int channels, rows, in_channels, kernel_h, kernel_w;
    int first;  /* of a slice */
    int source; /* STEP_INPUT: which input of the program */
    PoolKind pool;
    Activation activation;
    bool mask;
    bool winograd; /* a convolution in f32 by Winograd's tiles (winograd.h) */
    Store store;
    const LayerQuantisation
        *quantisation; /* of the input, where a convolution takes bytes; else NULL; never
                                  of a small one */
    Rounding rounding; /* of the output, where it is stored in int8 */
    float *weights;    /* (out, kh, kw, in), folded; STEP_CONSTANT: (rows, c); STEP_RMS_NORM: gains;
                       STEP_ROTARY: cosine and sine of (cells, kv_heads, pairs); owned */
    float epsilon;
    bool whole_board; /* of an RMS norm */
    AttentionShape attention;
    Definition *definition; /* STEP_DEFINITION; owned */
    float *scale, *bias;    /* (c); NULL: 1 and 0; a conv or dense layer has no scale; owned */
    int position;           /* order of running */
    bool in_place;          /* its buffer is also that of its residual, or of its first input if it
                               runs by its definition */
    size_t offset;          /* bytes a sample before the buffer, in the arena */
} Step;

typedef struct {
    Step *steps;
    int count;
    int *order; /* steps in order of running */
    int *outputs, output_count;
    int height, width;
    int mask_input, mask_channel, mask_channels; /* input -1: no mask */
    bool bf16;                                   /* convolutions in bf16, but for tiles and */
    Quantisation *quantisation;                  /* those that these are for, in int8; NULL: none */
    size_t sample_bytes;                         /* arena bytes a sample */
    int max_channels;
} Plan;

void plan_free(Plan *plan);
bool plan_is_small_conv(const Step *step);
int plan_rows(const Plan *plan, const Step *step);      /* cells, list rows or 1 */
size_t plan_values(const Plan *plan, const Step *step); /* numbers a sample */
size_t plan_bytes(const Plan *plan, const Step *step);  /* of a sample, a multiple of 64 */

/* infer_plan.h - a plan: the program of a net, lowered for inference to fewer and larger steps.
 * Batch norms, gains and biases are folded into the weights of the step before them. Activation,
 * mask, residual and added vectors belong to the step that makes the value. A step computes
 *     y = activation(affine(op(x)) + vector + residual) * mask
 * infer_lower.h makes plans. Threading: immutable once made. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/ops/op.h"

/* The type in which a step's values are stored. In int8, q stands for (q - zero_point) * scale,
 * with a zero point and a scale for each channel. */
typedef enum { STORE_F32, STORE_BF16, STORE_INT8 } Store;

typedef enum {
    STEP_INPUT,
    STEP_CONSTANT,
    STEP_CONV,        /* a convolution, or a dense layer over a spatial value */
    STEP_DENSE,       /* over vectors and lists */
    STEP_ELEMENTWISE, /* op(x) = x, times vector_mul if there is one */
    STEP_POOL,
    STEP_CONCAT,
    STEP_SLICE,
    STEP_MULTIPLY,
    STEP_RMS_NORM,
    STEP_ROTARY,
    STEP_ATTENTION, /* first rotates queries and keys if it has weights */
    STEP_DEFINITION /* any op by its definition, in f32 */
} StepKind;

/* What a step needs to run the definition of an op: the op, the ops that make its inputs, and
 * copies of its parameters. */
typedef struct {
    Op op, inputs[2];
    float *parameters[4]; /* NULL: unused; owned */
} Definition;

/* How the values of each channel are rounded to int8: round(x * inverse_scale) + zero_point. Both
 * arrays have an element for each channel and are owned. */
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
    int dilation; /* STEP_CONV: the distance between neighbouring taps */
    int first;    /* STEP_SLICE: first channel */
    int source;   /* STEP_INPUT: which input of the program */
    PoolKind pool;
    Activation activation;
    bool mask;
    bool winograd; /* a convolution that runs in f32 by Winograd (winograd.h) */
    Store store;
    /* of the input of a convolution that runs in int8; otherwise NULL. Small convolutions
     * (plan_is_small_conv()) never run in int8. */
    const LayerQuantisation *quantisation;
    /* of a dense layer over cells that runs in int8 with a scale for each cell; otherwise NULL */
    const LayerQuantisation *by_rows;
    float *weight_scales; /* of `by_rows`, (channels), if its weights are rounded; owned */
    Rounding rounding;    /* of the output, if it is stored in int8 */
    /* (out, kh, kw, in), with gains folded in. STEP_CONSTANT: (rows, c). STEP_RMS_NORM: gains.
     * STEP_ROTARY, and STEP_ATTENTION if it rotates: cosine and sine of (cells, kv_heads, pairs).
     * Owned. */
    float *weights;
    float epsilon;
    bool whole_board; /* of an RMS norm: one mean for the whole board */
    AttentionShape attention;
    bool int8_attention;    /* STEP_ATTENTION: products in int8, where the kernels can */
    Definition *definition; /* STEP_DEFINITION; owned */
    /* (c); NULL means a scale of 1 or a bias of 0. Convolutions and dense layers have no scale.
     * Owned. */
    float *scale, *bias;
    int position; /* index in the order of running */
    /* it writes over the buffer of its residual or, if it runs a definition, of its first input */
    bool in_place;
    size_t offset; /* bytes before the buffer in the arena, for each sample */
} Step;

typedef struct {
    Step *steps;
    int count;
    int *order; /* steps in the order in which they run */
    int *outputs, output_count;
    int height, width;
    int mask_input, mask_channel, mask_channels; /* mask_input -1: the net has no mask */
    /* convolutions run in bf16, except those by Winograd or in int8 */
    bool bf16;
    Quantisation *quantisation; /* the layers in int8; NULL: none */
    size_t sample_bytes;        /* size of the arena for each sample */
    size_t memory_max;          /* bytes that buffers may take besides inputs and outputs */
    int max_channels;
} Plan;

/* The memory that an executor may take besides the net's weights: the sum of PLAN_BUFFERS_MAX
 * bytes, PLAN_BUFFERS_BY_WEIGHTS times the bytes of the weights, and PLAN_PORT_BYTES_MAX for each
 * sample of the batch. There is a limit because even a small file can describe values of gigabytes.
 * It covers the values that are alive at once in a chunk of the batch, scratch, inputs and outputs.
 * The tables of rotations with the copies of shared weights, and the scratch of oneDNN, are checked
 * separately, each against the first two parts of the sum. KataGo's nets take less than a fifth of
 * the limit. The reference backend, which keeps all values, has no such limit. */
enum { PLAN_BUFFERS_MAX = 24 << 20, PLAN_BUFFERS_BY_WEIGHTS = 4, PLAN_PORT_BYTES_MAX = 256 << 10 };

void plan_free(Plan *plan);
/* Says that running the net takes `wanted` bytes besides its weights, and that `max` are allowed;
 * returns ERR_UNSUPPORTED. */
Status plan_refuse_memory(const Plan *plan, size_t wanted, size_t max, Error *err);
/* Whether the step is a 1 x 1 convolution with so few output channels that a plain loop runs it. */
bool plan_is_small_conv(const Step *step);
int plan_rows(const Plan *plan, const Step *step);      /* rows in a sample, as op_rows() */
size_t plan_values(const Plan *plan, const Step *step); /* elements in a sample */
size_t plan_bytes(const Plan *plan, const Step *step);  /* of a sample; a multiple of 64 */

/* infer_plan.h - a plan: the program of a net, lowered for inference to fewer and larger steps.
 * A step takes in the ops that follow it if it is a convolution, a dense layer or an elementwise
 * step, and if nothing else reads its result. Batch norms, gains and biases are folded into the
 * step. Where it can, the step also applies the activation, mask, residual and added vector that
 * follow. An op that the step before it cannot take in becomes an elementwise step of its own. In
 * all, a step computes
 *     y = activation(affine(op(x)) + vector + residual) * mask
 * infer_lower.h makes plans. Threading: immutable once made. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/ops/attention/attention_map.h"

/* The type in which a step's values are stored. In int8, a stored q stands for the value
 *     (q - zero_point) * scale
 * with a zero point and a scale for each channel. */
typedef enum { STORE_F32, STORE_BF16, STORE_INT8 } Store;

typedef enum {
    STEP_INPUT,
    STEP_CONSTANT,
    STEP_CONV,        /* a convolution, or a dense layer over a spatial value */
    STEP_DENSE,       /* a dense layer over a vector or a list */
    STEP_ELEMENTWISE, /* op(x) = x, or x * vector_mul if there is a vector_mul */
    STEP_POOL,
    STEP_CONCAT,
    STEP_SLICE,
    STEP_MULTIPLY,
    STEP_RMS_NORM,
    STEP_LAYER_NORM,
    STEP_ROTARY,
    STEP_ATTENTION, /* first rotates queries and keys if Step.weights is not NULL */
    STEP_DEFINITION /* any op by its definition, in f32 */
} StepKind;

/* An op that a step runs by its definition, the ops that make the inputs of this op, and copies of
 * the parameters of this op. */
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

/* The data that a step needs for arithmetic in int8. */
typedef struct {
    /* of a STEP_CONV that runs in int8 with a scale for each channel of its input; otherwise NULL.
     * Small convolutions (plan_is_small_conv()) never run in int8. */
    const LayerQuantisation *quantisation;
    /* of a dense layer over cells that runs in int8 with a scale for each cell; otherwise NULL */
    const LayerQuantisation *by_rows;
    /* (channels), owned; NULL unless `by_rows` has weights that are rounded already */
    float *weight_scales;
    Rounding rounding; /* of the output, if it is stored in int8 */
    bool attention;    /* STEP_ATTENTION: multiply in integers if attention_int8_can() */
} Int8Step;

typedef struct {
    StepKind kind;
    Value op;      /* the op that became this step; others may be fused into it */
    int inputs[2]; /* indices of steps; -1: unused */
    /* what is fused into the step: indices of the steps that make its operands; -1: none */
    struct {
        int residual, vector_add, vector_mul;
    } fused;
    ValueKind shape;
    int channels, rows, in_channels, kernel_h, kernel_w;
    int dilation; /* STEP_CONV: the distance between neighbouring taps */
    int first;    /* STEP_SLICE: the first channel that it takes */
    int source;   /* STEP_INPUT: index among the inputs of the program */
    PoolKind pool;
    Activation activation;
    bool mask;
    bool winograd; /* a convolution that runs in f32 by Winograd (winograd.h) */
    Store store;
    Int8Step int8;
    /* Owned. STEP_CONV and STEP_DENSE: (out, kh, kw, in), with gains folded in; NULL once
     * PackedPlan has them by Winograd, by GEMM or in int8 by rows (infer_packed.h). STEP_CONSTANT:
     * the values, (rows, c). STEP_RMS_NORM and STEP_LAYER_NORM: the gains, (c). STEP_ROTARY, and
     * STEP_ATTENTION if it rotates: (cells, kv_heads, pairs, 2), the cosine and the sine of each
     * angle. */
    float *weights;
    float epsilon;    /* of a norm */
    bool whole_board; /* of an RMS norm: one mean for the whole board */
    AttentionShape attention;
    AttentionMapShape maps; /* STEP_ATTENTION: those of the second input; no rows: there are none */
    Definition *definition; /* STEP_DEFINITION; owned */
    /* (c), owned; NULL means a scale of 1 or a bias of 0. Convolutions and dense layers have no
     * scale, because it is folded into their weights. */
    float *scale, *bias;
    bool rounds; /* this step only rounds the result of another one */
    /* index in Plan.order; while the plan is made, a number by which the steps are sorted */
    int position;
    /* The step writes over the buffer of its residual. If it runs a definition, it writes over the
     * buffer of its first input instead. */
    bool in_place;
    size_t offset; /* in a chunk of n samples, the buffer begins at byte n * offset of the arena */
} Step;

typedef struct {
    Step *steps;
    int count;
    int *order; /* steps in the order in which they run */
    int *outputs, output_count;
    int height, width;
    int mask_input;    /* index of the input that has the mask; -1: the net has no mask */
    int mask_channel;  /* the channel of this input that is the mask */
    int mask_channels; /* how many channels this input has */
    /* STEP_CONV runs in bf16, unless it is small or runs by Winograd or in int8; STEP_ATTENTION
     * runs in bf16 if the processor can */
    bool bf16;
    Quantisation *quantisation; /* the layers in int8, owned; NULL: none */
    size_t sample_bytes;        /* size of the arena for each sample */
    size_t memory_max;          /* the first two parts of the limit of memory (below), in bytes */
    int max_channels;
} Plan;

/* The limit of the memory that an executor may take besides the net's weights. It is the sum of
 *     1. PLAN_BUFFERS_MAX bytes,
 *     2. PLAN_BUFFERS_BY_WEIGHTS times the bytes of the weights,
 *     3. PLAN_PORT_BYTES_MAX bytes for each sample of the batch, meant for inputs and outputs.
 * There is a limit because even a small file can describe values of gigabytes. The limit covers
 *     - the values that are needed at the same time in a chunk of the batch,
 *     - the scratch of our own kernels,
 *     - the inputs and outputs,
 *     - the padding that oneDNN adds to the weights.
 * Two amounts of memory are not part of this sum. Each of them may be as large as parts 1 and 2
 * together:
 *     - the scratch of oneDNN,
 *     - the tables of rotations together with the copies of shared weights.
 * KataGo's nets take less than a fifth of the limit. The reference backend, which keeps all values,
 * has no such limit. */
enum { PLAN_BUFFERS_MAX = 21 << 20, PLAN_BUFFERS_BY_WEIGHTS = 4, PLAN_PORT_BYTES_MAX = 256 << 10 };

void plan_free(Plan *plan);
/* Says that running the net takes `wanted` bytes besides its weights, and that `max` are allowed;
 * returns ERR_UNSUPPORTED. */
Status plan_refuse_memory(const Plan *plan, size_t wanted, size_t max, Error *err);
/* Whether the step is a 1 x 1 convolution with so few output channels that a plain loop runs it. */
bool plan_is_small_conv(const Step *step);
/* Whether a step of attention runs by infer_attention_split.h: in a net in int8, without maps, if
 * the processor has AMX. */
bool plan_splits_attention(const Plan *plan, const Step *step);
int plan_rows(const Plan *plan, const Step *step);      /* rows in a sample (program_rows()) */
size_t plan_values(const Plan *plan, const Step *step); /* elements in a sample */
size_t plan_bytes(const Plan *plan, const Step *step);  /* of a sample; a multiple of 64 */

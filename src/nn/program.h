/* program.h - the intermediate form: a net is a list of ops over values, built once, run by two
 * executors (infer, learn). Values have an implicit batch n. Kinds: SPATIAL (n, h, w, c), channels
 * last; VECTOR (n, c); LIST (n, rows, c) with fixed rows. h and w are chosen when an executor is
 * made, so one program serves all board sizes. Off-board cells are 0 in the mask; the mask is one
 * channel of one spatial input. Building never fails half-way: a wrong call is remembered and told
 * by program_status(). Threading: confined while built, then immutable. */
#pragma once
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
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

typedef struct Program Program; /* opaque */
enum { PROGRAM_OUTPUTS_MOST = 16 };

MUST_USE Status program_new(Program **out, Error *err);
void program_free(Program *program);
MUST_USE Status program_status(const Program *program,
                               Error *err); /* the first fault of building */

Value program_input(Program *program, const char *name, ValueKind kind, int channels);
void program_set_mask(Program *program, Value spatial_input, int channel);
Value program_constant(Program *program, const char *name, int rows, int channels,
                       const float *values);
/* `deviation`: of the initial weights; 0 starts at zero; < 0: He et al. 2015, sqrt(2 / fan_in)
 * times -deviation. */
Value program_conv(Program *program, const char *name, Value x, int out_channels, int kernel,
                   double deviation);
Value program_dense(Program *program, const char *name, Value x, int out_channels,
                    double deviation);
Value program_scale(Program *program, const char *name, Value x, double start);
/* The same gain for all channels, which is not trained. */
Value program_fixed_scale(Program *program, const char *name, Value x, double gain);
Value program_bias(Program *program, const char *name, Value x);
Value program_batch_norm(Program *program, const char *name, Value x, double epsilon,
                         double momentum);
typedef struct {
    double epsilon, momentum; /* of the variance; what running statistics keep a step */
    bool renorm;              /* batch renorm; nn/ops/batch_norm.c */
    bool no_gain;             /* gamma stays 1 */
} BatchNormKind;
Value program_batch_norm_of(Program *program, const char *name, Value x, BatchNormKind kind);
Value program_activation(Program *program, Value x, Activation activation);
Value program_add(Program *program, Value a, Value b);
Value program_add_broadcast(Program *program, Value x, Value vector);
Value program_mul_broadcast(Program *program, Value x, Value vector);
Value program_mask(Program *program, Value x);
Value program_global_pool(Program *program, Value x, PoolKind kind);
Value program_concat(Program *program, Value a, Value b);
Value program_slice(Program *program, Value x, int first, int count);
Value program_multiply(Program *program, Value a, Value b);
Value program_rms_norm(Program *program, const char *name, Value x, double epsilon,
                       bool whole_board);
/* Rotary encoding of places (Su et al. 2021, "RoFormer"): pair p of a head of queries or keys turns
 * by column * f[0] + row * f[1], f the rates of the head of keys that belongs to it. Values
 * stay. `rates`: (kv_heads, query_channels / 2, 2); NULL: zeros. */
Value program_rotary(Program *program, const char *name, Value x, AttentionShape shape,
                     const float *rates, bool trained);
/* softmax(queries . keys / sqrt(query_channels)) . values, (heads * value_channels). */
Value program_attention(Program *program, Value x, AttentionShape shape);
void program_output(Program *program, const char *name, Value x);

int program_op_count(const Program *program);
const Op *program_op(const Program *program, Value value);
int program_parameter_count(const Program *program);
const ParameterSpec *program_parameter(const Program *program, int index);
int program_input_count(const Program *program);
Value program_input_value(const Program *program, int index);
int program_find_input(const Program *program, const char *name); /* index among inputs; -1 */
int program_output_count(const Program *program);
Value program_output_value(const Program *program, int index);
const char *program_output_name(const Program *program, int index);
int program_find_output(const Program *program, const char *name); /* -1: none */
void program_mask_source(const Program *program, Value *input, int *channel);
/* Rows of channels in a sample of a value of this kind: cells, `list_rows`, or 1. */
int program_rows(ValueKind kind, int list_rows, int height, int width);
/* Of a position on a board of this size: of all ops, or of the one at `value`; convolutions, dense
 * layers and attention count. */
double program_multiply_adds(const Program *program, int height, int width);
double program_op_multiply_adds(const Program *program, Value value, int height, int width);

/* As JSON, and back with every check (hostile text is refused). */
MUST_USE Status program_write(const Program *program, StrBuf *out, Error *err);
MUST_USE Status program_read(const char *text, size_t length, Program **out, Error *err);

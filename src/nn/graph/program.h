/* program.h - the intermediate form of a net: a list of ops over values (op_kinds.h), built once
 * and run by two executors (infer, learn). The board size is chosen when an executor is made, so
 * one program serves all sizes. The mask is one channel of one spatial input and is 0 off the
 * board. Building never fails half-way: the program remembers the first mistake and returns it from
 * program_status().
 * Threading: confined while built, then immutable. */
#pragma once
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "nn/ops/op_kinds.h"

typedef struct Program Program; /* opaque */
enum { PROGRAM_OUTPUTS_MAX = 16 };

MUST_USE Status program_new(Program **out, Error *err);
void program_free(Program *program);
/* The first mistake of building. */
MUST_USE Status program_status(const Program *program, Error *err);

/* Adds any op. `wanted` has its kind, inputs and attributes, and its channels if the op leaves them
 * free. Shape and parameters follow from the op's definition (op.h), which also gives the initial
 * values. `name` is ignored for ops of one fixed name. The functions below are shorter ways to
 * write such calls; some set the initial weights. */
Value program_add_op(Program *program, const char *name, Op wanted);
Value program_input(Program *program, const char *name, ValueKind kind, int channels);
void program_set_mask(Program *program, Value spatial_input, int channel);
Value program_constant(Program *program, const char *name, int rows, int channels,
                       const float *values);
/* `deviation`: standard deviation of the initial weights. 0 starts at zero; a negative one means
 * that of He et al. 2015, sqrt(2 / fan_in), times -deviation. */
Value program_conv(Program *program, const char *name, Value x, int out_channels, int kernel,
                   double deviation);
Value program_dense(Program *program, const char *name, Value x, int out_channels,
                    double deviation);
Value program_scale(Program *program, const char *name, Value x, double start);
/* One gain for all channels, which is not trained. */
Value program_fixed_scale(Program *program, const char *name, Value x, double gain);
Value program_bias(Program *program, const char *name, Value x);
Value program_batch_norm(Program *program, const char *name, Value x, double epsilon,
                         double momentum);
typedef struct {
    /* added to the variance; the part of the running statistics that a step keeps */
    double epsilon, momentum;
    bool renorm;  /* batch renorm, see nn/ops/batch_norm.c */
    bool no_gain; /* gamma is not trained and stays 1 */
} BatchNormKind;
Value program_batch_norm_of(Program *program, const char *name, Value x, BatchNormKind kind);
Value program_activation(Program *program, Value x, Activation activation);
Value program_sigmoid(Program *program, Value x);
Value program_prelu(Program *program, const char *name, Value x);
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
/* Rotary position encoding (Su et al. 2021, "RoFormer"): pair p of a head of queries or keys is
 * rotated by the angle
 *     column * f[0] + row * f[1]
 * where f are the frequencies of p in the head of keys that belongs to it. Values are not rotated.
 * `frequencies`: (kv_heads, query_channels / 2, 2); NULL: zeros. */
Value program_rotary(Program *program, const char *name, Value x, AttentionShape shape,
                     const float *frequencies, bool trained);
/*   softmax(queries . keys / sqrt(query_channels)) . values
 * The result has heads * value_channels channels. */
Value program_attention(Program *program, Value x, AttentionShape shape);
void program_output(Program *program, const char *name, Value x);

int program_op_count(const Program *program);
const Op *program_op(const Program *program, Value value);
int program_parameter_count(const Program *program);
const ParameterSpec *program_parameter(const Program *program, int index);
int program_input_count(const Program *program);
Value program_input_value(const Program *program, int index);
/* The index among the inputs; -1: there is none. */
int program_find_input(const Program *program, const char *name);
int program_output_count(const Program *program);
Value program_output_value(const Program *program, int index);
const char *program_output_name(const Program *program, int index);
int program_find_output(const Program *program, const char *name); /* -1: none */
void program_mask_source(const Program *program, Value *input, int *channel);
/* Rows in a sample of a value of this kind: cells, `list_rows`, or 1. */
int program_rows(ValueKind kind, int list_rows, int height, int width);
/* Multiply-adds for one position on a board of this size: of all ops, or of the op at `value`.
 * Convolutions, dense layers and attention count. */
double program_multiply_adds(const Program *program, int height, int width);
double program_op_multiply_adds(const Program *program, Value value, int height, int width);

/* Writes a program as JSON and reads it back. Reading checks everything: hostile text is
 * refused. */
MUST_USE Status program_write(const Program *program, StrBuf *out, Error *err);
MUST_USE Status program_read(const char *text, size_t length, Program **out, Error *err);

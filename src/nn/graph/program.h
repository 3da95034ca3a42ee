/* program.h - the computation of a net, without its weights: a list of ops (op_kinds.h), each of
 * which makes one value from the values of earlier ops. A program is built once and run by two
 * kinds of executors, one for inference (infer.h) and one for training (learn.h). The board size
 * is chosen when an executor is made, so one program serves all sizes. A program may have a mask: a
 * channel of a spatial input that is 0 off the board and not 0 on it.
 * The functions that build a program return no Status. Instead, the program remembers the first
 * mistake, ignores all ops and outputs after it, and returns it from program_status().
 * Threading: confined while built, then immutable. */
#pragma once
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "nn/ops/op_kinds.h"

typedef struct Program Program; /* opaque */
enum { PROGRAM_OUTPUTS_MAX = 24 };

MUST_USE Status program_new(Program **out, Error *err);
void program_free(Program *program);
/* ERR_ARGUMENT: the program could not be built; the message has the first mistake. */
MUST_USE Status program_status(const Program *program, Error *err);

/* Adds any op and returns its value, or -1 after a mistake. `wanted` holds the kind of the op, its
 * inputs and attributes, and its output channels if the caller may choose them (free_channels in
 * op.h). For an OP_INPUT, `wanted` also holds the shape. The op's definition sets the rest: the
 * shape of all other ops, and the parameters with their initial values. `name` is ignored for kinds
 * whose ops all have the same name (fixed_name in op.h). The functions below are shorter ways to
 * write such calls; some of them also set the initial weights. */
Value program_add_op(Program *program, const char *name, Op wanted);
Value program_input(Program *program, const char *name, ValueKind kind, int channels);
void program_set_mask(Program *program, Value spatial_input, int channel);
/* `values`: (rows, channels); NULL means zeros. */
Value program_constant(Program *program, const char *name, int rows, int channels,
                       const float *values);
/* Here and in the functions below, `deviation` is the standard deviation of the initial weights;
 * with 0 they all start at 0. If it is negative, the standard deviation is
 *     -deviation * sqrt(2 / fan_in)
 * (He et al. 2015), where fan_in is the number of weights from which one output is computed. The
 * kernel of a convolution has `kernel` x `kernel` taps; `kernel` is odd. */
Value program_learned_constant(Program *program, const char *name, int rows, int channels,
                               double deviation);
Value program_conv(Program *program, const char *name, Value x, int out_channels, int kernel,
                   double deviation);
/* The attributes of a convolution whose kernel need not be square. All except `height` may be 0,
 * which stands for a default. */
typedef struct {
    int height, width; /* of the kernel, odd; a width of 0 means that it is equal to the height */
    int dilation;      /* the distance between neighbouring taps; 0 means 1 */
    /* An earlier convolution whose weights this one uses (Op.weights_of); `deviation` is then
     * ignored. 0 means that this one has weights of its own. */
    Value weights_of;
} ConvKind;
Value program_conv_of(Program *program, const char *name, Value x, int out_channels, ConvKind kind,
                      double deviation);
/* Changes the initial weights of all convolutions that the program has so far, except those of
 * 1 x 1: the middle of each kernel gets larger weights, as if a 1 x 1 convolution were added to it.
 * The fraction `center`^2 of the variance of the result then comes from this added 1 x 1
 * convolution, and the rest comes from the whole kernel. The variance itself stays the same. */
void program_emphasise_centers(Program *program, double center);
Value program_dense(Program *program, const char *name, Value x, int out_channels,
                    double deviation);
/* Adds a dense layer that uses the matrix of an earlier dense layer. */
Value program_dense_of(Program *program, const char *name, Value x, int out_channels,
                       Value weights_of);
Value program_scale(Program *program, const char *name, Value x, double start);
/* Multiplies all channels by one gain, which is not trained. */
Value program_fixed_scale(Program *program, const char *name, Value x, double gain);
Value program_bias(Program *program, const char *name, Value x);
Value program_batch_norm(Program *program, const char *name, Value x, double epsilon,
                         double momentum);
typedef struct {
    /* `epsilon` is added to the variance; `momentum` is the fraction of the running statistics
     * that stays when a batch updates them */
    double epsilon, momentum;
    bool renorm;  /* batch renorm, see nn/ops/norms/batch_norm.c */
    bool no_gain; /* gamma is not trained and stays 1 */
} BatchNormKind;
Value program_batch_norm_of(Program *program, const char *name, Value x, BatchNormKind kind);
Value program_activation(Program *program, Value x, Activation activation);
Value program_sigmoid(Program *program, Value x);
/* Takes the values of a channel at all points as a vector, multiplies it by a matrix, and adds a
 * bias for each point. Matrix and bias are the same for all channels. They have weights for the
 * points of a board of `side` x `side` points; `side` is 1 to 19. Further points of a larger board
 * take no part, and the result is 0 at these points (nn/ops/points.c). */
Value program_points(Program *program, const char *name, Value x, int side, double deviation);
/* `start` is the initial slope of every channel. */
Value program_prelu(Program *program, const char *name, Value x, double start);
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
/* Rotary position encoding (Su et al. 2021, "RoFormer"). The channels of each head of queries or
 * keys form pairs. At each cell of the board, the op rotates each pair by the angle
 *     column * f[0] + row * f[1]
 * where f[0] and f[1] are the two frequencies of the pair. Each head of keys has its own
 * frequencies. A head of queries uses the frequencies of the head of keys that it reads. Values are
 * not rotated.
 * `frequencies`: (kv_heads, query_channels / 2, 2); NULL means zeros. */
Value program_rotary(Program *program, const char *name, Value x, AttentionShape shape,
                     const float *frequencies, bool trained);
/* Writes the fixed frequencies of KataGo's nets for program_rotary(). The pairs of a head are cut
 * into two halves. The angles of the first half depend only on the row, and the angles of the
 * second half depend only on the column.
 * Pair i of each half has the frequency
 *     theta^(-2 i / pairs of a head)
 * `frequencies`: (kv_heads, query_channels / 2, 2); the last index is 0 for the column and 1 for
 * the row. */
void program_fixed_rotary(double theta, AttentionShape shape, float *frequencies);
/* Attention between the cells on the mask:
 *     softmax(queries . keys / sqrt(query_channels)) . values
 * The result has heads * value_channels channels. */
Value program_attention(Program *program, Value x, AttentionShape shape);
void program_output(Program *program, const char *name, Value x);

/* Some programs are only for square boards of one size. Returns the side of these boards, or 0 if
 * the program takes boards of all sizes. */
int program_only_side(const Program *program);
int program_op_count(const Program *program);
const Op *program_op(const Program *program, Value value);
bool program_has_kind(const Program *program, OpKind kind); /* whether an op is of this kind */
int program_parameter_count(const Program *program);
const ParameterSpec *program_parameter(const Program *program, int index);
int program_input_count(const Program *program);
Value program_input_value(const Program *program, int index);
/* Returns the index among the inputs, or -1 if no input has this name. */
int program_find_input(const Program *program, const char *name);
int program_output_count(const Program *program);
Value program_output_value(const Program *program, int index);
const char *program_output_name(const Program *program, int index);
int program_find_output(const Program *program, const char *name); /* -1 if there is none */
/* Sets `*input` to the input that holds the mask, or to -1 if the program has no mask, and
 * `*channel` to the channel of the mask. */
void program_mask_source(const Program *program, Value *input, int *channel);
/* How many rows a sample of a value has: one for each cell if the value is spatial, `list_rows` if
 * it is a list, and 1 if it is a vector. */
int program_rows(ValueKind kind, int list_rows, int height, int width);
/* How many multiply-adds one position on a board of this size takes: in all ops, or in the op that
 * makes `value`. Only ops whose class has `multiply_adds` (op.h) count: convolutions, dense layers,
 * attention, OP_POINTS and OP_QUERIES. */
double program_multiply_adds(const Program *program, int height, int width);
double program_op_multiply_adds(const Program *program, Value value, int height, int width);

/* Appends a program to `out` as JSON. */
MUST_USE Status program_write(const Program *program, StrBuf *out, Error *err);
/* Reads what program_write() has written, and checks everything, so that hostile text is refused.
 * ERR_SYNTAX or ERR_ARGUMENT: the text is malformed or describes no possible program.
 * ERR_UNSUPPORTED: an op, an attribute or a word is unknown; a newer version of Aji may have
 * written it. */
MUST_USE Status program_read(const char *text, size_t length, Program **out, Error *err);

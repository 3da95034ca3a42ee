/* katago_parts.h - finds the layers of KataGo's model files among the ops of a net and writes them:
 * the reverse of katago_layers.h. The functions parts_find_*() start at the value in which a part
 * ends and go towards the inputs. parts_put_*() write layers. A fault is a place where the net
 * differs from what KataGo's files can hold, and its message names that place. After a fault
 * parts_expect() returns -1, and nothing more is written. Threading: confined. */
#pragma once
#include "eval/features/model_format.h"
#include "eval/formats/katago_sink.h"

typedef struct {
    KatagoSink sink;
    const Net *net;
    const Program *program;
    ModelFormat model_format;
} KatagoParts;

bool parts_good(const KatagoParts *parts);
/* Records a fault at the op `at`. The message names the op, as in "block0.conv1: ...". If the op
 * has no name, the message says "behind" and the name of an op before it. */
void parts_refuse(KatagoParts *parts, Value at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the op that makes `value`. For -1 returns an empty op, which has no kind and no
 * inputs. */
const Op *parts_op(const KatagoParts *parts, Value value);
/* Returns `value` if its op is of this kind. Otherwise records a fault and returns -1. */
Value parts_expect(KatagoParts *parts, Value value, OpKind kind);
/* Returns the input `index` (0 or 1) of the op that makes `value`; -1 if there is none. */
Value parts_input(const KatagoParts *parts, Value value, int index);
/* Records a fault if `got` and `wanted` differ. A part of the net ends at `at`. `got` is the value
 * that this part reads, and `wanted` is the value that it would read in KataGo. */
void parts_meet(KatagoParts *parts, Value at, Value got, Value wanted);
/* A layer may read only some channels of a value, by slices and concatenations. Returns this value,
 * or `value` itself if it is no such selection. The functions parts_put_*() write the layer as one
 * that reads all channels of the value, with the weight 0 for those that are not selected. */
Value parts_selected_from(const KatagoParts *parts, Value value);
/* Returns the elements of the op's parameter number `slot`. */
const float *parts_values(const KatagoParts *parts, Value op, int slot);

/* Where KataGo has one convolution, a net may have a pair of convolutions. Both read the same
 * value, and their outputs are added or concatenated. The writer turns a pair into one convolution
 * with the taps of both. Returns `value` if it is a convolution or a pair; otherwise records a
 * fault and returns -1. */
Value parts_expect_conv(KatagoParts *parts, Value value);
/* Returns the value that a convolution or a pair reads. */
Value parts_conv_input(const KatagoParts *parts, Value conv);

/* A norm with its activation and mask. The norm is a batch norm, or a gain and a bias, or an RMS
 * norm with a bias. If it lacks one of these ops, the member for the op is -1. */
typedef struct {
    Value end, input, batch_norm, rms_norm, scale, bias;
    Value second_scale; /* a second gain, which is applied before `scale` */
    Activation activation;
} KatagoNorm;
KatagoNorm parts_find_norm(KatagoParts *parts, Value end);

/* A hidden layer: matrix, bias and activation. */
typedef struct {
    Value end, input, matrix, bias;
    Activation activation;
} KatagoHidden;
KatagoHidden parts_find_hidden(KatagoParts *parts, Value end);

/* A convolution, its norm, and pooling over the board. The pooling is of KataGo's kind, or it
 * computes only some of the numbers that KataGo's pooling computes. In this case parts_put_matrix()
 * gives the other numbers the weight 0. */
typedef struct {
    KatagoNorm norm;
    Value conv;
} KatagoPooled;
KatagoPooled parts_find_pooled(KatagoParts *parts, Value end, PoolKind kind);

/* Writes the name of the op, followed by `suffix`. */
void parts_put_name(KatagoParts *parts, Value op, const char *suffix);
/* These write a layer with only `count` of its outputs. `rows` has the indices of these outputs. If
 * `rows` is NULL, they are the outputs from index `first` on (in a convolution, from 0 on). */
void parts_put_conv(KatagoParts *parts, Value conv, const int *rows, int count);
void parts_put_matrix(KatagoParts *parts, Value dense, const int *rows, int first, int count);
void parts_put_bias(KatagoParts *parts, Value bias);
/* Writes an activation. Its name is that of the op `after`, followed by ".act". */
void parts_put_activation(KatagoParts *parts, Value after, Activation activation);
void parts_put_norm(KatagoParts *parts, const KatagoNorm *norm); /* with its activation */
void parts_put_hidden(KatagoParts *parts, const KatagoHidden *hidden);
/* Writes a dense layer, or what parts_expect_conv() returns, with every output. */
void parts_put_all(KatagoParts *parts, Value conv_or_dense);
/* Writes the kind and the name of a block. `branch` is the last op of the block's branch; the name
 * of the block is the name of this op up to the last dot. */
void parts_put_kind(KatagoParts *parts, const char *kind, Value branch);

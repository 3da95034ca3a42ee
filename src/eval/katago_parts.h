/* katago_parts.h - the layers of KataGo's model files, found among the ops of a net and written:
 * what katago_layers.h composes, backwards. `find` looks from the value that a part ends in; what
 * does not fit is refused with the place in the net. After a fault values are -1, and nothing is
 * written. Threading: confined. */
#pragma once
#include "eval/katago_sink.h"
#include "eval/model_format.h"

typedef struct {
    KatagoSink sink;
    const Net *net;
    const Program *program;
    ModelFormat model_format;
} KatagoParts;

bool parts_good(const KatagoParts *parts);
/* "block0.conv1: ...", or of what has no name, "behind block0.conv1: ...". */
void parts_refuse(KatagoParts *parts, Value at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const Op *parts_op(const KatagoParts *parts, Value value); /* of -1: one without anything */
/* `value` if it is of this kind, else -1 and a fault. */
Value parts_expect(KatagoParts *parts, Value value, OpKind kind);
Value parts_input(const KatagoParts *parts, Value value, int index);
/* A fault, if the part that ends in `at` reads `got` where KataGo reads `wanted`. */
void parts_meet(KatagoParts *parts, Value at, Value got, Value wanted);
const float *parts_values(const KatagoParts *parts, Value op, int slot);

/* Batch norm, or gain and bias, or an RMS norm with bias; activation; mask. -1: absent. */
typedef struct {
    Value end, input, batch_norm, rms_norm, scale, bias;
    Value second_scale; /* before `scale`, which is there too */
    Activation activation;
} KatagoNorm;
KatagoNorm parts_find_norm(KatagoParts *parts, Value end);

/* A matrix, bias, activation. */
typedef struct {
    Value end, input, matrix, bias;
    Activation activation;
} KatagoHidden;
KatagoHidden parts_find_hidden(KatagoParts *parts, Value end);

/* A convolution, its norm, and pooling over the board. */
typedef struct {
    KatagoNorm norm;
    Value conv;
} KatagoPooled;
KatagoPooled parts_find_pooled(KatagoParts *parts, Value end, PoolKind kind);

void parts_put_name(KatagoParts *parts, Value op, const char *suffix);
/* `rows`: the outputs that are written, NULL: all `count` of them from `first` on. */
void parts_put_conv(KatagoParts *parts, Value conv, const int *rows, int count);
void parts_put_matrix(KatagoParts *parts, Value dense, const int *rows, int first, int count);
void parts_put_bias(KatagoParts *parts, Value bias);
void parts_put_activation(KatagoParts *parts, Value after, Activation activation);
void parts_put_norm(KatagoParts *parts, const KatagoNorm *norm); /* with its activation */
void parts_put_hidden(KatagoParts *parts, const KatagoHidden *hidden);
void parts_put_all(KatagoParts *parts, Value conv_or_dense); /* with every output */
/* The kind and the name of a block whose branch ends in `branch`. */
void parts_put_kind(KatagoParts *parts, const char *kind, Value branch);

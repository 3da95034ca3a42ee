/* katago_parts.h - finds the layers of KataGo's model files among the ops of a net and writes them:
 * the reverse of katago_layers.h. parts_find_*() start at the value in which a part ends and go
 * towards the inputs. A net that does not fit is a fault, whose message names the place in the net.
 * After a fault the functions return -1, and nothing is written. Threading: confined. */
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
/* Records a fault at op `at`: "block0.conv1: ...", or, if the op has no name, "behind block0.conv1:
 * ...". */
void parts_refuse(KatagoParts *parts, Value at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const Op *parts_op(const KatagoParts *parts, Value value); /* -1: an op without inputs */
/* Returns `value` if its op is of this kind, otherwise -1 with a fault. */
Value parts_expect(KatagoParts *parts, Value value, OpKind kind);
Value parts_input(const KatagoParts *parts, Value value, int index);
/* A fault if the part that ends in `at` reads `got`, where KataGo's layer reads `wanted`. */
void parts_meet(KatagoParts *parts, Value at, Value got, Value wanted);
const float *parts_values(const KatagoParts *parts, Value op, int slot);

/* A batch norm, or gain and bias, or an RMS norm with bias; then activation and mask. -1:
 * absent. */
typedef struct {
    Value end, input, batch_norm, rms_norm, scale, bias;
    Value second_scale; /* applied before `scale`; only if there are two */
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
/* `rows`: the `count` outputs that are written; NULL: those from `first` on. */
void parts_put_conv(KatagoParts *parts, Value conv, const int *rows, int count);
void parts_put_matrix(KatagoParts *parts, Value dense, const int *rows, int first, int count);
void parts_put_bias(KatagoParts *parts, Value bias);
void parts_put_activation(KatagoParts *parts, Value after, Activation activation);
void parts_put_norm(KatagoParts *parts, const KatagoNorm *norm); /* with its activation */
void parts_put_hidden(KatagoParts *parts, const KatagoHidden *hidden);
void parts_put_all(KatagoParts *parts, Value conv_or_dense); /* writes every output */
/* Writes the kind and the name of a block whose branch ends in `branch`. */
void parts_put_kind(KatagoParts *parts, const char *kind, Value branch);

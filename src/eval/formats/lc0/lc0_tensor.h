/* lc0_tensor.h - the tensors of lc0's net files. A tensor is a message with its numbers, which have
 * one of four encodings, and sometimes its dimensions. In the encoding LINEAR16 a number is a whole
 * number k from 0 to 65535 and stands for
 *     min + (max - min) * k / 65535
 * Threading: free functions. */
#pragma once
#include "eval/formats/protobuf.h"
#include <stddef.h>

enum { LC0_DIMS_MAX = 4 };

/* A tensor as it stands in a file. */
typedef struct {
    float min, max;
    ProtoBytes params;
    uint64_t encoding; /* 0: the tensor does not say it */
    size_t count;      /* of its numbers; lc0_tensor_check() sets it */
    int dim_count;     /* 0: the tensor does not say its dimensions */
    uint64_t dims[LC0_DIMS_MAX];
} Lc0Tensor;

/* Reads the fields of a tensor. Returns false if they are damaged. */
bool lc0_tensor_read(ProtoBytes from, Lc0Tensor *out);
/* Sets the count, and the encoding if the tensor does not say it. Returns NULL, or what is wrong
 * with the tensor. The message may be in `text`. */
const char *lc0_tensor_check(Lc0Tensor *tensor, uint64_t usual_encoding, char text[80]);
/* Writes the numbers of a checked tensor to `out`, which has room for `count`. Returns false if a
 * number is not finite. */
bool lc0_tensor_decode(const Lc0Tensor *tensor, float *out);
/* Adds a tensor with the encoding LINEAR16 as a field. All numbers are finite. If some of them are
 * 0, and there are numbers on both sides of 0, then the range is made a little larger than needed,
 * so that one k stands for exactly 0 and zeros stay zeros. */
void lc0_tensor_add(StrBuf *out, int field, const float *values, size_t count);

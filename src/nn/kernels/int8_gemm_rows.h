/* int8_gemm_rows.h - the kernels of int8_gemm.h for each instruction set. Private to the files
 * int8_gemm*.c. Threading: free functions without state. */
#pragma once
#include "nn/kernels/int8_gemm_call.h"

/* Returns the depth rounded up to a multiple of 4, so that it consists of whole quads and pairs. */
static inline size_t int8_gemm_padded(int depth) {
    return (size_t)(depth + 3) / 4 * 4;
}

/* The arguments of int8_round_avx2() and int8_round_avx512(). They round one row to p = round(x *
 * inverse), limited to `min` and `max`, and store p + shift in `to`. NaN becomes `min`. */
typedef struct {
    const float *x;
    int depth;
    float inverse, min, max;
    int shift;
    /* NULL except for fine rows in bytes. For these rows, `low` gets the lowest 7 bits of p, and
     * `to` gets floor(p / 128) + shift. */
    uint8_t *low;
} Int8Rounding;

float int8_largest_avx2(const float *x, int count); /* the largest magnitude; ignores NaN */
float int8_largest_avx512(const float *x, int count);
void int8_round_avx2(const Int8Rounding *rounding, int16_t *to);
void int8_round_avx512(const Int8Rounding *rounding, uint8_t *to);
/* Computes one row of int8_rows_softmax(), and returns its sum. */
float int8_softmax_avx2(const float *x, int depth, int16_t *to);
void int8_gemm_avx2(const Int8GemmCall *call);
void int8_gemm_vnni(const Int8GemmCall *call);

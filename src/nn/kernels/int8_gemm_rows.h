/* int8_gemm_rows.h - the kernels of int8_gemm.h for each instruction set. Private to the files
 * int8_gemm*.c. Threading: free functions without state. */
#pragma once
#include "nn/kernels/int8_gemm_call.h"

/* Elements of the depth, padded so that whole quads and pairs are used. */
static inline size_t int8_gemm_padded(int depth) {
    return (size_t)(depth + 3) / 4 * 4;
}

/* Rounds one row to p = round(x * inverse), limited to `min` and `max`, and stores p + shift in
 * `to`. NaN becomes `min`. */
typedef struct {
    const float *x;
    int depth;
    float inverse, min, max;
    int shift;
    uint8_t *low; /* of fine rows in bytes: gets the lowest 7 bits of p, and `to` the rest */
} Int8Rounding;

float int8_largest_avx2(const float *x, int count); /* the largest magnitude; ignores NaN */
float int8_largest_avx512(const float *x, int count);
void int8_round_avx2(const Int8Rounding *rounding, int16_t *to);
void int8_round_avx512(const Int8Rounding *rounding, uint8_t *to);
/* One row of int8_rows_softmax(). */
float int8_softmax_avx2(const float *x, int depth, int16_t *to);
void int8_gemm_avx2(const Int8GemmCall *call);
void int8_gemm_vnni(const Int8GemmCall *call);

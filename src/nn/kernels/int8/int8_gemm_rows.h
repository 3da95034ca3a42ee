/* int8_gemm_rows.h - the kernels of int8_gemm.h for each instruction set. Private to the files
 * int8_gemm*.c. Threading: free functions without state. */
#pragma once
#include "nn/kernels/int8/int8_gemm_call.h"

/* Returns the depth rounded up to a multiple of 4, so that it consists of whole quads and pairs. */
static inline size_t int8_gemm_padded(int depth) {
    return (size_t)(depth + 3) / 4 * 4;
}

static inline size_t int8_gemm_padded_columns(int columns) {
    return (size_t)(columns + INT8_GEMM_LANES - 1) / INT8_GEMM_LANES * INT8_GEMM_LANES;
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

/* A multiple of this number of rows has room in each part of a left factor in bytes, because AMX
 * reads whole tiles. */
enum { INT8_GEMM_AMX_ROWS = 32 };
bool int8_gemm_amx_can(int depth); /* whether backend_isa() has AMX, and AMX is faster */
/* Also multiplies factors in parts: fine rows and fine columns. */
void int8_gemm_amx(const Int8GemmCall *call);

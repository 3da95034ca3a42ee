/* int8_gemm_call.h - the factors of a product in int8 (int8_gemm.h) and the arguments of a call,
 * which all its kernels share. Threading: types without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INT8_GEMM_LANES = 16,
    INT8_GEMM_FINE = 127 << 7, /* the largest integer of fine rows */
    INT8_GEMM_WIDE = 1023,     /* the largest integer of wide columns */
    INT8_GEMM_SOFTMAX = 4095,  /* that of int8_rows_softmax(), without bytes */
    INT8_GEMM_DEPTH_MAX = INT32_MAX / (255 * 127),
    INT8_GEMM_DEPTH_MAX_FINE = INT32_MAX / (INT8_GEMM_FINE * 127),
    /* with wide columns, of fine rows and of those of int8_rows_softmax() */
    INT8_GEMM_DEPTH_MAX_WIDE_FINE = INT32_MAX / (INT8_GEMM_FINE * INT8_GEMM_WIDE),
    INT8_GEMM_DEPTH_MAX_WIDE_SOFTMAX = INT32_MAX / (INT8_GEMM_SOFTMAX * INT8_GEMM_WIDE)
};

/* The integers of the left factor. Fine rows have 15 bits. They cost VNNI two products, of the high
 * and the low 7 bits, but cost AVX2 nothing, because it multiplies 16 bits anyway. */
typedef enum {
    INT8_ROWS_COARSE,   /* -127 to 127 */
    INT8_ROWS_FINE,     /* -INT8_GEMM_FINE to INT8_GEMM_FINE */
    INT8_ROWS_FRACTIONS /* 0 to 255, of values from 0 to 1, in multiples of 1/255 */
} Int8RowsKind;

/* The left factor. A row that is not finite makes results that are not finite or are arbitrary
 * numbers, but only in its own row. */
typedef struct {
    int rows, depth;
    Int8RowsKind kind;
    bool bytes;    /* layout: quads of unsigned bytes for VNNI, else pairs of 16 bits */
    void *packed;  /* (rows, padded depth); bytes of fine rows: (high and low bits, rows, ...) */
    float *scales; /* (rows) */
    float unit;    /* factor of all scales */
} Int8Rows;

/* The right factor. */
typedef struct {
    int depth, columns;
    bool bytes;
    bool wide;     /* integers are up to INT8_GEMM_WIDE, not 127; only without bytes */
    void *packed;  /* (group of INT8_GEMM_LANES columns, quad or pair of the depth, lane, 4 or 2) */
    float *scales; /* (columns padded to whole groups) */
    int32_t *sums; /* of the integers of each column; padded in the same way */
} Int8Columns;

/* Computes y = a b + bias, or y += a b + bias, where y is (rows, stride). `bias` (columns) may be
 * NULL. */
typedef struct {
    const Int8Rows *a;
    const Int8Columns *b;
    const float *bias;
    bool add;
    float *y;
    size_t stride;
} Int8GemmCall;

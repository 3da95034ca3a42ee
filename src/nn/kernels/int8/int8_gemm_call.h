/* int8_gemm_call.h - the factors of a product in int8 (int8_gemm.h) and the arguments of a call,
 * which all its kernels share. Threading: types without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INT8_GEMM_LANES = 16,      /* columns in a group */
    INT8_GEMM_FINE = 127 << 7, /* the largest integer of fine rows */
    INT8_GEMM_WIDE = 1023,     /* the largest integer of wide columns (Int8Columns.wide) */
    INT8_GEMM_SOFTMAX = 4095,  /* the largest integer of int8_rows_softmax(), if not in bytes */
    /* The maximum depth at which sums fit 32 bits: */
    INT8_GEMM_DEPTH_MAX = INT32_MAX / (255 * 127),                 /* for rows that are not fine */
    INT8_GEMM_DEPTH_MAX_FINE = INT32_MAX / (INT8_GEMM_FINE * 127), /* for fine rows */
    /* for wide columns with fine rows, and with the rows of int8_rows_softmax() */
    INT8_GEMM_DEPTH_MAX_WIDE_FINE = INT32_MAX / (INT8_GEMM_FINE * INT8_GEMM_WIDE),
    INT8_GEMM_DEPTH_MAX_WIDE_SOFTMAX = INT32_MAX / (INT8_GEMM_SOFTMAX * INT8_GEMM_WIDE)
};

/* The integers of the left factor. Fine rows have 15 bits. With VNNI and AMX they need two
 * products, one of the high 8 bits and one of the low 7. With AVX2 they cost no more than other
 * rows, because AVX2 multiplies integers of 16 bits in any case. */
typedef enum {
    INT8_ROWS_COARSE, /* -127 to 127 */
    INT8_ROWS_FINE,   /* -INT8_GEMM_FINE to INT8_GEMM_FINE */
    /* 0 to 255, for values from 0 to 1. int8_rows_softmax() uses 0 to INT8_GEMM_SOFTMAX if the rows
     * are not in bytes. */
    INT8_ROWS_FRACTIONS
} Int8RowsKind;

/* The left factor. If an element of a row is not finite, the results of this row are not finite or
 * are arbitrary numbers; the results of other rows are right. */
typedef struct {
    int rows, depth;
    Int8RowsKind kind;
    bool bytes;    /* layout: quads of unsigned bytes for VNNI, else pairs of 16 bits */
    void *packed;  /* (rows, padded depth); fine rows in bytes: (2, rows, padded depth), high bits
                      of all rows first */
    float *scales; /* (rows) */
    /* Kernels multiply each of the scales by `unit`. If int8_gemm() multiplies a factor in parts,
     * `unit` is 128 for high bits; otherwise it is 1. */
    float unit;
} Int8Rows;

/* The right factor. */
typedef struct {
    int depth, columns;
    bool bytes; /* layout: quads of signed bytes for VNNI, else pairs of 16 bits */
    bool wide;  /* the largest integer is INT8_GEMM_WIDE instead of 127; only without bytes */
    /* The integers q are up to INT8_GEMM_FINE instead of 127. They are stored in two parts, the
     * high one first: q = 128 high + low, where `low` is from -64 to 63. */
    bool fine;
    void *packed;  /* (group of INT8_GEMM_LANES columns, quad or pair of the depth, lane, 4 or 2);
                      fine columns: (2, group ...) */
    float *scales; /* (columns padded to whole groups) */
    int32_t *sums; /* the sum of the integers of each column; as many as scales; fine columns: (2,
                      columns padded to whole groups) */
} Int8Columns;

/* The call computes y = a b + bias or, with `add`, y += a b + bias. The rows of y are `stride`
 * floats apart. `bias` (columns) may be NULL, which means 0. */
typedef struct {
    const Int8Rows *a;
    const Int8Columns *b;
    const float *bias;
    bool add;
    float *y;
    size_t stride;
} Int8GemmCall;

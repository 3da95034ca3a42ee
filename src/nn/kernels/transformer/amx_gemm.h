/* amx_gemm.h - products of matrices in bf16 with AMX, with sums in f32. amx_pack.h packs the
 * factors. Threading: free functions without state; between amx_gemm_begin() and amx_gemm_end(), a
 * thread must not call other code that uses AMX. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The columns of a panel, the rows of a tile, and the numbers that one instruction multiplies along
 * the depth. */
enum { AMX_GEMM_LANES = 16, AMX_GEMM_DEPTH = 32, AMX_GEMM_UNITS = AMX_GEMM_DEPTH / 2 };

/* The product c = a b or, with `add`, c += a b. `a` is packed as rows, `b` as panels. */
typedef struct {
    size_t rows, columns;     /* of c; multiples of AMX_GEMM_LANES */
    size_t steps;             /* the depth, in steps of AMX_GEMM_DEPTH numbers */
    const uint32_t *a, *b;    /* a (rows, a_stride), b (panel, units of the panel, lane) */
    size_t a_stride, b_units; /* units in a row of a, and units of a lane in a panel of b */
    float *c;
    size_t c_stride;
    bool add;
} AmxGemm;

bool amx_gemm_can(void); /* whether backend_isa() has AMX */
/* Sets the sizes of this thread's tiles, which amx_gemm() needs. */
void amx_gemm_begin(void);
void amx_gemm(const AmxGemm *of);
void amx_gemm_end(void);

/* Rounds up to a multiple of `to`. */
static inline size_t amx_round_up(size_t count, size_t to) {
    return (count + to - 1) / to * to;
}
static inline size_t amx_larger(size_t a, size_t b) {
    return a > b ? a : b;
}

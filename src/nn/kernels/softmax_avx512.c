#include "nn/kernels/softmax.h"

#if defined(__x86_64__)
#include <math.h>
#include <stdint.h>

#include "nn/backends/backend.h"
#include "nn/kernels/transformer/avx512_exp.h"

#define TARGET AVX512_TARGET("")
#define SET(value) _mm512_set1_ps(value)

#define TARGET_BF16 AVX512_TARGET(",avx512bf16")
#define WRITE_FLOATS(x, i, e) _mm512_storeu_ps((x) + (i), e)
#define WRITE_BF16(x, i, e)                                                                        \
    _mm256_storeu_si256((__m256i *)((uint16_t *)(x) + (i)), (__m256i)_mm512_cvtneps_pbh(e))

/* Returns the maximum of the first `full` elements of x and of `last`. It uses two independent
 * chains of instructions. */
TARGET static inline float largest(int full, __m512 last, const float *x) {
    __m512 even = last, odd = last;
    int i = 0;
    for (; i + 32 <= full; i += 32) {
        even = _mm512_max_ps(_mm512_loadu_ps(x + i), even);
        odd = _mm512_max_ps(_mm512_loadu_ps(x + i + 16), odd);
    }
    if (i < full) even = _mm512_max_ps(_mm512_loadu_ps(x + i), even);
    return _mm512_reduce_max_ps(_mm512_max_ps(even, odd));
}

/* Defines a function that replaces one row by its exponentials and returns their sum. The row
 * consists of `full` elements and of some of the next 16: those whose bit in `rest` is set. Results
 * in bf16 take half the room of the floats, so they never overwrite floats that are still to be
 * read. */
#define EXP_ROW(name, TARGET_OF, STORE)                                                            \
    TARGET_OF static float name(int full, __mmask16 rest, float *x) {                              \
        __m512 last = _mm512_mask_loadu_ps(SET(-INFINITY), rest, x + full),                        \
               sum = _mm512_setzero_ps(), shift = SET(largest(full, last, x));                     \
        for (int i = 0; i < full; i += 16) {                                                       \
            __m512 e = avx512_exp(_mm512_sub_ps(_mm512_loadu_ps(x + i), shift));                   \
            STORE(x, i, e);                                                                        \
            sum = _mm512_add_ps(sum, e);                                                           \
        }                                                                                          \
        last = _mm512_maskz_mov_ps(rest, avx512_exp(_mm512_sub_ps(last, shift)));                  \
        STORE(x, full, last);                                                                      \
        return _mm512_reduce_add_ps(_mm512_add_ps(sum, last));                                     \
    }
EXP_ROW(exp_row, TARGET, WRITE_FLOATS)
EXP_ROW(exp_row_bf16, TARGET_BF16, WRITE_BF16)

static __mmask16 rest_of(int count, int stride) {
    return (__mmask16)((1u << (count - stride + 16)) - 1);
}

void softmax_exp(int rows, int count, int stride, float *x, float *sums) {
    for (int row = 0; row < rows; row++, x += stride)
        sums[row] = exp_row(stride - 16, rest_of(count, stride), x);
}

void softmax_exp_bf16(int rows, int count, int stride, float *x, float *sums) {
    for (int row = 0; row < rows; row++, x += stride)
        sums[row] = exp_row_bf16(stride - 16, rest_of(count, stride), x);
}

bool softmax_can(void) {
    return backend_isa() >= ISA_AVX512;
}
#else
bool softmax_can(void) {
    return false;
}

void softmax_exp(int rows, int count, int stride, float *x, float *sums) {
    (void)rows;
    (void)count;
    (void)stride;
    (void)x;
    (void)sums;
}

void softmax_exp_bf16(int rows, int count, int stride, float *x, float *sums) {
    softmax_exp(rows, count, stride, x, sums);
}
#endif

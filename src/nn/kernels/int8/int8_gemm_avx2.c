#include "nn/kernels/int8/int8_gemm_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,fma")))

enum { LANES = INT8_GEMM_LANES, HIGH = 4 };

TARGET float int8_largest_avx2(const float *x, int count) {
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 even = _mm256_setzero_ps(), odd = even;
    float lanes[8], largest = 0.0f;
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        even = _mm256_max_ps(_mm256_and_ps(_mm256_loadu_ps(x + i), magnitude), even);
        odd = _mm256_max_ps(_mm256_and_ps(_mm256_loadu_ps(x + i + 8), magnitude), odd);
    }
    _mm256_storeu_ps(lanes, _mm256_max_ps(even, odd));
    for (int k = 0; k < 8; k++)
        largest = lanes[k] > largest ? lanes[k] : largest;
    for (; i < count; i++) {
        float value = x[i] < 0.0f ? -x[i] : x[i];
        largest = value > largest ? value : largest;
    }
    return largest;
}

TARGET static inline __m256i rounded(const float *x, const Int8Rounding *rounding) {
    __m256 p = _mm256_mul_ps(_mm256_loadu_ps(x), _mm256_set1_ps(rounding->inverse));
    p = _mm256_max_ps(p, _mm256_set1_ps(rounding->min)); /* NaN becomes the minimum */
    p = _mm256_min_ps(p, _mm256_set1_ps(rounding->max));
    return _mm256_add_epi32(_mm256_cvtps_epi32(p), _mm256_set1_epi32(rounding->shift));
}

/* Rounds sixteen elements. The instruction that packs two registers into one works on each half of
 * a register separately. Therefore the last step puts the quarters of the result in order. */
TARGET static inline void round_sixteen(const float *x, const Int8Rounding *rounding, int16_t *to) {
    __m256i packed = _mm256_packs_epi32(rounded(x, rounding), rounded(x + 8, rounding));
    _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(packed, 0xd8));
}

TARGET void int8_round_avx2(const Int8Rounding *rounding, int16_t *to) {
    int i = 0;
    for (; i + 16 <= rounding->depth; i += 16)
        round_sixteen(rounding->x + i, rounding, to + i);
    if (i == rounding->depth) return;
    float last[16] = {0};
    int16_t integers[16];
    memcpy(last, rounding->x + i, (size_t)(rounding->depth - i) * sizeof *last);
    round_sixteen(last, rounding, integers);
    memcpy(to + i, integers, (int8_gemm_padded(rounding->depth) - (size_t)i) * sizeof *to);
}

/* Computes INT8_GEMM_SOFTMAX exp(x), rounded to integers, for x <= 0. exp(x) is 2^n 2^f with |f| <=
 * 1/2, and 2^f is its Taylor series up to the fourth power, whose error is below 5e-5. */
TARGET static inline __m256i exponential(__m256 x) {
    __m256 t = _mm256_max_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)),
                             _mm256_set1_ps(-30.0f)); /* NaN becomes -30 */
    __m256 n = _mm256_round_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
           f = _mm256_sub_ps(t, n), p = _mm256_set1_ps(9.6181292e-3f);
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(5.5504109e-2f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(2.4022651e-1f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(6.9314718e-1f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
    p = _mm256_castsi256_ps(
        _mm256_add_epi32(_mm256_castps_si256(p), _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23)));
    return _mm256_cvtps_epi32(_mm256_mul_ps(p, _mm256_set1_ps((float)INT8_GEMM_SOFTMAX)));
}

/* Computes exponential(x - shift) for sixteen elements, stores the results and adds them to
 * `sum`. */
TARGET static inline __m256i softmax_sixteen(const float *x, __m256 shift, __m256i sum,
                                             int16_t *to) {
    __m256i a = exponential(_mm256_sub_ps(_mm256_loadu_ps(x), shift)),
            b = exponential(_mm256_sub_ps(_mm256_loadu_ps(x + 8), shift));
    _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8));
    return _mm256_add_epi32(sum, _mm256_add_epi32(a, b));
}

TARGET static float largest_value(const float *x, int count) {
    __m256 even = _mm256_set1_ps(x[0]), odd = even;
    float lanes[8], largest = x[0];
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        even = _mm256_max_ps(_mm256_loadu_ps(x + i), even);
        odd = _mm256_max_ps(_mm256_loadu_ps(x + i + 8), odd);
    }
    _mm256_storeu_ps(lanes, _mm256_max_ps(even, odd));
    for (int k = 0; k < 8; k++)
        largest = lanes[k] > largest ? lanes[k] : largest;
    for (; i < count; i++)
        largest = x[i] > largest ? x[i] : largest;
    return largest;
}

TARGET float int8_softmax_avx2(const float *x, int depth, int16_t *to) {
    __m256 shift = _mm256_set1_ps(largest_value(x, depth));
    __m256i sum = _mm256_setzero_si256();
    int32_t lanes[8], total = 0;
    int i = 0;
    for (; i + 16 <= depth; i += 16)
        sum = softmax_sixteen(x + i, shift, sum, to + i);
    if (i < depth) {
        float last[16];
        int16_t integers[16];
        for (int k = 0; k < 16; k++)
            last[k] = i + k < depth ? x[i + k] : -1e30f; /* exponential() rounds it to 0 */
        sum = softmax_sixteen(last, shift, sum, integers);
        memcpy(to + i, integers, (int8_gemm_padded(depth) - (size_t)i) * sizeof *to);
    }
    _mm256_storeu_si256((__m256i *)lanes, sum);
    for (int k = 0; k < 8; k++)
        total += lanes[k];
    return (float)total / (float)INT8_GEMM_SOFTMAX;
}

/* A group of 16 columns: their integers, scales and biases, and where their results go. */
typedef struct {
    const Int8Rows *rows;
    const int16_t *packed;
    const float *scales, *bias; /* bias: NULL means 0 */
    bool add;
    float *y; /* of row 0 */
    size_t stride;
} Group;

/* Scales the sums of eight columns, adds the bias, and stores the results or adds them to y. */
TARGET static inline void store(const Group *group, __m256i sum, __m256 row_scale, int lane,
                                float *y) {
    __m256 scale = _mm256_mul_ps(row_scale, _mm256_loadu_ps(group->scales + lane)),
           bias = group->bias ? _mm256_loadu_ps(group->bias + lane) : _mm256_setzero_ps(),
           value = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), scale, bias);
    _mm256_storeu_ps(y, group->add ? _mm256_add_ps(_mm256_loadu_ps(y), value) : value);
}

/* Eight sums. gcc keeps variables of this type in registers. */
typedef int Sums __attribute__((vector_size(32)));

/* Defines a function for `high` rows by one group. In each lane of 32 bits, one instruction
 * multiplies two integers of 16 bits by two others, and adds both products. */
#define BLOCK(name, high)                                                                          \
    TARGET static void name(const Group *group, int row, float *y) {                               \
        size_t padded = int8_gemm_padded(group->rows->depth);                                      \
        const int16_t *p = (const int16_t *)group->rows->packed + (size_t)row * padded;            \
        const __m256i *q = (const __m256i *)group->packed;                                         \
        Sums sum[high][2];                                                                         \
        _Pragma("GCC unroll 4") for (int i = 0; i < (high); i++) sum[i][0] = sum[i][1] =           \
            (Sums){0};                                                                             \
        for (size_t k = 0; k < padded; k += 2, p += 2, q += 2) {                                   \
            __m256i first = _mm256_loadu_si256(q), second = _mm256_loadu_si256(q + 1);             \
            _Pragma("GCC unroll 4") for (int i = 0; i < (high); i++) {                             \
                int pair;                                                                          \
                memcpy(&pair, p + (size_t)i * padded, sizeof pair);                                \
                __m256i left = _mm256_set1_epi32(pair);                                            \
                sum[i][0] += (Sums)_mm256_madd_epi16(left, first);                                 \
                sum[i][1] += (Sums)_mm256_madd_epi16(left, second);                                \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 4") for (int i = 0; i < (high); i++) {                                 \
            __m256 scale = _mm256_set1_ps(group->rows->scales[row + i] * group->rows->unit);       \
            store(group, (__m256i)sum[i][0], scale, 0, y + (size_t)i * group->stride);             \
            store(group, (__m256i)sum[i][1], scale, 8, y + (size_t)i * group->stride + 8);         \
        }                                                                                          \
    }
BLOCK(block_4, HIGH)
BLOCK(block_1, 1)

/* Computes all rows of a group. */
static void whole_group(const Group *group) {
    int row = 0;
    float *y = group->y;
    for (; row + HIGH <= group->rows->rows; row += HIGH, y += HIGH * group->stride)
        block_4(group, row, y);
    for (; row < group->rows->rows; row++, y += group->stride)
        block_1(group, row, y);
}

/* Computes all rows of a group that has only `left` columns. Copies each row of y to `values`, an
 * array of 16 floats. block_1() writes its 16 results to `values`, or adds them to `values`. Then
 * the first `left` floats of `values` are copied back to y. */
static void last_group(const Group *group, int left) {
    float bias[LANES] = {0}, values[LANES] = {0};
    size_t bytes = (size_t)left * sizeof(float);
    Group copy = *group;
    if (group->bias) memcpy(bias, group->bias, bytes);
    copy.bias = bias;
    for (int row = 0; row < group->rows->rows; row++) {
        float *y = group->y + (size_t)row * group->stride;
        memcpy(values, y, bytes);
        block_1(&copy, row, values);
        memcpy(y, values, bytes);
    }
}

void int8_gemm_avx2(const Int8GemmCall *call) {
    const Int8Columns *b = call->b;
    for (int j = 0; j < b->columns; j += LANES) {
        const Group group = {.rows = call->a,
                             .packed = (const int16_t *)b->packed +
                                       (size_t)j * int8_gemm_padded(b->depth),
                             .scales = b->scales + j,
                             .bias = call->bias ? call->bias + j : NULL,
                             .add = call->add,
                             .y = call->y + j,
                             .stride = call->stride};
        if (b->columns - j >= LANES)
            whole_group(&group);
        else
            last_group(&group, b->columns - j);
    }
}
#else
float int8_largest_avx2(const float *x, int count) {
    (void)x;
    return (float)count;
}

void int8_round_avx2(const Int8Rounding *rounding, int16_t *to) {
    (void)rounding;
    (void)to;
}

float int8_softmax_avx2(const float *x, int depth, int16_t *to) {
    (void)x;
    (void)to;
    return (float)depth;
}

void int8_gemm_avx2(const Int8GemmCall *call) {
    (void)call;
}
#endif

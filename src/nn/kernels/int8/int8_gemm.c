/* How a product in int8 runs:
 *   1. int8_columns_set(): round the columns of the right factor and store them in groups of 16.
 *      For weights this is done once.
 *   2. int8_rows_set(): round each row of the left factor with a scale from its largest magnitude.
 *      Rows of values from 0 to 1 have a fixed scale instead. VNNI multiplies unsigned bytes by
 *      signed ones, so for VNNI 128 is added to each integer that may be negative, and a fine row
 *      becomes two rows of bytes, which are multiplied one after the other. AMX uses the same
 *      layout.
 *   3. int8_gemm(): sum the products of a few rows and groups in registers, subtract 128 times the
 *      sum of the column if 128 was added, and multiply by both scales. */
#include "nn/kernels/int8/int8_gemm.h"

#include <math.h>
#include <string.h>

#include "nn/backends/backend.h"
#include "nn/kernels/int8/int8_gemm_rows.h"

enum { LANES = INT8_GEMM_LANES, CANDIDATES = 8 };
static const float LARGEST_MIN = 1e-30f; /* smaller magnitudes count as this, so no scale is 0 */

static size_t whole_lines(size_t floats) {
    return (floats + 15) / 16 * 16;
}

static bool vnni(void) {
    return backend_isa() >= ISA_AVX512_VNNI;
}

size_t int8_rows_room(int rows, int depth) {
    size_t count =
        (size_t)(rows + INT8_GEMM_AMX_ROWS - 1) / INT8_GEMM_AMX_ROWS * INT8_GEMM_AMX_ROWS;
    return whole_lines(count) + whole_lines(count * int8_gemm_padded(depth) / 2);
}

Int8Rows int8_rows_place(int rows, int depth, float *room) {
    return (Int8Rows){.rows = rows,
                      .depth = depth,
                      .bytes = vnni(),
                      .packed = room + whole_lines((size_t)rows),
                      .unit = 1.0f,
                      .scales = room};
}

size_t int8_columns_room(int depth, int columns) {
    size_t wide = int8_gemm_padded_columns(columns);
    return 3 * wide + wide * int8_gemm_padded(depth) / 2;
}

size_t int8_columns_room_fine(int depth, int columns) {
    size_t wide = int8_gemm_padded_columns(columns);
    return 3 * wide + wide * int8_gemm_padded(depth);
}

Int8Columns int8_columns_place(int depth, int columns, float *room) {
    size_t wide = int8_gemm_padded_columns(columns);
    return (Int8Columns){.depth = depth,
                         .columns = columns,
                         .bytes = vnni(),
                         .packed = room + 3 * wide,
                         .scales = room,
                         .sums = (int32_t *)(room + wide)};
}

static float largest_magnitude(const float *x, int count) {
    float largest = 0.0f;
    for (int i = 0; i < count; i++) {
        float magnitude = fabsf(x[i]);
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest;
}

static void round_plain(const Int8Rounding *rounding, int16_t *to) {
    for (size_t i = 0; i < int8_gemm_padded(rounding->depth); i++) {
        float p = i < (size_t)rounding->depth ? rounding->x[i] * rounding->inverse : 0.0f;
        p = p > rounding->min ? p : rounding->min;
        p = p < rounding->max ? p : rounding->max;
        to[i] = (int16_t)((int)nearbyintf(p) + rounding->shift);
    }
}

static void round_row(const Int8Rows *rows, int row, BackendIsa isa, Int8Rounding *rounding) {
    size_t padded = int8_gemm_padded(rows->depth), at = (size_t)row * padded;
    if (rows->bytes) {
        uint8_t *to = (uint8_t *)rows->packed + at;
        if (rows->kind == INT8_ROWS_FINE) rounding->low = to + (size_t)rows->rows * padded;
        rounding->shift = rows->kind == INT8_ROWS_FRACTIONS ? 0 : 128;
        int8_round_avx512(rounding, to);
    } else if (isa >= ISA_AVX2) {
        int8_round_avx2(rounding, (int16_t *)rows->packed + at);
    } else {
        round_plain(rounding, (int16_t *)rows->packed + at);
    }
}

static float largest_of(const float *x, int count, BackendIsa isa) {
    float largest = isa >= ISA_AVX512 ? int8_largest_avx512(x, count)
                    : isa >= ISA_AVX2 ? int8_largest_avx2(x, count)
                                      : largest_magnitude(x, count);
    return fmaxf(largest, LARGEST_MIN);
}

void int8_rows_set(Int8Rows *rows, Int8RowsKind kind, const float *x, size_t stride) {
    BackendIsa isa = backend_isa();
    float max = kind == INT8_ROWS_FINE     ? (float)INT8_GEMM_FINE
                : kind == INT8_ROWS_COARSE ? 127.0f
                                           : 255.0f,
          min = kind == INT8_ROWS_FRACTIONS ? 0.0f : -max;
    rows->kind = kind;
    for (int row = 0; row < rows->rows; row++, x += stride) {
        float largest = kind == INT8_ROWS_FRACTIONS ? 1.0f : largest_of(x, rows->depth, isa);
        rows->scales[row] = largest / max;
        round_row(rows, row, isa,
                  &(Int8Rounding){x, rows->depth, max / largest, min, max, 0, NULL});
    }
}

/* Does what int8_rows_softmax() does, for one row, and returns its sum. */
static float softmax_row(const float *x, int depth, bool bytes, void *to) {
    float largest = x[0], levels = bytes ? 255.0f : (float)INT8_GEMM_SOFTMAX;
    int32_t sum = 0;
    for (int k = 1; k < depth; k++)
        largest = x[k] > largest ? x[k] : largest;
    for (size_t k = 0; k < int8_gemm_padded(depth); k++) {
        float p = k < (size_t)depth ? nearbyintf(levels * expf(x[k] - largest)) : 0.0f;
        int integer = p > 0.0f ? (int)p : 0; /* NaN becomes 0 */
        sum += integer;
        if (bytes)
            ((uint8_t *)to)[k] = (uint8_t)integer;
        else
            ((int16_t *)to)[k] = (int16_t)integer;
    }
    return (float)sum / levels;
}

void int8_rows_softmax(Int8Rows *rows, const float *x, size_t stride, float *sums) {
    bool avx2 = !rows->bytes && backend_isa() >= ISA_AVX2;
    size_t padded = int8_gemm_padded(rows->depth);
    rows->kind = INT8_ROWS_FRACTIONS;
    for (size_t row = 0; row < (size_t)rows->rows; row++, x += stride) {
        void *to = rows->bytes ? (void *)((uint8_t *)rows->packed + row * padded)
                               : (void *)((int16_t *)rows->packed + row * padded);
        rows->scales[row] = 1.0f / (rows->bytes ? 255.0f : (float)INT8_GEMM_SOFTMAX);
        sums[row] = avx2 ? int8_softmax_avx2(x, rows->depth, to)
                         : softmax_row(x, rows->depth, rows->bytes, to);
    }
}

static float rounded(float x, float inverse, float max) {
    float q = nearbyintf(x * inverse);
    q = q > -max ? q : -max;
    return q < max ? q : max;
}

float int8_column_scale(int depth, const float *x, size_t stride) {
    float largest = LARGEST_MIN;
    for (int k = 0; k < depth; k++)
        largest = fmaxf(largest, fabsf(x[(size_t)k * stride]));
    float best = largest / 127.0f;
    double min = HUGE_VAL;
    for (int cut = 0; cut < CANDIDATES; cut++) {
        float scale = largest * (1.0f - 0.03f * (float)cut) / 127.0f;
        double error = 0.0;
        for (int k = 0; k < depth; k++) {
            float value = x[(size_t)k * stride];
            double difference = (double)(value - scale * rounded(value, 1.0f / scale, 127.0f));
            error += difference * difference;
        }
        if (error >= min) continue;
        min = error;
        best = scale;
    }
    return best;
}

float int8_column_scale_fine(int depth, const float *x, size_t stride) {
    float largest = LARGEST_MIN;
    for (int k = 0; k < depth; k++)
        largest = fmaxf(largest, fabsf(x[(size_t)k * stride]));
    return largest / (float)INT8_GEMM_FINE;
}

/* Returns where the integers of a part begin: 0 for all integers, or for the high part of a fine
 * factor; 1 for the low part. */
static void *columns_part(const Int8Columns *columns, int part) {
    size_t elements = int8_gemm_padded_columns(columns->columns) * int8_gemm_padded(columns->depth);
    return columns->bytes ? (void *)((int8_t *)columns->packed + (size_t)part * elements)
                          : (void *)((int16_t *)columns->packed + (size_t)part * elements);
}

/* Stores element k of column j in a part. */
static void store_integer(const Int8Columns *columns, int part, int j, size_t k, int q) {
    size_t pack = columns->bytes ? 4 : 2, padded = int8_gemm_padded(columns->depth),
           at = (size_t)(j / LANES) * padded * LANES + (size_t)(j % LANES) * pack +
                k / pack * pack * LANES + k % pack;
    if (columns->bytes)
        ((int8_t *)columns_part(columns, part))[at] = (int8_t)q;
    else
        ((int16_t *)columns_part(columns, part))[at] = (int16_t)q;
    columns->sums[(size_t)part * int8_gemm_padded_columns(columns->columns) + (size_t)j] += q;
}

void int8_columns_set(Int8Columns *columns, int j, const float *x, size_t stride, float scale) {
    size_t depth = (size_t)columns->depth, padded = int8_gemm_padded(columns->depth);
    float inverse = 1.0f / scale, max = columns->fine   ? (float)INT8_GEMM_FINE
                                        : columns->wide ? (float)INT8_GEMM_WIDE
                                                        : 127.0f;
    columns->scales[j] = scale;
    for (int part = 0; part <= columns->fine; part++)
        columns->sums[(size_t)part * int8_gemm_padded_columns(columns->columns) + (size_t)j] = 0;
    for (size_t k = 0; k < padded; k++) {
        int q = k < depth ? (int)rounded(x[k * stride], inverse, max) : 0,
            high = columns->fine ? (q + 64 + 16384) / 128 - 128 : q; /* rounds down */
        store_integer(columns, 0, j, k, high);
        if (columns->fine) store_integer(columns, 1, j, k, q - 128 * high);
    }
}

void int8_columns_pad(Int8Columns *columns) {
    const float zero = 0.0f;
    for (int j = columns->columns; j < (int)int8_gemm_padded_columns(columns->columns); j++)
        int8_columns_set(columns, j, &zero, 0, 1.0f);
}

/* The definition of int8_gemm(), for the layout in pairs of 16 bits. */
static void gemm_plain(const Int8GemmCall *call) {
    const Int8Rows *a = call->a;
    const Int8Columns *b = call->b;
    size_t padded = int8_gemm_padded(a->depth);
    for (int i = 0; i < a->rows; i++) {
        const int16_t *p = (const int16_t *)a->packed + (size_t)i * padded;
        for (int j = 0; j < b->columns; j++) {
            const int16_t *q = (const int16_t *)b->packed + (size_t)(j / LANES) * padded * LANES +
                               (size_t)(j % LANES) * 2;
            int32_t sum = 0;
            for (size_t k = 0; k < padded; k += 2, q += 2 * LANES)
                sum += p[k] * q[0] + p[k + 1] * q[1];
            float *y = call->y + (size_t)i * call->stride + (size_t)j,
                  value = fmaf((float)sum, a->scales[i] * a->unit * b->scales[j],
                               call->bias ? call->bias[j] : 0.0f);
            *y = call->add ? *y + value : value;
        }
    }
}

/* Multiplies by the kernel for factors that are not in parts. */
static void multiply(const Int8GemmCall *call) {
    if (call->a->bytes)
        int8_gemm_vnni(call);
    else if (backend_isa() >= ISA_AVX2)
        int8_gemm_avx2(call);
    else
        gemm_plain(call);
}

/* Multiplies fine rows of bytes: first their high bits, whose unit is 128, then their low bits,
 * which are integers from 0 to 127. The second product is added to the first. */
static void multiply_rows(const Int8GemmCall *call) {
    if (!call->a->bytes || call->a->kind != INT8_ROWS_FINE) {
        multiply(call);
        return;
    }
    Int8GemmCall part = *call;
    Int8Rows high = *call->a, low = *call->a;
    high.kind = INT8_ROWS_COARSE;
    high.unit *= 128.0f;
    low.kind = INT8_ROWS_FRACTIONS;
    low.packed = (uint8_t *)low.packed + (size_t)low.rows * int8_gemm_padded(low.depth);
    part.a = &high;
    multiply(&part);
    part.a = &low;
    part.bias = NULL;
    part.add = true;
    multiply(&part);
}

void int8_gemm(const Int8GemmCall *call) {
    if (call->a->bytes && int8_gemm_amx_can(call->a->depth)) {
        int8_gemm_amx(call);
        return;
    }
    if (!call->b->fine) {
        multiply_rows(call);
        return;
    }
    Int8GemmCall part = *call;
    Int8Rows rows = *call->a;
    Int8Columns low = *call->b;
    rows.unit *= 128.0f;
    part.a = &rows;
    multiply_rows(&part);
    low.packed = columns_part(call->b, 1);
    low.sums += int8_gemm_padded_columns(low.columns);
    part.a = call->a;
    part.b = &low;
    part.bias = NULL;
    part.add = true;
    multiply_rows(&part);
}

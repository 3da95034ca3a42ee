/* Products in int8 with AMX. A block is up to 32 rows by up to two groups of 16 columns. Fine rows
 * and fine columns have two parts each. For each pair of parts, the block's sums are computed in
 * four tiles and stored. Then finish() adds the sums of all pairs in f32:
 *     high rows, high columns: unit 128 * 128
 *     high rows, low columns, and low rows, high columns: unit 128
 *     low rows, low columns: unit 1
 * The sums of high and low rows with the same part of the columns are first added as integers. */
#include "nn/kernels/int8/int8_gemm_rows.h"

#if defined(__x86_64__)
#include "nn/backends/backend.h"
#include "nn/kernels/avx512.h"
#include "nn/kernels/conv/conv_amx_tiles.h"

#define TARGET AVX512_TARGET("")

enum { LANES = INT8_GEMM_LANES, TILE_ROWS = 16, STEP_MIN = 8 };

/* The sums of a block: (part of the rows, part of the columns, tile of rows, group, row, lane). */
typedef struct {
    int32_t sums[2][2][2][2][TILE_ROWS][LANES];
} Block;

/* Returns into how many pieces of equal length tiles divide a depth of `units` quads. */
static int steps_of(int units) {
    int steps = (units + TILE_ROWS - 1) / TILE_ROWS;
    while (units % steps)
        steps++;
    return steps;
}

bool int8_gemm_amx_can(int depth) {
    int units = (int)int8_gemm_padded(depth) / AMX_UNIT_BYTES;
    /* with shorter steps, most of a tile would be empty */
    return backend_isa() >= ISA_AMX && units / steps_of(units) >= STEP_MIN;
}

/* The inputs of the tiles of a block: the first row of the block in a part of the rows, the first
 * group in a part of the columns, and the bytes of a row, of a group, and of a step in a row. */
typedef struct {
    const uint8_t *rows;
    const int8_t *columns;
    size_t row_bytes, group_bytes, step_bytes;
    int steps;
} Factors;

/* Defines a function that computes the sums of `high` tiles of rows by `wide` groups. */
#define SUMS(name, high, wide)                                                                     \
    AMX_TARGET static void name(const Factors *factors, int32_t sums[2][2][TILE_ROWS][LANES]) {    \
        const uint8_t *first = factors->rows, *second = first + TILE_ROWS * factors->row_bytes;    \
        const int8_t *left = factors->columns, *right = left + factors->group_bytes;               \
        _tile_zero(0);                                                                             \
        if ((wide) > 1) _tile_zero(1);                                                             \
        if ((high) > 1) _tile_zero(2);                                                             \
        if ((high) > 1 && (wide) > 1) _tile_zero(3);                                               \
        for (int step = 0; step < factors->steps; step++) {                                        \
            _tile_loadd(4, first, factors->row_bytes);                                             \
            _tile_loadd(6, left, AMX_ROW_BYTES);                                                   \
            _tile_dpbusd(0, 4, 6);                                                                 \
            if ((wide) > 1) {                                                                      \
                _tile_loadd(7, right, AMX_ROW_BYTES);                                              \
                _tile_dpbusd(1, 4, 7);                                                             \
            }                                                                                      \
            if ((high) > 1) {                                                                      \
                _tile_loadd(5, second, factors->row_bytes);                                        \
                _tile_dpbusd(2, 5, 6);                                                             \
                if ((wide) > 1) _tile_dpbusd(3, 5, 7);                                             \
            }                                                                                      \
            first += factors->step_bytes;                                                          \
            second += factors->step_bytes;                                                         \
            left += factors->step_bytes * LANES;                                                   \
            right += factors->step_bytes * LANES;                                                  \
        }                                                                                          \
        _tile_stored(0, sums[0][0], AMX_ROW_BYTES);                                                \
        if ((wide) > 1) _tile_stored(1, sums[0][1], AMX_ROW_BYTES);                                \
        if ((high) > 1) _tile_stored(2, sums[1][0], AMX_ROW_BYTES);                                \
        if ((high) > 1 && (wide) > 1) _tile_stored(3, sums[1][1], AMX_ROW_BYTES);                  \
    }
SUMS(sums_11, 1, 1)
SUMS(sums_12, 1, 2)
SUMS(sums_21, 2, 1)
SUMS(sums_22, 2, 2)

/* Computes the sums of a block for all pairs of parts. */
static void multiply(const Int8GemmCall *call, Factors *factors, int row, int group, int high,
                     int wide, Block *block) {
    const Int8Rows *a = call->a;
    const Int8Columns *b = call->b;
    size_t padded = factors->row_bytes;
    for (int i = 0; i <= (a->kind == INT8_ROWS_FINE); i++) {
        for (int j = 0; j <= b->fine; j++) {
            factors->rows = (const uint8_t *)a->packed + (size_t)(i * a->rows + row) * padded;
            factors->columns = (const int8_t *)b->packed +
                               (size_t)j * int8_gemm_padded_columns(b->columns) * padded +
                               (size_t)group * factors->group_bytes;
            if (high > 1)
                (wide > 1 ? sums_22 : sums_21)(factors, block->sums[i][j]);
            else
                (wide > 1 ? sums_12 : sums_11)(factors, block->sums[i][j]);
        }
    }
}

/* Returns the sums of row `i` of a block with one part of the columns. `correction` is 128 times
 * the sums of the columns. */
TARGET static inline __m512 exact_sums(const Int8GemmCall *call, const Block *block, int part,
                                       int tile, int group, int i, __m512i correction) {
    __m512i sums = _mm512_loadu_si512(block->sums[0][part][tile][group][i]);
    if (call->a->kind != INT8_ROWS_FRACTIONS) sums = _mm512_sub_epi32(sums, correction);
    if (call->a->kind == INT8_ROWS_FINE)
        sums = _mm512_add_epi32(_mm512_slli_epi32(sums, 7),
                                _mm512_loadu_si512(block->sums[1][part][tile][group][i]));
    return _mm512_cvtepi32_ps(sums);
}

/* Scales the sums of one tile, adds the bias, and stores the results or adds them to y. */
TARGET static void finish(const Int8GemmCall *call, const Block *block, int tile, int group,
                          int first_row, int j) {
    const Int8Columns *b = call->b;
    const Int8Rows *a = call->a;
    int rows = a->rows - first_row < TILE_ROWS ? a->rows - first_row : TILE_ROWS;
    __mmask16 mask = avx512_lanes(b->columns - j);
    __m512 bias = call->bias ? _mm512_maskz_loadu_ps(mask, call->bias + j) : _mm512_setzero_ps(),
           scales = _mm512_loadu_ps(b->scales + j), unit = _mm512_set1_ps(128.0f);
    const int32_t *sums = b->sums + j;
    __m512i correction = _mm512_slli_epi32(_mm512_loadu_si512(sums), 7), low = correction;
    if (b->fine)
        low = _mm512_slli_epi32(_mm512_loadu_si512(sums + int8_gemm_padded_columns(b->columns)), 7);
    float *y = call->y + (size_t)first_row * call->stride + j;
    for (int i = 0; i < rows; i++, y += call->stride) {
        __m512 exact = exact_sums(call, block, 0, tile, group, i, correction),
               scale = _mm512_mul_ps(_mm512_set1_ps(a->scales[first_row + i] * a->unit), scales);
        if (b->fine)
            exact = _mm512_fmadd_ps(exact, unit, exact_sums(call, block, 1, tile, group, i, low));
        __m512 value = _mm512_fmadd_ps(exact, scale, bias);
        if (call->add) value = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, y), value);
        _mm512_mask_storeu_ps(y, mask, value);
    }
}

void int8_gemm_amx(const Int8GemmCall *call) {
    Block block;
    size_t padded = int8_gemm_padded(call->a->depth);
    int groups = (call->b->columns + LANES - 1) / LANES, units = (int)padded / AMX_UNIT_BYTES,
        steps = steps_of(units);
    Factors factors = {.row_bytes = padded,
                       .group_bytes = padded * LANES,
                       .step_bytes = padded / (size_t)steps,
                       .steps = steps};
    AMX_FINISH_WRITES(call->a->packed);
    amx_set_tiles(&(AmxTiles){.rows = {TILE_ROWS, TILE_ROWS}, .depth = units / steps});
    for (int row = 0; row < call->a->rows; row += 2 * TILE_ROWS) {
        int high = call->a->rows - row > TILE_ROWS ? 2 : 1;
        for (int g = 0; g < groups; g += 2) {
            int wide = groups - g > 1 ? 2 : 1;
            multiply(call, &factors, row, g, high, wide, &block);
            for (int t = 0; t < high * wide; t++)
                finish(call, &block, t / wide, t % wide, row + t / wide * TILE_ROWS,
                       (g + t % wide) * LANES);
        }
    }
    amx_end();
}
#else
bool int8_gemm_amx_can(int depth) {
    (void)depth;
    return false;
}

void int8_gemm_amx(const Int8GemmCall *call) {
    (void)call;
}
#endif

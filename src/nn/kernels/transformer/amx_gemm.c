/* The sums of two tiles of rows by two panels stay in tiles 0 to 3 while the loop goes through the
 * depth (conv_amx_tiles.h). The loop over rows is inside of the loop over panels, so that two
 * panels stay in the L1 cache. */
#include "nn/kernels/transformer/amx_gemm.h"

#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_amx_tiles.h"

#if defined(__x86_64__)
enum { LANES = AMX_GEMM_LANES, UNITS = AMX_GEMM_UNITS };

bool amx_gemm_can(void) {
    return backend_isa() >= ISA_AMX && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

void amx_gemm_begin(void) {
    amx_set_tiles(&(AmxTiles){.rows = {LANES, LANES}, .depth = UNITS});
}

void amx_gemm_end(void) {
    amx_end();
}

/* Begins a tile of sums with what is in memory or with zeros. */
#define BEGIN(tile, from, stride)                                                                  \
    do {                                                                                           \
        if (of->add)                                                                               \
            _tile_loadd(tile, from, stride);                                                       \
        else                                                                                       \
            _tile_zero(tile);                                                                      \
    } while (0)

/* Defines a function that computes a block of c: `high` tiles of rows by `wide` panels. */
#define BLOCK(name, high, wide)                                                                    \
    AMX_TARGET static void name(const AmxGemm *of, size_t row, size_t column) {                    \
        const uint32_t *a = of->a + row * of->a_stride, *b = of->b + column * of->b_units;         \
        float *c = of->c + row * of->c_stride + column, *below = c + LANES * of->c_stride;         \
        size_t a_tile = LANES * of->a_stride, b_panel = LANES * of->b_units,                       \
               a_bytes = of->a_stride * AMX_UNIT_BYTES, c_bytes = of->c_stride * sizeof *c;        \
        BEGIN(0, c, c_bytes);                                                                      \
        if ((wide) > 1) BEGIN(1, c + LANES, c_bytes);                                              \
        if ((high) > 1) BEGIN(2, below, c_bytes);                                                  \
        if ((high) > 1 && (wide) > 1) BEGIN(3, below + LANES, c_bytes);                            \
        for (size_t step = 0; step < of->steps; step++) {                                          \
            _tile_loadd(4, a, a_bytes);                                                            \
            _tile_loadd(6, b, AMX_ROW_BYTES);                                                      \
            _tile_dpbf16ps(0, 4, 6);                                                               \
            if ((wide) > 1) {                                                                      \
                _tile_loadd(7, b + b_panel, AMX_ROW_BYTES);                                        \
                _tile_dpbf16ps(1, 4, 7);                                                           \
            }                                                                                      \
            if ((high) > 1) {                                                                      \
                _tile_loadd(5, a + a_tile, a_bytes);                                               \
                _tile_dpbf16ps(2, 5, 6);                                                           \
                if ((wide) > 1) _tile_dpbf16ps(3, 5, 7);                                           \
            }                                                                                      \
            a += UNITS;                                                                            \
            b += UNITS * LANES;                                                                    \
        }                                                                                          \
        _tile_stored(0, c, c_bytes);                                                               \
        if ((wide) > 1) _tile_stored(1, c + LANES, c_bytes);                                       \
        if ((high) > 1) _tile_stored(2, below, c_bytes);                                           \
        if ((high) > 1 && (wide) > 1) _tile_stored(3, below + LANES, c_bytes);                     \
    }

BLOCK(block_11, 1, 1)
BLOCK(block_12, 1, 2)
BLOCK(block_21, 2, 1)
BLOCK(block_22, 2, 2)

void amx_gemm(const AmxGemm *of) {
    static void (*const BLOCKS[2][2])(const AmxGemm *of, size_t row,
                                      size_t column) = {{block_11, block_12}, {block_21, block_22}};
    AMX_FINISH_WRITES(of->a);
    for (size_t column = 0; column < of->columns; column += 2 * LANES) {
        bool wide = column + LANES < of->columns;
        for (size_t row = 0; row < of->rows; row += 2 * LANES) {
            bool high = row + LANES < of->rows;
            BLOCKS[high][wide](of, row, column);
        }
    }
    AMX_FINISH_WRITES(of->c);
}
#else
bool amx_gemm_can(void) {
    return false;
}

void amx_gemm_begin(void) {
}

void amx_gemm(const AmxGemm *of) {
    (void)of;
}

void amx_gemm_end(void) {
}
#endif

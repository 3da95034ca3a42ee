#include "nn/kernels/conv/conv_amx.h"

#include "nn/backends/backend.h"

int amx_bordered_width(int width, int kernel) {
    return width + kernel / 2;
}

/* Returns the number of parts in which the board is read: those from its first cell to its last
 * cell, with the border between its rows. */
static int parts_of(int height, int width, int kernel) {
    int cells = (height - 1) * amx_bordered_width(width, kernel) + width;
    return (cells + AMX_CELLS - 1) / AMX_CELLS;
}

size_t amx_bordered_cells(int height, int width, int kernel) {
    int last_tap = (kernel - 1) * amx_bordered_width(width, kernel) + kernel - 1;
    return (size_t)(parts_of(height, width, kernel) * AMX_CELLS + last_tap);
}

#if defined(__x86_64__)
enum { TILE_ROWS = 16 }; /* at most */

bool amx_shape_init(AmxShape *shape) {
    enum { STEP_MIN = 8 }; /* with shorter steps, most of a tile would be empty */
    int units = (int)shape->units;
    if (backend_isa() < ISA_AMX) return false;
    shape->steps = (units + TILE_ROWS - 1) / TILE_ROWS;
    while (units % shape->steps)
        shape->steps++;
    if (units / shape->steps < STEP_MIN) return false;
    shape->parts = parts_of(shape->height, shape->width, shape->kernel);
    shape->blocks = (shape->parts + 1) / 2;
    return true;
}

AmxBlock amx_block(const AmxShape *shape, const uint32_t *bordered, int number) {
    const uint32_t *first = bordered + (size_t)(2 * number * AMX_CELLS) * shape->units;
    return (AmxBlock){.bordered = {first, first + AMX_CELLS * shape->units},
                      .number = 2 * number,
                      .parts = 2 * number + 1 < shape->parts ? 2 : 1};
}

int amx_runs(const AmxShape *shape, int part, AmxRun out[AMX_CELLS]) {
    int width = amx_bordered_width(shape->width, shape->kernel), row = part * AMX_CELLS / width,
        column = part * AMX_CELLS % width, count = 0;
    for (int first = 0; first < AMX_CELLS && row < shape->height; row++, column = 0) {
        int left = AMX_CELLS - first, cells = shape->width - column;
        if (cells > left) cells = left;
        if (cells > 0) out[count++] = (AmxRun){first, cells, (size_t)(row * shape->width + column)};
        first += width - column;
    }
    return count;
}

/* The numbers of tiles: sums of part p and group g in p * 2 + g, cells of part p, and weights of
 * group g. The intrinsics take literal numbers only. */
#define SUMS_00 0
#define SUMS_01 1
#define SUMS_10 2
#define SUMS_11 3
#define CELLS_0 4
#define CELLS_1 5
#define WEIGHTS_0 6
#define WEIGHTS_1 7

/* The operand of the instruction that sets the sizes of tiles (palette 1). */
typedef struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} TileSizes;
_Static_assert(sizeof(TileSizes) == 64, "the instruction reads 64 bytes");

AMX_TARGET void amx_set_tiles(const AmxTiles *tiles) {
    TileSizes sizes = {.palette = 1};
    for (int i = 0; i < 2; i++) {
        uint8_t rows = (uint8_t)tiles->rows[i], depth = (uint8_t)tiles->depth;
        for (int j = 0; j < 2; j++) {
            sizes.rows[2 * i + j] = rows;
            sizes.row_bytes[2 * i + j] = AMX_ROW_BYTES;
        }
        sizes.rows[4 + i] = rows;
        sizes.row_bytes[4 + i] = (uint16_t)(depth * AMX_UNIT_BYTES);
        sizes.rows[6 + i] = depth;
        sizes.row_bytes[6 + i] = AMX_ROW_BYTES;
    }
    AMX_FINISH_WRITES(&sizes);
    _tile_loadconfig(&sizes);
}

AMX_TARGET void amx_end(void) {
    _tile_release();
}

void amx_begin(const AmxShape *shape) {
    amx_set_tiles(
        &(AmxTiles){.rows = {AMX_CELLS, AMX_CELLS}, .depth = (int)shape->units / shape->steps});
}

/* Defines a function that computes the sums of one or two parts for one or two groups. */
#define SUMS(name, multiply_add, parts, groups)                                                    \
    AMX_TARGET static void name(const AmxShape *shape, const AmxBlock *block,                      \
                                const uint32_t *weights, AmxSums *out) {                           \
        size_t units = shape->units, step = units / (size_t)shape->steps,                          \
               cell_bytes = units * AMX_UNIT_BYTES,                                                \
               group = (size_t)(shape->kernel * shape->kernel) * units * AMX_LANES;                \
        AMX_FINISH_WRITES(weights);                                                                \
        _tile_zero(SUMS_00);                                                                       \
        if ((groups) > 1) _tile_zero(SUMS_01);                                                     \
        if ((parts) > 1) _tile_zero(SUMS_10);                                                      \
        if ((parts) > 1 && (groups) > 1) _tile_zero(SUMS_11);                                      \
        for (int ky = 0; ky < shape->kernel; ky++) {                                               \
            const uint32_t *first = block->bordered[0] + (size_t)ky * shape->bordered_row,         \
                           *second = block->bordered[1] + (size_t)ky * shape->bordered_row;        \
            for (int piece = 0; piece < shape->kernel * shape->steps; piece++) {                   \
                _tile_loadd(CELLS_0, first, cell_bytes);                                           \
                _tile_loadd(WEIGHTS_0, weights, AMX_ROW_BYTES);                                    \
                multiply_add(SUMS_00, CELLS_0, WEIGHTS_0);                                         \
                if ((groups) > 1) {                                                                \
                    _tile_loadd(WEIGHTS_1, weights + group, AMX_ROW_BYTES);                        \
                    multiply_add(SUMS_01, CELLS_0, WEIGHTS_1);                                     \
                }                                                                                  \
                if ((parts) > 1) {                                                                 \
                    _tile_loadd(CELLS_1, second, cell_bytes);                                      \
                    multiply_add(SUMS_10, CELLS_1, WEIGHTS_0);                                     \
                    if ((groups) > 1) multiply_add(SUMS_11, CELLS_1, WEIGHTS_1);                   \
                }                                                                                  \
                first += step;                                                                     \
                second += step;                                                                    \
                weights += step * AMX_LANES;                                                       \
            }                                                                                      \
        }                                                                                          \
        _tile_stored(SUMS_00, out->whole[0][0], AMX_ROW_BYTES);                                    \
        if ((groups) > 1) _tile_stored(SUMS_01, out->whole[0][1], AMX_ROW_BYTES);                  \
        if ((parts) > 1) _tile_stored(SUMS_10, out->whole[1][0], AMX_ROW_BYTES);                   \
        if ((parts) > 1 && (groups) > 1) _tile_stored(SUMS_11, out->whole[1][1], AMX_ROW_BYTES);   \
    }

SUMS(int8_11, _tile_dpbusd, 1, 1)
SUMS(int8_12, _tile_dpbusd, 1, 2)
SUMS(int8_21, _tile_dpbusd, 2, 1)
SUMS(int8_22, _tile_dpbusd, 2, 2)
SUMS(bf16_11, _tile_dpbf16ps, 1, 1)
SUMS(bf16_12, _tile_dpbf16ps, 1, 2)
SUMS(bf16_21, _tile_dpbf16ps, 2, 1)
SUMS(bf16_22, _tile_dpbf16ps, 2, 2)

void amx_sums_int8(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out) {
    if (block->parts > 1)
        (groups > 1 ? int8_22 : int8_21)(shape, block, weights, out);
    else
        (groups > 1 ? int8_12 : int8_11)(shape, block, weights, out);
}

void amx_sums_bf16(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out) {
    if (block->parts > 1)
        (groups > 1 ? bf16_22 : bf16_21)(shape, block, weights, out);
    else
        (groups > 1 ? bf16_12 : bf16_11)(shape, block, weights, out);
}
#else
/* Other processors need none of this, because amx_shape_init() returns false. */
bool amx_shape_init(AmxShape *shape) {
    (void)shape;
    return false;
}

AmxBlock amx_block(const AmxShape *shape, const uint32_t *bordered, int number) {
    (void)shape, (void)bordered, (void)number;
    return (AmxBlock){0};
}

void amx_begin(const AmxShape *shape) {
    (void)shape;
}

void amx_set_tiles(const AmxTiles *tiles) {
    (void)tiles;
}

void amx_end(void) {
}

void amx_sums_int8(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out) {
    (void)shape, (void)block, (void)weights, (void)groups, (void)out;
}

void amx_sums_bf16(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out) {
    (void)shape, (void)block, (void)weights, (void)groups, (void)out;
}
#endif

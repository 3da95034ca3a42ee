#include "nn/kernels/conv/conv_int8_amx.h"

#if defined(__x86_64__)
#include "nn/kernels/conv/conv_int8_store.h"

/* Stores the sums of the block's parts for one or two groups. */
INT8_STORE_TARGET static void store(Int8Row *row, const AmxShape *shape, const AmxBlock *block,
                                    int groups, const AmxSums *sums) {
    size_t channel = (size_t)(row->stride - row->left);
    AmxRun runs[AMX_CELLS];
    for (int part = 0; part < block->parts; part++) {
        int count = amx_runs(shape, block->number + part, runs);
        for (int i = 0; i < count; i++) {
            row->at = runs[i].cell * (size_t)row->stride + channel;
            for (int cell = 0; cell < runs[i].count; cell++) {
                for (int j = 0; j < groups; j++)
                    int8_store(row, cell, j,
                               _mm512_loadu_si512(sums->whole[part][j][runs[i].first + cell]));
            }
        }
    }
}

void int8_board_amx(const Int8Row *first, const AmxShape *shape) {
    AmxSums sums;
    Int8Row row = *first;
    amx_begin(shape);
    while (row.left > 0) {
        int groups = row.left > INT8_LANES ? 2 : 1;
        for (int i = 0; i < shape->blocks; i++) {
            AmxBlock block = amx_block(shape, row.bordered, i);
            amx_sums_int8(shape, &block, row.weights, groups, &sums);
            store(&row, shape, &block, groups, &sums);
        }
        row.weights += (size_t)groups * row.group;
        row.scales += groups * INT8_LANES;
        row.offsets += groups * INT8_LANES;
        row.left -= groups * INT8_LANES;
    }
    amx_end();
}
#else
void int8_board_amx(const Int8Row *first, const AmxShape *shape) {
    (void)first, (void)shape; /* amx_shape_init() returns false */
}
#endif

#include "nn/graph/only_side.h"

OnlySide only_side_of(const Program *program) {
    OnlySide only = {.side = program_only_side(program), .input = -1};
    Value mask;
    program_mask_source(program, &mask, &only.channel);
    for (int i = 0; mask >= 0 && i < program_input_count(program); i++) {
        if (program_input_value(program, i) == mask) only.input = i;
    }
    if (mask >= 0) only.channels = program_op(program, mask)->channels;
    return only;
}

/* Counts the rows or columns from the first to the last one with a cell on the mask. */
static int extent(const OnlySide *only, const float *x, int height, int width, bool of_rows) {
    int first = -1, last = -2;
    for (int cell = 0; cell < height * width; cell++) {
        int at = of_rows ? cell / width : cell % width;
        if (x[(size_t)cell * (size_t)only->channels + (size_t)only->channel] == 0) continue;
        if (first < 0 || at < first) first = at;
        if (at > last) last = at;
    }
    return last - first + 1;
}

Status only_side_check(const OnlySide *only, const float *mask_input, int samples, int height,
                       int width, Error *err) {
    int side = only->side;
    for (int n = 0; side && n < samples; n++) {
        size_t at = (size_t)n * (size_t)(height * width) * (size_t)only->channels;
        int rows = height, columns = width;
        if (only->input >= 0) {
            rows = extent(only, mask_input + at, height, width, true);
            columns = extent(only, mask_input + at, height, width, false);
        }
        if (rows != side || columns != side)
            return fail(err, ERR_UNSUPPORTED,
                        "this net is only for boards of %dx%d, not for one of %dx%d", side, side,
                        columns, rows);
    }
    return OK;
}

/* Constants, and ops that move channels about: concat along c, slice of c. */
#include <string.h>

#include "nn/op.h"

static void constant_forward(const OpCall *call) {
    size_t count = (size_t)call->op->rows * (size_t)call->op->channels;
    for (int b = 0; b < call->n; b++)
        memcpy(call->y + (size_t)b * count, call->parameters[0], count * sizeof(float));
}

static void constant_backward(const OpCall *call) {
    (void)call; /* not trained */
}

/* Adds or copies `count` channels of every row between two widths. */
static void move_rows(size_t rows, const float *from, size_t from_width, float *to, size_t to_width,
                      size_t count, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++)
            to[r * to_width + c] = (add ? to[r * to_width + c] : 0) + from[r * from_width + c];
    }
}

static void concat_forward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, a = (size_t)call->in_channels[0],
           b = (size_t)call->in_channels[1];
    move_rows(rows, call->x[0], a, call->y, a + b, a, false);
    move_rows(rows, call->x[1], b, call->y + a, a + b, b, false);
}

static void concat_backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, a = (size_t)call->in_channels[0],
           b = (size_t)call->in_channels[1];
    if (call->dx[0]) move_rows(rows, call->dy, a + b, call->dx[0], a, a, !call->first[0]);
    if (call->dx[1]) move_rows(rows, call->dy + a, a + b, call->dx[1], b, b, !call->first[1]);
}

static void slice_forward(const OpCall *call) {
    move_rows((size_t)call->n * (size_t)call->rows, call->x[0] + call->op->first,
              (size_t)call->in_channels[0], call->y, (size_t)call->op->channels,
              (size_t)call->op->channels, false);
}

static void slice_backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, in = (size_t)call->in_channels[0],
           count = (size_t)call->op->channels;
    if (!call->dx[0]) return;
    if (call->first[0]) memset(call->dx[0], 0, rows * in * sizeof(float));
    move_rows(rows, call->dy, count, call->dx[0] + call->op->first, in, count, true);
}

const OpClass OP_CLASS_CONSTANT = {constant_forward, constant_backward, NULL};
const OpClass OP_CLASS_CONCAT = {concat_forward, concat_backward, NULL};
const OpClass OP_CLASS_SLICE = {slice_forward, slice_backward, NULL};

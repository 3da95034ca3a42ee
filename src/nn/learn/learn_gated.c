#include "nn/learn/learn_gated.h"

#include "nn/kernels/transformer/gate_avx512.h"

enum { ROWS = 128 }; /* in a group */

/* The values of a group of rows: (ROWS, inner). */
typedef struct {
    float *u, *g, *m; /* what up and gate give, and silu(u) * g */
    float *dm;
    float *dense; /* scratch of the layers */
} Scratch;

static size_t inner_of(const LearnGated *gated) {
    return (size_t)gated->up_call->op->channels;
}

static Scratch lay_out(const LearnGated *gated, float *scratch) {
    size_t each = ROWS * inner_of(gated);
    return (Scratch){scratch, scratch + each, scratch + 2 * each, scratch + 3 * each,
                     scratch + 4 * each};
}

size_t learn_gated_scratch(const LearnGated *gated) {
    size_t dense = dense_amx_scratch(gated->up), down = dense_amx_scratch(gated->down);
    return 4 * ROWS * inner_of(gated) + (down > dense ? down : dense);
}

static size_t rows_of(const LearnGated *gated) {
    return (size_t)gated->up_call->n * (size_t)gated->up_call->rows;
}

static size_t in_channels(const LearnGated *gated) {
    return (size_t)gated->up_call->in_channels[0];
}

static const float *weights_of(const OpCall *call, bool kept) {
    return kept ? NULL : call->parameters[0];
}

/* Computes u, g and m for some rows of x. */
static void find_gates(const LearnGated *gated, size_t rows, const float *x, bool kept,
                       const Scratch *s) {
    dense_amx_forward(gated->up, rows, x, weights_of(gated->up_call, kept), s->u, s->dense);
    dense_amx_forward(gated->gate, rows, x, weights_of(gated->gate_call, kept), s->g, s->dense);
    gate_forward(rows * inner_of(gated), s->u, s->g, s->m);
}

void learn_gated_forward(const LearnGated *gated, bool kept, float *scratch) {
    Scratch s = lay_out(gated, scratch);
    const OpCall *down = gated->down_call;
    size_t rows = rows_of(gated), out = (size_t)down->op->channels;
    for (size_t first = 0; first < rows; first += ROWS) {
        size_t count = rows - first < ROWS ? rows - first : ROWS;
        find_gates(gated, count, gated->up_call->x[0] + first * in_channels(gated), kept, &s);
        dense_amx_forward(gated->down, count, s.m, weights_of(down, kept), down->y + first * out,
                          s.dense);
        kept = true;
    }
}

void learn_gated_backward(const LearnGated *gated, bool kept, float *scratch) {
    Scratch s = lay_out(gated, scratch);
    const OpCall *up = gated->up_call, *gate = gated->gate_call, *down = gated->down_call;
    size_t rows = rows_of(gated), in = in_channels(gated), out = (size_t)down->op->channels;
    float *dx = up->dx[0];
    bool add = !up->first[0] && !gate->first[0];
    for (size_t first = 0; first < rows; first += ROWS) {
        size_t count = rows - first < ROWS ? rows - first : ROWS;
        const float *x = up->x[0] + first * in;
        DenseAmxBackward layer = {
            count, s.m, down->dy + first * out, weights_of(down, kept), s.dm, false, s.dense};
        find_gates(gated, count, x, true, &s); /* learn_gated_forward() had the same weights */
        if (!down->gradients[0]) layer.x = NULL;
        dense_amx_backward(gated->down, &layer);
        gate_backward(count * inner_of(gated), s.dm, s.u, s.g);
        layer = (DenseAmxBackward){count,
                                   up->gradients[0] ? x : NULL,
                                   s.u,
                                   weights_of(up, kept),
                                   dx ? dx + first * in : NULL,
                                   add,
                                   s.dense};
        dense_amx_backward(gated->up, &layer);
        layer.x = gate->gradients[0] ? x : NULL;
        layer.dy = s.g;
        layer.weights = weights_of(gate, kept);
        layer.add = true;
        dense_amx_backward(gated->gate, &layer);
        kept = true;
    }
    if (up->gradients[0]) dense_amx_add_gradient(gated->up, up->gradients[0]);
    if (gate->gradients[0]) dense_amx_add_gradient(gated->gate, gate->gradients[0]);
    if (down->gradients[0]) dense_amx_add_gradient(gated->down, down->gradients[0]);
}

/* Rotary position encoding (Su et al. 2021, "RoFormer", equation 34) rotates pairs of channels of
 * queries and keys. Each pair has two frequencies: f[0] for the columns of the board and f[1] for
 * its rows. A pair (a, b) of a cell becomes (a', b'):
 *     angle = column * f[0] + row * f[1]
 *     a' = a cos(angle) - b sin(angle),   b' = a sin(angle) + b cos(angle)
 * Backward rotates by minus the angle. The gradient of the angle is db * a' - da * b', where da and
 * db are the gradients of the rotated pair. Values pass unchanged. */
#include <math.h>
#include <string.h>

#include "nn/ops/attention/attention_shape.h"
#include "nn/ops/op.h"

typedef struct {
    int pairs;       /* pairs of channels in a head */
    int heads;       /* heads of queries and heads of keys together */
    int query_heads; /* only the heads of queries */
    int group;       /* how many heads of queries share a head of keys */
} Rotations;

static Rotations rotations_of(const Op *op) {
    AttentionShape a = op->attention;
    return (Rotations){a.query_channels / 2, a.heads + a.kv_heads, a.heads, a.heads / a.kv_heads};
}

/* Returns the index of the frequencies of a head's first pair. */
static size_t frequencies_at(const Rotations *t, int head) {
    int kv_head = head < t->query_heads ? head / t->group : head - t->query_heads;
    return (size_t)(kv_head * t->pairs * 2);
}

/* OpCall.saved has the cosine and the sine of each angle: (cells, kv_heads, pairs, 2). They are the
 * same for all samples, and backward reads them again. */
static size_t saved(const Op *op, int n, int cells) {
    (void)n;
    return (size_t)cells * (size_t)op->attention.kv_heads *
           (size_t)(op->attention.query_channels / 2) * 2;
}

void rotary_find_turns(const OpCall *call) {
    size_t count = saved(call->op, 1, 1);
    for (int cell = 0; cell < call->rows; cell++) {
        float column = (float)(cell % call->width), row = (float)(cell / call->width),
              *turns = call->saved + (size_t)cell * count;
        for (size_t i = 0; i < count; i += 2) {
            float angle = column * call->parameters[0][i] + row * call->parameters[0][i + 1];
            turns[i] = cosf(angle);
            turns[i + 1] = sinf(angle);
        }
    }
}

/* Rotates pairs by the angles whose cosines and sines are in `turns`. */
OP_LOOP static void rotate(size_t pairs, const float *restrict turns, const float *restrict x,
                           float *restrict y) {
    for (size_t p = 0; p < pairs; p++) {
        float a = x[2 * p], b = x[2 * p + 1], c = turns[2 * p], s = turns[2 * p + 1];
        y[2 * p] = a * c - b * s;
        y[2 * p + 1] = a * s + b * c;
    }
}

/* Rotates the pairs of dy back and adds them to dx. */
OP_LOOP static void add_rotated_back(size_t pairs, const float *restrict turns,
                                     const float *restrict dy, float *restrict dx) {
    for (size_t p = 0; p < pairs; p++) {
        float a = dy[2 * p], b = dy[2 * p + 1], c = turns[2 * p], s = turns[2 * p + 1];
        dx[2 * p] += a * c + b * s;
        dx[2 * p + 1] += b * c - a * s;
    }
}

OP_LOOP static void add_slopes(size_t pairs, float column, float row, const float *restrict y,
                               const float *restrict dy, float *restrict gradient) {
    for (size_t p = 0; p < pairs; p++) {
        float slope = dy[2 * p + 1] * y[2 * p] - dy[2 * p] * y[2 * p + 1];
        gradient[2 * p] += slope * column;
        gradient[2 * p + 1] += slope * row;
    }
}

static void forward(const OpCall *call) {
    Rotations t = rotations_of(call->op);
    size_t channels = (size_t)call->op->channels, rows = (size_t)call->n * (size_t)call->rows,
           pairs = (size_t)t.pairs, rotated = (size_t)t.heads * pairs * 2,
           count = saved(call->op, 1, 1);
    rotary_find_turns(call);
    for (size_t r = 0; r < rows; r++) {
        const float *turns = call->saved + r % (size_t)call->rows * count,
                    *x = call->x[0] + r * channels;
        float *y = call->y + r * channels;
        for (int head = 0; head < t.heads; head++)
            rotate(pairs, turns + frequencies_at(&t, head), x + (size_t)head * pairs * 2,
                   y + (size_t)head * pairs * 2);
        memcpy(y + rotated, x + rotated, (channels - rotated) * sizeof *y);
    }
}

static void backward_row(const OpCall *call, const Rotations *t, size_t r) {
    size_t channels = (size_t)call->op->channels, pairs = (size_t)t->pairs,
           rotated = (size_t)t->heads * pairs * 2, cell = r % (size_t)call->rows;
    const float *turns = call->saved + cell * saved(call->op, 1, 1), *y = call->y + r * channels,
                *dy = call->dy + r * channels;
    float *dx = call->dx[0] ? call->dx[0] + r * channels : NULL;
    if (dx && call->first[0]) memset(dx, 0, channels * sizeof *dx);
    for (int head = 0; head < t->heads; head++) {
        size_t at = (size_t)head * pairs * 2, frequencies = frequencies_at(t, head);
        if (dx) add_rotated_back(pairs, turns + frequencies, dy + at, dx + at);
        if (call->gradients[0])
            add_slopes(pairs, (float)(cell % (size_t)call->width),
                       (float)(cell / (size_t)call->width), y + at, dy + at,
                       call->gradients[0] + frequencies);
    }
    for (size_t c = rotated; dx && c < channels; c++)
        dx[c] += dy[c];
}

static void backward(const OpCall *call) {
    Rotations t = rotations_of(call->op);
    for (size_t r = 0; r < (size_t)call->n * (size_t)call->rows; r++)
        backward_row(call, &t, r);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (attention_channels(op) != op->channels) return ATTENTION_MISFIT;
    if (op->attention.query_channels % 2 != 0)
        return "rotary needs an even number of query channels";
    parameters[0] =
        (ParameterSpec){.name = "rates",
                        .rank = 3,
                        .dims = {op->attention.kv_heads, op->attention.query_channels / 2, 2},
                        .trained = !op->fixed};
    return NULL;
}

static const OpField FIELDS[] = {
    OP_FIELD_LIST("attention", attention, 4), OP_FIELD("trained", OP_FIELD_NOT, fixed), {0}};

const OpClass OP_CLASS_ROTARY = {.word = "rotary",
                                 .phrase = "rotary places",
                                 .inputs = 1,
                                 .fields = FIELDS,
                                 .shape = shape,
                                 .saved = saved,
                                 .forward = forward,
                                 .backward = backward};

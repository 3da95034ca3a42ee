/* Rotary position encoding (Su et al. 2021, "RoFormer", equation 34, with frequencies for both
 * directions of a board) rotates pairs of channels of queries and keys by
 *     angle = column * f[0] + row * f[1]
 *     (a, b) to (a', b') = (a cos - b sin, a sin + b cos)
 * Backward rotates by minus the angle. The gradient of the angle is db * a' - da * b', where da and
 * db are the gradients of the rotated pair. Values pass unchanged. */
#include <math.h>
#include <string.h>

#include "nn/ops/attention_shape.h"
#include "nn/ops/op.h"

typedef struct {
    /* pairs in a head; heads of queries and keys together; heads of queries; heads of queries for
     * each head of keys */
    int pairs, heads, query_heads, group;
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

static void forward(const OpCall *call) {
    Rotations t = rotations_of(call->op);
    size_t channels = (size_t)call->op->channels, rows = (size_t)call->n * (size_t)call->rows;
    memcpy(call->y, call->x[0], rows * channels * sizeof(float));
    for (size_t r = 0; r < rows; r++) {
        int cell = (int)(r % (size_t)call->rows);
        float column = (float)(cell % call->width), row = (float)(cell / call->width);
        for (int head = 0; head < t.heads; head++) {
            const float *f = call->parameters[0] + frequencies_at(&t, head);
            float *y = call->y + r * channels + (size_t)(head * t.pairs * 2);
            for (int p = 0; p < t.pairs; p++, f += 2, y += 2) {
                float angle = column * f[0] + row * f[1], c = cosf(angle), s = sinf(angle),
                      a = y[0], b = y[1];
                y[0] = a * c - b * s;
                y[1] = a * s + b * c;
            }
        }
    }
}

static void backward_head(const OpCall *call, const Rotations *t, size_t at, int head, int cell) {
    float column = (float)(cell % call->width), row = (float)(cell / call->width);
    size_t frequencies = frequencies_at(t, head);
    for (int p = 0; p < t->pairs; p++, frequencies += 2, at += 2) {
        const float *f = call->parameters[0] + frequencies, *dy = call->dy + at, *y = call->y + at;
        float angle = column * f[0] + row * f[1], c = cosf(angle), s = sinf(angle);
        if (call->dx[0]) {
            float *dx = call->dx[0] + at;
            bool first = call->first[0];
            dx[0] = (first ? 0 : dx[0]) + dy[0] * c + dy[1] * s;
            dx[1] = (first ? 0 : dx[1]) - dy[0] * s + dy[1] * c;
        }
        if (!call->gradients[0]) continue;
        float slope = dy[1] * y[0] - dy[0] * y[1];
        call->gradients[0][frequencies] += slope * column;
        call->gradients[0][frequencies + 1] += slope * row;
    }
}

static void backward(const OpCall *call) {
    Rotations t = rotations_of(call->op);
    size_t channels = (size_t)call->op->channels, rotated = (size_t)(t.heads * t.pairs * 2);
    for (size_t r = 0; r < (size_t)call->n * (size_t)call->rows; r++) {
        for (int head = 0; head < t.heads; head++)
            backward_head(call, &t, r * channels + (size_t)(head * t.pairs * 2), head,
                          (int)(r % (size_t)call->rows));
        for (size_t c = rotated; call->dx[0] && c < channels; c++) {
            float *dx = &call->dx[0][r * channels + c];
            *dx = (call->first[0] ? 0 : *dx) + call->dy[r * channels + c];
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (attention_channels(op) != op->channels || op->attention.query_channels % 2 != 0)
        return "an impossible rotary encoding";
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
                                 .forward = forward,
                                 .backward = backward};

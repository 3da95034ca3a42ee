/* Chain pooling (GoNN, README, "Chain pooling"). The second input has stones: channel 1 is not 0 at
 * the stones of one color, channel 2 at those of the other. A chain is a set of stones of one color
 * that are connected along the lines of the board.
 *     y[p][c] = max of x[q][c] over the points q of the chain of p
 * y is 0 at points without a stone. The gradient of a chain goes to the point with the maximum; the
 * stones get none. */
#include <string.h>

#include "nn/ops/op.h"

enum { OWN = 1, OTHER = 2 };

/* The chains of one sample, in OpCall.saved: chain[cell] is the first cell of its chain, or -1
 * without a stone. */
typedef struct {
    float *chain;
    float *waiting; /* cells whose neighbours are still to be looked at */
} Chains;

static size_t saved(const Op *op, int n, int cells) {
    (void)op;
    return 2 * (size_t)n * (size_t)cells;
}

static Chains chains_of(const OpCall *call, int sample) {
    float *chain = call->saved + 2 * (size_t)sample * (size_t)call->rows;
    return (Chains){chain, chain + call->rows};
}

static int first_of(const Chains *chains, int cell) {
    return (int)chains->chain[cell];
}

static int color_of(const OpCall *call, int sample, int cell) {
    size_t at = (size_t)sample * (size_t)call->rows + (size_t)cell;
    const float *planes = call->x[1] + at * (size_t)call->in_channels[1];
    if (call->mask[at] == 0) return 0;
    return planes[OWN] != 0 ? OWN : planes[OTHER] != 0 ? OTHER : 0;
}

/* Gives all stones that are connected with this one its number, without recursion. */
static void follow(const OpCall *call, int sample, int start, const Chains *out) {
    int count = 0, width = call->width, color = color_of(call, sample, start);
    out->waiting[count++] = (float)start;
    out->chain[start] = (float)start;
    while (count) {
        int cell = (int)out->waiting[--count];
        const int neighbours[4] = {cell % width ? cell - 1 : -1,
                                   cell % width < width - 1 ? cell + 1 : -1, cell - width,
                                   cell + width < call->rows ? cell + width : -1};
        for (int i = 0; i < 4; i++) {
            int next = neighbours[i];
            if (next < 0 || first_of(out, next) >= 0 || color_of(call, sample, next) != color)
                continue;
            out->chain[next] = (float)start;
            out->waiting[count++] = (float)next;
        }
    }
}

static void find_chains(const OpCall *call, int sample) {
    const Chains chains = chains_of(call, sample);
    for (int cell = 0; cell < call->rows; cell++)
        chains.chain[cell] = -1;
    for (int cell = 0; cell < call->rows; cell++) {
        if (color_of(call, sample, cell) && first_of(&chains, cell) < 0)
            follow(call, sample, cell, &chains);
    }
}

/* Writes the maximum of each chain to y at the chain's first cell. */
static void take_maxima(const OpCall *call, const Chains *chains, const float *x, float *y) {
    size_t channels = (size_t)call->op->channels;
    for (int cell = 0; cell < call->rows; cell++) {
        int first = first_of(chains, cell);
        if (first < 0) continue;
        const float *from = x + (size_t)cell * channels;
        float *to = y + (size_t)first * channels;
        for (size_t c = 0; c < channels; c++)
            to[c] = first == cell || from[c] > to[c] ? from[c] : to[c];
    }
}

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, sample = (size_t)call->rows * channels;
    for (int b = 0; b < call->n; b++) {
        const Chains chains = chains_of(call, b);
        float *y = call->y + (size_t)b * sample;
        find_chains(call, b);
        memset(y, 0, sample * sizeof *y);
        take_maxima(call, &chains, call->x[0] + (size_t)b * sample, y);
        for (int cell = 0; cell < call->rows; cell++) {
            int first = first_of(&chains, cell);
            if (first >= 0 && first != cell)
                memcpy(y + (size_t)cell * channels, y + (size_t)first * channels,
                       channels * sizeof *y);
        }
    }
}

/* Returns the first cell of the chain whose value is the maximum of this channel. */
static int find_maximum(const OpCall *call, const Chains *chains, int first, const float *x,
                        float maximum, size_t c) {
    size_t channels = (size_t)call->op->channels;
    int cell = first;
    while (first_of(chains, cell) != first || x[(size_t)cell * channels + c] != maximum) {
        if (++cell == call->rows) return first; /* only if a value is not a number */
    }
    return cell;
}

static void backward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, sample = (size_t)call->rows * channels;
    if (call->dx[0] && call->first[0])
        memset(call->dx[0], 0, (size_t)call->n * sample * sizeof(float));
    if (call->dx[1] && call->first[1])
        memset(call->dx[1], 0,
               (size_t)call->n * (size_t)call->rows * (size_t)call->in_channels[1] * sizeof(float));
    for (int b = 0; b < call->n && call->dx[0]; b++) {
        const Chains chains = chains_of(call, b);
        const float *x = call->x[0] + (size_t)b * sample, *dy = call->dy + (size_t)b * sample,
                    *y = call->y + (size_t)b * sample;
        float *dx = call->dx[0] + (size_t)b * sample;
        for (int cell = 0; cell < call->rows; cell++) {
            int first = first_of(&chains, cell);
            for (size_t c = 0; first >= 0 && c < channels; c++) {
                size_t at = (size_t)cell * channels + c;
                int from = find_maximum(call, &chains, first, x, y[at], c);
                dx[(size_t)from * channels + c] += dy[at];
            }
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)op, (void)parameters;
    if (inputs[0]->shape != KIND_SPATIAL || inputs[1]->shape != KIND_SPATIAL)
        return "chains of a value without points";
    if (inputs[1]->channels <= OTHER) return "chains without stones";
    return NULL;
}

const OpClass OP_CLASS_CHAIN_POOL = {.word = "chain_pool",
                                     .phrase = "pooling over chains",
                                     .layer = "chain pool",
                                     .fixed_name = "chain_pool",
                                     .inputs = 2,
                                     .shape = shape,
                                     .saved = saved,
                                     .forward = forward,
                                     .backward = backward};

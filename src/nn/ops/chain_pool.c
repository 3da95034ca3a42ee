/* Chain pooling (GoNN, README, "Chain pooling"). The second input has the stones (stones.h). A
 * chain is a set of stones of one color that are connected along the lines of the board.
 *     y[p][c] = max of x[q][c] over the points q of the chain of p
 * y is 0 at points without a stone. The gradient of a chain goes to the point with the maximum, the
 * first one if there are several. The stones get no gradient. */
#include <string.h>

#include "nn/ops/stones.h"

/* What OpCall.saved has for one sample. */
typedef struct {
    float *chain;   /* (cells): the first cell of the cell's chain, or -1 without a stone */
    float *waiting; /* (cells): cells whose neighbours are still to be looked at */
    float *maximum; /* (cells, channels): at the first cell of a chain, the cell of its maximum */
} Chains;

static size_t saved(const Op *op, int n, int cells) {
    return (size_t)n * (size_t)cells * (size_t)(2 + op->channels);
}

static Chains chains_of(const OpCall *call, int sample) {
    size_t cells = (size_t)call->rows;
    float *chain = call->saved + (size_t)sample * saved(call->op, 1, call->rows);
    return (Chains){chain, chain + cells, chain + 2 * cells};
}

static int first_of(const Chains *chains, int cell) {
    return (int)chains->chain[cell];
}

static Stone stone_of(const OpCall *call, int sample, int cell) {
    return stone_at(call, (size_t)sample * (size_t)call->rows + (size_t)cell);
}

/* Writes `start` to out->chain at all stones of the chain of the stone at `start`. The list
 * out->waiting replaces recursion. */
static void follow(const OpCall *call, int sample, int start, const Chains *out) {
    int count = 0, width = call->width;
    Stone color = stone_of(call, sample, start);
    out->waiting[count++] = (float)start;
    out->chain[start] = (float)start;
    while (count) {
        int cell = (int)out->waiting[--count];
        const int neighbours[4] = {cell % width ? cell - 1 : -1,
                                   cell % width < width - 1 ? cell + 1 : -1, cell - width,
                                   cell + width < call->rows ? cell + width : -1};
        for (int i = 0; i < 4; i++) {
            int next = neighbours[i];
            if (next < 0 || first_of(out, next) >= 0 || stone_of(call, sample, next) != color)
                continue;
            out->chain[next] = (float)start;
            out->waiting[count++] = (float)next;
        }
    }
}

static void find_chains(const OpCall *call, int sample, const Chains *out) {
    for (int cell = 0; cell < call->rows; cell++)
        out->chain[cell] = -1;
    for (int cell = 0; cell < call->rows; cell++) {
        if (stone_of(call, sample, cell) != STONE_NONE && first_of(out, cell) < 0)
            follow(call, sample, cell, out);
    }
}

/* Finds the maxima of all chains. The loop meets the first cell of a chain before its other
 * cells. */
static void find_maxima(const OpCall *call, const float *x, const Chains *out) {
    size_t channels = (size_t)call->op->channels;
    for (int cell = 0; cell < call->rows; cell++) {
        int first = first_of(out, cell);
        if (first < 0) continue;
        float *maximum = out->maximum + (size_t)first * channels;
        for (size_t c = 0; c < channels; c++) {
            if (first == cell ||
                x[(size_t)cell * channels + c] > x[(size_t)maximum[c] * channels + c])
                maximum[c] = (float)cell;
        }
    }
}

/* Returns the index, in a sample of x, of the maximum over the chain that begins at `first`. */
static size_t maximum_at(const Chains *chains, int first, size_t channels, size_t c) {
    return (size_t)chains->maximum[(size_t)first * channels + c] * channels + c;
}

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, sample = (size_t)call->rows * channels;
    for (int b = 0; b < call->n; b++) {
        const Chains chains = chains_of(call, b);
        const float *x = call->x[0] + (size_t)b * sample;
        float *y = call->y + (size_t)b * sample;
        find_chains(call, b, &chains);
        find_maxima(call, x, &chains);
        memset(y, 0, sample * sizeof *y);
        for (int cell = 0; cell < call->rows; cell++) {
            int first = first_of(&chains, cell);
            for (size_t c = 0; first >= 0 && c < channels; c++)
                y[(size_t)cell * channels + c] = x[maximum_at(&chains, first, channels, c)];
        }
    }
}

static void backward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, sample = (size_t)call->rows * channels;
    op_begin_gradient(call, 0);
    op_begin_gradient(call, 1);
    for (int b = 0; b < call->n && call->dx[0]; b++) {
        const Chains chains = chains_of(call, b);
        const float *dy = call->dy + (size_t)b * sample;
        float *dx = call->dx[0] + (size_t)b * sample;
        for (int cell = 0; cell < call->rows; cell++) {
            int first = first_of(&chains, cell);
            for (size_t c = 0; first >= 0 && c < channels; c++)
                dx[maximum_at(&chains, first, channels, c)] += dy[(size_t)cell * channels + c];
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)op, (void)parameters;
    return stones_fault(inputs);
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

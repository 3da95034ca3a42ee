/* Averages along diagonals, which can follow a ladder over the board (GoNN, model.py,
 * ladder_block). The first input has 8 c channels: 4 c values a and 4 c logits z. The second input
 * has the stones (stones.h). Each quarter of the values walks along all diagonals in one of the
 * four directions. With k = 0, 1, ... as the points of a walk:
 *     b_k = 1.5 near_k sigmoid(z_k) + 0.0001
 *     near_k = 1 if a stone is at most 3 steps away along rows and columns, else 0
 *     B_k = b_0 + ... + b_k
 *     r_k = (1 - e^(-b_k)) / (1 - e^(-B_k))
 *     y_0 = a_0,  y_k = y_(k-1) + r_k (a_k - y_(k-1))
 * So y_k is a weighted average of a_0 to a_k. The weight of a_j is, with B_(-1) as 0,
 *     e^(B_(j-1)) (e^(b_j) - 1)
 * A point with a large b thus replaces what was before it. y is 0 off the mask. For backward let
 * g_k be the gradient of y_k, and s_k the gradient of B_k. Both include the effect on all later
 * points of the walk:
 *     g_k = dy_k + (1 - r_(k+1)) g_(k+1)
 *     da_k = r_k g_k
 *     s_k = s_(k+1) - g_k (a_k - y_(k-1)) r_k e^(-B_k) / (1 - e^(-B_k))
 *     db_k = g_k (a_k - y_(k-1)) e^(-b_k) / (1 - e^(-B_k)) + s_k
 * where y_(-1) is 0. The logits get their gradient through b, and the stones get none. */
#include <math.h>
#include <string.h>

#include "nn/ops/stones.h"

enum { DIRECTIONS = 4, NEAR_STEPS = 3 };
static const float RATE = 1.5f, RATE_MIN = 1e-4f;

/* For each sample, OpCall.saved has near_k of each point, (cells), and then B_k of each element of
 * y, (cells, channels). */
static size_t saved(const Op *op, int n, int cells) {
    return (size_t)n * (size_t)cells * (size_t)(1 + op->channels);
}

/* One walk along a diagonal in one channel. */
typedef struct {
    const OpCall *call;
    size_t sample;  /* index of the sample's first cell among the cells of all samples */
    size_t channel; /* of y and of the value in x; the logit is op->channels further on in x */
    int row_step, column_step;
    float *near, *sums; /* of the sample, in OpCall.saved */
} Walk;

static bool is_on(const Walk *walk, int row, int column) {
    const OpCall *call = walk->call;
    if (row < 0 || row >= call->height || column < 0 || column >= call->width) return false;
    return call->mask[walk->sample + (size_t)(row * call->width + column)] != 0;
}

/* Returns the index in y of the walk's channel at a cell. x_at() returns the index in x. */
static size_t y_at(const Walk *walk, int cell) {
    return (walk->sample + (size_t)cell) * (size_t)walk->call->op->channels + walk->channel;
}

static size_t x_at(const Walk *walk, int cell) {
    return (walk->sample + (size_t)cell) * (size_t)walk->call->in_channels[0] + walk->channel;
}

static float *sum_at(const Walk *walk, int cell) {
    return walk->sums + (size_t)cell * (size_t)walk->call->op->channels + walk->channel;
}

static float sigmoid(float z) {
    return 1 / (1 + expf(-z));
}

static float rate_of(const Walk *walk, int cell) {
    float z = walk->call->x[0][x_at(walk, cell) + (size_t)walk->call->op->channels];
    return RATE * walk->near[cell] * sigmoid(z) + RATE_MIN;
}

static void walk_forward(const Walk *walk, int row, int column) {
    float sum = 0, y = 0;
    for (; is_on(walk, row, column); row += walk->row_step, column += walk->column_step) {
        int cell = row * walk->call->width + column;
        float b = rate_of(walk, cell), a = walk->call->x[0][x_at(walk, cell)];
        sum += b;
        y += expm1f(-b) / expm1f(-sum) * (a - y);
        walk->call->y[y_at(walk, cell)] = y;
        *sum_at(walk, cell) = sum;
    }
}

/* Walks back from the last point of a diagonal to its first. */
static void walk_backward(const Walk *walk, int row, int column) {
    const OpCall *call = walk->call;
    float gradient = 0, sum_gradient = 0;
    for (; is_on(walk, row, column); row -= walk->row_step, column -= walk->column_step) {
        int cell = row * call->width + column,
            before = cell - walk->row_step * call->width - walk->column_step;
        bool first = !is_on(walk, row - walk->row_step, column - walk->column_step);
        size_t at = x_at(walk, cell), logit = at + (size_t)call->op->channels;
        float b = rate_of(walk, cell), sum = *sum_at(walk, cell), whole = -expm1f(-sum),
              r = -expm1f(-b) / whole, s = sigmoid(call->x[0][logit]);
        gradient += call->dy[y_at(walk, cell)];
        float change =
            gradient * (call->x[0][at] - (first ? 0 : call->y[y_at(walk, before)])) / whole;
        sum_gradient -= change * r * expf(-sum);
        call->dx[0][at] += r * gradient;
        call->dx[0][logit] +=
            (change * expf(-b) + sum_gradient) * RATE * walk->near[cell] * s * (1 - s);
        gradient *= 1 - r;
    }
}

static void find_near(const OpCall *call, size_t sample, float *near) {
    memset(near, 0, (size_t)call->rows * sizeof *near);
    for (int cell = 0; cell < call->rows; cell++) {
        if (stone_at(call, sample + (size_t)cell) == STONE_NONE) continue;
        int row = cell / call->width, column = cell % call->width;
        for (int i = -NEAR_STEPS; i <= NEAR_STEPS; i++) {
            int wide = NEAR_STEPS - (i < 0 ? -i : i);
            for (int k = -wide; k <= wide; k++) {
                if (row + i >= 0 && row + i < call->height && column + k >= 0 &&
                    column + k < call->width)
                    near[(row + i) * call->width + column + k] = 1;
            }
        }
    }
}

/* Calls `visit` at the first point of each diagonal of each channel or, with `last`, at the last
 * point. */
static void visit_walks(const OpCall *call, int b, bool last,
                        void (*visit)(const Walk *walk, int row, int column)) {
    static const int STEPS[DIRECTIONS][2] = {{1, -1}, {-1, 1}, {1, 1}, {-1, -1}};
    size_t rows = (size_t)call->rows, channels = (size_t)call->op->channels;
    float *near = call->saved + (size_t)b * rows * (1 + channels);
    Walk walk = {.call = call, .sample = (size_t)b * rows, .near = near, .sums = near + rows};
    for (walk.channel = 0; walk.channel < channels; walk.channel++) {
        const int *step = STEPS[walk.channel / (channels / DIRECTIONS)];
        int back = last ? 1 : -1;
        walk.row_step = step[0];
        walk.column_step = step[1];
        for (int cell = 0; cell < call->rows; cell++) {
            int row = cell / call->width, column = cell % call->width;
            if (is_on(&walk, row, column) &&
                !is_on(&walk, row + back * step[0], column + back * step[1]))
                visit(&walk, row, column);
        }
    }
}

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->rows, channels = (size_t)call->op->channels;
    memset(call->y, 0, (size_t)call->n * rows * channels * sizeof *call->y);
    for (int b = 0; b < call->n; b++) {
        find_near(call, (size_t)b * rows, call->saved + (size_t)b * rows * (1 + channels));
        visit_walks(call, b, false, walk_forward);
    }
}

static void backward(const OpCall *call) {
    op_begin_gradient(call, 0);
    op_begin_gradient(call, 1);
    for (int b = 0; b < call->n && call->dx[0]; b++)
        visit_walks(call, b, true, walk_backward);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    if (inputs[0]->channels % (2 * DIRECTIONS) != 0)
        return "diagonals of channels that are no multiple of 8";
    op->channels = inputs[0]->channels / 2;
    return stones_fault(inputs);
}

const OpClass OP_CLASS_DIAGONALS = {.word = "diagonals",
                                    .phrase = "averages along diagonals",
                                    .layer = "diagonals",
                                    .fixed_name = "diagonals",
                                    .inputs = 2,
                                    .shape = shape,
                                    .saved = saved,
                                    .forward = forward,
                                    .backward = backward};

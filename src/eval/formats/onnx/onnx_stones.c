#include "eval/formats/onnx/onnx_stones.h"

#include <stdio.h>
#include <string.h>

/* Whose stones. The value is also the channel of the op's second input that shows these stones
 * (nn/ops/stones.h). */
typedef enum { STONES_OWN = 1, STONES_OTHER } Stones;

/* Returns (N, 1, height, width) with 1 at the stones of one side, else 0. */
static OnnxName stones_of(const OnnxBuild *build, const Op *op, Stones side) {
    OnnxGraph *graph = build->graph;
    OnnxName planes = onnx_input(build, op, 1), stones, own, one = onnx_number(graph, 1);
    stones = onnx_slice(graph, &planes, 1, side, 1);
    stones = onnx_unary(graph, "Sign", &stones);
    stones = onnx_unary(graph, "Abs", &stones);
    if (side == STONES_OWN) return stones;
    /* A point that is set in both planes counts as a stone of the player to move. */
    own = stones_of(build, op, STONES_OWN);
    own = onnx_binary(graph, "Sub", &one, &own);
    return onnx_binary(graph, "Mul", &stones, &own);
}

/* Returns, for each point, the maximum over the point and its two neighbours in one direction. With
 * height 3 and width 1 they are the neighbours in its column; with height 1 and width 3, those in
 * its row. */
static OnnxName maximum_along(OnnxGraph *graph, const OnnxName *x, int height, int width) {
    OnnxNode node = onnx_node("MaxPool", x);
    onnx_add_ints(&node, "kernel_shape", 2, (int64_t[]){height, width});
    onnx_add_ints(&node, "pads", 4, (int64_t[]){height / 2, width / 2, height / 2, width / 2});
    return onnx_end(graph, &node);
}

/* Returns x at the stones, and the lowest number elsewhere. `off` is 0 at the stones, and the
 * lowest number elsewhere. */
static OnnxName only_stones(OnnxGraph *graph, const OnnxName *x, const OnnxName *stones,
                            const OnnxName *off) {
    OnnxName y = onnx_binary(graph, "Mul", x, stones);
    return onnx_binary(graph, "Add", &y, off);
}

/* Writes the body of the loop: each stone gets the maximum over itself and its neighbours of the
 * same side. The loop goes on as long as an element changes. */
static void build_body(OnnxGraph *graph, const OnnxName *stones, const OnnxName *off, StrBuf *out) {
    OnnxName turn = onnx_new_name(graph, "turn"), before = onnx_new_name(graph, "before"),
             x = onnx_new_name(graph, "values"), zero = onnx_number(graph, 0), rows, columns, y,
             change;
    const OnnxPort inputs[] = {{.name = turn.text, .type = ONNX_INT64},
                               {.name = before.text, .type = ONNX_BOOL},
                               {.name = x.text, .type = ONNX_FLOAT, .rank = -1}};
    onnx_body_begin(graph);
    rows = maximum_along(graph, &x, 3, 1);
    columns = maximum_along(graph, &x, 1, 3);
    y = onnx_binary(graph, "Max", &rows, &columns);
    y = only_stones(graph, &y, stones, off);
    change = onnx_binary(graph, "Sub", &y, &x);
    change = onnx_reduce(graph, "ReduceMax", &change, 4, (int64_t[]){0, 1, 2, 3}, false);
    change = onnx_binary(graph, "Greater", &change, &zero);
    const OnnxPort outputs[] = {{.name = change.text, .type = ONNX_BOOL},
                                {.name = y.text, .type = ONNX_FLOAT, .rank = -1}};
    onnx_body_end(graph, 3, inputs, 2, outputs, out);
}

/* Both sides are computed at once: each sample becomes two samples, one for the stones of each
 * side. In each iteration of the loop a maximum spreads by one point, so as many iterations as
 * there are cells are enough. */
OnnxName onnx_chain_pool(const OnnxBuild *build, const Op *op) {
    static const float LOWEST = 3e38f;
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0), own = stones_of(build, op, STONES_OWN),
             other = stones_of(build, op, STONES_OTHER), stones, off, y, a, b,
             one = onnx_number(graph, 1), lowest = onnx_number(graph, LOWEST),
             turns = onnx_constant_name("turns_max");
    int64_t *to = onnx_new_ints(graph, &turns, 0, NULL);
    StrBuf body;
    if (to) *to = build->cells;
    stones = onnx_concat(graph, &own, &other, 1);
    stones = onnx_unflatten(build, &stones, 1);
    off = onnx_binary(graph, "Sub", &stones, &one);
    off = onnx_binary(graph, "Mul", &off, &lowest);
    x = onnx_concat(graph, &x, &x, 1);
    x = onnx_unflatten(build, &x, op->channels);
    x = only_stones(graph, &x, &stones, &off);
    build_body(graph, &stones, &off, &body);
    OnnxNode loop = onnx_node("Loop", &turns);
    onnx_add_input(&loop, &(OnnxName){""}); /* no condition before the first iteration */
    onnx_add_input(&loop, &x);
    onnx_add_body(&loop, "body", &body);
    strbuf_clear(&body);
    y = onnx_end(graph, &loop);
    y = onnx_binary(graph, "Mul", &y, &stones);
    y = onnx_unflatten(build, &y, 2 * op->channels);
    a = onnx_slice(graph, &y, 1, 0, op->channels);
    b = onnx_slice(graph, &y, 1, op->channels, op->channels);
    return onnx_binary(graph, "Add", &a, &b);
}

/* Returns 1 at the points that have a stone within 3 steps along the lines, else 0, as (N, 1,
 * cells). */
static OnnxName near_stones(const OnnxBuild *build, const Op *op) {
    enum { STEPS = 3, SIDE = 2 * STEPS + 1 };
    OnnxGraph *graph = build->graph;
    OnnxName own = stones_of(build, op, STONES_OWN), other = stones_of(build, op, STONES_OTHER),
             stones = onnx_binary(graph, "Add", &own, &other),
             kernel = onnx_constant_name("stones_within_3_steps");
    float *to = onnx_new_floats(graph, &kernel, 4, (int64_t[]){1, 1, SIDE, SIDE});
    for (int i = 0; to && i < SIDE * SIDE; i++) {
        int row = i / SIDE - STEPS, column = i % SIDE - STEPS;
        to[i] = (row < 0 ? -row : row) + (column < 0 ? -column : column) <= STEPS;
    }
    OnnxNode node = onnx_node("Conv", &stones);
    onnx_add_input(&node, &kernel);
    onnx_add_ints(&node, "kernel_shape", 2, (int64_t[]){SIDE, SIDE});
    onnx_add_ints(&node, "pads", 4, (int64_t[]){STEPS, STEPS, STEPS, STEPS});
    OnnxName near = onnx_end(graph, &node);
    near = onnx_unary(graph, "Sign", &near);
    return onnx_flatten(build, &near, 1);
}

/* A walk goes along a diagonal in one direction until the edge of the board (nn/ops/diagonals.c).
 * Returns a matrix (cells, cells) for the walks in the direction (row_step, column_step). Its entry
 * [q][p] is 1 if the walk that begins at q comes to p, or if q is p; the other entries are 0. So
 * the product of a row of numbers with this matrix gives a sum for each point p. The sum is over p
 * itself and the points from which a walk comes to p. */
static OnnxName walks_in(const OnnxBuild *build, int row_step, int column_step) {
    OnnxName name;
    int cells = build->cells, width = build->width;
    name = onnx_constant_name("walks_%d_%d", row_step, column_step);
    float *to = onnx_new_floats(build->graph, &name, 2, (int64_t[]){cells, cells});
    for (int from = 0; to && from < cells; from++) {
        int row = from / width, column = from % width;
        while (row >= 0 && row < build->height && column >= 0 && column < width) {
            to[from * cells + row * width + column] = 1;
            row += row_step;
            column += column_step;
        }
    }
    return name;
}

/* Averages the values a (N, c, cells) along the walks of one direction; the logits b determine the
 * weights. At point n of a walk the result is the average of a_0 to a_n, where a_k has the weight
 *     w_k = e^(B_(k-1)) (e^(b_k) - 1),   B_k = b_0 + ... + b_k
 * e^b - 1 is computed as tanh(b / 2) (e^b + 1), which is more accurate for small b. */
static OnnxName average(const OnnxBuild *build, const OnnxName *a, const OnnxName *b,
                        const OnnxName *walks) {
    OnnxGraph *graph = build->graph;
    OnnxName one = onnx_number(graph, 1), half = onnx_number(graph, 0.5f), before, weight, part,
             total;
    before = onnx_binary(graph, "MatMul", b, walks);
    before = onnx_binary(graph, "Sub", &before, b);
    before = onnx_unary(graph, "Exp", &before);
    part = onnx_binary(graph, "Mul", b, &half);
    part = onnx_unary(graph, "Tanh", &part);
    weight = onnx_unary(graph, "Exp", b);
    weight = onnx_binary(graph, "Add", &weight, &one);
    weight = onnx_binary(graph, "Mul", &weight, &part);
    weight = onnx_binary(graph, "Mul", &weight, &before);
    total = onnx_binary(graph, "MatMul", &weight, walks);
    weight = onnx_binary(graph, "Mul", &weight, a);
    weight = onnx_binary(graph, "MatMul", &weight, walks);
    return onnx_binary(graph, "Div", &weight, &total);
}

OnnxName onnx_diagonals(const OnnxBuild *build, const Op *op) {
    enum { DIRECTIONS = 4 };
    static const int STEPS[DIRECTIONS][2] = {{1, -1}, {-1, 1}, {1, 1}, {-1, -1}};
    OnnxGraph *graph = build->graph;
    int channels = op->channels, quarter = channels / DIRECTIONS;
    OnnxName x = onnx_input(build, op, 0), near = near_stones(build, op), rates, y,
             rate = onnx_number(graph, 1.5f), least = onnx_number(graph, 1e-4f);
    x = onnx_flatten(build, &x, 2 * channels);
    rates = onnx_slice(graph, &x, 1, channels, channels);
    rates = onnx_unary(graph, "Sigmoid", &rates);
    rates = onnx_binary(graph, "Mul", &rates, &near);
    rates = onnx_binary(graph, "Mul", &rates, &rate);
    rates = onnx_binary(graph, "Add", &rates, &least);
    for (int i = 0; i < DIRECTIONS; i++) {
        OnnxName a = onnx_slice(graph, &x, 1, i * quarter, quarter),
                 b = onnx_slice(graph, &rates, 1, i * quarter, quarter),
                 walks = walks_in(build, STEPS[i][0], STEPS[i][1]),
                 part = average(build, &a, &b, &walks);
        y = i ? onnx_concat(graph, &y, &part, 1) : part;
    }
    return onnx_unflatten(build, &y, channels);
}

#include "eval/formats/onnx/onnx_places.h"

#include <math.h>
#include <stdio.h>

int onnx_point(const OnnxBuild *build, int cell, int side) {
    int row = cell / build->width, column = cell % build->width;
    return row >= side || column >= side ? -1 : row * side + column;
}

/* The channels of queries and keys of an op, which are rotated in pairs. */
typedef struct {
    int pairs; /* in a head */
    /* `query_heads`: number of heads of queries; `heads`: number of heads of queries and keys
     * together; `group`: number of heads of queries that share a head of keys */
    int query_heads, heads, group;
} Rotations;

static Rotations rotations_of(const Op *op) {
    AttentionShape a = op->attention;
    return (Rotations){a.query_channels / 2, a.heads, a.heads + a.kv_heads, a.heads / a.kv_heads};
}

/* Channels are rotated in pairs. The rotated channel is the channel times a cosine, plus the other
 * channel of its pair times a sine. The function writes the cosine and the sine for each cell. For
 * the first channel of a pair the sine has the opposite sign. */
static void turn_channel(const OnnxBuild *build, const Rotations *r, const float *frequencies,
                         int channel, float *cosines, float *sines) {
    int head = channel / (2 * r->pairs), pair = channel / 2 % r->pairs,
        kv_head = head < r->query_heads ? head / r->group : head - r->query_heads;
    const float *f = frequencies + (size_t)(kv_head * r->pairs + pair) * 2;
    for (int cell = 0; cell < build->cells; cell++) {
        float angle = (float)(cell % build->width) * f[0] + (float)(cell / build->width) * f[1];
        cosines[cell] = cosf(angle);
        sines[cell] = channel % 2 ? sinf(angle) : -sinf(angle);
    }
}

/* Computes x * cosines + (x with the channels of each pair exchanged) * sines. The channels of the
 * values of attention are not rotated: their cosines are 1 and their sines 0. */
OnnxName onnx_rotary(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    const Rotations r = rotations_of(op);
    const int64_t dims[] = {op->channels, build->height, build->width};
    OnnxName x = onnx_input(build, op, 0), cosine = onnx_parameter_name(build, op, 0, ".cosines"),
             sine = onnx_parameter_name(build, op, 0, ".sines"),
             other = onnx_parameter_name(build, op, 0, ".others");
    float *cosines = onnx_new_floats(graph, &cosine, 3, dims),
          *sines = onnx_new_floats(graph, &sine, 3, dims);
    int64_t *others = onnx_new_ints(graph, &other, 1, dims);
    const float *frequencies = onnx_parameter_values(build, op, 0);
    for (int c = 0; cosines && sines && others && c < op->channels; c++) {
        size_t at = (size_t)c * (size_t)build->cells;
        bool rotated = c < r.heads * r.pairs * 2;
        others[c] = rotated ? c ^ 1 : c;
        if (rotated) turn_channel(build, &r, frequencies, c, cosines + at, sines + at);
        for (int cell = 0; !rotated && cell < build->cells; cell++)
            cosines[at + (size_t)cell] = 1; /* the sines of a new tensor are 0 */
    }
    OnnxName exchanged = onnx_gather(graph, &x, 1, &other);
    x = onnx_binary(graph, "Mul", &x, &cosine);
    exchanged = onnx_binary(graph, "Mul", &exchanged, &sine);
    return onnx_binary(graph, "Add", &x, &exchanged);
}

/* Multiplies (N, c, cells) by a matrix (cells, cells), and adds the bias of each cell. w is the
 * parameter of the op; the entry [q][p] of the matrix is w[p][q]. Entries of cells outside of the
 * board of `side` are 0. */
OnnxName onnx_points(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    int cells = build->cells, points = op->side * op->side;
    OnnxName x = onnx_input(build, op, 0), matrix = onnx_parameter_name(build, op, 0, ".cells"),
             bias = onnx_parameter_name(build, op, 1, ".cells");
    float *to = onnx_new_floats(graph, &matrix, 2, (int64_t[]){cells, cells}),
          *to_bias = onnx_new_floats(graph, &bias, 1, (int64_t[]){cells});
    const float *w = onnx_parameter_values(build, op, 0), *b = onnx_parameter_values(build, op, 1);
    for (int out = 0; to && to_bias && out < cells; out++) {
        int p = onnx_point(build, out, op->side);
        if (p < 0) continue;
        to_bias[out] = b[p];
        for (int in = 0; in < cells; in++) {
            int q = onnx_point(build, in, op->side);
            if (q >= 0) to[(size_t)in * (size_t)cells + (size_t)out] = w[p * points + q];
        }
    }
    x = onnx_flatten(build, &x, op->channels);
    x = onnx_binary(graph, "MatMul", &x, &matrix);
    x = onnx_binary(graph, "Add", &x, &bias);
    return onnx_unflatten(build, &x, op->channels);
}

static int to_edge(int at, int length) {
    return at < length - 1 - at ? at : length - 1 - at;
}

/* Returns the index of a cell's gate, or -1 if the cell has no gate. With op->edges, a cell has two
 * distances: from the nearer horizontal edge and from the nearer vertical edge. All cells with the
 * same two distances, in either order, share a gate. */
static int gate_place(const OnnxBuild *build, const Op *op, int cell) {
    if (!op->edges) return onnx_point(build, cell, op->side);
    int rows = to_edge(cell / build->width, build->height),
        columns = to_edge(cell % build->width, build->width);
    int far = rows > columns ? rows : columns, near = rows + columns - far;
    return far >= (op->side + 1) / 2 ? -1 : far * (far + 1) / 2 + near;
}

/* Returns the gains or shifts of all cells, (c, height, width). Cells without a gate get the value
 * `none`. */
static OnnxName gates_of(const OnnxBuild *build, const Op *op, int parameter, float none) {
    OnnxName name = onnx_parameter_name(build, op, parameter, ".cells");
    float *to = onnx_new_floats(build->graph, &name, 3,
                                (int64_t[]){op->channels, build->height, build->width});
    const float *from = onnx_parameter_values(build, op, parameter);
    for (int cell = 0; to && cell < build->cells; cell++) {
        int place = gate_place(build, op, cell);
        for (int c = 0; c < op->channels; c++)
            to[c * build->cells + cell] = place < 0 ? none : from[place * op->channels + c];
    }
    return name;
}

OnnxName onnx_place_gate(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    if (op->gate != GATE_ADD) {
        OnnxName gain = gates_of(build, op, 0, 1);
        x = onnx_binary(build->graph, "Mul", &x, &gain);
    }
    if (op->gate != GATE_MULTIPLY) {
        OnnxName shift = gates_of(build, op, op->gate == GATE_BOTH, 0);
        x = onnx_binary(build->graph, "Add", &x, &shift);
    }
    return x;
}

/* Returns a matrix (cells, points). Its entry is 1 where the cell is this point of the board of
 * `side`, and otherwise 0. */
static OnnxName cells_to_points(const OnnxBuild *build, int side) {
    OnnxName name;
    int points = side * side;
    name = onnx_constant_name("cells_to_points_%d", side);
    float *to = onnx_new_floats(build->graph, &name, 2, (int64_t[]){build->cells, points});
    for (int cell = 0; to && cell < build->cells; cell++) {
        int point = onnx_point(build, cell, side);
        if (point >= 0) to[cell * points + point] = 1;
    }
    return name;
}

OnnxName onnx_points_vector(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0);
    x = onnx_flatten(build, &x, onnx_input_op(build, op, 0)->channels);
    if (op->side != build->height || op->side != build->width) {
        OnnxName places = cells_to_points(build, op->side);
        x = onnx_binary(graph, "MatMul", &x, &places);
    }
    x = onnx_transpose(graph, &x, 3, (int64_t[]){0, 2, 1});
    return onnx_reshape(graph, &x, 2, (int64_t[]){-1, op->channels});
}

OnnxName onnx_vector_points(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0);
    x = onnx_reshape(graph, &x, 3, (int64_t[]){-1, op->side * op->side, op->channels});
    x = onnx_transpose(graph, &x, 3, (int64_t[]){0, 2, 1});
    if (op->side != build->height || op->side != build->width) {
        OnnxName places = cells_to_points(build, op->side);
        places = onnx_transpose(graph, &places, 2, (int64_t[]){1, 0});
        x = onnx_binary(graph, "MatMul", &x, &places);
    }
    return onnx_unflatten(build, &x, op->channels);
}

OnnxName onnx_vector_rows(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    return onnx_reshape(build->graph, &x, 3, (int64_t[]){-1, op->rows, op->channels});
}

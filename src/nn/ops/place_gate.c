/* Gains and shifts that belong to places on the board, for each channel (lczero-training,
 * tfprocess.py, ma_gating):
 *     y[p][c] = x[p][c] * gain[k][c] + shift[k][c]   with k as the place of point p
 *     dx[p][c] = dy[p][c] * gain[k][c]
 *     dgain[k][c] = sum of dy[p][c] * x[p][c] over all p at place k
 *     dshift[k][c] = sum of dy[p][c] over all p at place k
 * Without `edges`, places are the points of a board of `side` x `side`. A smaller board uses the
 * places in the upper left corner. On a larger board, the points in the rows and columns from
 * number `side` on, counted from 0, have no place. With `edges`, the place of a point is a pair of
 * distances: the distance to the upper or lower edge, whichever is nearer, and the distance to the
 * left or right edge, whichever is nearer. The order of the two distances does not matter, so all
 * points that a symmetry of the board exchanges share a place. Boards of all sizes share the places
 * near their edges. If one of the two distances is half of the attribute `side` or more, the point
 * has no place. The values of points without a place stay as they are. Gains begin at 1 and never
 * become negative. Shifts begin at 0. y is 0 off the mask. The parameters have one dimension,
 * (places * c), so that the optimiser Muon does not treat them as matrices. */
#include "nn/ops/board_places.h"
#include "nn/ops/op.h"

static int to_edge(int at, int length) {
    return at < length - 1 - at ? at : length - 1 - at;
}

/* Returns the place of a cell on the mask, or -1 if it has none. */
static int place_of(const OpCall *call, const BoardPlaces *board, int cell) {
    if (!call->op->edges) return board_point(call, board, cell, call->op->side);
    int rows = to_edge(cell / call->width - board->row, board->height),
        columns = to_edge(cell % call->width - board->column, board->width);
    int far = rows > columns ? rows : columns, near = rows + columns - far;
    return far >= (call->op->side + 1) / 2 ? -1 : far * (far + 1) / 2 + near;
}

static int places(const Op *op) {
    int half = (op->side + 1) / 2;
    return op->edges ? half * (half + 1) / 2 : op->side * op->side;
}

/* The parameters of one place; NULL where there are none. */
typedef struct {
    const float *gain, *shift;
    float *gain_gradient, *shift_gradient;
} Gate;

static Gate gate_of(const OpCall *call, int place) {
    size_t at = (size_t)place * (size_t)call->op->channels;
    Gate gate = {NULL, NULL, NULL, NULL};
    int shift = call->op->gate == GATE_BOTH;
    if (call->op->gate != GATE_ADD) {
        gate.gain = call->parameters[0] + at;
        if (call->gradients[0]) gate.gain_gradient = call->gradients[0] + at;
    }
    if (call->op->gate != GATE_MULTIPLY) {
        gate.shift = call->parameters[shift] + at;
        if (call->gradients[shift]) gate.shift_gradient = call->gradients[shift] + at;
    }
    return gate;
}

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels;
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        for (int cell = 0; cell < call->rows; cell++) {
            const float *x = call->x[0] + (board.first + (size_t)cell) * channels;
            float *y = call->y + (board.first + (size_t)cell) * channels;
            bool on = board.mask[cell] != 0;
            int place = on ? place_of(call, &board, cell) : -1;
            Gate gate = place < 0 ? (Gate){NULL, NULL, NULL, NULL} : gate_of(call, place);
            for (size_t c = 0; c < channels; c++)
                y[c] =
                    !on ? 0
                        : x[c] * (gate.gain ? gate.gain[c] : 1) + (gate.shift ? gate.shift[c] : 0);
        }
    }
}

static void backward_cell(const OpCall *call, const Gate *gate, size_t row, bool on) {
    size_t channels = (size_t)call->op->channels;
    const float *x = call->x[0] + row * channels, *dy = call->dy + row * channels;
    float *dx = call->dx[0] ? call->dx[0] + row * channels : NULL;
    for (size_t c = 0; c < channels; c++) {
        float slope = on ? dy[c] : 0;
        if (gate->gain_gradient) gate->gain_gradient[c] += slope * x[c];
        if (gate->shift_gradient) gate->shift_gradient[c] += slope;
        if (dx) dx[c] = (call->first[0] ? 0 : dx[c]) + slope * (gate->gain ? gate->gain[c] : 1);
    }
}

static void backward(const OpCall *call) {
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        for (int cell = 0; cell < call->rows; cell++) {
            bool on = board.mask[cell] != 0;
            int place = on ? place_of(call, &board, cell) : -1;
            Gate gate = place < 0 ? (Gate){NULL, NULL, NULL, NULL} : gate_of(call, place);
            backward_cell(call, &gate, board.first + (size_t)cell, on);
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    if (inputs[0]->shape != KIND_SPATIAL) return "gates by place need a spatial input";
    if (op->side < 1 || op->side > BOARD_SIDE_MAX) return "the side of gates must be 1 to 19";
    if ((unsigned)op->gate > GATE_ADD) return "unknown gates";
    const ParameterSpec gain = {.name = "gain",
                                .rank = 1,
                                .dims = {places(op) * op->channels},
                                .trained = true,
                                .nonnegative = true,
                                .init = INIT_ONE},
                        shift = {.name = "shift",
                                 .rank = 1,
                                 .dims = {places(op) * op->channels},
                                 .trained = true};
    parameters[0] = op->gate == GATE_ADD ? shift : gain;
    if (op->gate == GATE_BOTH) parameters[1] = shift;
    return NULL;
}

static const char *const GATES[] = {
    [GATE_BOTH] = "both", [GATE_MULTIPLY] = "multiply", [GATE_ADD] = "add", NULL};
static const OpField FIELDS[] = {OP_FIELD("side", OP_FIELD_COUNT, side),
                                 OP_FIELD("edges", OP_FIELD_BOOL, edges),
                                 OP_FIELD_ENUM("gate", gate, GATES),
                                 {0}};

const OpClass OP_CLASS_PLACE_GATE = {.word = "place_gate",
                                     .phrase = "gates by place",
                                     .layer = "gate",
                                     .inputs = 1,
                                     .fields = FIELDS,
                                     .in_place = true,
                                     .shape = shape,
                                     .forward = forward,
                                     .backward = backward};

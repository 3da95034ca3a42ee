/* Three ops that only change the shape of a value:
 * - points_vector turns a spatial value with c channels into a vector (side^2 * c). In the vector,
 *   the points of a board of side x side follow each other. A smaller board has the points in the
 *   upper left corner, and the values of the other points are 0. On a larger board, the points in
 *   the rows and columns from number `side` on, counted from 0, are left out.
 * - vector_points turns a vector (side^2 * c) into a spatial value with c channels. It is the
 *   reverse of points_vector: each point of the board gets the numbers of its place in the vector.
 *   Points for which the vector has no place get 0.
 * - vector_rows turns a vector (c) into a list (rows, c / rows).
 * Backward moves the gradients back. */
#include <string.h>

#include "nn/ops/board_places.h"
#include "nn/ops/op.h"

static void points_forward(const OpCall *call) {
    size_t channels = (size_t)call->in_channels[0];
    memset(call->y, 0, op_elements(call) * sizeof(float));
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        float *y = call->y + (size_t)b * (size_t)call->op->channels;
        for (int cell = 0; cell < call->in_rows; cell++) {
            int point = board_point(call, &board, cell, call->op->side);
            if (point >= 0)
                memcpy(y + (size_t)point * channels,
                       call->x[0] + (board.first + (size_t)cell) * channels, channels * sizeof *y);
        }
    }
}

static void points_backward(const OpCall *call) {
    size_t channels = (size_t)call->in_channels[0];
    op_begin_gradient(call, 0);
    for (int b = 0; call->dx[0] && b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        const float *dy = call->dy + (size_t)b * (size_t)call->op->channels;
        for (int cell = 0; cell < call->in_rows; cell++) {
            int point = board_point(call, &board, cell, call->op->side);
            if (point >= 0)
                op_add_scaled(channels, 1, dy + (size_t)point * channels,
                              call->dx[0] + (board.first + (size_t)cell) * channels);
        }
    }
}

static const char *points_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    if (inputs[0]->shape != KIND_SPATIAL) return "points_vector needs a spatial input";
    if (op->side < 1 || op->side > BOARD_SIDE_MAX)
        return "the side of points_vector must be 1 to 19";
    int points = op->side * op->side;
    if (op->channels > OP_CHANNELS_MAX / points) return "too many channels";
    op->shape = KIND_VECTOR;
    op->channels *= points;
    return NULL;
}

static void cells_forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels;
    memset(call->y, 0, op_elements(call) * sizeof(float));
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        const float *x = call->x[0] + (size_t)b * (size_t)call->in_channels[0];
        for (int cell = 0; cell < call->rows; cell++) {
            int point = board_point(call, &board, cell, call->op->side);
            if (point >= 0)
                memcpy(call->y + (board.first + (size_t)cell) * channels,
                       x + (size_t)point * channels, channels * sizeof *x);
        }
    }
}

static void cells_backward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels;
    op_begin_gradient(call, 0);
    for (int b = 0; call->dx[0] && b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        float *dx = call->dx[0] + (size_t)b * (size_t)call->in_channels[0];
        for (int cell = 0; cell < call->rows; cell++) {
            int point = board_point(call, &board, cell, call->op->side);
            if (point >= 0)
                op_add_scaled(channels, 1, call->dy + (board.first + (size_t)cell) * channels,
                              dx + (size_t)point * channels);
        }
    }
}

static const char *cells_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    if (inputs[0]->shape != KIND_VECTOR) return "vector_points needs a vector";
    if (op->side < 1 || op->side > BOARD_SIDE_MAX)
        return "the side of vector_points must be 1 to 19";
    if (op->channels % (op->side * op->side) != 0)
        return "the channels of vector_points are not a multiple of its points";
    op->shape = KIND_SPATIAL;
    op->channels /= op->side * op->side;
    return NULL;
}

static void rows_forward(const OpCall *call) {
    memcpy(call->y, call->x[0], op_elements(call) * sizeof(float));
}

static void rows_backward(const OpCall *call) {
    if (call->dx[0]) op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
}

static const char *rows_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    if (inputs[0]->shape != KIND_VECTOR) return "vector_rows needs a vector";
    if (op->list_rows < 1 || op->channels % op->list_rows != 0)
        return "the channels of vector_rows are not a multiple of its rows";
    op->shape = KIND_LIST;
    op->rows = op->list_rows;
    op->channels /= op->rows;
    return NULL;
}

static const OpField POINT_FIELDS[] = {OP_FIELD("side", OP_FIELD_COUNT, side), {0}};
static const OpField ROW_FIELDS[] = {OP_FIELD("rows", OP_FIELD_COUNT, list_rows), {0}};

const OpClass OP_CLASS_POINTS_VECTOR = {.word = "points_vector",
                                        .phrase = "the points as one vector",
                                        .fixed_name = "points_vector",
                                        .inputs = 1,
                                        .fields = POINT_FIELDS,
                                        .shape = points_shape,
                                        .forward = points_forward,
                                        .backward = points_backward};
const OpClass OP_CLASS_VECTOR_POINTS = {.word = "vector_points",
                                        .phrase = "a vector as points",
                                        .fixed_name = "vector_points",
                                        .inputs = 1,
                                        .fields = POINT_FIELDS,
                                        .shape = cells_shape,
                                        .forward = cells_forward,
                                        .backward = cells_backward};
const OpClass OP_CLASS_VECTOR_ROWS = {.word = "vector_rows",
                                      .phrase = "a vector as rows",
                                      .fixed_name = "vector_rows",
                                      .inputs = 1,
                                      .fields = ROW_FIELDS,
                                      .shape = rows_shape,
                                      .forward = rows_forward,
                                      .backward = rows_backward};

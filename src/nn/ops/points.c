/* A matrix over the points of the board, the same for all channels (p3achygo, python/model.py,
 * "broadcast"). With p and q as points on the mask:
 *     y[p][c] = b[p] + sum over q of w[p][q] * x[q][c]
 *     dx[q][c] = sum over p of w[p][q] * dy[p][c]
 *     dw[p][q] = sum over c of dy[p][c] * x[q][c]
 *     db[p] = sum over c of dy[p][c]
 * y is 0 off the mask. The weights are for a board of `side` x `side` points. A smaller board uses
 * the weights of the upper left corner. Places count from the first row and column that have a cell
 * on the mask. So the results for a board do not depend on its position in the buffer. On a board
 * larger than `side`, the points in the rows and columns from number `side` on, counted from 0,
 * take no part: other points do not read these points, and y is 0 at them. */
#include "nn/ops/board_places.h"
#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels,
           points = (size_t)call->op->side * (size_t)call->op->side;
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        const float *x = call->x[0] + board.first * channels;
        float *y = call->y + board.first * channels;
        for (int to = 0; to < call->rows; to++) {
            float *out = y + (size_t)to * channels;
            int p = board_point(call, &board, to, call->op->side);
            for (size_t c = 0; c < channels; c++)
                out[c] = p < 0 ? 0 : call->parameters[1][p];
            for (int from = 0; from < call->rows && p >= 0; from++) {
                int q = board_point(call, &board, from, call->op->side);
                if (q >= 0)
                    op_add_scaled(channels, call->parameters[0][(size_t)p * points + (size_t)q],
                                  x + (size_t)from * channels, out);
            }
        }
    }
}

/* Goes backward from the output at cell `to`, which is point p. Adds to the gradients of the inputs
 * of the sample and to the gradients of the parameters. */
static void backward_cell(const OpCall *call, const BoardPlaces *board, int to, int p) {
    size_t channels = (size_t)call->op->channels,
           points = (size_t)call->op->side * (size_t)call->op->side;
    const float *dy = call->dy + (board->first + (size_t)to) * channels;
    for (size_t c = 0; call->gradients[1] && c < channels; c++)
        call->gradients[1][p] += dy[c];
    for (int from = 0; from < call->rows; from++) {
        int q = board_point(call, board, from, call->op->side);
        if (q < 0) continue;
        size_t at = (board->first + (size_t)from) * channels,
               weight = (size_t)p * points + (size_t)q;
        if (call->gradients[0]) call->gradients[0][weight] += op_dot(channels, dy, call->x[0] + at);
        if (call->dx[0]) op_add_scaled(channels, call->parameters[0][weight], dy, call->dx[0] + at);
    }
}

static void backward(const OpCall *call) {
    op_begin_gradient(call, 0);
    for (int b = 0; b < call->n; b++) {
        const BoardPlaces board = board_places(call, b);
        for (int to = 0; to < call->rows; to++) {
            int p = board_point(call, &board, to, call->op->side);
            if (p >= 0) backward_cell(call, &board, to, p);
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    if (inputs[0]->shape != KIND_SPATIAL) return "a matrix over the points needs a spatial input";
    if (op->side < 1 || op->side > BOARD_SIDE_MAX)
        return "the side of a matrix over the points must be 1 to 19";
    int points = op->side * op->side;
    parameters[0] = (ParameterSpec){
        .name = "weight", .rank = 2, .dims = {points, points}, .trained = true, .decayed = true};
    parameters[1] = (ParameterSpec){.name = "bias", .rank = 1, .dims = {points}, .trained = true};
    return NULL;
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    double points = op->side * op->side;
    (void)rows;
    if (cells < points) points = cells;
    return points * points * in_channels;
}

static const OpField FIELDS[] = {OP_FIELD("side", OP_FIELD_COUNT, side), {0}};

const OpClass OP_CLASS_POINTS = {.word = "points",
                                 .phrase = "a matrix over the points",
                                 .layer = "points",
                                 .inputs = 1,
                                 .fields = FIELDS,
                                 .shape = shape,
                                 .multiply_adds = multiply_adds,
                                 .forward = forward,
                                 .backward = backward};

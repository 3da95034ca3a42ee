/* The forward pass is a convolution of x, and the gradient of x is a convolution of dy. The steps
 * of both:
 *   1. rows_pack_forward() or rows_pack_backward(): round the weights and pack them in pairs of the
 *      channels that are summed over.
 *   2. rows_pack(): round one board and copy it into a buffer whose border is zero.
 *   3. rows_run(): for parts of rows and groups of result channels, sum over taps and pairs.
 * How the gradient of the weights is computed, for some boards at a time:
 *   1. gradient_pack_x(): round the inputs, and pair each cell with its right neighbour.
 *   2. gradient_pack_dy(): round the gradients of the outputs, and pair neighbouring columns.
 *   3. gradient_run(): sum over all cells of these boards in registers. */
#include "nn/kernels/conv/conv_bf16.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_bf16_gradient.h"
#include "nn/kernels/conv/conv_bf16_gradient_amx.h"
#include "nn/kernels/conv/conv_bf16_rows.h"

enum { GROUP_BYTES = 1 << 17, GROUP_MAX = 16 };

struct ConvBf16 {
    ConvBf16Setup setup;
    RowsBoard forward, backward;
    AmxShape forward_amx, backward_amx; /* without blocks if they do not run with AMX */
    GradientShape gradient;
    int group; /* boards in one call of gradient_run() */
    uint32_t *weights, *back_weights, *bordered, *bordered_dy, *x2, *dy2;
};

#if defined(__x86_64__)
bool conv_bf16_can(const ConvBf16Setup *setup) {
    return backend_has_bf16() && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           setup->kernel % 2 == 1 && setup->kernel <= 7 &&
           setup->height * setup->width <= 32 * 32 && setup->in_channels <= 1024 &&
           setup->out_channels <= 1024;
}

static RowsBoard board_of(const ConvBf16Setup *setup, int channels) {
    return (RowsBoard){.height = setup->height,
                       .width = setup->width,
                       .channels = channels,
                       .kernel = setup->kernel,
                       .pairs = (channels + 1) / 2,
                       .bordered_width = amx_bordered_width(setup->width, setup->kernel)};
}

/* Returns a shape without blocks if the board does not run with AMX. */
static AmxShape amx_of(const RowsBoard *board) {
    AmxShape shape = {.height = board->height,
                      .width = board->width,
                      .kernel = board->kernel,
                      .units = (size_t)board->pairs,
                      .bordered_row = (size_t)(board->bordered_width * board->pairs)};
    return amx_shape_init(&shape) ? shape : (AmxShape){0};
}

static size_t packed_elements(int taps, int from, int to) {
    return (size_t)((to + ROWS_LANES - 1) / ROWS_LANES) * (size_t)taps * (size_t)((from + 1) / 2) *
           ROWS_LANES;
}

static size_t bordered_elements(const RowsBoard *board) {
    size_t cells = amx_bordered_cells(board->height, board->width, board->kernel);
    return (cells + ROWS_MAX) * (size_t)board->pairs;
}

Status conv_bf16_new(const ConvBf16Setup *setup, ConvBf16 **out, Error *err) {
    ConvBf16 *conv;
    *out = NULL;
    if (!conv_bf16_can(setup))
        return fail(err, ERR_UNSUPPORTED, "no convolution in bf16 for this processor or shape");
    Status status = mem_new(1, sizeof *conv, &conv, err);
    if (status) return status;
    int in = setup->in_channels, to = setup->out_channels, taps = setup->kernel * setup->kernel;
    conv->setup = *setup;
    conv->forward = board_of(setup, in);
    conv->backward = board_of(setup, to);
    conv->forward_amx = amx_of(&conv->forward);
    conv->backward_amx = amx_of(&conv->backward);
    conv->gradient = gradient_shape(setup->height, setup->width, in, to, setup->kernel);
    size_t bytes = conv->gradient.x_elements * sizeof *conv->x2, group = GROUP_BYTES / bytes;
    conv->group = group < 1 ? 1 : group > GROUP_MAX ? GROUP_MAX : (int)group;
    status =
        mem_new_aligned(packed_elements(taps, in, to), sizeof *conv->weights, &conv->weights, err);
    if (!status)
        status = mem_new_aligned(packed_elements(taps, to, in), sizeof *conv->back_weights,
                                 &conv->back_weights, err);
    if (!status)
        status = mem_new_aligned(bordered_elements(&conv->forward), sizeof *conv->bordered,
                                 &conv->bordered, err);
    if (!status)
        status = mem_new_aligned(bordered_elements(&conv->backward), sizeof *conv->bordered_dy,
                                 &conv->bordered_dy, err);
    if (!status)
        status = mem_new_aligned((size_t)conv->group * conv->gradient.x_elements +
                                     gradient_x_more(&conv->gradient),
                                 sizeof *conv->x2, &conv->x2, err);
    if (!status)
        status = mem_new_aligned((size_t)conv->group * conv->gradient.dy_elements,
                                 sizeof *conv->dy2, &conv->dy2, err);
    if (status)
        conv_bf16_free(conv);
    else
        *out = conv;
    return status;
}

void conv_bf16_free(ConvBf16 *conv) {
    if (!conv) return;
    free(conv->weights);
    free(conv->back_weights);
    free(conv->bordered);
    free(conv->bordered_dy);
    free(conv->x2);
    free(conv->dy2);
    free(conv);
}

/* Returns how many groups of result channels the next call computes if `left` channels are left:
 * two groups, or one if no second group is left. If exactly three groups are left and `three` is
 * true, one call computes all three, because a call for the last group alone would keep too few
 * sums in flight. */
static int groups_of(int left, bool three) {
    int groups = (left + ROWS_LANES - 1) / ROWS_LANES;
    return groups == 3 && three ? 3 : groups < 2 ? 1 : 2;
}

/* Computes all rows of one board. Long rows are cut into parts of about equal length. Rows of
 * ROWS_TWO_MIN to ROWS_TWO_MAX cells run two at a time. If the number of rows is odd, the last row
 * runs alone. */
static void run_board(const RowsBoard *board, const uint32_t *bordered, const uint32_t *weights,
                      int channels, float *y, bool add) {
    int parts = (board->width + ROWS_MAX - 1) / ROWS_MAX, each = (board->width + parts - 1) / parts;
    bool twice = board->width >= ROWS_TWO_MIN && board->width <= ROWS_TWO_MAX,
         three = !twice && each <= ROWS_THREE_GROUPS_MAX;
    size_t pairs = (size_t)board->pairs,
           group = (size_t)(board->kernel * board->kernel) * pairs * ROWS_LANES;
    RowsCall call = {.weights = weights, .stride = (size_t)channels, .left = channels, .add = add};
    for (; call.left > 0; call.left -= call.groups * ROWS_LANES) {
        call.groups = groups_of(call.left, three);
        for (int r = 0; r < board->height; r += call.y_row ? 2 : 1) {
            call.y_row = twice && r + 1 < board->height ? (size_t)(board->width * channels) : 0;
            for (int c = 0; c < board->width; c += each) {
                call.bordered = bordered + (size_t)(r * board->bordered_width + c) * pairs;
                call.y = y + (size_t)((r * board->width + c) * channels + channels - call.left);
                call.count = board->width - c < each ? board->width - c : each;
                rows_run(board, &call);
            }
        }
        call.weights += (size_t)call.groups * group;
    }
}

/* Does what run_board() does, with AMX. */
static void run_board_amx(const AmxShape *shape, const uint32_t *bordered, const uint32_t *weights,
                          int channels, float *y, bool add) {
    size_t group = (size_t)(shape->kernel * shape->kernel) * shape->units * AMX_LANES;
    AmxSums sums;
    amx_begin(shape);
    for (int left = channels; left > 0; left -= 2 * AMX_LANES) {
        for (int i = 0; i < shape->blocks; i++) {
            AmxBlock block = amx_block(shape, bordered, i);
            amx_sums_bf16(shape, &block, weights, left > AMX_LANES ? 2 : 1, &sums);
            rows_store_block(shape, &block, &sums, y + channels - left, channels, left, add);
        }
        weights += 2 * group;
    }
    amx_end();
}

static void run_boards(const RowsBoard *board, const AmxShape *shape, int n, const float *x,
                       uint32_t *bordered, const uint32_t *weights, int channels, float *y,
                       bool add) {
    size_t cells = (size_t)(board->height * board->width);
    for (int b = 0; b < n; b++) {
        rows_pack(board, x, bordered);
        if (shape->blocks)
            run_board_amx(shape, bordered, weights, channels, y, add);
        else
            run_board(board, bordered, weights, channels, y, add);
        x += cells * (size_t)board->channels;
        y += cells * (size_t)channels;
    }
}

void conv_bf16_forward(ConvBf16 *conv, int n, const float *x, const float *weights, float *y) {
    const ConvBf16Setup *setup = &conv->setup;
    if (weights)
        rows_pack_forward(setup->out_channels, setup->kernel * setup->kernel, setup->in_channels,
                          weights, conv->weights);
    run_boards(&conv->forward, &conv->forward_amx, n, x, conv->bordered, conv->weights,
               setup->out_channels, y, false);
}

void conv_bf16_backward_data(ConvBf16 *conv, int n, const float *dy, const float *weights,
                             float *dx, bool add) {
    const ConvBf16Setup *setup = &conv->setup;
    if (weights)
        rows_pack_backward(setup->out_channels, setup->kernel * setup->kernel, setup->in_channels,
                           weights, conv->back_weights);
    run_boards(&conv->backward, &conv->backward_amx, n, dy, conv->bordered_dy, conv->back_weights,
               setup->in_channels, dx, add);
}

void conv_bf16_backward_weights(ConvBf16 *conv, int n, const float *x, const float *dy,
                                float *gradient) {
    const ConvBf16Setup *setup = &conv->setup;
    const GradientShape *shape = &conv->gradient;
    size_t cells = (size_t)(setup->height * setup->width);
    for (int first = 0; first < n; first += conv->group) {
        int count = n - first < conv->group ? n - first : conv->group;
        for (int b = 0; b < count; b++) {
            gradient_pack_x(shape, x, conv->x2 + (size_t)b * shape->x_elements);
            (shape->amx ? gradient_pack_dy_amx
                        : gradient_pack_dy)(shape, dy, conv->dy2 + (size_t)b * shape->dy_elements);
            x += cells * (size_t)setup->in_channels;
            dy += cells * (size_t)setup->out_channels;
        }
        /* The boards of an earlier call may follow, and 0 * NaN would be NaN. */
        if (count < conv->group)
            memset(conv->x2 + (size_t)count * shape->x_elements, 0,
                   gradient_x_more(shape) * sizeof *conv->x2);
        (shape->amx ? gradient_run_amx : gradient_run)(shape, count, conv->x2, conv->dy2, gradient);
    }
}
#else
bool conv_bf16_can(const ConvBf16Setup *setup) {
    (void)setup;
    return false;
}

Status conv_bf16_new(const ConvBf16Setup *setup, ConvBf16 **out, Error *err) {
    (void)setup;
    *out = NULL;
    return fail(err, ERR_UNSUPPORTED, "no convolution in bf16 for this processor");
}

void conv_bf16_free(ConvBf16 *conv) {
    (void)conv;
}

void conv_bf16_forward(ConvBf16 *conv, int n, const float *x, const float *weights, float *y) {
    (void)conv, (void)n, (void)x, (void)weights, (void)y;
}

void conv_bf16_backward_data(ConvBf16 *conv, int n, const float *dy, const float *weights,
                             float *dx, bool add) {
    (void)conv, (void)n, (void)dy, (void)weights, (void)dx, (void)add;
}

void conv_bf16_backward_weights(ConvBf16 *conv, int n, const float *x, const float *dy,
                                float *gradient) {
    (void)conv, (void)n, (void)x, (void)dy, (void)gradient;
}
#endif

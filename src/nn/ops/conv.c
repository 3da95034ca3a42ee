/* Convolution (cross-correlation) with stride 1 and zero padding:
 *     y[p][o] = sum over k, i of w[o][k][i] * x[p + d k][i]
 * p is a point, o an output channel, i an input channel, and k a tap of the kernel as an offset
 * from its middle. d is the dilation, the distance between neighbouring taps, usually 1 (Yu and
 * Koltun 2016, "Multi-Scale Context Aggregation by Dilated Convolutions"). With the attribute
 * `weights_of`, the op uses the w of an earlier convolution. */
#include <string.h>

#include "nn/ops/op.h"

enum { KERNEL_MAX = 19, DILATION_MAX = 64 };

typedef struct {
    int n, height, width, in, out, kernel_h, kernel_w, dilation;
} Sizes;

static Sizes sizes_of(const OpCall *call) {
    const Op *op = call->op;
    return (Sizes){call->n,      call->height, call->width,  call->in_channels[0],
                   op->channels, op->kernel_h, op->kernel_w, op->dilation};
}

/* Visits every pair of an output cell and an input cell under the kernel. */
#define FOR_EACH_TAP(s)                                                                            \
    for (int b = 0; b < (s).n; b++)                                                                \
        for (int y = 0; y < (s).height; y++)                                                       \
            for (int x = 0; x < (s).width; x++)                                                    \
                for (int ky = 0; ky < (s).kernel_h; ky++)                                          \
                    for (int kx = 0; kx < (s).kernel_w; kx++)

typedef struct {
    size_t to, from, tap; /* cell of the output, cell of the input, index in the kernel */
    bool inside;          /* whether the cell of the input is in the buffer */
} Tap;

static Tap tap_at(const Sizes *s, int b, int y, int x, int ky, int kx) {
    int fy = y + (ky - s->kernel_h / 2) * s->dilation,
        fx = x + (kx - s->kernel_w / 2) * s->dilation;
    bool inside = fy >= 0 && fy < s->height && fx >= 0 && fx < s->width;
    size_t board = (size_t)b * (size_t)(s->height * s->width);
    return (Tap){board + (size_t)(y * s->width + x),
                 inside ? board + (size_t)(fy * s->width + fx) : 0, (size_t)(ky * s->kernel_w + kx),
                 inside};
}

static void forward(const OpCall *call) {
    Sizes s = sizes_of(call);
    size_t in = (size_t)s.in, out = (size_t)s.out, taps = (size_t)(s.kernel_h * s.kernel_w);
    memset(call->y, 0, (size_t)s.n * (size_t)(s.height * s.width) * out * sizeof(float));
    FOR_EACH_TAP(s) {
        Tap tap = tap_at(&s, b, y, x, ky, kx);
        if (!tap.inside) continue;
        const float *source = call->x[0] + tap.from * in;
        for (size_t o = 0; o < out; o++) {
            const float *weights = call->parameters[0] + (o * taps + tap.tap) * in;
            float sum = 0;
            for (size_t i = 0; i < in; i++)
                sum += weights[i] * source[i];
            call->y[tap.to * out + o] += sum;
        }
    }
}

static void backward(const OpCall *call) {
    Sizes s = sizes_of(call);
    size_t in = (size_t)s.in, out = (size_t)s.out, taps = (size_t)(s.kernel_h * s.kernel_w);
    op_begin_gradient(call, 0);
    FOR_EACH_TAP(s) {
        Tap tap = tap_at(&s, b, y, x, ky, kx);
        if (!tap.inside) continue;
        const float *source = call->x[0] + tap.from * in;
        for (size_t o = 0; o < out; o++) {
            float slope = call->dy[tap.to * out + o];
            size_t row = (o * taps + tap.tap) * in;
            for (size_t i = 0; i < in; i++) {
                if (call->gradients[0]) call->gradients[0][row + i] += slope * source[i];
                if (call->dx[0])
                    call->dx[0][tap.from * in + i] += slope * call->parameters[0][row + i];
            }
        }
    }
}

/* Compares two kernels along one axis, both centered on the same cell. The first kernel has `wide`
 * taps, which are `step` cells apart. The second kernel has `narrow` taps, which are `distance`
 * cells apart. Returns whether the first kernel has all taps of the second kernel. */
static bool line_covers(int wide, int step, int narrow, int distance) {
    return narrow == 1 || (distance % step == 0 && narrow / 2 * distance <= wide / 2 * step);
}

bool op_conv_covers(const Op *wide, const Op *narrow) {
    return line_covers(wide->kernel_h, wide->dilation, narrow->kernel_h, narrow->dilation) &&
           line_covers(wide->kernel_w, wide->dilation, narrow->kernel_w, narrow->dilation);
}

/* Returns the index that tap number `tap` of the second kernel of line_covers() has in the first
 * kernel. */
static int place_of(int wide, int step, int narrow, int distance, int tap) {
    return wide / 2 + (tap - narrow / 2) * distance / step;
}

void op_conv_merge(const Op *narrow, const float *from, int in_channels, const Op *wide, int first,
                   float *to) {
    size_t in = (size_t)in_channels, taps = (size_t)(narrow->kernel_h * narrow->kernel_w),
           rows = (size_t)narrow->channels * taps;
    for (size_t row = 0; row < rows; row++) {
        int tap = (int)(row % taps);
        int y = place_of(wide->kernel_h, wide->dilation, narrow->kernel_h, narrow->dilation,
                         tap / narrow->kernel_w),
            x = place_of(wide->kernel_w, wide->dilation, narrow->kernel_w, narrow->dilation,
                         tap % narrow->kernel_w);
        size_t out = (size_t)first + row / taps,
               at = (out * (size_t)wide->kernel_h + (size_t)y) * (size_t)wide->kernel_w + (size_t)x;
        for (size_t i = 0; i < in; i++)
            to[at * in + i] += from[row * in + i];
    }
}

static bool is_width(int kernel) {
    return kernel >= 1 && kernel <= KERNEL_MAX && kernel % 2 == 1;
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    /* the caller of program_add_op() may leave kernel_w and dilation at 0 */
    if (!op->kernel_w) op->kernel_w = op->kernel_h;
    if (!op->dilation) op->dilation = 1;
    if (op->shape != KIND_SPATIAL || !is_width(op->kernel_h) || !is_width(op->kernel_w))
        return "a convolution needs a spatial input and an odd kernel width of 1 to 19";
    bool one = op->kernel_h == 1 && op->kernel_w == 1;
    if (op->dilation < 1 || op->dilation > DILATION_MAX || (one && op->dilation > 1))
        return "the dilation must be 1 to 64, and 1 with a kernel of 1 x 1";
    parameters[0] =
        (ParameterSpec){.name = "weight",
                        .rank = 4,
                        .dims = {op->channels, op->kernel_h, op->kernel_w, inputs[0]->channels},
                        .trained = true,
                        .decayed = true};
    return NULL;
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    (void)cells;
    return (double)rows * op->kernel_h * op->kernel_w * in_channels * op->channels;
}

static const OpField FIELDS[] = {OP_FIELD("kernel", OP_FIELD_COUNT, kernel_h),
                                 OP_FIELD("kernel_w", OP_FIELD_LIKE, kernel_w),
                                 OP_FIELD("dilation", OP_FIELD_FACTOR, dilation),
                                 OP_FIELD("weights_of", OP_FIELD_LINK, weights_of),
                                 {0}};

const OpClass OP_CLASS_CONV = {.word = "conv",
                               .phrase = "a convolution",
                               .layer = "conv",
                               .inputs = 1,
                               .fields = FIELDS,
                               .free_channels = true,
                               .shape = shape,
                               .multiply_adds = multiply_adds,
                               .forward = forward,
                               .backward = backward};

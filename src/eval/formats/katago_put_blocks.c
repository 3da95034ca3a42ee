#include "eval/formats/katago_put_blocks.h"

#include "eval/formats/katago_put_transformer.h"

Value katago_blocks_begin(const KatagoParts *parts, Value end, int *count) {
    for (*count = 0; parts_op(parts, end)->kind == OP_ADD; (*count)++)
        end = parts_input(parts, end, 0);
    return end;
}

static void put_ordinary(KatagoParts *parts, Value x, const KatagoNorm *second, Value branch) {
    KatagoNorm first = parts_find_norm(parts, parts_conv_input(parts, second->input));
    if (parts_good(parts) && first.input != x && parts_op(parts, first.input)->kind == OP_CONV)
        parts_refuse(parts, second->input,
                     "more than two convolutions in a row, as in bottleneck blocks, where "
                     "KataGo wants two");
    parts_meet(parts, second->input, first.input, x);
    parts_put_kind(parts, "ordinary_block", branch);
    parts_put_norm(parts, &first);
    parts_put_all(parts, second->input);
    parts_put_norm(parts, second);
    parts_put_all(parts, branch);
}

static void put_pooled(KatagoParts *parts, Value x, const KatagoNorm *second, Value branch) {
    Value regular = parts_expect(parts, parts_input(parts, second->input, 0), OP_CONV),
          map = parts_expect(parts, parts_input(parts, second->input, 1), OP_DENSE);
    KatagoPooled pooled = parts_find_pooled(parts, parts_input(parts, map, 0), POOL_MEAN_SCALE_MAX);
    KatagoNorm first = parts_find_norm(parts, parts_input(parts, regular, 0));
    parts_meet(parts, pooled.conv, parts_input(parts, pooled.conv, 0), first.end);
    parts_meet(parts, regular, first.input, x);
    parts_put_kind(parts, "gpool_block", branch);
    parts_put_norm(parts, &first);
    parts_put_all(parts, regular);
    parts_put_all(parts, pooled.conv);
    parts_put_norm(parts, &pooled.norm);
    parts_put_all(parts, map);
    parts_put_norm(parts, second);
    parts_put_all(parts, branch);
}

static void put_nested(KatagoParts *parts, Value x, const KatagoNorm *last, Value branch) {
    int count;
    Value begin = parts_expect(parts, katago_blocks_begin(parts, last->input, &count), OP_CONV);
    KatagoNorm first = parts_find_norm(parts, parts_input(parts, begin, 0));
    parts_meet(parts, begin, first.input, x);
    parts_put_kind(parts, "nested_bottleneck_block", branch);
    if (parts_good(parts)) katago_put_int(&parts->sink, count);
    parts_put_norm(parts, &first);
    parts_put_all(parts, begin);
    katago_put_blocks(parts, last->input, count);
    parts_put_norm(parts, last);
    parts_put_all(parts, branch);
}

static void put_convolutional(KatagoParts *parts, Value x, Value branch) {
    KatagoNorm last = parts_find_norm(parts, parts_input(parts, branch, 0));
    switch ((int)parts_op(parts, last.input)->kind) {
    case OP_ADD:
        put_nested(parts, x, &last, branch);
        break;
    case OP_ADD_BROADCAST:
        put_pooled(parts, x, &last, branch);
        break;
    default:
        if (parts_expect_conv(parts, last.input) >= 0) put_ordinary(parts, x, &last, branch);
        break;
    }
}

/* Whether a vector is added to the branch behind its last convolution. */
static bool is_excited(const KatagoParts *parts, Value branch) {
    return parts_op(parts, branch)->kind == OP_MASK &&
           parts_op(parts, parts_input(parts, branch, 0))->kind == OP_ADD_BROADCAST;
}

static void put_block(KatagoParts *parts, Value sum) {
    Value x = parts_input(parts, sum, 0), branch = parts_input(parts, sum, 1);
    if (is_excited(parts, branch))
        parts_refuse(parts, branch,
                     "a branch that is scaled and shifted by channel, as in squeeze and "
                     "excitation, where KataGo wants a convolution");
    if (parts_op(parts, branch)->kind != OP_DENSE)
        put_convolutional(parts, x, parts_expect(parts, branch, OP_CONV));
    else if (parts_op(parts, parts_input(parts, branch, 0))->kind == OP_MULTIPLY)
        katago_put_feed_forward(parts, x, branch);
    else
        katago_put_attention(parts, x, branch);
}

void katago_put_blocks(KatagoParts *parts, Value end, int count) {
    for (int i = 0; i < count && parts_good(parts); i++) {
        Value sum = end;
        for (int k = i + 1; k < count; k++)
            sum = parts_input(parts, sum, 0);
        put_block(parts, sum);
    }
}

KatagoWidths katago_block_widths(KatagoParts *parts, Value end, int count) {
    KatagoWidths widths = {0};
    for (; count > 0; count--, end = parts_input(parts, end, 0)) {
        Value branch = parts_input(parts, end, 1);
        if (parts_op(parts, branch)->kind != OP_CONV) continue;
        Value inner = parts_find_norm(parts, parts_input(parts, branch, 0)).input;
        int channels = parts_op(parts, inner)->channels;
        if (parts_op(parts, inner)->kind == OP_ADD_BROADCAST) {
            Value pool = parts_input(parts, parts_input(parts, inner, 1), 0);
            widths.regular = channels;
            widths.pooled = parts_op(parts, parts_input(parts, pool, 0))->channels;
        } else {
            widths.middle = channels;
        }
    }
    int trunk = parts_op(parts, end)->channels;
    if (widths.middle < 1) widths.middle = trunk;
    if (widths.regular < 1) widths.regular = widths.middle;
    if (widths.pooled < 1) widths.pooled = widths.middle;
    return widths;
}

#include "eval/formats/katago_put_transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/formats/katago_transformer.h"

static void put_block_norm(KatagoParts *parts, Value norm) {
    if (!parts_good(parts)) return;
    const Op *op = parts_op(parts, norm);
    if (op->whole_board)
        parts_refuse(parts, norm,
                     "an RMS norm over the whole board, where KataGo wants one for each cell");
    parts_put_name(parts, norm, "");
    katago_put_int(&parts->sink, op->channels);
    katago_put_number(&parts->sink, op->epsilon);
    katago_put_floats(&parts->sink, parts_values(parts, norm, 0), op->channels);
}

/* Returns the theta for which program_fixed_rotary() writes the frequencies `rates`. If several
 * numbers do, returns the one with the fewest digits, because files state theta with few digits. If
 * there is no such theta, returns 0; the caller then writes the frequencies as if they were
 * learned. */
static double find_theta(const float *rates, AttentionShape shape) {
    int pairs = shape.query_channels / 2, last = pairs - 1, power = last - pairs / 2;
    size_t count = (size_t)shape.kv_heads * (size_t)pairs * 2;
    float *expected = calloc(count + 1, sizeof *expected);
    double estimate = power > 0 ? pow((double)rates[2 * last], -0.5 * pairs / power) : 100,
           theta = 0;
    for (int digits = 1; expected && digits <= 17 && theta == 0 && isfinite(estimate); digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, estimate);
        double guess = strtod(text, NULL);
        if (!(guess > 0)) break;
        program_fixed_rotary(guess, shape, expected);
        if (memcmp(expected, rates, count * sizeof *expected) == 0) theta = guess;
    }
    free(expected);
    return theta;
}

static void put_rotary(KatagoParts *parts, Value rotary, AttentionShape shape, double theta) {
    if (!parts_good(parts)) return;
    int pairs = shape.query_channels / 2;
    parts_put_name(parts, rotary, "");
    if (theta > 0) {
        char text[40];
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, theta);
            if (strtod(text, NULL) == theta) break;
        }
        katago_put_word(&parts->sink, text);
        return;
    }
    katago_put_ints(&parts->sink, 3, (int[]){shape.kv_heads, pairs, 2});
    katago_put_floats(&parts->sink, parts_values(parts, rotary, 0), shape.kv_heads * pairs * 2);
}

void katago_put_attention(KatagoParts *parts, Value x, Value branch) {
    Value attention = parts_expect(parts, parts_input(parts, branch, 0), OP_ATTENTION),
          inner = parts_input(parts, attention, 0), rotary = -1;
    if (parts_op(parts, inner)->kind == OP_ROTARY) {
        rotary = inner;
        inner = parts_input(parts, rotary, 0);
    }
    Value projection = parts_expect(parts, inner, OP_DENSE),
          norm = parts_expect(parts, parts_input(parts, projection, 0), OP_RMS_NORM);
    parts_meet(parts, norm, parts_input(parts, norm, 0), x);
    if (!parts_good(parts)) return;
    AttentionShape shape = parts_op(parts, attention)->attention;
    bool fixed =
        rotary >= 0 &&
        !program_parameter(parts->program, parts_op(parts, rotary)->parameters[0])->trained;
    double theta = fixed ? find_theta(parts_values(parts, rotary, 0), shape) : 0;
    parts_put_kind(parts, "transformer_attention_block", branch);
    katago_put_ints(&parts->sink, 6,
                    (int[]){shape.heads, shape.kv_heads, shape.query_channels, shape.value_channels,
                            rotary >= 0, rotary >= 0 && theta <= 0});
    put_block_norm(parts, norm);
    int counts[3] = {shape.heads * shape.query_channels, shape.kv_heads * shape.query_channels,
                     shape.kv_heads * shape.value_channels};
    for (int i = 0, first = 0; i < 3; first += counts[i++])
        parts_put_matrix(parts, projection, NULL, first, counts[i]);
    parts_put_all(parts, branch);
    if (rotary >= 0) put_rotary(parts, rotary, shape, theta);
}

void katago_put_feed_forward(KatagoParts *parts, Value x, Value branch) {
    Value product = parts_expect(parts, parts_input(parts, branch, 0), OP_MULTIPLY),
          activation = parts_expect(parts, parts_input(parts, product, 0), OP_ACTIVATION),
          up = parts_expect(parts, parts_input(parts, activation, 0), OP_DENSE),
          gate = parts_expect(parts, parts_input(parts, product, 1), OP_DENSE),
          norm = parts_expect(parts, parts_input(parts, up, 0), OP_RMS_NORM);
    parts_meet(parts, gate, parts_input(parts, gate, 0), norm);
    parts_meet(parts, norm, parts_input(parts, norm, 0), x);
    if (parts_good(parts) && parts_op(parts, activation)->activation != ACTIVATION_SILU)
        parts_refuse(parts, activation, "an activation other than SiLU in a gated layer");
    if (!parts_good(parts)) return;
    parts_put_kind(parts, "transformer_ffn_block", branch);
    katago_put_ints(&parts->sink, 3,
                    (int[]){parts_op(parts, x)->channels, parts_op(parts, up)->channels, 1});
    put_block_norm(parts, norm);
    parts_put_all(parts, up);
    parts_put_all(parts, gate);
    parts_put_all(parts, branch);
}

void katago_put_rms_tip(KatagoParts *parts, const KatagoNorm *tip) {
    parts_expect(parts, tip->bias, OP_BIAS);
    if (!parts_good(parts)) return;
    const Op *op = parts_op(parts, tip->rms_norm);
    parts_put_name(parts, tip->rms_norm, "");
    katago_put_int(&parts->sink, op->channels);
    katago_put_number(&parts->sink, op->epsilon);
    katago_put_ints(&parts->sink, 2, (int[]){op->whole_board, 0});
    katago_put_floats(&parts->sink, parts_values(parts, tip->rms_norm, 0), op->channels);
    katago_put_floats(&parts->sink, parts_values(parts, tip->bias, 0), op->channels);
    parts_put_activation(parts, tip->rms_norm, tip->activation);
}

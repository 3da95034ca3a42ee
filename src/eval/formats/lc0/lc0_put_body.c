/* A trunk that lc0's files can hold is an embedding and encoders (tip=none, rotary=none), or a
 * tower of residual blocks with an activation behind each sum, or encoders behind such a tower. The
 * functions go from the end of the trunk to its inputs, find where the blocks end, and then write
 * the blocks in the order of the net. */
#include "eval/formats/lc0/lc0_put_body.h"

#include <math.h>
#include <string.h>

#include "eval/features/features_version.h"

enum { BLOCKS_MAX = 4096, START_INPUTS = FEATURE_PLANES + FEATURE_GLOBALS };

/* The ends of blocks, the last block first. */
typedef struct {
    Value ends[BLOCKS_MAX];
    int count;
} Blocks;

static void put_norm(Lc0Parts *parts, Value norm, const char *gammas, const char *betas) {
    if (!lc0_parts_good(parts)) return;
    size_t channels = (size_t)lc0_op(parts, norm)->channels;
    lc0_put_tensor(&parts->sink, gammas, lc0_values(parts, norm, 0), channels);
    lc0_put_tensor(&parts->sink, betas, lc0_values(parts, norm, 1), channels);
}

/* Checks that all layer norms of the trunk have the same epsilon. */
static Value expect_norm(Lc0Parts *parts, Value norm) {
    if (lc0_expect(parts, norm, OP_LAYER_NORM) < 0) return -1;
    float epsilon = lc0_op(parts, norm)->epsilon;
    if (!parts->has_epsilon) parts->format.epsilon = epsilon;
    parts->has_epsilon = true;
    if (fabsf(parts->format.epsilon - epsilon) > 0)
        return lc0_parts_refuse(parts, norm, "another epsilon than in other norms");
    return norm;
}

/* If the branch ends with the factor alpha that lc0 multiplies it by, returns what is before the
 * factor. Otherwise returns `branch`. */
static Value behind_alpha(const Lc0Parts *parts, Value branch) {
    const Op *op = lc0_op(parts, branch);
    if (op->kind != OP_SCALE) return branch;
    const float *gains = lc0_values(parts, branch, 0);
    for (int c = 0; c < op->channels; c++) {
        if (fabsf(gains[c] - parts->format.alpha) > 0) return branch;
    }
    return op->inputs[0];
}

/* Finds the last matrix of a branch. If the branch does not end with alpha, the matrix is divided
 * by alpha. */
static Lc0Linear find_last(Lc0Parts *parts, Value branch) {
    Value before = behind_alpha(parts, branch);
    Lc0Linear linear = lc0_find_linear(parts, before, 1);
    if (before != branch || linear.matrix < 0) return linear;
    size_t count = (size_t)linear.in * (size_t)linear.out, out = (size_t)linear.out;
    float *weights = lc0_parts_room(parts, count + out);
    for (size_t i = 0; weights && i < count + out; i++)
        weights[i] =
            (i < count ? linear.weights[i] : linear.biases[i - count]) / parts->format.alpha;
    linear.weights = weights;
    if (weights) linear.biases = weights + count;
    return linear;
}

/* Checks that a part reads `wanted`. */
static void meet(Lc0Parts *parts, Value at, Value got, Value wanted) {
    if (got != wanted)
        lc0_parts_refuse(parts, at, "it reads another value than lc0's layer of this kind");
}

/* Writes a feed-forward layer as the message `name`. It reads x and ends at `branch`. */
static void put_feed_forward(Lc0Parts *parts, const char *name, Value x, Value branch) {
    Lc0Linear down = find_last(parts, branch);
    Value end = down.input, at = end;
    if (!lc0_parts_good(parts)) return;
    Lc0Activation activation = lc0_find_activation(parts, &end);
    lc0_agree(parts, at, &parts->has_ffn, &parts->format.ffn_activation, activation,
              "all feed-forward layers");
    Lc0Linear up = lc0_find_linear(parts, end, 1);
    if (!lc0_parts_good(parts)) return;
    meet(parts, up.matrix, up.input, x);
    lc0_begin(&parts->sink, name);
    lc0_put_linear(parts, &up, "dense1_w", "dense1_b");
    lc0_put_linear(parts, &down, "dense2_w", "dense2_b");
    lc0_end(&parts->sink);
}

/* Finds a hidden layer of smolgen, which ends at `end`, and its norm. */
static Lc0Linear find_hidden(Lc0Parts *parts, Value end, Value *norm) {
    Lc0Linear none = {.matrix = -1};
    *norm = lc0_expect(parts, end, OP_LAYER_NORM);
    if (*norm < 0) return none;
    if (fabsf(lc0_op(parts, end)->epsilon - LC0_SMOLGEN_EPSILON) > 0)
        lc0_parts_refuse(parts, end, "an epsilon of %g, where lc0 has %g",
                         (double)lc0_op(parts, end)->epsilon, (double)LC0_SMOLGEN_EPSILON);
    end = lc0_input(parts, end, 0);
    Value at = end;
    Lc0Activation activation = lc0_find_activation(parts, &end);
    lc0_agree(parts, at, &parts->has_smolgen, &parts->format.smolgen_activation, activation,
              "smolgen");
    return lc0_find_linear(parts, end, 1);
}

/* Checks the op that adds the maps, and the last matrix, which all encoders must share. */
static Value find_maps(Lc0Parts *parts, Value attention) {
    const Op *op = lc0_op(parts, attention);
    if (op->tables) return lc0_parts_refuse(parts, attention, "tables of offsets");
    if (op->map.kind != MAP_POINTS)
        return lc0_parts_refuse(parts, attention,
                                "maps that are not a number for each pair of points "
                                "(map_form=points)");
    if (lc0_op(parts, op->inputs[1])->rows != op->attention.heads)
        return lc0_parts_refuse(parts, attention, "factors of attention weights");
    Value matrix = lc0_expect(parts, op->inputs[1], OP_DENSE);
    if (matrix < 0) return -1;
    if (parts->smolgen < 0) parts->smolgen = matrix;
    if (lc0_op(parts, matrix)->parameters[0] != lc0_op(parts, parts->smolgen)->parameters[0])
        return lc0_parts_refuse(parts, matrix,
                                "a last matrix of its own, where all encoders of lc0 share one");
    return matrix;
}

static void put_smolgen(Lc0Parts *parts, Value attention, Value x) {
    Value matrix = find_maps(parts, attention), norm1, norm2;
    Value rows = lc0_expect(parts, lc0_input(parts, matrix, 0), OP_VECTOR_ROWS);
    Lc0Linear dense2 = find_hidden(parts, lc0_input(parts, rows, 0), &norm2),
              dense1 = find_hidden(parts, dense2.input, &norm1);
    Value points = lc0_expect(parts, dense1.input, OP_POINTS_VECTOR);
    Lc0Linear compress = lc0_find_linear(parts, lc0_input(parts, points, 0), 1);
    if (!lc0_parts_good(parts)) return;
    if (compress.has_bias) lc0_parts_refuse(parts, compress.matrix, "a bias, which lc0 lacks here");
    if (lc0_op(parts, points)->side != lc0_op(parts, attention)->side)
        lc0_parts_refuse(parts, compress.matrix, "it reads a board of another size than the maps");
    meet(parts, compress.matrix, compress.input, x);
    lc0_begin(&parts->sink, "smolgen");
    lc0_put_linear(parts, &compress, "compress", NULL);
    lc0_put_linear(parts, &dense1, "dense1_w", "dense1_b");
    put_norm(parts, norm1, "ln1_gammas", "ln1_betas");
    lc0_put_linear(parts, &dense2, "dense2_w", "dense2_b");
    put_norm(parts, norm2, "ln2_gammas", "ln2_betas");
    lc0_end(&parts->sink);
}

/* Checks the heads of attention. */
static bool heads_fit(Lc0Parts *parts, Value attention) {
    const AttentionShape *shape = &lc0_op(parts, attention)->attention;
    if (shape->kv_heads != shape->heads)
        lc0_parts_refuse(parts, attention, "heads of keys that several heads of queries share");
    if (shape->value_channels != shape->query_channels)
        lc0_parts_refuse(parts, attention, "values with another number of channels than queries");
    if (parts->heads && parts->heads != shape->heads)
        lc0_parts_refuse(parts, attention, "another number of heads than in other encoders");
    parts->heads = shape->heads;
    return lc0_parts_good(parts);
}

/* Writes the attention that reads x and ends at `branch`. */
static void put_attention(Lc0Parts *parts, Value x, Value branch) {
    static const char *const W[] = {"q_w", "k_w", "v_w"}, *const B[] = {"q_b", "k_b", "v_b"};
    Lc0Linear out = find_last(parts, branch);
    Value attention = out.input;
    if (!lc0_parts_good(parts)) return;
    OpKind kind = lc0_op(parts, attention)->kind;
    if (kind == OP_MULTIPLY)
        lc0_parts_refuse(parts, attention, "a further matrix behind the attention (process)");
    if (kind == OP_ATTENTION_TABLES) lc0_parts_refuse(parts, attention, "tables of offsets");
    if (kind != OP_ATTENTION_MAPS && lc0_expect(parts, attention, OP_ATTENTION) < 0) return;
    Value joined = lc0_input(parts, attention, 0);
    if (lc0_op(parts, joined)->kind == OP_ROTARY)
        lc0_parts_refuse(parts, joined, "rotated queries and keys (rotary=none leaves this out)");
    if (!heads_fit(parts, attention) || lc0_expect(parts, joined, OP_CONCAT) < 0) return;
    Value pair = lc0_expect(parts, lc0_input(parts, joined, 0), OP_CONCAT);
    const Value ends[] = {lc0_input(parts, pair, 0), lc0_input(parts, pair, 1),
                          lc0_input(parts, joined, 1)};
    lc0_begin(&parts->sink, "mha");
    for (int i = 0; i < 3 && lc0_parts_good(parts); i++) {
        Lc0Linear linear = lc0_find_linear(parts, ends[i], 1);
        meet(parts, linear.matrix, linear.input, x);
        lc0_put_linear(parts, &linear, W[i], B[i]);
    }
    lc0_put_linear(parts, &out, "dense_w", "dense_b");
    if (kind == OP_ATTENTION_MAPS) put_smolgen(parts, attention, x);
    lc0_end(&parts->sink);
}

/* The sum before a norm, and its two terms. */
typedef struct {
    Value x, branch;
} Sum;

static Sum find_sum(Lc0Parts *parts, Value norm) {
    Value sum = lc0_expect(parts, lc0_input(parts, expect_norm(parts, norm), 0), OP_ADD);
    return (Sum){lc0_input(parts, sum, 0), lc0_input(parts, sum, 1)};
}

static void put_encoder(Lc0Parts *parts, Value end) {
    Sum second = find_sum(parts, end), first = find_sum(parts, second.x);
    if (!lc0_parts_good(parts)) return;
    lc0_begin(&parts->sink, "encoder");
    put_attention(parts, first.x, first.branch);
    put_norm(parts, second.x, "ln1_gammas", "ln1_betas");
    put_feed_forward(parts, "ffn", second.x, second.branch);
    put_norm(parts, end, "ln2_gammas", "ln2_betas");
    lc0_end(&parts->sink);
}

/* Whether a norm ends an encoder: the norm of the attention stands before its sum. */
static bool ends_encoder(const Lc0Parts *parts, Value end) {
    Value x = lc0_input(parts, lc0_input(parts, end, 0), 0);
    return lc0_op(parts, end)->kind == OP_LAYER_NORM && lc0_op(parts, x)->kind == OP_LAYER_NORM &&
           lc0_op(parts, lc0_input(parts, x, 0))->kind == OP_ADD;
}

/* Finds the ends of encoders. Returns what the first of them reads. */
static Value find_encoders(const Lc0Parts *parts, Value end, Blocks *out) {
    for (out->count = 0; ends_encoder(parts, end) && out->count < BLOCKS_MAX; out->count++) {
        Value attended = lc0_input(parts, lc0_input(parts, end, 0), 0);
        out->ends[out->count] = end;
        end = lc0_input(parts, lc0_input(parts, attended, 0), 0);
    }
    return end;
}

/* Writes gains or shifts, which the file has in the form (channels, places). */
static void put_gate(Lc0Parts *parts, const char *name, const float *values, size_t channels,
                     size_t count) {
    size_t places = count / channels;
    float *turned = lc0_parts_room(parts, count);
    for (size_t i = 0; turned && i < count; i++)
        turned[i] = values[i % places * channels + i / places];
    if (turned) lc0_put_tensor(&parts->sink, name, turned, count);
}

/* Writes the gates that end at `*end`, if there are any. */
static void put_gates(Lc0Parts *parts, Value *end) {
    const Op *op = lc0_op(parts, *end);
    if (!lc0_parts_good(parts) || op->kind != OP_PLACE_GATE) return;
    parts->format.side = op->side;
    parts->format.edges = op->edges;
    size_t channels = (size_t)op->channels,
           count = program_parameter(parts->program, op->parameters[0])->count;
    if (op->gate != GATE_ADD)
        put_gate(parts, "ip_mult_gate", lc0_values(parts, *end, 0), channels, count);
    if (op->gate != GATE_MULTIPLY)
        put_gate(parts, "ip_add_gate", lc0_values(parts, *end, op->gate == GATE_BOTH), channels,
                 count);
    *end = op->inputs[0];
}

/* The first linear map of the net, with all its inputs. */
static void put_start(Lc0Parts *parts, Value end, int kernel, const char *weights,
                      const char *biases) {
    Lc0Affine affine;
    if (!lc0_find_affine(parts, &end, &affine)) return;
    Value sum = lc0_expect(parts, end, OP_ADD_BROADCAST);
    Lc0Linear planes = lc0_find_linear(parts, lc0_input(parts, sum, 0), kernel),
              globals = lc0_find_linear(parts, lc0_input(parts, sum, 1), 1);
    if (!lc0_parts_good(parts)) return;
    if (lc0_op(parts, planes.input)->kind != OP_INPUT || planes.in != FEATURE_PLANES)
        lc0_parts_refuse(parts, planes.matrix, "it does not read all input planes");
    if (lc0_op(parts, globals.input)->kind != OP_INPUT || globals.in != FEATURE_GLOBALS)
        lc0_parts_refuse(parts, globals.matrix, "it does not read all global inputs");
    size_t area = (size_t)(kernel * kernel), out = (size_t)planes.out;
    float *all = lc0_parts_room(parts, out * START_INPUTS * area);
    for (size_t o = 0; all && o < out; o++) {
        float *to = all + o * START_INPUTS * area;
        for (size_t i = 0; i < FEATURE_PLANES * area; i++)
            to[i] =
                affine.gain[o] * planes.weights[(o * area + i % area) * FEATURE_PLANES + i / area];
        for (size_t i = 0; i < FEATURE_GLOBALS; i++)
            to[(FEATURE_PLANES + i) * area + area / 2] =
                affine.gain[o] * globals.weights[o * FEATURE_GLOBALS + i];
        affine.shift[o] += affine.gain[o] * (planes.biases[o] + globals.biases[o]);
    }
    if (!all) return;
    lc0_put_tensor(&parts->sink, weights, all, out * START_INPUTS * area);
    lc0_put_tensor(&parts->sink, biases, affine.shift, out);
}

/* Writes a convolution of 3 x 3 and what is folded into it as the message `name`. Returns what it
 * reads. */
static Value put_conv_block(Lc0Parts *parts, const char *name, Value end) {
    Lc0Linear conv = lc0_find_linear(parts, end, 3);
    if (!lc0_parts_good(parts)) return -1;
    lc0_begin(&parts->sink, name);
    lc0_put_linear(parts, &conv, "weights", "biases");
    lc0_end(&parts->sink);
    return conv.input;
}

/* Squeeze and excitation, which ends at `end`: the branch before it, and its two matrices. */
typedef struct {
    Value branch;
    Lc0Linear w1, w2;
} Squeeze;

static Squeeze find_squeeze(Lc0Parts *parts, Value end) {
    Value product = lc0_expect(parts, lc0_input(parts, end, 0), OP_MUL_BROADCAST),
          shift = lc0_expect(parts, lc0_input(parts, end, 1), OP_SLICE),
          sigmoid = lc0_expect(parts, lc0_input(parts, product, 1), OP_SIGMOID),
          gain = lc0_expect(parts, lc0_input(parts, sigmoid, 0), OP_SLICE);
    Squeeze s = {.branch = lc0_input(parts, product, 0)};
    int channels = lc0_op(parts, end)->channels;
    if (!lc0_parts_good(parts)) return s;
    meet(parts, shift, lc0_input(parts, shift, 0), lc0_input(parts, gain, 0));
    if (lc0_op(parts, gain)->first != 0 || lc0_op(parts, shift)->first != channels)
        lc0_parts_refuse(parts, shift, "gains and shifts in another order than lc0's");
    s.w2 = lc0_find_linear(parts, lc0_input(parts, gain, 0), 1);
    Value hidden = s.w2.input;
    lc0_find_net_activation(parts, &hidden);
    s.w1 = lc0_find_linear(parts, hidden, 1);
    Value mean = s.w1.input;
    /* A slice with only the means may follow the pooling. */
    if (lc0_op(parts, mean)->kind == OP_SLICE && lc0_op(parts, mean)->first == 0)
        mean = lc0_input(parts, mean, 0);
    mean = lc0_expect(parts, mean, OP_GLOBAL_POOL);
    if (mean < 0) return s;
    if (s.w1.in != channels || (lc0_op(parts, mean)->pool == POOL_MEAN) != (mean == s.w1.input))
        lc0_parts_refuse(parts, s.w1.matrix, "it reads more than the means, which lc0 reads");
    meet(parts, mean, lc0_input(parts, mean, 0), s.branch);
    return s;
}

/* Writes a residual block. Returns what it reads. */
static Value put_residual(Lc0Parts *parts, Value end) {
    Value sum = lc0_behind_mask(parts, end);
    lc0_find_net_activation(parts, &sum);
    if (!lc0_parts_good(parts)) return -1;
    Value x = lc0_input(parts, sum, 0), branch = lc0_behind_mask(parts, lc0_input(parts, sum, 1));
    bool squeezes = lc0_op(parts, branch)->kind == OP_ADD_BROADCAST;
    Squeeze s = {.branch = branch};
    if (squeezes) s = find_squeeze(parts, branch);
    lc0_begin(&parts->sink, "residual");
    Value hidden = put_conv_block(parts, "conv2", s.branch);
    hidden = lc0_behind_mask(parts, hidden);
    lc0_find_net_activation(parts, &hidden);
    meet(parts, sum, put_conv_block(parts, "conv1", hidden), x);
    if (squeezes && lc0_parts_good(parts)) {
        lc0_begin(&parts->sink, "se");
        lc0_put_linear(parts, &s.w1, "w1", "b1");
        lc0_put_linear(parts, &s.w2, "w2", "b2");
        lc0_end(&parts->sink);
    }
    lc0_end(&parts->sink);
    return x;
}

/* Whether `end` is the activation behind a residual sum. */
static bool ends_residual(const Lc0Parts *parts, Value end) {
    const Op *op = lc0_op(parts, lc0_behind_mask(parts, end));
    return op->kind == OP_ACTIVATION && lc0_op(parts, op->inputs[0])->kind == OP_ADD;
}

static void put_tower(Lc0Parts *parts, Value end) {
    Blocks blocks = {.count = 0};
    while (ends_residual(parts, end) && blocks.count < BLOCKS_MAX) {
        blocks.ends[blocks.count++] = end;
        end = lc0_input(parts, lc0_input(parts, lc0_behind_mask(parts, end), 0), 0);
    }
    Value start = lc0_behind_mask(parts, end);
    OpKind kind = lc0_op(parts, start)->kind;
    bool activates = kind == OP_ACTIVATION || kind == OP_MULTIPLY;
    if (!activates && blocks.count) {
        lc0_parts_refuse(parts, start,
                         "no activation behind the first convolution (a block of kind stem)");
        return;
    }
    if (!activates) {
        lc0_parts_refuse(parts, start,
                         "the trunk does not end with the norm of an encoder or the activation "
                         "behind a residual sum, as lc0's trunks do (an encoder needs tip=none)");
        return;
    }
    lc0_find_net_activation(parts, &start);
    Value sum = start;
    Lc0Affine affine;
    if (!lc0_find_affine(parts, &sum, &affine)) return;
    if (lc0_op(parts, sum)->kind != OP_ADD_BROADCAST) {
        lc0_parts_refuse(parts, start,
                         "a block that is no residual block of lc0, which has two convolutions of "
                         "3x3 and an activation behind the sum");
        return;
    }
    lc0_begin(&parts->sink, "input");
    put_start(parts, start, 3, "weights", "biases");
    lc0_end(&parts->sink);
    for (int i = blocks.count; i-- > 0 && lc0_parts_good(parts);)
        put_residual(parts, blocks.ends[i]);
}

/* Writes the embedding, which ends at `end`. */
static void put_embedding(Lc0Parts *parts, Value end) {
    if (lc0_op(parts, end)->kind == OP_LAYER_NORM &&
        lc0_op(parts, lc0_input(parts, end, 0))->kind == OP_ADD) {
        Sum sum = find_sum(parts, end);
        put_feed_forward(parts, "ip_emb_ffn", sum.x, sum.branch);
        put_norm(parts, end, "ip_emb_ffn_ln_gammas", "ip_emb_ffn_ln_betas");
        end = sum.x;
    }
    put_gates(parts, &end);
    if (lc0_op(parts, end)->kind == OP_LAYER_NORM) {
        Value norm = expect_norm(parts, end);
        put_norm(parts, norm, "ip_emb_ln_gammas", "ip_emb_ln_betas");
        end = lc0_input(parts, end, 0);
    }
    OpKind kind = lc0_op(parts, end)->kind;
    if (kind != OP_ACTIVATION && kind != OP_MULTIPLY) {
        lc0_parts_refuse(parts, end,
                         "the encoders do not follow an embedding (a block of kind embedding)");
        return;
    }
    lc0_find_net_activation(parts, &end);
    Value sum = end;
    Lc0Affine affine;
    if (!lc0_find_affine(parts, &sum, &affine)) return;
    if (lc0_op(parts, sum)->kind == OP_ADD_BROADCAST) {
        put_start(parts, end, 1, "ip_emb_w", "ip_emb_b");
        return;
    }
    if (lc0_op(parts, sum)->kind == OP_ADD) {
        lc0_parts_refuse(parts, sum,
                         "a dense layer over all points (dense), which lc0 has only for the pieces "
                         "of chess");
        return;
    }
    Lc0Linear embed = lc0_find_linear(parts, end, 1);
    lc0_put_linear(parts, &embed, "ip_emb_w", "ip_emb_b");
    if (lc0_parts_good(parts)) put_tower(parts, embed.input);
}

static void put_last_matrix(Lc0Parts *parts) {
    if (parts->smolgen < 0 || !lc0_parts_good(parts)) return;
    const Op *op = lc0_op(parts, parts->smolgen);
    lc0_put_tensor(&parts->sink, "smolgen_w", lc0_values(parts, parts->smolgen, 0),
                   program_parameter(parts->program, op->parameters[0])->count);
}

void lc0_put_body(Lc0Parts *parts, Value end) {
    Blocks encoders;
    end = lc0_behind_mask(parts, end);
    Value embedded = find_encoders(parts, end, &encoders);
    parts->format.attention = encoders.count > 0;
    parts->format.alpha = lc0_alpha(encoders.count);
    parts->smolgen = -1;
    if (!encoders.count) {
        put_tower(parts, end);
        return;
    }
    put_embedding(parts, embedded);
    for (int i = encoders.count; i-- > 0 && lc0_parts_good(parts);)
        put_encoder(parts, encoders.ends[i]);
    if (lc0_parts_good(parts)) lc0_put_number(&parts->sink, "headcount", parts->heads);
    put_last_matrix(parts);
}

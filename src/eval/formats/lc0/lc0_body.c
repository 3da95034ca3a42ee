/* The trunk of a net of lc0: a tower of residual blocks, or an embedding and encoders, or encoders
 * behind a tower. The formulas are those of lczero-training (tfprocess.py) and of lc0
 * (src/neural/onnx/converter.cc). With act as the activation of the net:
 * - Residual block, with a convolution and a batch norm as one step c1 or c2:
 *       y = act(x + s(c2(act(c1(x)))))
 *   s is squeeze and excitation, or nothing:
 *       s(r) = sigmoid(g) * r + b,   (g, b) = W2 act(W1 mean(r) + b1) + b2
 * - Embedding, where x is a linear map of the input planes. Its norms n and its feed-forward layer
 *   f may be missing:
 *       y = n(act(x)) * gain + shift,   z = n(y + alpha f(y))
 * - Encoder:
 *       y = n(x + alpha attention(x)),   z = n(y + alpha f(y)) */
#include <math.h>
#include <string.h>

#include "eval/features/features_version.h"
#include "eval/formats/lc0/lc0_reading.h"

enum { CHANNELS_MAX = 1 << 16, BLOCKS_MAX = 1000 };

Value lc0_read_activation(Lc0Reading *r, Value x) {
    x = lc0_activation(&r->layers, r->format.activation, x);
    return x < 0 ? -1 : program_mask(r->layers.program, x);
}

static bool has(const Lc0Reading *r, const Lc0Name *tensor) {
    return lc0_file_find(r->layers.file, "%s", tensor->text) != NULL;
}

/* Adds the norm of a convolution. The tensors of gammas and betas may be missing. */
static Value read_batch_norm(Lc0Reading *r, Lc0ConvBlock block, Value x) {
    enum { GAMMA, BETA, MEAN, VARIANCE };
    static const struct {
        const char *part;
        int slot;
    } PARTS[] = {
        {"bn_gammas", GAMMA}, {"bn_betas", BETA}, {"bn_means", MEAN}, {"bn_stddivs", VARIANCE}};
    Lc0Layers *layers = &r->layers;
    const Lc0Name means = lc0_name("%s.bn_means", block.tensor);
    if (x < 0 || !has(r, &means)) return x;
    const Lc0Name name = lc0_name("%s.norm%s", block.prefix, block.suffix);
    Value y = program_batch_norm(layers->program, name.text, x, (double)LC0_BATCH_EPSILON, 0.99);
    size_t channels = (size_t)lc0_channels(layers, x);
    for (int i = 0; i < 4; i++) {
        const Lc0Name tensor = lc0_name("%s.%s", block.tensor, PARTS[i].part);
        bool optional = PARTS[i].slot == GAMMA || PARTS[i].slot == BETA;
        if (!optional || has(r, &tensor)) {
            lc0_fill(layers, y, PARTS[i].slot, lc0_numbers(layers, tensor.text, channels));
        } else if (PARTS[i].slot == GAMMA) {
            float *ones = lc0_room(layers, channels);
            for (size_t c = 0; ones && c < channels; c++)
                ones[c] = 1;
            lc0_fill(layers, y, GAMMA, ones);
        }
    }
    return lc0_layers_good(layers) ? y : -1;
}

/* Adds the bias and the norm behind a convolution. */
static Value read_norm(Lc0Reading *r, Lc0ConvBlock block, Value x) {
    const Lc0Name tensor = lc0_name("%s.biases", block.tensor),
                  bias = lc0_name("%s.bias%s", block.prefix, block.suffix);
    return read_batch_norm(r, block, lc0_bias(&r->layers, bias.text, tensor.text, x));
}

Value lc0_read_conv_block(Lc0Reading *r, Lc0ConvBlock block, Value x) {
    Lc0Layers *layers = &r->layers;
    const Lc0Name tensor = lc0_name("%s.weights", block.tensor),
                  name = lc0_name("%s.conv%s", block.prefix, block.suffix);
    size_t in = (size_t)lc0_channels(layers, x), area = (size_t)(block.kernel * block.kernel);
    int out = lc0_rows(layers, tensor.text, in * area);
    if (out < 1 || out > CHANNELS_MAX) return -1;
    const Lc0Conv conv = {.numbers = lc0_numbers(layers, tensor.text, in * area * (size_t)out),
                          .kernel = block.kernel,
                          .out = out,
                          .all_in = (int)in};
    return read_norm(r, block, lc0_conv(layers, name.text, conv, x));
}

/* A linear map of the input planes: a convolution, or a matrix if `kernel` is 1. */
typedef struct {
    const char *tensor;
    int kernel;
} Start;

/* Adds the inputs of a net for chess and the map. If lc0 adds planes of its own to those of the
 * position, they are the last planes of the input. */
static Value read_chess_start(Lc0Reading *r, Start start) {
    Lc0Layers *layers = &r->layers;
    size_t area = (size_t)(start.kernel * start.kernel),
           bias = lc0_file_size(layers->file, "weights.ip_emb_b");
    int in = LC0_CHESS_PLANES, out;
    if (start.kernel == 1 && bias) {
        in = lc0_rows(layers, start.tensor, bias);
        if (in < LC0_CHESS_PLANES || in > CHANNELS_MAX)
            return lc0_layers_refuse(layers, ERR_SYNTAX, "%s reads %d planes, but there are %d",
                                     start.tensor, in, LC0_CHESS_PLANES);
    }
    out = lc0_rows(layers, start.tensor, (size_t)in * area);
    if (out < 1 || out > CHANNELS_MAX) return -1;
    Value planes = program_input(layers->program, "planes", KIND_SPATIAL, in);
    program_set_mask(layers->program, planes, LC0_CHESS_ONES);
    const Lc0Conv conv = {.numbers =
                              lc0_numbers(layers, start.tensor, (size_t)in * (size_t)out * area),
                          .kernel = start.kernel,
                          .out = out,
                          .all_in = in};
    return lc0_conv(layers, "start.conv", conv, planes);
}

/* Adds the inputs of a net for Go and the map. In the file the numbers about the whole game are
 * constant planes behind the others. Aji reads them as a vector, which is the same if only the
 * middles of the kernels read these planes. */
static Value read_go_start(Lc0Reading *r, Start start) {
    enum { IN = FEATURE_PLANES + FEATURE_GLOBALS };
    Lc0Layers *layers = &r->layers;
    size_t area = (size_t)(start.kernel * start.kernel);
    int out = lc0_rows(layers, start.tensor, IN * area);
    if (out < 1 || out > CHANNELS_MAX) return -1;
    const float *numbers = lc0_numbers(layers, start.tensor, IN * area * (size_t)out);
    float *globals = lc0_room(layers, (size_t)out * FEATURE_GLOBALS);
    for (size_t i = 0; globals && i < (size_t)out * FEATURE_GLOBALS; i++) {
        const float *taps =
            numbers + (i / FEATURE_GLOBALS * IN + FEATURE_PLANES + i % FEATURE_GLOBALS) * area;
        for (size_t k = 0; k < area; k++) {
            bool middle = k == area / 2;
            if (middle) globals[i] = taps[k];
            if (!middle && fabsf(taps[k]) > 0)
                return lc0_layers_refuse(layers, ERR_UNSUPPORTED,
                                         "%s reads the numbers about the whole game not only in "
                                         "the middles of its kernels",
                                         start.tensor);
        }
    }
    Value planes = program_input(layers->program, "planes", KIND_SPATIAL, FEATURE_PLANES),
          vector = program_input(layers->program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(layers->program, planes, 0);
    Value x = lc0_conv(
        layers, "start.conv",
        (Lc0Conv){.numbers = numbers, .kernel = start.kernel, .out = out, .all_in = IN}, planes);
    if (x < 0) return -1;
    Value v = program_dense(layers->program, "start.globals", vector, out, 0);
    lc0_fill(layers, v, 0, globals);
    return program_add_broadcast(layers->program, x, v);
}

static Value read_start(Lc0Reading *r, Start start) {
    return r->format.go ? read_go_start(r, start) : read_chess_start(r, start);
}

/* Adds squeeze and excitation, if the block has it. */
static Value read_squeeze(Lc0Reading *r, const char *tensor, int index, Value x) {
    Lc0Layers *layers = &r->layers;
    Program *program = layers->program;
    const Lc0Name w1 = lc0_name("%s.se.w1", tensor), b1 = lc0_name("%s.se.b1", tensor),
                  w2 = lc0_name("%s.se.w2", tensor), b2 = lc0_name("%s.se.b2", tensor);
    if (x < 0 || !has(r, &w1)) return x;
    int channels = lc0_channels(layers, x), hidden = lc0_rows(layers, w1.text, (size_t)channels);
    if (hidden < 1) return -1;
    Value v = program_global_pool(program, x, POOL_MEAN);
    v = lc0_dense(layers, lc0_name("block%d.squeeze", index).text, w1.text, v, hidden);
    v = lc0_bias(layers, lc0_name("block%d.squeezebias", index).text, b1.text, v);
    v = lc0_activation(layers, r->format.activation, v);
    v = lc0_dense(layers, lc0_name("block%d.excite", index).text, w2.text, v, 2 * channels);
    v = lc0_bias(layers, lc0_name("block%d.excitebias", index).text, b2.text, v);
    if (v < 0) return -1;
    x = program_mul_broadcast(program, x,
                              program_sigmoid(program, program_slice(program, v, 0, channels)));
    return program_add_broadcast(program, x, program_slice(program, v, channels, channels));
}

static Value read_residual(Lc0Reading *r, int index, Value x) {
    const Lc0Name tensor = lc0_name("weights.residual[%d]", index),
                  conv1 = lc0_name("%s.conv1", tensor.text),
                  conv2 = lc0_name("%s.conv2", tensor.text),
                  prefix = lc0_name("block%d", r->blocks);
    Value y = lc0_read_conv_block(
        r, (Lc0ConvBlock){.prefix = prefix.text, .suffix = "1", .tensor = conv1.text, .kernel = 3},
        x);
    y = lc0_read_conv_block(
        r, (Lc0ConvBlock){.prefix = prefix.text, .suffix = "2", .tensor = conv2.text, .kernel = 3},
        lc0_read_activation(r, y));
    y = read_squeeze(r, tensor.text, r->blocks++, y);
    if (y < 0) return -1;
    if (lc0_channels(&r->layers, x) != lc0_channels(&r->layers, y))
        return lc0_layers_refuse(&r->layers, ERR_SYNTAX, "%s changes the number of channels",
                                 tensor.text);
    return lc0_read_activation(r, program_add(r->layers.program, x, y));
}

static Value read_tower(Lc0Reading *r) {
    const Lc0ConvBlock input = {
        .prefix = "start", .suffix = "", .tensor = "weights.input", .kernel = 3};
    Value x = read_norm(r, input, read_start(r, (Start){"weights.input.weights", 3}));
    x = lc0_read_activation(r, x);
    int count = lc0_file_times(r->layers.file, "weights.residual");
    for (int i = 0; i < count && x >= 0; i++)
        x = read_residual(r, i, x);
    return x;
}

/* Adds a branch to x, and the norm behind the sum. */
static Value join(Lc0Reading *r, const char *prefix, const char *number, const char *gain,
                  const char *bias, Value x, Value branch) {
    Lc0Layers *layers = &r->layers;
    if (x < 0 || branch < 0) return -1;
    branch = program_fixed_scale(layers->program, lc0_name("%s.norm%salpha", prefix, number).text,
                                 branch, (double)r->format.alpha);
    return lc0_layer_norm(layers, lc0_name("%s.norm%s", prefix, number).text, gain, bias,
                          program_add(layers->program, x, branch), r->format.epsilon);
}

/* Adds a feed-forward layer. `tensor` is the message with its tensors. */
static Value read_feed_forward(Lc0Reading *r, const char *prefix, const char *tensor, Value x) {
    Lc0Layers *layers = &r->layers;
    if (x < 0) return -1;
    int channels = lc0_channels(layers, x);
    const Lc0Name w1 = lc0_name("%s.dense1_w", tensor), b1 = lc0_name("%s.dense1_b", tensor),
                  w2 = lc0_name("%s.dense2_w", tensor), b2 = lc0_name("%s.dense2_b", tensor);
    Value y = lc0_dense(layers, lc0_name("%s.up", prefix).text, w1.text, x,
                        lc0_rows(layers, w1.text, (size_t)channels));
    y = lc0_bias(layers, lc0_name("%s.upbias", prefix).text, b1.text, y);
    y = lc0_activation(layers, r->format.ffn_activation, y);
    y = lc0_dense(layers, lc0_name("%s.down", prefix).text, w2.text, y, channels);
    return lc0_bias(layers, lc0_name("%s.downbias", prefix).text, b2.text, y);
}

/* Reads gains or shifts, which the file has in the form (channels, places), as (places,
 * channels). */
static const float *read_gate(Lc0Reading *r, const char *tensor, int places, int channels) {
    Lc0Layers *layers = &r->layers;
    size_t p = (size_t)places, c = (size_t)channels;
    const float *numbers = lc0_numbers(layers, tensor, p * c);
    float *turned = lc0_room(layers, p * c);
    for (size_t i = 0; turned && i < p * c; i++)
        turned[i] = numbers[i % c * p + i / c];
    return turned;
}

static Value read_gates(Lc0Reading *r, const char *prefix, Value x) {
    static const char GAIN[] = "weights.ip_mult_gate", SHIFT[] = "weights.ip_add_gate";
    Lc0Layers *layers = &r->layers;
    bool gains = lc0_file_find(layers->file, "%s", GAIN),
         shifts = lc0_file_find(layers->file, "%s", SHIFT);
    if (x < 0 || (!gains && !shifts)) return x;
    int side = r->format.side, half = (side + 1) / 2, channels = lc0_channels(layers, x),
        places = r->format.edges ? half * (half + 1) / 2 : side * side;
    const float *gain = gains ? read_gate(r, GAIN, places, channels) : NULL,
                *shift = shifts ? read_gate(r, SHIFT, places, channels) : NULL;
    const Op op = {.kind = OP_PLACE_GATE,
                   .inputs = {x},
                   .side = side,
                   .edges = r->format.edges,
                   .gate = !shifts  ? GATE_MULTIPLY
                           : !gains ? GATE_ADD
                                    : GATE_BOTH};
    if (!lc0_layers_good(layers)) return -1;
    Value y = program_add_op(layers->program, lc0_name("%s.gate", prefix).text, op);
    if (gains) lc0_fill(layers, y, 0, gain);
    if (shifts) lc0_fill(layers, y, gains, shift);
    return y;
}

static Value read_embedding(Lc0Reading *r, Value x) {
    static const char FFN[] = "weights.ip_emb_ffn", NORM[] = "weights.ip_emb_ln_gammas";
    Lc0Layers *layers = &r->layers;
    const Lc0Name prefix = lc0_name("block%d", r->blocks++);
    x = lc0_bias(layers, lc0_name("%s.bias", prefix.text).text, "weights.ip_emb_b", x);
    x = lc0_activation(layers, r->format.activation, x);
    if (lc0_file_size(layers->file, "%s", NORM))
        x = lc0_layer_norm(layers, lc0_name("%s.norm1", prefix.text).text, NORM,
                           "weights.ip_emb_ln_betas", x, r->format.epsilon);
    x = read_gates(r, prefix.text, x);
    if (!lc0_file_size(layers->file, "%s.dense1_w", FFN)) return x;
    return join(r, prefix.text, "2", "weights.ip_emb_ffn_ln_gammas", "weights.ip_emb_ffn_ln_betas",
                x, read_feed_forward(r, prefix.text, FFN, x));
}

/* Adds a hidden layer of smolgen: a matrix, a bias, an activation and a norm. `number` is "1" or
 * "2". */
static Value read_hidden(Lc0Reading *r, const char *prefix, const char *tensor, int number,
                         Value x) {
    Lc0Layers *layers = &r->layers;
    const Lc0Name w = lc0_name("%s.dense%d_w", tensor, number),
                  b = lc0_name("%s.dense%d_b", tensor, number),
                  gain = lc0_name("%s.ln%d_gammas", tensor, number),
                  bias = lc0_name("%s.ln%d_betas", tensor, number);
    if (x < 0) return -1;
    x = lc0_dense(layers, lc0_name("%s.generate%d", prefix, number).text, w.text, x,
                  lc0_rows(layers, w.text, (size_t)lc0_channels(layers, x)));
    x = lc0_bias(layers, lc0_name("%s.generate%dbias", prefix, number).text, b.text, x);
    x = lc0_activation(layers, r->format.smolgen_activation, x);
    return lc0_layer_norm(layers, lc0_name("%s.generate%dnorm", prefix, number).text, gain.text,
                          bias.text, x, LC0_SMOLGEN_EPSILON);
}

/* Returns the side of the board whose pairs of points the last matrix of smolgen has. */
static int smolgen_side(Lc0Reading *r, int generated) {
    int pairs = lc0_rows(&r->layers, "weights.smolgen_w", (size_t)generated), side = 1;
    while (side < 19 && side * side * side * side < pairs)
        side++;
    bool wanted = r->format.go || side == LC0_CHESS_SIDE;
    if (wanted && side * side * side * side == pairs) return side;
    lc0_layers_refuse(&r->layers, ERR_SYNTAX,
                      "weights.smolgen_w has %d rows, which are no pairs of points of a board",
                      pairs);
    return 0;
}

/* Adds the product with the last matrix of smolgen, which all encoders share. */
static Value shared_matrix(Lc0Reading *r, const char *prefix, int rows, Value x) {
    static const char NAME[] = "smolgen.points";
    Program *program = r->layers.program;
    for (Value v = 0; v < program_op_count(program); v++) {
        if (strcmp(program_op(program, v)->name, NAME) == 0)
            return program_dense_of(program, lc0_name("%s.maps", prefix).text, x, rows, v);
    }
    return lc0_dense(&r->layers, NAME, "weights.smolgen_w", x, rows);
}

/* Adds the maps of smolgen, which are computed from the input x of an encoder. */
static Value read_smolgen(Lc0Reading *r, const char *prefix, const char *tensor, int heads, Value x,
                          int *side) {
    Lc0Layers *layers = &r->layers;
    Program *program = layers->program;
    const Lc0Name compress = lc0_name("%s.compress", tensor);
    size_t generated = lc0_file_size(layers->file, "%s.dense2_b", tensor) / (size_t)heads;
    *side = smolgen_side(r, (int)generated);
    x = lc0_dense(layers, lc0_name("%s.compress", prefix).text, compress.text, x,
                  lc0_rows(layers, compress.text, (size_t)lc0_channels(layers, x)));
    if (x < 0 || !*side) return -1;
    const Op points = {.kind = OP_POINTS_VECTOR, .inputs = {x}, .side = *side};
    x = read_hidden(r, prefix, tensor, 1, program_add_op(program, "", points));
    x = read_hidden(r, prefix, tensor, 2, x);
    if (x < 0) return -1;
    const Op rows = {.kind = OP_VECTOR_ROWS, .inputs = {x}, .list_rows = heads};
    int pairs = *side * *side * *side * *side;
    return shared_matrix(r, prefix, pairs, program_add_op(program, "", rows));
}

/* Adds the attention of an encoder. `tensor` is the message with its tensors. */
static Value read_attention(Lc0Reading *r, const char *prefix, const char *tensor, Value x) {
    Lc0Layers *layers = &r->layers;
    Program *program = layers->program;
    int channels = lc0_channels(layers, x), side = 0;
    uint64_t heads = lc0_file_number(layers->file, "weights.headcount");
    Value parts[3];
    const Lc0Name q_w = lc0_name("%s.q_w", tensor), smolgen = lc0_name("%s.smolgen", tensor),
                  out_w = lc0_name("%s.dense_w", tensor), out_b = lc0_name("%s.dense_b", tensor);
    int width = lc0_rows(layers, q_w.text, (size_t)channels);
    if (width < 1) return -1;
    if (heads < 1 || heads > (uint64_t)width || width % (int)heads != 0)
        return lc0_layers_refuse(layers, ERR_SYNTAX,
                                 "weights.headcount is %llu, which does not divide the %d channels "
                                 "of the queries",
                                 (unsigned long long)heads, width);
    for (int i = 0; i < 3; i++) {
        const char letter = "qkv"[i];
        parts[i] = lc0_dense(layers, lc0_name("%s.%c", prefix, letter).text,
                             lc0_name("%s.%c_w", tensor, letter).text, x, width);
        parts[i] = lc0_bias(layers, lc0_name("%s.%cbias", prefix, letter).text,
                            lc0_name("%s.%c_b", tensor, letter).text, parts[i]);
    }
    if (parts[2] < 0) return -1;
    Value y = program_concat(program, program_concat(program, parts[0], parts[1]), parts[2]);
    int size = width / (int)heads;
    const AttentionShape shape = {(int)heads, (int)heads, size, size};
    if (has(r, &smolgen)) {
        Value maps = read_smolgen(r, prefix, smolgen.text, (int)heads, x, &side);
        if (maps < 0) return -1;
        const Op op = {.kind = OP_ATTENTION_MAPS,
                       .inputs = {y, maps},
                       .attention = shape,
                       .side = side,
                       .map = {.kind = MAP_POINTS}};
        y = program_add_op(program, lc0_name("%s.attention", prefix).text, op);
    } else {
        y = program_attention(program, y, shape);
    }
    y = lc0_dense(layers, lc0_name("%s.out", prefix).text, out_w.text, y, channels);
    return lc0_bias(layers, lc0_name("%s.outbias", prefix).text, out_b.text, y);
}

static Value read_encoder(Lc0Reading *r, int index, Value x) {
    const Lc0Name tensor = lc0_name("weights.encoder[%d]", index),
                  mha = lc0_name("%s.mha", tensor.text), ffn = lc0_name("%s.ffn", tensor.text),
                  prefix = lc0_name("block%d", r->blocks++);
    Value y = read_attention(r, prefix.text, mha.text, x);
    x = join(r, prefix.text, "1", lc0_name("%s.ln1_gammas", tensor.text).text,
             lc0_name("%s.ln1_betas", tensor.text).text, x, y);
    y = read_feed_forward(r, prefix.text, ffn.text, x);
    return join(r, prefix.text, "2", lc0_name("%s.ln2_gammas", tensor.text).text,
                lc0_name("%s.ln2_betas", tensor.text).text, x, y);
}

/* Refuses parts of encoders that Aji does not read. */
static bool check_encoders(Lc0Reading *r, int count) {
    static const char *const TABLES[] = {"rpe_q", "rpe_k", "rpe_v"};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            if (lc0_file_find(r->layers.file, "weights.encoder[%d].mha.%s", i, TABLES[k]))
                lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED,
                                  "weights.encoder[%d].mha.%s: a table of offsets, which lc0 does "
                                  "not run either",
                                  i, TABLES[k]);
        }
    }
    if (lc0_file_size(r->layers.file, "weights.smolgen_b"))
        lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED,
                          "weights.smolgen_b: a bias that lc0 does not read");
    return lc0_layers_good(&r->layers);
}

Value lc0_read_body(Lc0Reading *r) {
    static const char MAP[] = "weights.ip_emb_w";
    const Lc0File *file = r->layers.file;
    bool tower = lc0_file_size(file, "weights.input.weights");
    int encoders = lc0_file_times(file, "weights.encoder"),
        residuals = lc0_file_times(file, "weights.residual");
    if (encoders > BLOCKS_MAX || residuals > BLOCKS_MAX)
        return lc0_layers_refuse(&r->layers, ERR_SYNTAX,
                                 "it has %d encoders and %d residual blocks, at most %d are wanted",
                                 encoders, residuals, BLOCKS_MAX);
    if (!encoders) return read_tower(r);
    if (!check_encoders(r, encoders)) return -1;
    Value x;
    if (tower) {
        x = read_tower(r);
        x = lc0_dense(&r->layers, "start.embed", MAP, x,
                      lc0_rows(&r->layers, MAP, (size_t)lc0_channels(&r->layers, x)));
    } else {
        x = read_start(r, (Start){MAP, 1});
    }
    x = read_embedding(r, x);
    for (int i = 0; i < encoders && x >= 0; i++)
        x = read_encoder(r, i, x);
    return x < 0 ? -1 : program_mask(r->layers.program, x);
}

/* Those parts of the heads of a net of lc0 for chess that Aji has ops for (lczero-training,
 * tfprocess.py; lc0, src/neural/onnx/converter.cc):
 * - The value and the moves left: a hidden layer of each square, all squares as one vector, and two
 *   matrices. Two further matrices on the hidden units give the expected error of the value and its
 *   distribution.
 * - The policy of older nets: a convolution, all squares as one vector and a matrix, or two
 *   convolutions.
 * - The policy by attention: a hidden layer t of each square, and from it queries, keys and numbers
 *   for promotions. lc0 multiplies the queries of all squares with the keys of all squares; Aji has
 *   no op for this, so queries and keys are outputs:
 *       q = W2 t + b2,   k = W3 t + b3,   promotions = W4 k
 * All outputs are those before the last activation. */
#include "eval/formats/lc0/lc0_reading.h"

enum { SQUARES = LC0_CHESS_SIDE * LC0_CHESS_SIDE };

/* A head that reads all squares as one vector. All names are those of tensors, without the message
 * that has them. */
typedef struct {
    const char *message, *output, *prefix;
    const char *conv, *w, *b, *w1, *b1, *w2, *b2;
} FlatHead;

/* Reads a matrix that reads all squares. lc0 reads a convolution channel by channel, and
 * OP_POINTS_VECTOR gives it point by point, so the order of the inputs is changed. */
static const float *by_points(Lc0Reading *r, const char *tensor, int rows, int channels) {
    size_t c = (size_t)channels, columns = c * SQUARES, count = (size_t)rows * columns;
    const float *numbers = lc0_numbers(&r->layers, tensor, count);
    float *turned = lc0_room(&r->layers, count);
    for (size_t i = 0; turned && i < count; i++) {
        size_t column = i % columns;
        turned[i] = numbers[i - column + column % c * SQUARES + column / c];
    }
    return turned;
}

static Value as_vector(Lc0Reading *r, Value x) {
    const Op points = {.kind = OP_POINTS_VECTOR, .inputs = {x}, .side = LC0_CHESS_SIDE};
    return x < 0 ? -1 : program_add_op(r->layers.program, "", points);
}

/* Adds a matrix and its bias, with as many outputs as the tensor has rows. */
static Value read_matrix(Lc0Reading *r, const char *op, const char *w, const char *b, Value x) {
    Lc0Layers *layers = &r->layers;
    if (x < 0) return -1;
    x = lc0_dense(layers, op, w, x, lc0_rows(layers, w, (size_t)lc0_channels(layers, x)));
    return lc0_bias(layers, lc0_name("%sbias", op).text, b, x);
}

/* Adds a matrix on all squares of a convolution. */
static Value read_flat_matrix(Lc0Reading *r, const char *op, const char *w, const char *b,
                              Value squares) {
    int channels = lc0_channels(&r->layers, squares);
    Value y = read_matrix(r, op, w, NULL, as_vector(r, squares));
    lc0_fill(&r->layers, y, 0,
             y < 0 ? NULL : by_points(r, w, lc0_channels(&r->layers, y), channels));
    return lc0_bias(&r->layers, lc0_name("%sbias", op).text, b, y);
}

/* Adds the hidden units of a head, which read all squares. */
static Value read_units(Lc0Reading *r, const FlatHead *head, Value trunk) {
    const Lc0Name w = lc0_name("%s.%s", head->message, head->w),
                  b = lc0_name("%s.%s", head->message, head->b),
                  conv = lc0_name("%s.%s", head->message, head->conv),
                  w1 = lc0_name("%s.%s", head->message, head->w1),
                  b1 = lc0_name("%s.%s", head->message, head->b1),
                  v1 = lc0_name("%s.v1", head->prefix), v2 = lc0_name("%s.v2", head->prefix);
    Value x;
    if (lc0_file_size(r->layers.file, "%s", w.text)) {
        x = lc0_read_activation(r, read_matrix(r, v1.text, w.text, b.text, trunk));
        x = read_matrix(r, v2.text, w1.text, b1.text, as_vector(r, x));
    } else {
        const Lc0ConvBlock block = {
            .prefix = head->prefix, .suffix = "1", .tensor = conv.text, .kernel = 1};
        x = lc0_read_activation(r, lc0_read_conv_block(r, block, trunk));
        x = read_flat_matrix(r, v2.text, w1.text, b1.text, x);
    }
    return lc0_activation(&r->layers, r->format.activation, x);
}

/* Adds a matrix as an output, if the file has it. */
static void read_output(Lc0Reading *r, const char *output, const char *op, const char *w,
                        const char *b, Value x) {
    if (!lc0_file_size(r->layers.file, "%s", w)) return;
    x = read_matrix(r, op, w, b, x);
    if (x >= 0) program_output(r->layers.program, output, x);
}

static void read_flat_head(Lc0Reading *r, const FlatHead *head, Value trunk) {
    static const char *const MORE[][3] = {{"error", "ip_val_err_w", "ip_val_err_b"},
                                          {"buckets", "ip_val_cat_w", "ip_val_cat_b"}};
    const Lc0Name w2 = lc0_name("%s.%s", head->message, head->w2),
                  b2 = lc0_name("%s.%s", head->message, head->b2);
    if (!lc0_file_size(r->layers.file, "%s", w2.text)) return;
    Value x = read_units(r, head, trunk);
    read_output(r, head->output, lc0_name("%s.v3", head->prefix).text, w2.text, b2.text, x);
    for (int i = 0; i < 2; i++)
        read_output(r, lc0_name("%s_%s", head->output, MORE[i][0]).text,
                    lc0_name("%s.%s", head->prefix, MORE[i][0]).text,
                    lc0_name("%s.%s", head->message, MORE[i][1]).text,
                    lc0_name("%s.%s", head->message, MORE[i][2]).text, x);
}

static void read_values(Lc0Reading *r, Value trunk) {
    static const struct {
        const char *message, *output;
    } VALUES[] = {{"weights", "value"},
                  {"weights.value_heads.winner", "value"},
                  {"weights.value_heads.q", "value_q"},
                  {"weights.value_heads.st", "value_st"}};
    bool several = lc0_file_find(r->layers.file, "%s", VALUES[1].message);
    for (int i = several; i < 4; i++) {
        const FlatHead head = {VALUES[i].message, VALUES[i].output, VALUES[i].output, "value",
                               "ip_val_w",        "ip_val_b",       "ip1_val_w",      "ip1_val_b",
                               "ip2_val_w",       "ip2_val_b"};
        read_flat_head(r, &head, trunk);
    }
    const FlatHead moves_left = {"weights",  "moves_left", "moves_left", "moves_left", "ip_mov_w",
                                 "ip_mov_b", "ip1_mov_w",  "ip1_mov_b",  "ip2_mov_w",  "ip2_mov_b"};
    read_flat_head(r, &moves_left, trunk);
}

/* The policies of older nets. */
static void read_old_policy(Lc0Reading *r, Value trunk) {
    const Lc0File *file = r->layers.file;
    const Lc0ConvBlock
        classical = {.prefix = "policy", .suffix = "1", .tensor = "weights.policy", .kernel = 1},
        first = {.prefix = "policy", .suffix = "1", .tensor = "weights.policy1", .kernel = 3},
        second = {.prefix = "policy", .suffix = "2", .tensor = "weights.policy", .kernel = 3};
    Value x = -1;
    if (lc0_file_size(file, "weights.policy1.weights")) {
        x = lc0_read_activation(r, lc0_read_conv_block(r, first, trunk));
        x = lc0_read_conv_block(r, second, x);
    } else if (lc0_file_size(file, "weights.policy.weights")) {
        x = lc0_read_activation(r, lc0_read_conv_block(r, classical, trunk));
        x = read_flat_matrix(r, "policy.moves", "weights.ip_pol_w", "weights.ip_pol_b", x);
    }
    if (x >= 0) program_output(r->layers.program, "policy", x);
}

/* A policy by attention. */
typedef struct {
    const char *message; /* with its queries and keys */
    const char *output;  /* what the names of its outputs begin with */
} AttentionPolicy;

static void read_attention_policy(Lc0Reading *r, const AttentionPolicy *policy, const char *hidden,
                                  Value trunk) {
    static const char *const PARTS[][3] = {{"queries", "ip2_pol_w", "ip2_pol_b"},
                                           {"keys", "ip3_pol_w", "ip3_pol_b"}};
    const char *message = policy->message, *output = policy->output;
    const Lc0Name w = lc0_name("%s.ip_pol_w", hidden), b = lc0_name("%s.ip_pol_b", hidden);
    if (!lc0_file_find(r->layers.file, "%s.ip2_pol_w", message)) return;
    Value x = read_matrix(r, lc0_name("%s.embed", output).text, w.text, b.text, trunk);
    x = lc0_read_activation(r, x);
    Value y = -1;
    for (int i = 0; i < 2; i++) {
        y = read_matrix(r, lc0_name("%s.%s", output, PARTS[i][0]).text,
                        lc0_name("%s.%s", message, PARTS[i][1]).text,
                        lc0_name("%s.%s", message, PARTS[i][2]).text, x);
        if (y >= 0)
            program_output(r->layers.program, lc0_name("%s_%s", output, PARTS[i][0]).text, y);
    }
    read_output(r, lc0_name("%s_promotions", output).text, lc0_name("%s.promotions", output).text,
                lc0_name("%s.ip4_pol_w", message).text, "", y);
}

/* Reads the policies by attention, unless they have encoders of their own or read a tower: lc0 then
 * computes them with SELU, for which Aji has no op. */
static void read_attention_policies(Lc0Reading *r, Value trunk) {
    static const char SHARED[] = "weights.policy_heads", OLD[] = "weights";
    static const AttentionPolicy POLICIES[] = {
        {"weights", "policy"},
        {"weights.policy_heads.vanilla", "policy"},
        {"weights.policy_heads.optimistic_st", "policy_optimistic_st"},
        {"weights.policy_heads.soft", "policy_soft"},
        {"weights.policy_heads.opponent", "policy_opponent"}};
    const Lc0File *file = r->layers.file;
    bool several = lc0_file_find(file, "%s", POLICIES[1].message),
         shared = lc0_file_find(file, "%s.ip_pol_w", SHARED);
    if (!r->format.attention) return;
    for (int i = several; i < 5; i++) {
        const char *message = POLICIES[i].message;
        if (lc0_file_find(file, "%s.pol_encoder[0]", message)) continue;
        bool own = lc0_file_find(file, "%s.ip_pol_w", message);
        read_attention_policy(r, &POLICIES[i], own ? message : shared ? SHARED : OLD, trunk);
    }
}

void lc0_read_chess_heads(Lc0Reading *r, Value trunk) {
    if (trunk < 0) return;
    program_output(r->layers.program, "trunk", trunk);
    read_values(r, trunk);
    if (r->format.policy == LC0_POLICY_ATTENTION)
        read_attention_policies(r, trunk);
    else
        read_old_policy(r, trunk);
}

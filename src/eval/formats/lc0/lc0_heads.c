/* The heads of a net of lc0 for Go. Where a net for chess reads all squares as one vector, pooling
 * over the board takes its place, so that the net plays boards of all sizes. The policy is one
 * query for the whole board with a key of each point. lc0_chess_heads.c has the heads of chess. */
#include <string.h>

#include "eval/arch/heads.h"
#include "eval/formats/lc0/lc0_policies.h"
#include "eval/formats/lc0/lc0_reading.h"

/* Whether two tensors have the same bytes. */
static bool same_tensor(const Lc0File *file, const char *a, const char *b) {
    const Lc0Entry *first = lc0_file_find(file, "%s", a), *second = lc0_file_find(file, "%s", b);
    if (!first || !second) return first == second;
    const ProtoBytes *x = &first->value.bytes, *y = &second->value.bytes;
    return x->left == y->left && memcmp(x->at, y->at, x->left) == 0;
}

/* Adds pooling over the board. `outputs` says how many channels the pooled values must have, and
 * with it the kind of pooling. `kinds` has the kind by the number of pooled values of a channel, or
 * -1. */
static Value pooled(Lc0Reading *r, const char *tensor, const int kinds[4], int outputs, Value x) {
    int channels = lc0_channels(&r->layers, x);
    if (x < 0 || outputs < 1) return -1;
    int times = outputs / channels;
    bool known = outputs % channels == 0 && times >= 1 && times <= 3 && kinds[times] >= 0;
    if (!known)
        return lc0_layers_refuse(&r->layers, ERR_SYNTAX,
                                 "%s reads %d numbers, which no pooling of %d channels gives",
                                 tensor, outputs, channels);
    return program_global_pool(r->layers.program, x, (PoolKind)kinds[times]);
}

/* Adds a hidden layer of each point: a matrix, a bias, the activation and the mask. */
static Value read_points(Lc0Reading *r, const char *op, const char *bias_op, const char *w,
                         const char *b, Value trunk) {
    Lc0Layers *layers = &r->layers;
    size_t in = (size_t)lc0_channels(layers, trunk);
    int out = lc0_rows(layers, w, in);
    if (out < 1) return -1;
    const Lc0Conv conv = {.numbers = lc0_numbers(layers, w, in * (size_t)out),
                          .kernel = 1,
                          .out = out,
                          .all_in = (int)in};
    Value x = lc0_bias(layers, bias_op, b, lc0_conv(layers, op, conv, trunk));
    return lc0_read_activation(r, x);
}

/* Adds the hidden units that read the pooled board. */
static Value read_hidden(Lc0Reading *r, const char *prefix, const char *w, const char *b,
                         Value points) {
    static const int KINDS[4] = {-1, POOL_MEAN, -1, POOL_MEAN_SCALE_SCALE};
    Lc0Layers *layers = &r->layers;
    int hidden = lc0_rows(layers, b, 1);
    Value x = hidden < 1 ? -1 : pooled(r, w, KINDS, lc0_rows(layers, w, (size_t)hidden), points);
    x = lc0_dense(layers, lc0_name("%s.v2", prefix).text, w, x, hidden);
    x = lc0_bias(layers, lc0_name("%s.v2bias", prefix).text, b, x);
    return lc0_activation(layers, r->format.activation, x);
}

/* Adds a matrix with a bias as an output, if the file has it. */
static void read_output(Lc0Reading *r, HeadId head, const char *op, const char *w, const char *b,
                        Value x) {
    Lc0Layers *layers = &r->layers;
    if (x < 0 || !lc0_file_find(layers->file, "%s", w)) return;
    int channels = HEADS[head].channels,
        rows = lc0_rows(layers, w, (size_t)lc0_channels(layers, x));
    if (rows < 1) return;
    if (rows != channels) {
        lc0_layers_refuse(layers, ERR_UNSUPPORTED, "%s has %d outputs, but Aji's head %s has %d", w,
                          rows, HEADS[head].name, channels);
        return;
    }
    x = lc0_dense(layers, op, w, x, channels);
    x = lc0_bias(layers, lc0_name("%sbias", op).text, b, x);
    if (x >= 0) program_output(layers->program, HEADS[head].name, x);
}

/* Adds the logits of the value, which lc0 has in the order win, draw, loss, and Aji in the order
 * win, loss, no result. */
static void read_outcome(Lc0Reading *r, const char *w, const char *b, Value x) {
    static const int ORDER[] = {0, 2, 1};
    Lc0Layers *layers = &r->layers;
    if (x < 0) return;
    size_t in = (size_t)lc0_channels(layers, x);
    const float *weights = lc0_numbers(layers, w, 3 * in), *biases = NULL;
    if (weights) biases = lc0_numbers(layers, b, 3);
    float *ordered = lc0_room(layers, 3 * in + 3);
    if (!ordered || !biases) return;
    for (int i = 0; i < 3; i++) {
        memcpy(ordered + (size_t)i * in, weights + (size_t)ORDER[i] * in, in * sizeof *ordered);
        ordered[3 * in + (size_t)i] = biases[ORDER[i]];
    }
    x = program_dense(layers->program, "value.v3", x, 3, 0);
    lc0_fill(layers, x, 0, ordered);
    x = program_bias(layers->program, "value.v3bias", x);
    lc0_fill(layers, x, 0, ordered + 3 * in);
    program_output(layers->program, HEADS[HEAD_VALUE].name, x);
}

#define VALUE "weights.value_heads.winner."
#define MOVES "weights."

/* The moves left read the hidden layers of the value if they have the same weights. */
static void read_moves_left(Lc0Reading *r, Value trunk, Value hidden) {
    static const char *const PAIRS[][2] = {{MOVES "ip_mov_w", VALUE "ip_val_w"},
                                           {MOVES "ip_mov_b", VALUE "ip_val_b"},
                                           {MOVES "ip1_mov_w", VALUE "ip1_val_w"},
                                           {MOVES "ip1_mov_b", VALUE "ip1_val_b"}};
    bool same = hidden >= 0;
    if (!lc0_file_find(r->layers.file, MOVES "ip2_mov_w")) return;
    for (int i = 0; i < 4; i++)
        same = same && same_tensor(r->layers.file, PAIRS[i][0], PAIRS[i][1]);
    if (!same) {
        Value x = read_points(r, "movesleft.v1", "movesleft.v1norm.shift", MOVES "ip_mov_w",
                              MOVES "ip_mov_b", trunk);
        hidden = read_hidden(r, "movesleft", MOVES "ip1_mov_w", MOVES "ip1_mov_b", x);
    }
    read_output(r, HEAD_MOVES_LEFT, "value.movesleft", MOVES "ip2_mov_w", MOVES "ip2_mov_b",
                hidden);
}

static void read_go_value(Lc0Reading *r, Value trunk) {
    Value hidden = -1;
    if (lc0_file_find(r->layers.file, VALUE "ip2_val_w")) {
        Value x = read_points(r, "value.v1", "value.v1norm.shift", VALUE "ip_val_w",
                              VALUE "ip_val_b", trunk);
        hidden = read_hidden(r, "value", VALUE "ip1_val_w", VALUE "ip1_val_b", x);
        read_outcome(r, VALUE "ip2_val_w", VALUE "ip2_val_b", hidden);
        read_output(r, HEAD_VALUE_ERROR, "value.error", VALUE "ip_val_err_w", VALUE "ip_val_err_b",
                    hidden);
        read_output(r, HEAD_VALUE_BUCKETS, "value.buckets", VALUE "ip_val_cat_w",
                    VALUE "ip_val_cat_b", hidden);
    }
    read_moves_left(r, trunk, hidden);
}

#undef VALUE
#undef MOVES

/* Finds the message of a policy. Returns false if the file does not have the policy. */
static bool policy_message(const Lc0File *file, const Lc0PolicyName *policy, Lc0Name *out) {
    static const char HEADS_NAME[] = "weights.policy_heads", MAP[] = "policy_head_map";
    *out = lc0_name("%s.%s", HEADS_NAME, policy->name);
    if (!policy->mapped) return lc0_file_find(file, "%s", out->text);
    for (int i = 0;; i++) {
        const Lc0Entry *key = lc0_file_find(file, "%s.%s[%d].key", HEADS_NAME, MAP, i);
        if (!key) return false;
        *out = lc0_name("%s.%s[%d].value", HEADS_NAME, MAP, i);
        if (key->value.bytes.left == strlen(policy->name) &&
            memcmp(key->value.bytes.at, policy->name, strlen(policy->name)) == 0)
            return true;
    }
}

/* The policies of a net for Go. */
typedef struct {
    Lc0Name messages[LC0_POLICY_COUNT];
    int count;
    int width;   /* channels of a key */
    int columns; /* channels of the pooled hidden layer */
} FoundPolicies;

/* Finds the policies, which must be the first ones of LC0_POLICY_NAMES. */
static bool find_policies(Lc0Reading *r, FoundPolicies *out) {
    const Lc0File *file = r->layers.file;
    Lc0Name name;
    *out = (FoundPolicies){.count = 0};
    for (int i = 0; i < LC0_POLICY_COUNT; i++) {
        if (!policy_message(file, &LC0_POLICY_NAMES[i], &name)) continue;
        if (i != out->count)
            lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED,
                              "it has the policy %s, but not the policy %s",
                              LC0_POLICY_NAMES[i].name, LC0_POLICY_NAMES[out->count].name);
        out->messages[out->count++] = name;
        if (lc0_file_find(file, "%s.ip_pol_w", name.text))
            lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED, "%s.ip_pol_w: its own hidden layer",
                              name.text);
    }
    int mapped = 0;
    for (int i = 0; i < out->count; i++)
        mapped += LC0_POLICY_NAMES[i].mapped;
    if (!out->count) lc0_layers_refuse(&r->layers, ERR_SYNTAX, "it has no policy");
    if (mapped != lc0_file_times(file, "weights.policy_heads.policy_head_map"))
        lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED,
                          "weights.policy_heads.policy_head_map has a policy that is not known");
    return lc0_layers_good(&r->layers);
}

/* Joins a tensor of all policies, which has `count` numbers in each. If a policy lacks it, its
 * numbers are 0. */
static const float *join_tensor(Lc0Reading *r, const FoundPolicies *p, const char *tensor,
                                size_t count, bool optional) {
    float *all = lc0_room(&r->layers, count * (size_t)p->count);
    for (int i = 0; all && i < p->count; i++) {
        const Lc0Name name = lc0_name("%s.%s", p->messages[i].text, tensor);
        if (optional && !lc0_file_find(r->layers.file, "%s", name.text)) continue;
        const float *numbers = lc0_numbers(&r->layers, name.text, count);
        if (!numbers) return NULL;
        memcpy(all + (size_t)i * count, numbers, count * sizeof *all);
    }
    return all;
}

/* All policies must have the same keys, as in Aji's nets. */
static bool keys_agree(Lc0Reading *r, const FoundPolicies *p) {
    static const char *const KEYS[] = {"ip3_pol_w", "ip3_pol_b"};
    for (int i = 1; i < p->count; i++) {
        for (int k = 0; k < 2; k++) {
            const Lc0Name first = lc0_name("%s.%s", p->messages[0].text, KEYS[k]),
                          other = lc0_name("%s.%s", p->messages[i].text, KEYS[k]);
            if (!same_tensor(r->layers.file, first.text, other.text))
                lc0_layers_refuse(&r->layers, ERR_UNSUPPORTED,
                                  "%s differs from %s: policies with different keys", other.text,
                                  first.text);
        }
    }
    return lc0_layers_good(&r->layers);
}

static void read_pass(Lc0Reading *r, const FoundPolicies *p, Value pooled_values) {
    Lc0Layers *layers = &r->layers;
    const Lc0Name first = lc0_name("%s.ip4_pol_w", p->messages[0].text);
    if (!lc0_file_find(layers->file, "%s", first.text)) return;
    const float *numbers = join_tensor(r, p, "ip4_pol_w", (size_t)p->columns, false);
    if (!numbers) return;
    Value pass = program_dense(layers->program, "policy.pass", pooled_values, p->count, 0);
    lc0_fill(layers, pass, 0, numbers);
    program_output(layers->program, HEADS[HEAD_PASS].name, pass);
}

static void read_go_policy(Lc0Reading *r, Value trunk) {
    static const int KINDS[4] = {-1, POOL_MEAN, POOL_MEAN_MAX, POOL_MEAN_SCALE_MAX};
    Lc0Layers *layers = &r->layers;
    FoundPolicies p;
    if (!find_policies(r, &p) || !keys_agree(r, &p)) return;
    const Lc0Name key_w = lc0_name("%s.ip3_pol_w", p.messages[0].text),
                  key_b = lc0_name("%s.ip3_pol_b", p.messages[0].text),
                  query_w = lc0_name("%s.ip2_pol_w", p.messages[0].text);
    Value hidden =
        read_points(r, "policy.embed", "policy.embednorm.shift", "weights.policy_heads.ip_pol_w",
                    "weights.policy_heads.ip_pol_b", trunk);
    if (hidden < 0) return;
    size_t channels = (size_t)lc0_channels(layers, hidden);
    p.width = lc0_rows(layers, key_w.text, channels);
    p.columns = p.width < 1 ? 0 : lc0_rows(layers, query_w.text, (size_t)p.width);
    Value z = pooled(r, query_w.text, KINDS, p.columns, hidden);
    const float *queries =
        z < 0 ? NULL : join_tensor(r, &p, "ip2_pol_w", (size_t)p.width * (size_t)p.columns, false);
    const float *biases = queries ? join_tensor(r, &p, "ip2_pol_b", (size_t)p.width, true) : NULL;
    if (!biases) return;
    const Lc0Conv conv = {.numbers = lc0_numbers(layers, key_w.text, channels * (size_t)p.width),
                          .kernel = 1,
                          .out = p.width,
                          .all_in = (int)channels};
    Value keys = lc0_bias(layers, "policy.keysbias", key_b.text,
                          lc0_conv(layers, "policy.keys", conv, hidden));
    if (keys < 0) return;
    Value q = program_dense(layers->program, "policy.queries", z, p.count * p.width, 0);
    lc0_fill(layers, q, 0, queries);
    q = program_bias(layers->program, "policy.queriesbias", q);
    lc0_fill(layers, q, 0, biases);
    program_output(
        layers->program, HEADS[HEAD_POLICY].name,
        program_add_op(layers->program, "", (Op){.kind = OP_QUERIES, .inputs = {keys, q}}));
    read_pass(r, &p, z);
}

void lc0_read_go_heads(Lc0Reading *r, Value trunk) {
    if (trunk < 0) return;
    read_go_policy(r, trunk);
    read_go_value(r, trunk);
}

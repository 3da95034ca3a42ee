#include "eval/formats/lc0/lc0_save.h"

#include <string.h>

#include "base/file.h"
#include "base/formats/gzip_writer.h"
#include "eval/arch/heads.h"
#include "eval/formats/lc0/lc0_policies.h"
#include "eval/formats/lc0/lc0_put_body.h"

enum { MAGIC = 0x1c0, GZIP_LEVEL = 6 };
/* The version of lc0 that has all fields that are written. */
enum { LC0_MAJOR = 0, LC0_MINOR = 31 };

typedef struct {
    Lc0Parts parts; /* its sink has the weights */
    Lc0Sink head;   /* what stands before the weights, which say some of it */
    HeadIndex heads;
} Saving;

static Value output_of(const Saving *s, HeadId head) {
    int index = s->heads.output[head];
    return index < 0 ? -1 : program_output_value(s->parts.program, index);
}

/* A layer that reads the pooled board, and the hidden layer of each point before the pooling. */
typedef struct {
    Value pooled;
    Lc0Linear points;
} Pooled;

static bool pool_fits(PoolKind kind, const PoolKind *kinds, int count) {
    for (int i = 0; i < count; i++) {
        if (kinds[i] == kind) return true;
    }
    return false;
}

/* Finds the pooling that gives `end`. */
static Pooled find_pooled(Saving *s, Value end, const PoolKind *kinds, int count) {
    Lc0Parts *parts = &s->parts;
    Pooled found = {.pooled = lc0_expect(parts, end, OP_GLOBAL_POOL), .points = {.matrix = -1}};
    if (found.pooled < 0) return found;
    if (!pool_fits(lc0_op(parts, end)->pool, kinds, count))
        lc0_parts_refuse(parts, end, "a kind of pooling that the mapping to lc0's format lacks");
    Value x = lc0_behind_mask(parts, lc0_input(parts, end, 0));
    lc0_find_net_activation(parts, &x);
    found.points = lc0_find_linear(parts, x, 1);
    return found;
}

/* The layers of the policy. */
typedef struct {
    Pooled hidden;
    Lc0Linear keys, queries, pass;
    bool has_pass;
} Policy;

static Policy find_policy(Saving *s) {
    static const PoolKind KINDS[] = {POOL_MEAN_SCALE_MAX, POOL_MEAN_MAX, POOL_MEAN};
    Lc0Parts *parts = &s->parts;
    Policy p = {.has_pass = output_of(s, HEAD_PASS) >= 0};
    Value end = output_of(s, HEAD_POLICY);
    if (lc0_op(parts, end)->kind != OP_QUERIES)
        lc0_parts_refuse(parts, end,
                         "a policy without attention; lc0's files hold policies that were built "
                         "with policy_attention and policy_embedding");
    p.keys = lc0_find_linear(parts, lc0_input(parts, end, 0), 1);
    p.queries = lc0_find_linear(parts, lc0_input(parts, end, 1), 1);
    if (p.has_pass) p.pass = lc0_find_linear(parts, output_of(s, HEAD_PASS), 1);
    if (!lc0_parts_good(parts)) return p;
    p.hidden = find_pooled(s, p.queries.input, KINDS, 3);
    if (!lc0_parts_good(parts)) return p;
    if (lc0_input(parts, p.hidden.pooled, 0) != p.keys.input)
        lc0_parts_refuse(parts, p.keys.matrix,
                         "keys and queries of different hidden layers, where lc0 has one "
                         "(policy_embedding)");
    if (p.has_pass && p.pass.input != p.hidden.pooled)
        lc0_parts_refuse(parts, p.pass.matrix, "it does not read the hidden layer of the policy");
    if (p.has_pass && p.pass.has_bias)
        lc0_parts_refuse(parts, p.pass.matrix, "a bias, which lc0 lacks here");
    if (p.queries.out / p.keys.out > LC0_POLICY_COUNT)
        lc0_parts_refuse(parts, p.queries.matrix, "values of moves beside the policies");
    return p;
}

/* Returns those rows of a map that belong to one of several equal parts. */
static Lc0Linear part_of(const Lc0Linear *all, int index, int parts) {
    Lc0Linear part = *all;
    part.out = all->out / parts;
    part.weights = all->weights + (size_t)index * (size_t)part.out * (size_t)all->in;
    part.biases = all->biases + (size_t)index * (size_t)part.out;
    return part;
}

static void put_policy_tensors(Saving *s, const Policy *p, int index, int count) {
    Lc0Parts *parts = &s->parts;
    Lc0Linear queries = part_of(&p->queries, index, count);
    lc0_put_linear(parts, &queries, "ip2_pol_w", "ip2_pol_b");
    lc0_put_linear(parts, &p->keys, "ip3_pol_w", p->keys.has_bias ? "ip3_pol_b" : NULL);
    if (!p->has_pass) return;
    Lc0Linear pass = part_of(&p->pass, index, count);
    lc0_put_linear(parts, &pass, "ip4_pol_w", NULL);
}

static void put_policy(Saving *s, const Policy *p) {
    Lc0Sink *sink = &s->parts.sink;
    int count = p->queries.out / p->keys.out;
    lc0_begin(sink, "policy_heads");
    lc0_put_linear(&s->parts, &p->hidden.points, "ip_pol_w", "ip_pol_b");
    for (int i = 0; i < count && lc0_parts_good(&s->parts); i++) {
        const Lc0PolicyName *name = &LC0_POLICY_NAMES[i];
        if (name->mapped) {
            lc0_begin(sink, "policy_head_map");
            lc0_put_text(sink, "key", name->name);
        }
        lc0_begin(sink, name->mapped ? "value" : name->name);
        put_policy_tensors(s, p, i, count);
        lc0_end(sink);
        if (name->mapped) lc0_end(sink);
    }
    lc0_end(sink);
}

/* The layers of the value. Several outputs read its hidden units. */
typedef struct {
    Pooled hidden;
    Lc0Linear units, outcome, error, buckets, moves;
} ValueParts;

/* Finds an output that reads the same hidden units as the value. */
static Lc0Linear find_output(Saving *s, HeadId head, Value units) {
    Value end = output_of(s, head);
    Lc0Linear none = {.matrix = -1};
    if (end < 0) return none;
    Lc0Linear found = lc0_find_linear(&s->parts, end, 1);
    if (found.matrix >= 0 && found.input != units)
        lc0_parts_refuse(&s->parts, found.matrix, "it does not read the hidden units of the value");
    return found;
}

static ValueParts find_value(Saving *s) {
    static const PoolKind KINDS[] = {POOL_MEAN_SCALE_SCALE, POOL_MEAN};
    ValueParts v = {.outcome = lc0_find_linear(&s->parts, output_of(s, HEAD_VALUE), 1)};
    Value units = v.outcome.input;
    if (!lc0_parts_good(&s->parts)) return v;
    v.error = find_output(s, HEAD_VALUE_ERROR, units);
    v.buckets = find_output(s, HEAD_VALUE_BUCKETS, units);
    v.moves = find_output(s, HEAD_MOVES_LEFT, units);
    lc0_find_net_activation(&s->parts, &units);
    v.units = lc0_find_linear(&s->parts, units, 1);
    if (lc0_parts_good(&s->parts)) v.hidden = find_pooled(s, v.units.input, KINDS, 2);
    return v;
}

/* Writes the logits of the value, which Aji has in the order win, loss, no result, and lc0 in the
 * order win, draw, loss. */
static void put_outcome(Saving *s, const Lc0Linear *outcome) {
    static const size_t ORDER[] = {0, 2, 1};
    size_t in = (size_t)outcome->in;
    Lc0Linear ordered = *outcome;
    float *weights = lc0_parts_room(&s->parts, 3 * in + 3);
    if (!weights) return;
    for (size_t i = 0; i < 3; i++) {
        memcpy(weights + i * in, outcome->weights + ORDER[i] * in, in * sizeof *weights);
        weights[3 * in + i] = outcome->biases[ORDER[i]];
    }
    ordered.weights = weights;
    ordered.biases = weights + 3 * in;
    lc0_put_linear(&s->parts, &ordered, "ip2_val_w", "ip2_val_b");
}

static void put_value(Saving *s, const ValueParts *v) {
    Lc0Parts *parts = &s->parts;
    lc0_begin(&parts->sink, "value_heads");
    lc0_begin(&parts->sink, "winner");
    lc0_put_linear(parts, &v->hidden.points, "ip_val_w", "ip_val_b");
    lc0_put_linear(parts, &v->units, "ip1_val_w", "ip1_val_b");
    put_outcome(s, &v->outcome);
    if (v->error.matrix >= 0) lc0_put_linear(parts, &v->error, "ip_val_err_w", "ip_val_err_b");
    if (v->buckets.matrix >= 0) lc0_put_linear(parts, &v->buckets, "ip_val_cat_w", "ip_val_cat_b");
    lc0_end(&parts->sink);
    lc0_end(&parts->sink);
    if (v->moves.matrix < 0) return;
    lc0_put_linear(parts, &v->hidden.points, "ip_mov_w", "ip_mov_b");
    lc0_put_linear(parts, &v->units, "ip1_mov_w", "ip1_mov_b");
    lc0_put_linear(parts, &v->moves, "ip2_mov_w", "ip2_mov_b");
}

static void put_weights(Saving *s) {
    Lc0Parts *parts = &s->parts;
    Policy policy = find_policy(s);
    ValueParts value = find_value(s);
    if (!lc0_parts_good(parts)) return;
    Value trunk = policy.hidden.points.input;
    if (value.hidden.points.input != trunk)
        lc0_parts_refuse(parts, value.hidden.points.matrix,
                         "it does not read the end of the trunk");
    lc0_begin(&parts->sink, "weights");
    if (lc0_parts_good(parts)) lc0_put_body(parts, trunk);
    if (lc0_parts_good(parts)) put_policy(s, &policy);
    if (lc0_parts_good(parts)) put_value(s, &value);
    lc0_end(&parts->sink);
}

static void put_format(Saving *s) {
    const Lc0Format *format = &s->parts.format;
    Lc0Sink *sink = &s->head;
    lc0_begin(sink, "format");
    lc0_put_number(sink, "weights_encoding", LC0_LINEAR16);
    lc0_begin(sink, "network_format");
    lc0_put_number(sink, "output", LC0_OUTPUT_WDL);
    lc0_put_number(sink, "network",
                   format->attention ? LC0_NETWORK_ATTENTION_MULTI : LC0_NETWORK_SE_HEADS);
    lc0_put_number(sink, "policy", LC0_POLICY_ATTENTION);
    lc0_put_number(sink, "value", LC0_VALUE_WDL);
    lc0_put_number(sink, "moves_left",
                   s->heads.output[HEAD_MOVES_LEFT] >= 0 ? LC0_MOVES_LEFT_V1 : 0);
    lc0_put_number(sink, "default_activation", format->activation == LC0_ACTIVATION_MISH);
    if (s->parts.has_smolgen)
        lc0_put_number(sink, "smolgen_activation", format->smolgen_activation);
    if (s->parts.has_ffn) lc0_put_number(sink, "ffn_activation", format->ffn_activation);
    lc0_put_number(sink, "input_embedding", LC0_EMBEDDING_NONE);
    lc0_end(sink);
    lc0_end(sink);
}

static Status put_head(Saving *s, Error *err) {
    Lc0Sink *sink = &s->head;
    StrBuf note = {0};
    const char *license = net_note(s->parts.net, "license");
    lc0_put_fixed(sink, "magic", MAGIC);
    if (license) lc0_put_text(sink, "license", license);
    lc0_begin(sink, "min_version");
    lc0_put_number(sink, "major", LC0_MAJOR);
    lc0_put_number(sink, "minor", LC0_MINOR);
    lc0_put_number(sink, "patch", 0);
    lc0_end(sink);
    put_format(s);
    lc0_format_note(&s->parts.format, &note);
    Status status = strbuf_status(&note, err);
    lc0_begin(sink, "training_params");
    lc0_put_text(sink, "lc0_params", strbuf_text(&note));
    lc0_end(sink);
    strbuf_clear(&note);
    return status;
}

/* Refuses heads that lc0's files have no place for, and formats of KataGo's nets. */
static Status check(const Saving *s, const ModelFormat *model_format, Error *err) {
    static const char REFUSAL[] = "lc0's files cannot hold this net:";
    static const HeadId KNOWN[] = {HEAD_POLICY,     HEAD_PASS,        HEAD_VALUE,
                                   HEAD_MOVES_LEFT, HEAD_VALUE_ERROR, HEAD_VALUE_BUCKETS};
    const char *parameter;
    bool own = model_format->own_policies && !model_format->metadata;
    if (own && model_format->version == MODEL_FORMAT_VERSION_RMS)
        return fail(err, ERR_UNSUPPORTED,
                    "%s an RMS norm ends its trunk (tip=none leaves the norm out)", REFUSAL);
    if (!model_format->own_policies || model_format->version != MODEL_FORMAT_DEFAULT.version ||
        model_format->metadata || model_format->passalive_under_suicide)
        return fail(err, ERR_UNSUPPORTED,
                    "%s its inputs and outputs are those of KataGo's model version %d", REFUSAL,
                    model_format->version);
    if (s->heads.gonn >= 0)
        return fail(err, ERR_UNSUPPORTED, "%s it reads GoNN's input planes", REFUSAL);
    for (int i = 0; i < HEAD_COUNT; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++)
            known |= (int)KNOWN[k] == i;
        if (s->heads.output[i] >= 0 && !known)
            return fail(err, ERR_UNSUPPORTED, "%s they have no place for its head \"%s\"", REFUSAL,
                        HEADS[i].name);
    }
    if (s->heads.output[HEAD_VALUE] < 0)
        return fail(err, ERR_UNSUPPORTED, "%s it has no head \"%s\"", REFUSAL,
                    HEADS[HEAD_VALUE].name);
    if (!net_is_finite(s->parts.net, &parameter))
        return fail(err, ERR_ARGUMENT, "%s holds a number that is not finite", parameter);
    return OK;
}

static Status write_file(const Saving *s, const char *path, Error *err) {
    GzipWriter *writer;
    const StrBuf *head, *weights;
    Status status = lc0_sink_finish(&s->head, &head, err);
    if (!status) status = lc0_sink_finish(&s->parts.sink, &weights, err);
    if (status) return status;
    status = gzip_writer_open(path, path_has_ending(path, ".gz") ? GZIP_LEVEL : 0, &writer, err);
    if (status) return status;
    gzip_writer_add(writer, head->text, head->length);
    gzip_writer_add(writer, weights->text, weights->length);
    return gzip_writer_commit(writer, err);
}

Status lc0_net_save(const Net *net, const char *path, Error *err) {
    Saving s = {.parts = {.net = net,
                          .program = net_program(net),
                          .smolgen = -1,
                          .format = {.go = true, .side = 19, .epsilon = 1e-3f}}};
    ModelFormat model_format;
    Status status = model_format_of(net, &model_format, err);
    if (!status) status = heads_find_as(s.parts.program, &model_format, &s.heads, err);
    if (!status) status = check(&s, &model_format, err);
    lc0_sink_init(&s.parts.sink);
    lc0_sink_init(&s.head);
    if (!status) put_weights(&s);
    if (!lc0_parts_good(&s.parts))
        status = fail(err, s.parts.fault.status, "%s", s.parts.fault.message);
    if (!status) status = put_head(&s, err);
    if (!status) status = write_file(&s, path, err);
    lc0_sink_clear(&s.head);
    lc0_sink_clear(&s.parts.sink);
    arena_clear(&s.parts.arena);
    return status;
}

#include "eval/formats/katago_save.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "eval/arch/heads.h"
#include "eval/features/features.h"
#include "eval/features/metadata.h"
#include "eval/formats/katago_put_blocks.h"
#include "eval/formats/katago_put_transformer.h"

typedef struct {
    KatagoParts parts;
    HeadIndex heads;
    const char *path;
} Saving;

static Value output_of(const Saving *s, int index) {
    return program_output_value(s->parts.program, index);
}

static Value input_of(const Saving *s, int index) {
    return index < 0 ? -1 : program_input_value(s->parts.program, index);
}

/* Writes the net's name. If the net has no name, writes the name of the file up to the first dot.
 * KataGo accepts at most 96 characters, which must be letters, digits, '-' or '_'. */
static void put_net_name(Saving *s) {
    enum { LENGTH_MAX = 96 };
    char name[LENGTH_MAX + 1];
    const char *given = net_note(s->parts.net, "name"), *last = path_name(s->path);
    size_t length = 0, max = given && *given ? strlen(given) : strcspn(last, ".");
    if (!given || !*given) given = last;
    if (max > LENGTH_MAX) max = LENGTH_MAX;
    for (; length < max; length++)
        name[length] =
            isalnum((unsigned char)given[length]) || given[length] == '-' ? given[length] : '_';
    name[length] = 0;
    katago_put_word(&s->parts.sink, length ? name : "net");
}

/* Returns whether this is one of our own nets and has values of moves. */
static bool has_q_values(const Saving *s) {
    return s->parts.model_format.own_policies && s->heads.policies.at[POLICY_Q_SCORE] >= 0;
}

static void check_model_format(Saving *s) {
    const ModelFormat *model_format = &s->parts.model_format;
    int version = model_format->version;
    bool own =
        has_q_values(s) ? version == MODEL_FORMAT_VERSION_Q_VALUES : version >= 12 && version <= 15;
    if (model_format->own_policies && !own)
        parts_refuse(&s->parts, -1, "this net's policies are not those of model version %d",
                     version);
    else if (model_format->metadata && version < 15)
        parts_refuse(&s->parts, -1, "model version %d cannot be conditioned on the players",
                     version);
    else if (model_format->passalive_under_suicide && version < 15)
        parts_refuse(&s->parts, -1,
                     "model version %d cannot show pass-alive areas as if suicide were legal",
                     version);
    if (s->heads.gonn >= 0)
        parts_refuse(&s->parts, input_of(s, s->heads.gonn),
                     "GoNN's input planes, which KataGo's features do not have");
    Value mask;
    int channel;
    program_mask_source(s->parts.program, &mask, &channel);
    if (mask != input_of(s, s->heads.planes) || channel != 0)
        parts_refuse(&s->parts, mask, "the mask must be the first input plane");
}

static void put_header(Saving *s) {
    KatagoSink *sink = &s->parts.sink;
    const ModelFormat *model_format = &s->parts.model_format;
    const ScoreMultipliers *score = &model_format->score;
    int features = model_format_features(model_format);
    put_net_name(s);
    katago_put_ints(
        sink, 3,
        (int[]){model_format->version, feature_planes(features), feature_globals(features)});
    const double multipliers[] = {
        model_format->td_score,   score->mean,           score->stdev, score->lead, score->var_time,
        score->shortterm_winloss, score->shortterm_score};
    for (size_t i = 0; model_format->version >= 13 && i < sizeof multipliers / sizeof *multipliers;
         i++)
        katago_put_number(sink, (float)multipliers[i]);
    if (model_format->version >= 15)
        katago_put_ints(sink, 8,
                        (int[8]){model_format->metadata, model_format->passalive_under_suicide});
}

/* Writes the layers between the metadata and the trunk: two hidden layers and a last matrix. */
static void put_metadata(Saving *s, Value end) {
    KatagoParts *parts = &s->parts;
    KatagoHidden second, first;
    end = parts_expect(parts, end, OP_DENSE);
    second = parts_find_hidden(parts, parts_input(parts, end, 0));
    first = parts_find_hidden(parts, second.input);
    parts_meet(parts, first.matrix, first.input, input_of(s, s->heads.metadata));
    katago_put_word(&parts->sink, "metadata");
    katago_put_int(&parts->sink, METADATA_COUNT);
    parts_put_hidden(parts, &first);
    parts_put_hidden(parts, &second);
    parts_put_all(parts, end);
}

static void put_start(Saving *s, Value begin) {
    KatagoParts *parts = &s->parts;
    Value conv = parts_expect_conv(parts, parts_input(parts, begin, 0)),
          globals = parts_input(parts, begin, 1), encoded = -1;
    if (parts->model_format.metadata) {
        encoded = parts_input(parts, parts_expect(parts, globals, OP_ADD), 1);
        globals = parts_input(parts, globals, 0);
    }
    globals = parts_expect(parts, globals, OP_DENSE);
    parts_meet(parts, conv, parts_selected_from(parts, parts_conv_input(parts, conv)),
               input_of(s, s->heads.planes));
    parts_meet(parts, globals, parts_selected_from(parts, parts_input(parts, globals, 0)),
               input_of(s, s->heads.globals));
    parts_put_all(parts, conv);
    parts_put_all(parts, globals);
    if (parts->model_format.metadata) put_metadata(s, encoded);
}

/* Finds the input of the first block, and counts the blocks. */
static Value find_blocks(KatagoParts *parts, Value end, int *count) {
    Value begin = katago_blocks_begin(parts, end, count);
    OpKind kind = parts_op(parts, begin)->kind;
    if (kind == OP_LAYER_NORM || kind == OP_RMS_NORM)
        parts_refuse(parts, begin,
                     "a norm behind the sum of a block; KataGo's blocks begin with a norm instead");
    return parts_expect(parts, begin, OP_ADD_BROADCAST);
}

static void put_trunk(Saving *s, Value trunk) {
    KatagoParts *parts = &s->parts;
    KatagoNorm tip = parts_find_norm(parts, trunk);
    int count;
    Value begin = find_blocks(parts, tip.input, &count);
    bool rms = tip.rms_norm >= 0;
    if (parts_good(parts) && !count) parts_refuse(parts, begin, "a trunk without blocks");
    if (rms && parts->model_format.version < 15)
        parts_refuse(parts, tip.rms_norm, "an RMS norm, which model version %d does not have",
                     parts->model_format.version);
    if (!parts_good(parts)) return;
    KatagoWidths widths = katago_block_widths(parts, tip.input, count);
    katago_put_word(&parts->sink, "trunk");
    katago_put_ints(&parts->sink, 6,
                    (int[]){count, parts_op(parts, begin)->channels, widths.middle, widths.regular,
                            widths.pooled, widths.pooled});
    if (parts->model_format.version >= 15) katago_put_ints(&parts->sink, 6, (int[6]){rms});
    put_start(s, begin);
    katago_put_blocks(parts, tip.input, count);
    if (rms)
        katago_put_rms_tip(parts, &tip);
    else
        parts_put_norm(parts, &tip);
}

/* The channels of the policy head that are written. For our own nets these are POLICY_OWN,
 * POLICY_OPTIMISTIC (or POLICY_OWN again if the net does not have it), and the two values of moves
 * if the net has them. For KataGo's nets all channels are written. */
typedef struct {
    int rows[POLICY_CHANNELS_MAX], count;
} Chosen;

static Chosen choose_policies(const Saving *s) {
    int optimistic = s->heads.policies.at[POLICY_OPTIMISTIC];
    if (s->parts.model_format.own_policies)
        return (Chosen){{POLICY_OWN, optimistic < 0 ? POLICY_OWN : optimistic, POLICY_Q_WINLOSS,
                         POLICY_Q_SCORE},
                        has_q_values(s) ? 4 : 2};
    Chosen all = {.count = s->heads.policies.count};
    for (int i = 0; i < all.count; i++)
        all.rows[i] = i;
    return all;
}

static void put_pass(Saving *s, Value pooled, Chosen chosen) {
    KatagoParts *parts = &s->parts;
    Value pass = parts_expect(parts, output_of(s, s->heads.output[HEAD_PASS]), OP_DENSE);
    if (parts->model_format.version < 15) {
        parts_meet(parts, pass, parts_input(parts, pass, 0), pooled);
        parts_put_matrix(parts, pass, chosen.rows, 0, chosen.count);
        return;
    }
    KatagoHidden hidden = parts_find_hidden(parts, parts_input(parts, pass, 0));
    parts_meet(parts, hidden.matrix, hidden.input, pooled);
    parts_put_hidden(parts, &hidden);
    parts_put_matrix(parts, pass, chosen.rows, 0, chosen.count);
}

typedef struct {
    Value p1, p2, map, sum;
    KatagoNorm norm;
    KatagoPooled pooled;
} PolicyParts;

/* Finds the layers of the policy head. The input of its first convolution is the end of the
 * trunk. */
static PolicyParts find_policy(Saving *s) {
    KatagoParts *parts = &s->parts;
    PolicyParts p;
    p.p2 = parts_expect(parts, output_of(s, s->heads.output[HEAD_POLICY]), OP_CONV);
    p.norm = parts_find_norm(parts, parts_input(parts, p.p2, 0));
    p.sum = parts_expect(parts, p.norm.input, OP_ADD_BROADCAST);
    p.p1 = parts_expect(parts, parts_input(parts, p.sum, 0), OP_CONV);
    p.map = parts_expect(parts, parts_input(parts, p.sum, 1), OP_DENSE);
    p.pooled = parts_find_pooled(parts, parts_input(parts, p.map, 0), POOL_MEAN_SCALE_MAX);
    return p;
}

static void put_policy(Saving *s, const PolicyParts *p, Value trunk) {
    KatagoParts *parts = &s->parts;
    Chosen chosen = choose_policies(s);
    parts_meet(parts, p->pooled.conv, parts_input(parts, p->pooled.conv, 0), trunk);
    katago_put_word(&parts->sink, "policyhead");
    if (parts->model_format.version >= 17)
        katago_put_ints(&parts->sink, 4, (int[]){chosen.count, 0, 0, 0});
    parts_put_all(parts, p->p1);
    parts_put_all(parts, p->pooled.conv);
    parts_put_norm(parts, &p->pooled.norm);
    parts_put_all(parts, p->map);
    parts_put_norm(parts, &p->norm);
    parts_put_conv(parts, p->p2, chosen.rows, chosen.count);
    put_pass(s, parts_input(parts, p->map, 0), chosen);
}

/* Writes the matrix and the bias of an output. */
static void put_output(Saving *s, int output, Value hidden) {
    KatagoParts *parts = &s->parts;
    Value bias = parts_expect(parts, output_of(s, output), OP_BIAS),
          matrix = parts_expect(parts, parts_input(parts, bias, 0), OP_DENSE);
    parts_meet(parts, matrix, parts_input(parts, matrix, 0), hidden);
    parts_put_all(parts, matrix);
    parts_put_bias(parts, bias);
}

static void put_value(Saving *s, Value trunk) {
    KatagoParts *parts = &s->parts;
    Value bias = parts_expect(parts, output_of(s, s->heads.output[HEAD_VALUE]), OP_BIAS),
          matrix = parts_expect(parts, parts_input(parts, bias, 0), OP_DENSE),
          ownership = parts_expect(parts, output_of(s, s->heads.output[HEAD_OWNERSHIP]), OP_CONV);
    KatagoHidden hidden = parts_find_hidden(parts, parts_input(parts, matrix, 0));
    KatagoPooled pooled = parts_find_pooled(parts, hidden.input, POOL_MEAN_SCALE_SCALE);
    parts_meet(parts, pooled.conv, parts_input(parts, pooled.conv, 0), trunk);
    parts_meet(parts, ownership, parts_input(parts, ownership, 0), pooled.norm.end);
    katago_put_word(&parts->sink, "valuehead");
    if (parts->model_format.version >= 17) katago_put_ints(&parts->sink, 3, (int[]){0, 0, 0});
    parts_put_all(parts, pooled.conv);
    parts_put_norm(parts, &pooled.norm);
    parts_put_hidden(parts, &hidden);
    put_output(s, s->heads.output[HEAD_VALUE], hidden.end);
    put_output(s, s->heads.output[HEAD_SCORE], hidden.end);
    parts_put_all(parts, ownership);
}

static void put_net(Saving *s) {
    check_model_format(s);
    PolicyParts policy = find_policy(s);
    Value trunk = parts_input(&s->parts, policy.p1, 0);
    if (!parts_good(&s->parts)) return;
    put_header(s);
    put_trunk(s, trunk);
    put_policy(s, &policy, trunk);
    put_value(s, trunk);
}

/* Refuses a net that lacks a head of KataGo's nets. */
static Status check_heads(const HeadIndex *heads, Error *err) {
    static const HeadId NEEDED[] = {HEAD_PASS, HEAD_VALUE, HEAD_SCORE, HEAD_OWNERSHIP};
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        if (heads->output[NEEDED[i]] < 0)
            return fail(err, ERR_UNSUPPORTED, "KataGo cannot have this net: it has no head \"%s\"",
                        HEADS[NEEDED[i]].name);
    }
    return OK;
}

Status katago_net_save(const Net *net, const char *path, KatagoFormat format, Error *err) {
    enum { LEVEL = 6 };
    Saving s = {.parts = {.net = net, .program = net_program(net)}, .path = path};
    KatagoSink *sink = &s.parts.sink;
    sink->binary = format.binary;
    Status status = model_format_of(net, &s.parts.model_format, err);
    if (!status) status = heads_find_as(s.parts.program, &s.parts.model_format, &s.heads, err);
    if (!status) status = check_heads(&s.heads, err);
    if (!status) status = gzip_writer_open(path, format.packed ? LEVEL : 0, &sink->file, err);
    if (status) return status;
    put_net(&s);
    if (!sink->fault.status) return gzip_writer_commit(sink->file, err);
    gzip_writer_abandon(sink->file);
    return fail(err, sink->fault.status, "%s", sink->fault.message);
}

/* The policy and value heads are built as in KataGo's models since version 8. One head has a
 * channel for each policy that KataGo's trainer knows. The settings head_kernel and policy_kernel
 * make convolutions wider than KataGo's, as in GoNN. */
#include "eval/arch/heads.h"

#include <stdio.h>
#include <string.h>

#include "eval/features/features.h"
#include "eval/features/gonn_planes.h"
#include "eval/features/metadata.h"

struct HeadParts {
    NetBuilder *builder;
    Value trunk, globals;
    int policy_hidden; /* channels of the policy's convolutions */
    /* The values that heads share. A value is -1 until it is built. The policy has a spatial and a
     * pooled part. The value has a spatial part, a pooled part and hidden units. `score_scale` is
     * the raw output of HEAD_SCORE_SCALE. */
    Value policy, policy_pooled;
    Value value_map, value_pooled, value_hidden;
    Value score_scale;
};

/* Takes the next name from a list joined by "+". Returns false at its end. */
static bool next_name(const char **list, char name[64]) {
    size_t length = strcspn(*list, "+");
    if (!**list) return false;
    snprintf(name, 64, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] != 0);
    return true;
}

static bool lists_name(const char *list, const char *wanted) {
    char name[64];
    while (next_name(&list, name)) {
        if (strcmp(name, wanted) == 0) return true;
    }
    return false;
}

static int or_default(int value, int default_value) {
    return value ? value : default_value;
}

/* Adds the activation after the last hidden layer of a head. */
static Value hidden_activation(NetBuilder *builder, const char *name, Value x) {
    if (!builder->settings->head_crelu) return builder_activation(builder, name, x);
    return program_add_op(builder->program, "", (Op){.kind = OP_CRELU, .inputs = {x}});
}

static PoolKind policy_pooling(const ArchSettings *settings) {
    if (!settings->head_mean_max) return POOL_MEAN_SCALE_MAX;
    return settings->head_stdev ? POOL_MEAN_MAX_STDEV : POOL_MEAN_MAX;
}

/* Builds the two parts of the policy as one hidden layer and its pooling over the board: the
 * setting `policy_embedding`. */
static void build_policy_embedding(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    int width = b->settings->policy_embedding;
    Value x =
        program_conv(b->program, "policy.embed", parts->trunk, width, 1, builder_deviation(b, 1));
    parts->policy = builder_norm(b, "policy.embednorm", x, PLACE_HEAD, 1);
    parts->policy_pooled =
        program_global_pool(b->program, parts->policy, policy_pooling(b->settings));
    parts->policy_hidden = width;
}

/* Builds the spatial and the pooled part of the policy. The logits of the points come from the
 * spatial part. The logits of the pass and the queries of build_policy_attention() come from the
 * pooled part. */
static void build_policy_parts(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    if (parts->policy >= 0) return;
    if (b->settings->policy_embedding) {
        build_policy_embedding(parts);
        return;
    }
    int channels = or_default(b->settings->policy_channels, b->settings->channels < 64 ? 16 : 32);
    int kernel = b->settings->head_kernel,
        pooled = or_default(b->settings->policy_pooled, channels);
    Value p = program_conv(program, "policy.p1", parts->trunk, channels, kernel,
                           builder_deviation(b, 0.8));
    Value g =
        program_conv(program, "policy.g1", parts->trunk, pooled, kernel, builder_deviation(b, 1));
    g = builder_norm(b, "policy.gnorm", g, PLACE_HEAD, 1);
    Value z = program_global_pool(program, g, policy_pooling(b->settings));
    p = program_add_broadcast(
        program, p, program_dense(program, "policy.gmap", z, channels, builder_deviation(b, 0.35)));
    parts->policy_hidden = channels;
    p = builder_norm_alone(b, "policy.pnorm", p, PLACE_HEAD, 1);
    parts->policy = program_mask(program, hidden_activation(b, "policy.pnorm", p));
    parts->policy_pooled = z;
}

/* Builds the spatial part of the value, its pooling over the board, and the hidden units, which
 * read the pooled values. */
static void build_value_parts(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    if (parts->value_map >= 0) return;
    int channels = or_default(b->settings->value_channels, b->settings->channels < 64 ? 16 : 32);
    int hidden = or_default(b->settings->value_hidden, b->settings->channels < 64 ? 32 : 64);
    Value v = program_conv(program, "value.v1", parts->trunk, channels, b->settings->head_kernel,
                           builder_deviation(b, 1));
    parts->value_map = builder_norm(b, "value.v1norm", v, PLACE_HEAD, 1);
    parts->value_pooled = program_global_pool(
        program, parts->value_map, b->settings->head_mean_max ? POOL_MEAN : POOL_MEAN_SCALE_SCALE);
    Value h = program_bias(
        program, "value.v2bias",
        program_dense(program, "value.v2", parts->value_pooled, hidden, builder_deviation(b, 1)));
    parts->value_hidden = hidden_activation(b, "value.v2", h);
}

/* Adds a dense layer with a bias that reads the value's hidden units. */
static Value on_value_hidden(HeadParts *parts, const char *layer, const char *bias, int channels) {
    build_value_parts(parts);
    Program *program = parts->builder->program;
    return program_bias(program, bias,
                        program_dense(program, layer, parts->value_hidden, channels, -0.2));
}

/* Adds a 1 x 1 convolution that reads the value's spatial part. */
static Value on_value_map(HeadParts *parts, const char *layer, int channels) {
    build_value_parts(parts);
    return program_conv(parts->builder->program, layer, parts->value_map, channels, 1, -0.2);
}

static Value on_trunk(HeadParts *parts, const char *layer, int channels) {
    return program_conv(parts->builder->program, layer, parts->trunk, channels, 1, -0.2);
}

static int policies_of(const ArchSettings *settings) {
    static const int POLICIES[] = {[POLICIES_PLAIN] = 2,
                                   [POLICIES_SOFT] = 4,
                                   [POLICIES_OPTIMISTIC] = 6,
                                   [POLICIES_Q_VALUES] = POLICY_CHANNELS_MAX,
                                   [POLICIES_MOVE] = 1};
    return POLICIES[settings->policies];
}

/* Each policy has a query, and each point has a key. The logit of a policy at a point is the
 * product of the query and the key, as in attention. Queries and keys are computed from the two
 * parts of the policy. */
static Value build_policy_attention(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    int channels = b->settings->policy_attention;
    Value keys = program_conv(program, "policy.keys", parts->policy, channels,
                              b->settings->policy_kernel, builder_deviation(b, 1));
    Value queries = program_dense(program, "policy.queries", parts->policy_pooled,
                                  policies_of(b->settings) * channels, -0.2);
    queries = program_bias(program, "policy.queriesbias", queries);
    return program_add_op(program, "", (Op){.kind = OP_QUERIES, .inputs = {keys, queries}});
}

static Value build_policy(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    build_policy_parts(parts);
    if (b->settings->policy_attention) return build_policy_attention(parts);
    return program_conv(b->program, "policy.p2", parts->policy, policies_of(b->settings),
                        b->settings->policy_kernel, -0.2);
}

int heads_model_version(const ArchSettings *settings) {
    if (settings->policies == POLICIES_Q_VALUES) return MODEL_FORMAT_VERSION_Q_VALUES;
    if (settings->tip == TIP_RMS || settings->tip == TIP_RMS_BOARD) return MODEL_FORMAT_VERSION_RMS;
    if (arch_reads_players(settings)) return MODEL_FORMAT_VERSION_PLAYERS;
    return MODEL_FORMAT_DEFAULT.version;
}

/* The logits of the pass have a hidden layer in model versions later than that of most of our
 * nets. */
static Value build_pass(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    int policies = policies_of(b->settings);
    build_policy_parts(parts);
    if (heads_model_version(b->settings) == MODEL_FORMAT_DEFAULT.version)
        return program_dense(program, "policy.pass", parts->policy_pooled, policies, -0.2);
    Value h = program_bias(program, "policy.passbias",
                           program_dense(program, "policy.pass", parts->policy_pooled,
                                         parts->policy_hidden, builder_deviation(b, 1)));
    h = builder_activation(b, "policy.pass", h);
    return program_dense(program, "policy.pass2", h, policies, -0.2);
}

static Value build_value(HeadParts *parts) {
    return on_value_hidden(parts, "value.v3", "value.v3bias", HEADS[HEAD_VALUE].channels);
}

static Value build_score(HeadParts *parts) {
    return on_value_hidden(parts, "value.sv3", "value.sv3bias", HEADS[HEAD_SCORE].channels);
}

static Value build_ownership(HeadParts *parts) {
    return on_value_map(parts, "value.ownership", 1);
}

/* The weights begin at 0, so the output x is 0 at first, and the factor softplus(x) is ln 2. */
static Value build_score_scale(HeadParts *parts) {
    Program *program = parts->builder->program;
    build_value_parts(parts);
    if (parts->score_scale < 0)
        parts->score_scale =
            program_bias(program, "score.scalebias",
                         program_dense(program, "score.scale", parts->value_hidden, 1, 0));
    return parts->score_scale;
}

/* Mixes the distributions of the score. The weights of the mixture are computed from the pooled
 * part of the value. */
static Value add_mixture(HeadParts *parts, Value logits) {
    Program *program = parts->builder->program;
    Value weights = program_dense(program, "score.mix", parts->value_pooled,
                                  parts->builder->settings->score_mixtures, -0.3);
    weights = program_bias(program, "score.mixbias", weights);
    return program_add_op(program, "", (Op){.kind = OP_MIXTURE, .inputs = {logits, weights}});
}

/* Each bin has two features: the score that it stands for, and the parity of that score. The hidden
 * units of a bin read these features and the pooled part of the value. If the net has
 * `go_features`, the parity that they read is multiplied by the parity wave of komi (global 18). */
static Value build_distribution(HeadParts *parts) {
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    float features[SCORE_BINS * 2];
    int hidden = or_default(b->settings->value_hidden, 32);
    build_value_parts(parts);
    for (int i = 0; i < SCORE_BINS; i++) {
        features[2 * i] = 0.05f * ((float)(i - SCORE_BINS_HALF) + 0.5f);
        features[2 * i + 1] = i % 2 ? 0.5f : -0.5f;
    }
    Value bins = program_constant(program, "score.bins", SCORE_BINS, 2, features);
    Value place =
        program_dense(program, "score.place", program_slice(program, bins, 0, 1), hidden, 0.3);
    Value parity =
        program_dense(program, "score.parity", program_slice(program, bins, 1, 1), hidden, 0.6);
    if (b->settings->go_features) {
        Value parity_wave = program_slice(program, parts->globals, 18, 1);
        parity = program_mul_broadcast(
            program, parity, program_dense(program, "score.wave", parity_wave, hidden, 0.6));
    }
    Value h = program_add(program, place, parity);
    Value v = program_bias(program, "score.bias",
                           program_dense(program, "score.hidden", parts->value_pooled, hidden,
                                         builder_deviation(b, 0.7)));
    h = builder_activation(b, "score", program_add_broadcast(program, h, v));
    h = program_dense(program, "score.out", h, b->settings->score_mixtures, -0.3);
    if (b->settings->score_mixtures > 1) return add_mixture(parts, h);
    if (!head_is_wanted(HEAD_SCORE_SCALE, b->settings)) return h;
    const Op factor = {.kind = OP_SOFTPLUS,
                       .inputs = {build_score_scale(parts)},
                       .limit = (float)b->settings->score_scale_max};
    return program_mul_broadcast(program, h, program_add_op(program, "", factor));
}

static Value build_td(HeadParts *parts) {
    return on_value_hidden(parts, "value.td", "value.tdbias", TD_CHANNELS);
}

static Value build_search_values(HeadParts *parts) {
    return on_value_hidden(parts, "value.search", "value.searchbias", VALUE_BUCKETS);
}

static Value build_scoring(HeadParts *parts) {
    return on_value_map(parts, "value.scoring", 1);
}

static Value build_future(HeadParts *parts) {
    return on_trunk(parts, "value.future", FUTURE_CHANNELS);
}

static Value build_seki(HeadParts *parts) {
    return on_trunk(parts, "value.seki", SEKI_CHANNELS);
}

static Value build_td_errors(HeadParts *parts) {
    return on_value_hidden(parts, "value.tderror", "value.tderrorbias", TD_ERRORS);
}

static Value build_moves_left(HeadParts *parts) {
    return on_value_hidden(parts, "value.movesleft", "value.movesleftbias",
                           HEADS[HEAD_MOVES_LEFT].channels);
}

static Value build_value_buckets(HeadParts *parts) {
    return on_value_hidden(parts, "value.buckets", "value.bucketsbias", VALUE_BUCKETS);
}

static Value build_later_moves(HeadParts *parts) {
    build_policy_parts(parts);
    return program_conv(parts->builder->program, "policy.later", parts->policy,
                        LATER_MOVES_CHANNELS, 1, -0.2);
}

static Value build_root_variance(HeadParts *parts) {
    return on_value_hidden(parts, "value.rootvariance", "value.rootvariancebias",
                           ROOT_VARIANCE_CHANNELS);
}

static Value build_value_error(HeadParts *parts) {
    return on_value_hidden(parts, "value.error", "value.errorbias",
                           HEADS[HEAD_VALUE_ERROR].channels);
}

/* The hidden layer has as many channels as in GoNN (GoNN, README, "Ladders"). */
static Value build_ladders(HeadParts *parts) {
    enum { HIDDEN = 24 };
    NetBuilder *b = parts->builder;
    Program *program = b->program;
    Value x =
        program_conv(program, "value.ladders1", parts->trunk, HIDDEN, 3, builder_deviation(b, 1));
    x = builder_norm_alone(b, "value.ladders1norm", x, PLACE_HEAD, 1);
    x = program_mask(program, hidden_activation(b, "value.ladders1norm", x));
    return program_conv(program, "value.ladders2", x, HEADS[HEAD_LADDERS].channels, 1, -0.2);
}

static Value build_next_occupant(HeadParts *parts) {
    return on_trunk(parts, "value.nextoccupant", NEXT_OCCUPANT_CHANNELS);
}

static Value build_time_on_board(HeadParts *parts) {
    return on_trunk(parts, "value.timeonboard", HEADS[HEAD_TIME_ON_BOARD].channels);
}

static Value build_same_chain(HeadParts *parts) {
    return on_trunk(parts, "value.samechain", SAME_CHAIN_CHANNELS);
}

/* Whether the setting `heads` names all heads of the net instead of additional ones. */
static bool lists_all(const ArchSettings *settings) {
    for (int i = 0; i < HEAD_COUNT; i++) {
        bool usual = HEADS[i].need == HEAD_ALWAYS || HEADS[i].need == HEAD_USUAL;
        if (usual && lists_name(settings->heads, HEADS[i].name)) return true;
    }
    return false;
}

static bool has_usual(const ArchSettings *settings) {
    return !lists_all(settings);
}

static bool has_pass(const ArchSettings *settings) {
    return settings->pass;
}

static bool has_distribution(const ArchSettings *settings) {
    return settings->score_distribution && !lists_all(settings);
}

static bool has_auxiliary(const ArchSettings *settings) {
    return settings->auxiliary;
}

static bool has_td_errors(const ArchSettings *settings) {
    return settings->td_errors && head_is_wanted(HEAD_TD, settings);
}

static bool has_always(const ArchSettings *settings) {
    (void)settings;
    return true;
}

const Head HEADS[HEAD_COUNT] = {
    [HEAD_POLICY] = {"policy", KIND_SPATIAL, 0, 0, HEAD_ALWAYS, true, has_always, build_policy},
    [HEAD_PASS] = {"pass", KIND_VECTOR, 0, 0, HEAD_USUAL, true, has_pass, build_pass},
    [HEAD_VALUE] = {"value", KIND_VECTOR, 3, 0, HEAD_USUAL, true, has_usual, build_value},
    [HEAD_SCORE] = {"score", KIND_VECTOR, 6, 0, HEAD_USUAL, true, has_usual, build_score},
    [HEAD_OWNERSHIP] = {"ownership", KIND_SPATIAL, 1, 0, HEAD_USUAL, true, has_usual,
                        build_ownership},
    [HEAD_SCORE_DISTRIBUTION] = {"score_distribution", KIND_LIST, 1, SCORE_BINS, HEAD_OPTIONAL,
                                 false, has_distribution, build_distribution},
    [HEAD_TD] = {"td", KIND_VECTOR, TD_CHANNELS, 0, HEAD_OPTIONAL, false, has_auxiliary, build_td},
    [HEAD_SEARCH_VALUES] = {"search_values", KIND_VECTOR, VALUE_BUCKETS, 0, HEAD_OPTIONAL, false,
                            has_auxiliary, build_search_values},
    [HEAD_SCORING] = {"scoring", KIND_SPATIAL, 1, 0, HEAD_OPTIONAL, false, has_auxiliary,
                      build_scoring},
    [HEAD_FUTURE] = {"future", KIND_SPATIAL, FUTURE_CHANNELS, 0, HEAD_OPTIONAL, false,
                     has_auxiliary, build_future},
    [HEAD_SEKI] = {"seki", KIND_SPATIAL, SEKI_CHANNELS, 0, HEAD_OPTIONAL, false, has_auxiliary,
                   build_seki},
    [HEAD_TD_ERRORS] = {"td_errors", KIND_VECTOR, TD_ERRORS, 0, HEAD_OPTIONAL, false, has_td_errors,
                        build_td_errors},
    [HEAD_MOVES_LEFT] = {"moves_left", KIND_VECTOR, 1, 0, HEAD_OPTIONAL, true, NULL,
                         build_moves_left},
    [HEAD_SCORE_SCALE] = {"score_scale", KIND_VECTOR, 1, 0, HEAD_OPTIONAL, false, NULL,
                          build_score_scale},
    [HEAD_LADDERS] = {"ladders", KIND_SPATIAL, 1, 0, HEAD_OPTIONAL, false, NULL, build_ladders},
    [HEAD_VALUE_BUCKETS] = {"value_buckets", KIND_VECTOR, VALUE_BUCKETS, 0, HEAD_OPTIONAL, true,
                            NULL, build_value_buckets},
    [HEAD_LATER_MOVES] = {"later_moves", KIND_SPATIAL, LATER_MOVES_CHANNELS, 0, HEAD_OPTIONAL,
                          false, NULL, build_later_moves},
    [HEAD_ROOT_VARIANCE] = {"root_variance", KIND_VECTOR, ROOT_VARIANCE_CHANNELS, 0, HEAD_OPTIONAL,
                            true, NULL, build_root_variance},
    [HEAD_VALUE_ERROR] = {"value_error", KIND_VECTOR, 1, 0, HEAD_OPTIONAL, true, NULL,
                          build_value_error},
    [HEAD_NEXT_OCCUPANT] = {"next_occupant", KIND_SPATIAL, NEXT_OCCUPANT_CHANNELS, 0, HEAD_OPTIONAL,
                            false, NULL, build_next_occupant},
    [HEAD_TIME_ON_BOARD] = {"time_on_board", KIND_SPATIAL, 1, 0, HEAD_OPTIONAL, false, NULL,
                            build_time_on_board},
    [HEAD_SAME_CHAIN] = {"same_chain", KIND_SPATIAL, SAME_CHAIN_CHANNELS, 0, HEAD_OPTIONAL, false,
                         NULL, build_same_chain},
};

_Static_assert((int)HEAD_COUNT <= (int)PROGRAM_OUTPUTS_MAX, "a net may have all heads");

/* The pass has no name of its own in lists: it comes with the policy. */
bool head_is_named(const char *name) {
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (i != HEAD_PASS && strcmp(HEADS[i].name, name) == 0) return true;
    }
    return false;
}

bool head_is_wanted(HeadId head, const ArchSettings *settings) {
    bool switched = HEADS[head].switched && HEADS[head].switched(settings);
    return switched || lists_name(settings->heads, HEADS[head].name);
}

/* Checks the names in the list of heads. */
static Status check_names(const ArchSettings *settings, const ArchSource *source, Error *err) {
    const char *names = settings->heads;
    char name[64];
    while (next_name(&names, name)) {
        if (head_is_named(name)) continue;
        StrBuf known = {0};
        for (int i = 0; i < HEAD_COUNT; i++) {
            if (i != HEAD_PASS) strbuf_addf(&known, "%s%s", i ? ", " : "", HEADS[i].name);
        }
        Status status =
            arch_fail(source, "heads", name, err, ERR_ARGUMENT,
                      "there is no head \"%s\"; the heads are: %s", name, strbuf_text(&known));
        strbuf_clear(&known);
        return status;
    }
    if (!lists_all(settings) || lists_name(settings->heads, HEADS[HEAD_POLICY].name)) return OK;
    return arch_fail(source, "heads", NULL, err, ERR_ARGUMENT,
                     "a list with policy, value, score or ownership names all heads of the net; "
                     "every net needs the policy, but it is missing");
}

/* Checks that the net has the heads that other heads and settings need. The message tells the place
 * of what needs the missing head: a setting, or a name in `heads`. */
static Status check_needs(const ArchSettings *settings, const ArchSource *source, Error *err) {
    const char *scale = HEADS[HEAD_SCORE_SCALE].name, *errors = HEADS[HEAD_TD_ERRORS].name;
    bool scales = head_is_wanted(HEAD_SCORE_SCALE, settings),
         distributes = head_is_wanted(HEAD_SCORE_DISTRIBUTION, settings),
         mixes = settings->score_mixtures > 1, later = head_is_wanted(HEAD_TD, settings);
    bool q_values = settings->policies == POLICIES_Q_VALUES;
    bool optimistic = settings->policies == POLICIES_OPTIMISTIC || q_values;
    const struct {
        bool wrong;
        const char *setting, *word, *text;
    } NEEDS[] = {
        {scales && !distributes, "heads", scale, "score_scale needs the score distribution"},
        {scales && mixes, "heads", scale,
         "score_scale is for one distribution of the score, not for a mixture of several"},
        {mixes && !distributes, "score_mixtures", NULL,
         "score_mixtures needs the score distribution"},
        {settings->score_scale_max > 0 && !scales, "score_scale_max", NULL,
         "score_scale_max needs the head score_scale"},
        {settings->td_errors && !later, "td_errors", NULL,
         "td_errors needs the auxiliary heads (auxiliary=true) or the head td"},
        {lists_name(settings->heads, errors) && !later, "heads", errors,
         "td_errors needs the head td"},
        {head_is_wanted(HEAD_VALUE_ERROR, settings) && !head_is_wanted(HEAD_VALUE, settings),
         "heads", HEADS[HEAD_VALUE_ERROR].name, "value_error needs the head value"},
        {q_values && !settings->pass, "policies", NULL,
         "values of moves need the pass, because it is a move too"},
        {optimistic && !head_is_wanted(HEAD_SCORE, settings), "policies", NULL,
         "optimistic policies need the head score, because they learn from its errors"},
        {settings->policy_embedding && arch_source_sets(source, "policy_channels"),
         "policy_channels", NULL, "policy_embedding takes the place of policy_channels"},
        {settings->policy_embedding && arch_source_sets(source, "policy_pooled"), "policy_pooled",
         NULL, "policy_embedding takes the place of policy_pooled"},
        {arch_source_sets(source, "score_distribution") && settings->score_distribution &&
             !distributes,
         "score_distribution", NULL, "heads does not name the score distribution"},
        {arch_source_sets(source, "score_distribution") && !settings->score_distribution &&
             distributes,
         "heads", HEADS[HEAD_SCORE_DISTRIBUTION].name,
         "score_distribution is named here, but switched off by its setting"},
    };
    for (size_t i = 0; i < sizeof NEEDS / sizeof *NEEDS; i++) {
        if (NEEDS[i].wrong)
            return arch_fail(source, NEEDS[i].setting, NEEDS[i].word, err, ERR_ARGUMENT, "%s",
                             NEEDS[i].text);
    }
    return OK;
}

Status heads_check(const ArchSettings *settings, const ArchSource *source, Error *err) {
    Status status = check_names(settings, source, err);
    return status ? status : check_needs(settings, source, err);
}

/* The heads whose losses need Batch.boards and Batch.search_values. */
static const HeadId OF_BOARDS[] = {HEAD_TD,     HEAD_SEARCH_VALUES, HEAD_SCORING,
                                   HEAD_FUTURE, HEAD_SEKI,          HEAD_VALUE_BUCKETS};
enum { OF_BOARDS_COUNT = sizeof OF_BOARDS / sizeof *OF_BOARDS };

bool heads_need_boards(const HeadIndex *heads) {
    for (int i = 0; i < OF_BOARDS_COUNT; i++) {
        if (heads->output[OF_BOARDS[i]] >= 0) return true;
    }
    return false;
}

bool heads_will_need_boards(const ArchSettings *settings) {
    for (int i = 0; i < OF_BOARDS_COUNT; i++) {
        if (head_is_wanted(OF_BOARDS[i], settings)) return true;
    }
    return false;
}

void heads_build(NetBuilder *builder, Value trunk, Value globals) {
    HeadParts parts = {.builder = builder,
                       .trunk = trunk,
                       .globals = globals,
                       .policy = -1,
                       .policy_pooled = -1,
                       .value_map = -1,
                       .value_pooled = -1,
                       .value_hidden = -1,
                       .score_scale = -1};
    for (HeadId i = 0; i < HEAD_COUNT; i++) {
        if (head_is_wanted(i, builder->settings))
            program_output(builder->program, HEADS[i].name, HEADS[i].build(&parts));
    }
}

size_t head_elements(HeadId id, int policy_channels, int cells) {
    const Head *head = &HEADS[id];
    size_t channels = (size_t)(head->channels ? head->channels : policy_channels);
    return channels * (size_t)program_rows(head->kind, head->rows, 1, cells);
}

/* An input or output of the net, and the shape that it must have. */
typedef struct {
    const char *name;
    Value value; /* -1 if the net does not have it */
    int channels;
    ValueKind kind;
    int rows; /* of a KIND_LIST value */
} Port;

static Status check_port(const Program *program, Port port, Error *err) {
    static const char *const SHAPES[] = {
        [KIND_SPATIAL] = "spatial", [KIND_VECTOR] = "vector", [KIND_LIST] = "list"};
    if (port.value < 0) return fail(err, ERR_UNSUPPORTED, "the net has no \"%s\"", port.name);
    const Op *op = program_op(program, port.value);
    if (op->channels != port.channels)
        return fail(err, ERR_UNSUPPORTED, "the net's \"%s\" has %d channels, wanted %d", port.name,
                    op->channels, port.channels);
    if (op->shape != port.kind)
        return fail(err, ERR_UNSUPPORTED, "the net's \"%s\" has the shape \"%s\", wanted \"%s\"",
                    port.name, SHAPES[op->shape], SHAPES[port.kind]);
    if (port.kind == KIND_LIST && op->rows != port.rows)
        return fail(err, ERR_UNSUPPORTED, "the net's \"%s\" has %d rows, wanted %d", port.name,
                    op->rows, port.rows);
    return OK;
}

static Port input_port(const Program *program, const char *name, ValueKind kind, int channels) {
    int index = program_find_input(program, name);
    return (Port){name, index < 0 ? -1 : program_input_value(program, index), channels, kind, 0};
}

Status heads_check_inputs(const Program *program, const ModelFormat *model_format, Error *err) {
    int features = model_format_features(model_format);
    const Port ports[] = {
        input_port(program, "planes", KIND_SPATIAL, feature_planes(features)),
        input_port(program, "globals", KIND_VECTOR, feature_globals(features)),
        input_port(program, "metadata", KIND_VECTOR, METADATA_COUNT),
    };
    int count = model_format->metadata ? 3 : 2;
    Status status = OK;
    for (int i = 0; i < count && !status; i++)
        status = check_port(program, ports[i], err);
    const Port gonn = input_port(program, "gonn", KIND_SPATIAL, GONN_PLANES);
    if (status || gonn.value < 0) return status;
    if (features != 7)
        return fail(err, ERR_UNSUPPORTED,
                    "the net's \"gonn\" is computed from features of version 7, but its version "
                    "is %d",
                    features);
    return check_port(program, gonn, err);
}

static Status check_outputs(const Program *program, const ModelFormat *model_format,
                            const HeadIndex *index, Error *err) {
    bool ours = model_format->own_policies;
    Status status = OK;
    for (HeadId i = 0; i < HEAD_COUNT && !status; i++) {
        const Head *head = &HEADS[i];
        bool present = index->output[i] >= 0;
        if (!present && (head->need == HEAD_OPTIONAL || (head->need == HEAD_USUAL && ours)))
            continue;
        Port port = {head->name, -1, head->channels, head->kind, head->rows};
        if (present) port.value = program_output_value(program, index->output[i]);
        if (head->channels == 0) port.channels = index->policies.count;
        if (i == HEAD_SCORE) port.channels = index->score_channels;
        status = check_port(program, port, err);
    }
    if (!status && index->output[HEAD_TD_ERRORS] >= 0 && index->output[HEAD_TD] < 0)
        return fail(err, ERR_UNSUPPORTED, "the net has \"td_errors\", but no \"td\"");
    if (!status && index->policies.at[POLICY_Q_SCORE] >= 0 && index->output[HEAD_PASS] < 0)
        return fail(err, ERR_UNSUPPORTED, "the net has values of moves, but no \"pass\"");
    return status;
}

Status heads_find_as(const Program *program, const ModelFormat *model_format, HeadIndex *out,
                     Error *err) {
    *out = (HeadIndex){
        .planes = program_find_input(program, "planes"),
        .globals = program_find_input(program, "globals"),
        .metadata = program_find_input(program, "metadata"),
        .gonn = program_find_input(program, "gonn"),
        .score_channels = model_format_score_channels(model_format),
    };
    for (int i = 0; i < HEAD_COUNT; i++)
        out->output[i] = program_find_output(program, HEADS[i].name);
    int policies = 2, policy = out->output[HEAD_POLICY];
    if (policy >= 0)
        policies = program_op(program, program_output_value(program, policy))->channels;
    if (!model_format_has_policies(model_format, policies))
        policies = model_format_min_policies(model_format);
    out->policies = model_format_policies(model_format, policies);
    Status status = heads_check_inputs(program, model_format, err);
    return status ? status : check_outputs(program, model_format, out, err);
}

Status heads_find(const Program *program, HeadIndex *out, Error *err) {
    return heads_find_as(program, &MODEL_FORMAT_DEFAULT, out, err);
}

Status heads_find_trained(const Net *net, HeadIndex *out, Error *err) {
    ModelFormat model_format;
    Status status = model_format_of(net, &model_format, err);
    if (!status) status = heads_find_as(net_program(net), &model_format, out, err);
    if (status) return status;
    if (model_format.version < 12)
        return fail(err, ERR_UNSUPPORTED,
                    "a net of KataGo's model version %d cannot be trained; wanted is version 12 or "
                    "later",
                    model_format.version);
    return OK;
}

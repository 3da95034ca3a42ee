#include "eval/arch/arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/heads.h"
#include "eval/arch/trunk.h"
#include "eval/features/features.h"
#include "eval/features/gonn_planes.h"
#include "eval/features/metadata.h"

static const double TIP_EPSILON = 1e-6; /* epsilon of the RMS norm after the last block; KataGo has
                                         * the same */

/* The maximum length of a word and of a part of a description. The longest part is an assignment
 * whose value has a backslash before each character. */
enum { WORD_MAX = SETTINGS_TEXT_SIZE - 1, PART_MAX = 128 + 2 * SETTINGS_LONG_TEXT_SIZE };

/* The state of reading a description. */
typedef struct {
    ArchSource source;
    ArchSettings *out;
    TextPlace place; /* of the part that is being read */
    Error *err;
} Reader;

/* Adds a name to the list of heads. */
static Status add_head(Reader *reader, const char *name) {
    char *heads = reader->out->heads;
    size_t length = strlen(heads), room = sizeof reader->out->heads - length;
    int added = snprintf(heads + length, room, "%s%s", length ? "+" : "", name);
    if ((size_t)added < room) return OK;
    return arch_fail_at(&reader->source, reader->place, reader->err, ERR_SYNTAX,
                        "the list of heads is longer than %d characters",
                        (int)sizeof reader->out->heads - 1);
}

/* Reads `letter` and the number that follows it, such as "c32", and moves `*text` to the first
 * character after the number. Returns false if the text begins with something else. */
static bool read_number(const char **text, char letter, long *out) {
    char *end;
    if (**text != letter || !isdigit((unsigned char)(*text)[1])) return false;
    *out = strtol(*text + 1, &end, 10);
    *text = end;
    return true;
}

/* Reads a size such as "b6c96". A size such as "c96" says nothing about the number of blocks; other
 * parts of the description then set it. */
static Status apply_size(Reader *reader, const char *part) {
    const char *at = part;
    long blocks = 0, channels = 0;
    bool has_blocks = read_number(&at, 'b', &blocks), understood = read_number(&at, 'c', &channels);
    if (!understood || *at)
        return arch_fail_at(&reader->source, reader->place, reader->err, ERR_SYNTAX,
                            "\"%.40s\" is not understood; examples are b6c96, b4c32-batch-mish, "
                            "and blocks=4,channels=32",
                            part);
    if ((has_blocks && (blocks < 1 || blocks > TRUNK_BLOCKS_MAX)) || channels < 8 ||
        channels > 4096)
        return arch_fail_at(&reader->source, reader->place, reader->err, ERR_SYNTAX,
                            "1 to %d blocks of 8 to 4096 channels are wanted", TRUNK_BLOCKS_MAX);
    if (has_blocks) {
        reader->out->blocks = (int)blocks;
        arch_source_note(&reader->source, "blocks", reader->place);
    }
    reader->out->channels = (int)channels;
    arch_source_note(&reader->source, "channels", reader->place);
    return OK;
}

/* Reads "name=value". */
static Status apply_assignment(Reader *reader, const char *assignment) {
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, reader->out}, {0}};
    char name[64];
    size_t length = strcspn(assignment, "=");
    while (length && isspace((unsigned char)assignment[length - 1]))
        length--;
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    arch_source_note(&reader->source, name + strspn(name, " "), reader->place);
    Status status = settings_assign(groups, assignment, reader->err);
    return status ? arch_fail_within(&reader->source, reader->place, reader->err, status) : OK;
}

static const struct {
    const char *word, *assignment;
} WORDS[] = {{"fixup", "norm=fixup"},
             {"batch", "norm=batch"},
             {"fixed", "norm=fixed"},
             {"renorm", "norm=renorm"},
             {"fixscale", "norm=fixscale"},
             {"fson", "norm=fson"},
             {"relu", "activation=relu"},
             {"mish", "activation=mish"},
             {"silu", "activation=silu"},
             {"prelu", "activation=prelu"},
             {"relu2", "activation=relu2"},
             {"k3", "start_kernel=3"},
             {"k5", "start_kernel=5"},
             {"nodist", "score_distribution=false"},
             {"nogo", "go_features=false"},
             {"soft", "policies=soft"},
             {"optimistic", "policies=optimistic"},
             {"qvalues", "policies=q_values"},
             {"auxiliary", "auxiliary=true"},
             {"errors", "td_errors=true"}};

static Status apply_part(Reader *reader, const char *part) {
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(WORDS[i].word, part) == 0) return apply_assignment(reader, WORDS[i].assignment);
    }
    if (strchr(part, '=')) return apply_assignment(reader, part);
    if (strlen(part) > WORD_MAX)
        return arch_fail_at(&reader->source, reader->place, reader->err, ERR_SYNTAX,
                            "the word is too long: more than %d characters", WORD_MAX);
    if (head_is_named(part)) return add_head(reader, part);
    if (!block_find(part)) return apply_size(reader, part);
    snprintf(reader->out->block, sizeof reader->out->block, "%.63s", part);
    arch_source_note(&reader->source, "block", reader->place);
    return OK;
}

/* Returns the length of the first part of a description. A comma ends each part. A dash also ends a
 * part, except an assignment. Commas and dashes in parentheses end no part. */
static size_t part_length(const char *text) {
    size_t length = 0;
    int depth = 0;
    bool assigns = false;
    for (; text[length]; length++) {
        char c = text[length];
        if (!depth && (c == ',' || (c == '-' && !assigns))) break;
        assigns |= c == '=';
        depth += (c == '(') - (c == ')' && depth);
    }
    return length;
}

/* Reads all parts of the description. */
static Status read_parts(Reader *reader) {
    const char *text = reader->source.text;
    char part[PART_MAX + 1];
    Status status = OK;
    while (*text && !status) {
        size_t length = part_length(text);
        reader->place = (TextPlace){(int)(text - reader->source.text), (int)length};
        if (length > PART_MAX)
            return arch_fail_at(&reader->source, reader->place, reader->err, ERR_SYNTAX,
                                "this part is too long: more than %d characters", PART_MAX);
        memcpy(part, text, length);
        part[length] = 0;
        status = apply_part(reader, part);
        text += length + (text[length] != 0);
    }
    return status;
}

static Status check_start_and_kernels(const ArchSettings *settings, const ArchSource *source,
                                      Error *err) {
    const struct {
        const char *name;
        int width;
    } KERNELS[] = {{"start_kernel", settings->start_kernel},
                   {"policy_kernel", settings->policy_kernel},
                   {"head_kernel", settings->head_kernel}};
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        if (KERNELS[i].width % 2 == 0)
            return arch_fail(source, KERNELS[i].name, NULL, err, ERR_ARGUMENT,
                             "%s is %d, an odd number is wanted", KERNELS[i].name,
                             KERNELS[i].width);
    }
    if (settings->head_stdev && !settings->head_mean_max)
        return arch_fail(source, "head_stdev", NULL, err, ERR_ARGUMENT,
                         "head_stdev needs head_mean_max");
    if (settings->policy_embedding && !settings->policy_attention)
        return arch_fail(source, "policy_embedding", NULL, err, ERR_ARGUMENT,
                         "policy_embedding needs policy_attention");
    if (settings->inputs == INPUTS_GONN26 && !settings->go_features)
        return arch_fail(source, "go_features", NULL, err, ERR_ARGUMENT,
                         "go_features=false leaves out some of KataGo's features, but with "
                         "inputs=gonn26 the net does not read them");
    if (settings->start_center > 0 && settings->start_kernel == 1)
        return arch_fail(source, "start_center", NULL, err, ERR_ARGUMENT,
                         "start_center needs a start_kernel wider than 1");
    return OK;
}

/* Refuses settings of the short form, b4c32 and so on, beside a trunk, which they do not change. */
static Status check_short_form(const ArchSettings *settings, const ArchSource *source, Error *err) {
    static const char *const NAMES[] = {"block", "pool_every"};
    for (size_t i = 0; *settings->trunk && i < sizeof NAMES / sizeof *NAMES; i++) {
        if (arch_source_sets(source, NAMES[i]))
            return arch_fail(source, NAMES[i], NULL, err, ERR_ARGUMENT,
                             "%s is for nets without trunk=; the trunk names its blocks itself",
                             NAMES[i]);
    }
    return OK;
}

/* If arch.trunk is given, sets arch.blocks to the number of blocks in it. ERR_ARGUMENT: the
 * description also gives arch.blocks, and this number is different. */
static Status check_blocks(ArchSettings *settings, const ArchSource *source, const Trunk *trunk,
                           Error *err) {
    if (!*settings->trunk) return OK;
    if (settings->blocks && settings->blocks != trunk->count)
        return arch_fail(source, "blocks", NULL, err, ERR_ARGUMENT,
                         "the trunk has %d blocks, not %d", trunk->count, settings->blocks);
    settings->blocks = trunk->count;
    return OK;
}

/* Selects channels of an input. `ranges` lists them as (first, count) and ends with a count of
 * 0. */
static Value select_channels(Program *program, Value x, const int (*ranges)[2]) {
    Value selected = program_slice(program, x, (*ranges)[0], (*ranges)[1]);
    for (ranges++; (*ranges)[1]; ranges++)
        selected = program_concat(program, selected,
                                  program_slice(program, x, (*ranges)[0], (*ranges)[1]));
    return selected;
}

/* A net without a note of its model format has the version of MODEL_FORMAT_DEFAULT. If this version
 * lacks something that the net has, the function writes a note with a later version. */
static Status note_version(Net *net, const ArchSettings *settings, Error *err) {
    ModelFormat model_format = MODEL_FORMAT_DEFAULT;
    model_format.version = heads_model_version(settings);
    model_format.metadata = arch_reads_players(settings);
    if (model_format.version == MODEL_FORMAT_DEFAULT.version) return OK;
    return model_format_note(net, &model_format, err);
}

static Status note_architecture(Net *net, const ArchSettings *settings, Error *err) {
    StrBuf text = {0};
    arch_note_text(settings, &text);
    Status status = net_set_note(net, "architecture", strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

/* Adds the norm after the last block, and the activation after this norm. With tip=none it adds
 * only the mask, because layer norms also write cells off the board. */
static Value add_tip(NetBuilder *builder, const Trunk *trunk, Value x) {
    Program *program = builder->program;
    int tip = builder->settings->tip;
    if (tip == TIP_NONE) return program_mask(program, x);
    if (tip == TIP_NORM)
        return builder_norm(builder, "tip", x, PLACE_TIP, builder_variance(builder, trunk->count));
    x = program_rms_norm(program, "tip.norm", x, TIP_EPSILON, tip == TIP_RMS_BOARD);
    x = builder_activation(builder, "tip", program_bias(program, "tip.shift", x));
    return program_mask(program, x);
}

/* Adds the layers that read who played. Returns their output, which the caller adds to the output
 * of the first layer, at every point. With arch.players these layers are KataGo's network of two
 * hidden layers. With arch.ranks they are GoNN's embedding of the ranks. In GoNN the embedding
 * consists of constant planes that the first convolution reads; the result differs only at points
 * near the edge. The weights of the last layer begin at 0, so that at first the players change
 * nothing. */
static Value add_players(NetBuilder *builder, Value players) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    Value both = -1;
    if (settings->players) {
        Value x = players;
        for (int i = 1; i <= 2; i++) {
            char name[32];
            snprintf(name, sizeof name, "players.map%d", i);
            x = program_dense(program, name, x, settings->players, builder_deviation(builder, 1));
            snprintf(name, sizeof name, "players.bias%d", i);
            x = builder_activation(builder, name, program_bias(program, name, x));
        }
        both = program_dense(program, "players.map3", x, settings->channels, 0);
    }
    if (settings->ranks) {
        Value ranks = program_slice(program, players, METADATA_RANKS_AT, METADATA_RANKS);
        ranks = program_dense(program, "ranks.embedding", ranks, settings->ranks,
                              builder_deviation(builder, 1));
        ranks = program_dense(program, "ranks.map", ranks, settings->channels, 0);
        both = both < 0 ? ranks : program_add(program, both, ranks);
    }
    return both;
}

/* Adds the first convolution, which reads `spatial`. */
static Value add_first_conv(NetBuilder *builder, Value spatial) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    Value x = program_conv(program, "start.conv", spatial, settings->channels,
                           settings->start_kernel, builder_deviation(builder, 0.8));
    if (!(settings->start_center > 0)) return x;
    return program_add(program, x,
                       program_conv(program, "start.center", spatial, settings->channels, 1,
                                    builder_deviation(builder, settings->start_center)));
}

/* Adds the inputs and the layers before the first block. All nets have the inputs "planes", which
 * has the mask, and "globals", even if the first layers read GoNN's planes. */
static Value add_start(NetBuilder *builder, Value *globals) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    Value planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES);
    *globals = program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    Value players = -1;
    if (arch_reads_players(settings))
        players = program_input(program, "metadata", KIND_VECTOR, METADATA_COUNT);
    builder->planes = planes;
    program_set_mask(program, planes, 0);
    if (settings->inputs == INPUTS_GONN26) {
        Value gonn = program_input(program, "gonn", KIND_SPATIAL, GONN_PLANES);
        Value x = add_first_conv(builder, gonn);
        return players < 0 ? x : program_add_broadcast(program, x, add_players(builder, players));
    }
    Value spatial = planes, vector = *globals;
    if (!settings->go_features) { /* leave out features specific to Go (Wu 2019, section 4) */
        spatial =
            select_channels(program, planes, (const int[][2]){{0, 3}, {6, 8}, {20, 2}, {0, 0}});
        vector = select_channels(program, vector, (const int[][2]){{0, 14}, {15, 3}, {0, 0}});
    }
    Value x = add_first_conv(builder, spatial);
    vector = program_dense(program, "start.globals", vector, settings->channels,
                           builder_deviation(builder, 0.6));
    if (arch_reads_players(settings))
        vector = program_add(program, vector, add_players(builder, players));
    return program_add_broadcast(program, x, vector);
}

/* Adds all layers of a net. Returns the index of the first block that cannot be built, or -1 if all
 * can. */
static int add_layers(Program *program, const ArchSettings *settings, const Trunk *trunk) {
    NetBuilder builder = {
        .program = program, .settings = settings, .encoders = trunk_encoders(trunk)};
    Value globals;
    Value x = add_start(&builder, &globals);
    for (int i = 0; i < trunk->count; i++) {
        x = trunk_build_block(&builder, &trunk->blocks[i], i, x);
        if (program_status(program, NULL)) return i;
    }
    x = add_tip(&builder, trunk, x);
    if (settings->center_init > 0) program_emphasise_centers(program, settings->center_init);
    heads_build(&builder, x, globals);
    return -1;
}

/* Returns the settings, in which the norm that tip=auto stands for has replaced `auto`. */
static ArchSettings resolved(const ArchSettings *settings, const Trunk *trunk) {
    ArchSettings out = *settings;
    if (out.tip == TIP_AUTO) out.tip = trunk_is_transformer(trunk) ? TIP_RMS_BOARD : TIP_NORM;
    return out;
}

static bool has_op(const Program *program, OpKind kind) {
    for (Value v = 0; v < program_op_count(program); v++) {
        if (program_op(program, v)->kind == kind) return true;
    }
    return false;
}

/* Refuses settings of layers that the net does not have. */
static Status check_layer_settings(const Program *program, const ArchSource *source, Error *err) {
    static const struct {
        const char *name;
        OpKind kind;
        const char *needs;
    } SETTINGS[] = {{"norm_momentum", OP_BATCH_NORM, "a batch norm, such as norm=batch"},
                    {"norm_epsilon", OP_BATCH_NORM, "a batch norm, such as norm=batch"},
                    {"norm_gain", OP_BATCH_NORM, "a batch norm, such as norm=batch"},
                    {"prelu_slope", OP_PRELU, "activation=prelu"}};
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        if (arch_source_sets(source, SETTINGS[i].name) && !has_op(program, SETTINGS[i].kind))
            return arch_fail(source, SETTINGS[i].name, NULL, err, ERR_ARGUMENT, "%s needs %s",
                             SETTINGS[i].name, SETTINGS[i].needs);
    }
    return OK;
}

/* Checks that the net can be built, by building it without weights, and that its layers use the
 * settings that the description sets. */
static Status check_layers(const ArchSettings *settings, const ArchSource *source,
                           const Trunk *trunk, Error *err) {
    const ArchSettings all = resolved(settings, trunk);
    Program *program;
    Status status = program_new(&program, err);
    if (status) return status;
    int block = add_layers(program, &all, trunk);
    status = program_status(program, err);
    Status unused = status ? OK : check_layer_settings(program, source, err);
    program_free(program);
    if (!status) return unused;
    TextPlace place = {0, (int)strlen(source->text)};
    if (block >= 0 && *settings->trunk) {
        place = trunk->blocks[block].place;
        place.begin += arch_source_value(source, "trunk");
    }
    return arch_fail_within(source, place, err, status);
}

Status arch_parse(const char *text, ArchSettings *out, Error *err) {
    Reader reader = {.source = {.text = text}, .out = out, .err = err};
    const ArchSource *source = &reader.source;
    Trunk trunk;
    settings_defaults(ARCH_FIELDS, out);
    const int usual_blocks = out->blocks;
    out->blocks = 0;
    Status status = read_parts(&reader);
    if (!status) status = check_start_and_kernels(out, source, err);
    if (!status) status = check_short_form(out, source, err);
    if (!status && !out->blocks && !*out->trunk) out->blocks = usual_blocks;
    if (!status) status = trunk_find(out, source, &trunk, err);
    if (!status) status = check_blocks(out, source, &trunk, err);
    if (!status) status = heads_check(out, source, err);
    if (!status) out->score_distribution = head_is_wanted(HEAD_SCORE_DISTRIBUTION, out);
    return status ? status : check_layers(out, source, &trunk, err);
}

Status arch_build(const ArchSettings *settings, Rng *rng, Net **out, Error *err) {
    Program *program;
    Trunk trunk;
    *out = NULL;
    Status status = trunk_of(settings, &trunk, err);
    if (!status) status = program_new(&program, err);
    if (status) return status;
    const ArchSettings all = resolved(settings, &trunk);
    add_layers(program, &all, &trunk);
    status = net_new(program, rng, out, err);
    if (status) return status;
    status = note_architecture(*out, settings, err);
    if (!status) status = note_version(*out, &all, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status arch_of_net(const Net *net, ArchSettings *out, Error *err) {
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, out}, {0}};
    const char *note = net_note(net, "architecture");
    settings_defaults(ARCH_FIELDS, out);
    if (!note) return fail(err, ERR_UNSUPPORTED, "the net has no note of its architecture");
    return settings_parse_note(groups, note, "architecture", err);
}

Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err) {
    ArchSettings settings;
    *out = NULL;
    Status status = arch_parse(text, &settings, err);
    return status ? status : arch_build(&settings, rng, out, err);
}

#include "eval/arch/arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/heads.h"
#include "eval/arch/trunk.h"
#include "eval/features/features.h"

static const double TIP_EPSILON = 1e-6; /* of the RMS norm after the last block, as in KataGo */

/* Adds a name to the list of optional heads. */
static Status add_head(const char *name, ArchSettings *out, Error *err) {
    size_t length = strlen(out->heads);
    int added =
        snprintf(out->heads + length, sizeof out->heads - length, "%s%s", length ? "+" : "", name);
    if ((size_t)added < sizeof out->heads - length) return OK;
    return fail(err, ERR_SYNTAX, "net: the list of heads is too long");
}

/* Reads `letter` and the number after it, such as "c32", and moves `*text` behind it. Returns false
 * if the text does not begin in this way. */
static bool read_number(const char **text, char letter, long *out) {
    char *end;
    if (**text != letter || !isdigit((unsigned char)(*text)[1])) return false;
    *out = strtol(*text + 1, &end, 10);
    *text = end;
    return true;
}

/* Reads a size such as "b6c96", or "c96", which leaves the number of blocks to other parts. */
static Status apply_size(const char *part, ArchSettings *out, Error *err) {
    const char *at = part;
    long blocks = 0, channels = 0;
    bool has_blocks = read_number(&at, 'b', &blocks), understood = read_number(&at, 'c', &channels);
    if (!understood || *at)
        return fail(
            err, ERR_SYNTAX,
            "net: \"%.40s\" is not understood; b6c96, b4c32-batch-mish, or blocks=4,channels=32",
            part);
    if ((has_blocks && (blocks < 1 || blocks > TRUNK_BLOCKS_MAX)) || channels < 8 ||
        channels > 4096)
        return fail(err, ERR_SYNTAX,
                    "net: \"%.40s\": 1 to %d blocks of 8 to 4096 channels are wanted", part,
                    TRUNK_BLOCKS_MAX);
    if (has_blocks) out->blocks = (int)blocks;
    out->channels = (int)channels;
    return OK;
}

static Status apply_part(const char *part, ArchSettings *out, Error *err) {
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, out}, {0}};
    const struct {
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
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(WORDS[i].word, part) == 0)
            return settings_assign(groups, WORDS[i].assignment, err);
    }
    if (strchr(part, '=')) return settings_assign(groups, part, err);
    if (block_find(part)) {
        snprintf(out->block, sizeof out->block, "%.63s", part);
        return OK;
    }
    return head_is_named(part) ? add_head(part, out, err) : apply_size(part, out, err);
}

/* Returns the length of the first part of a description. A part ends at a comma or, if it is no
 * assignment, at a dash. Commas and dashes in parentheses do not end it. */
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

/* Checks the settings of the trunk. If arch.trunk is given, sets arch.blocks to the number of
 * blocks in it. ERR_ARGUMENT: also if arch.blocks is given and is another number. */
static Status check_trunk(ArchSettings *settings, Error *err) {
    Trunk trunk;
    Status status = trunk_of(settings, &trunk, err);
    if (status || !*settings->trunk) return status;
    if (settings->blocks && settings->blocks != trunk.count)
        return fail(err, ERR_ARGUMENT, "net: the trunk has %d blocks, not %d", trunk.count,
                    settings->blocks);
    settings->blocks = trunk.count;
    return OK;
}

static Status check_kernels(const ArchSettings *settings, Error *err) {
    const struct {
        const char *name;
        int width;
    } KERNELS[] = {{"start_kernel", settings->start_kernel},
                   {"policy_kernel", settings->policy_kernel},
                   {"head_kernel", settings->head_kernel}};
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        if (KERNELS[i].width % 2 == 0)
            return fail(err, ERR_ARGUMENT, "net: %s is %d, an odd number is wanted",
                        KERNELS[i].name, KERNELS[i].width);
    }
    if (settings->head_stdev && !settings->head_mean_max)
        return fail(err, ERR_ARGUMENT, "net: head_stdev needs head_mean_max");
    if (settings->start_center > 0 && settings->start_kernel == 1)
        return fail(err, ERR_ARGUMENT, "net: start_center needs a start_kernel wider than 1");
    return OK;
}

Status arch_parse(const char *text, ArchSettings *out, Error *err) {
    settings_defaults(ARCH_FIELDS, out);
    const int usual_blocks = out->blocks;
    Status status = OK;
    out->blocks = 0;
    while (*text && !status) {
        char part[SETTINGS_TEXT_SIZE + 32];
        size_t length = part_length(text);
        if (length >= sizeof part)
            return fail(err, ERR_SYNTAX, "net: \"%.40s...\" is too long", text);
        memcpy(part, text, length);
        part[length] = 0;
        status = apply_part(part, out, err);
        text += length + (text[length] != 0);
    }
    if (!status) status = check_kernels(out, err);
    if (!status && out->td_errors && !out->auxiliary)
        return fail(err, ERR_ARGUMENT, "net: td_errors needs the auxiliary heads (auxiliary=true)");
    if (!status && !out->blocks && !*out->trunk) out->blocks = usual_blocks;
    if (!status) status = check_trunk(out, err);
    return status ? status : heads_check(out, err);
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

/* A net without a note of its model format has the version of MODEL_FORMAT_DEFAULT. If this net has
 * something that this version lacks, writes a note with a later version. */
static Status note_version(Net *net, const ArchSettings *settings, Error *err) {
    ModelFormat model_format = MODEL_FORMAT_DEFAULT;
    if (settings->tip != TIP_NORM) model_format.version = MODEL_FORMAT_VERSION_RMS;
    if (settings->policies == POLICIES_Q_VALUES)
        model_format.version = MODEL_FORMAT_VERSION_Q_VALUES;
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

/* Adds the norm after the last block, and the activation after this norm. */
static Value add_tip(NetBuilder *builder, const Trunk *trunk, Value x) {
    Program *program = builder->program;
    int tip = builder->settings->tip;
    if (tip == TIP_NORM) return builder_norm(builder, "tip", x, PLACE_TIP, trunk->count + 1);
    x = program_rms_norm(program, "tip.norm", x, TIP_EPSILON, tip == TIP_RMS_BOARD);
    x = builder_activation(builder, "tip", program_bias(program, "tip.shift", x));
    return program_mask(program, x);
}

Status arch_build(const ArchSettings *settings, Rng *rng, Net **out, Error *err) {
    Program *program;
    Trunk trunk;
    *out = NULL;
    Status status = trunk_of(settings, &trunk, err);
    if (!status) status = program_new(&program, err);
    if (status) return status;
    ArchSettings resolved = *settings;
    if (resolved.tip == TIP_AUTO)
        resolved.tip = trunk_is_transformer(&trunk) ? TIP_RMS_BOARD : TIP_NORM;
    Value planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES),
          globals = program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    NetBuilder builder = {program, &resolved, planes, trunk_encoders(&trunk)};
    program_set_mask(program, planes, 0);
    Value spatial = planes, vector = globals;
    if (!settings->go_features) { /* leave out features specific to Go (Wu 2019, section 4) */
        spatial =
            select_channels(program, planes, (const int[][2]){{0, 3}, {6, 8}, {20, 2}, {0, 0}});
        vector = select_channels(program, globals, (const int[][2]){{0, 14}, {15, 3}, {0, 0}});
    }
    Value x = program_conv(program, "start.conv", spatial, settings->channels,
                           settings->start_kernel, builder_deviation(&builder, 0.8));
    if (settings->start_center > 0)
        x = program_add(program, x,
                        program_conv(program, "start.center", spatial, settings->channels, 1,
                                     builder_deviation(&builder, settings->start_center)));
    x = program_add_broadcast(program, x,
                              program_dense(program, "start.globals", vector, settings->channels,
                                            builder_deviation(&builder, 0.6)));
    for (int i = 0; i < trunk.count; i++)
        x = trunk.blocks[i].kind->build(&builder, &trunk.blocks[i].options, i, x);
    x = add_tip(&builder, &trunk, x);
    if (settings->center_init > 0) program_emphasise_centers(program, settings->center_init);
    heads_build(&builder, x, globals);
    status = net_new(program, rng, out, err);
    if (status) return status;
    status = note_architecture(*out, settings, err);
    if (!status) status = note_version(*out, &resolved, err);
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

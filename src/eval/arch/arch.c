#include "eval/arch/arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/heads.h"
#include "eval/features/features.h"

/* Adds a name to the list of optional heads. */
static Status add_head(const char *name, ArchSettings *out, Error *err) {
    size_t length = strlen(out->heads);
    int added =
        snprintf(out->heads + length, sizeof out->heads - length, "%s%s", length ? "+" : "", name);
    if ((size_t)added < sizeof out->heads - length) return OK;
    return fail(err, ERR_SYNTAX, "net: the list of heads is too long");
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
        snprintf(out->block, sizeof out->block, "%s", part);
        return OK;
    }
    if (head_is_named(part)) return add_head(part, out, err);
    char *end = NULL;
    bool digits = *part == 'b' && isdigit((unsigned char)part[1]);
    long blocks = digits ? strtol(part + 1, &end, 10) : 0;
    digits = end && *end == 'c' && isdigit((unsigned char)end[1]);
    long channels = digits ? strtol(end + 1, &end, 10) : 0;
    if (digits && !*end && (blocks < 1 || blocks > 200 || channels < 8 || channels > 4096))
        return fail(err, ERR_SYNTAX,
                    "net: \"%.40s\": 1 to 200 blocks of 8 to 4096 channels are wanted", part);
    if (!digits || *end)
        return fail(
            err, ERR_SYNTAX,
            "net: \"%.40s\" is not understood; b6c96, b4c32-batch-mish, or blocks=4,channels=32",
            part);
    out->blocks = (int)blocks;
    out->channels = (int)channels;
    return OK;
}

Status arch_parse(const char *text, ArchSettings *out, Error *err) {
    settings_defaults(ARCH_FIELDS, out);
    Status status = OK;
    while (*text && !status) {
        char part[96];
        size_t length = strcspn(
            text, strchr(text, '=') && strchr(text, '=') < text + strcspn(text, ",-") ? "," : "-,");
        if (length >= sizeof part)
            return fail(err, ERR_SYNTAX, "net: \"%.40s...\" is too long", text);
        memcpy(part, text, length);
        part[length] = 0;
        status = apply_part(part, out, err);
        text += length + (text[length] != 0);
    }
    if (!status && out->start_kernel % 2 == 0)
        return fail(err, ERR_ARGUMENT, "net: start_kernel is %d, an odd number is wanted",
                    out->start_kernel);
    if (!status && out->td_errors && !out->auxiliary)
        return fail(err, ERR_ARGUMENT, "net: td_errors needs the auxiliary heads (auxiliary=true)");
    if (!status && !block_find(out->block))
        return fail(err, ERR_ARGUMENT, "net: there is no block \"%.40s\"", out->block);
    return status ? status : heads_check_names(out->heads, err);
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

/* Notes a later model version than our default one, because earlier versions have no values of
 * moves. */
static Status note_q_values(Net *net, Error *err) {
    ModelFormat model_format = MODEL_FORMAT_DEFAULT;
    model_format.version = MODEL_FORMAT_VERSION_Q_VALUES;
    return model_format_note(net, &model_format, err);
}

static Status note_architecture(Net *net, const ArchSettings *settings, Error *err) {
    StrBuf text = {0};
    arch_note_text(settings, &text);
    Status status = net_set_note(net, "architecture", strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

Status arch_build(const ArchSettings *settings, Rng *rng, Net **out, Error *err) {
    Program *program;
    *out = NULL;
    Status status = program_new(&program, err);
    if (status) return status;
    NetBuilder builder = {program, settings, (Activation)settings->activation};
    Value planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES),
          globals = program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(program, planes, 0);
    Value spatial = planes, vector = globals;
    if (!settings->go_features) { /* without the game-specific ones (Wu 2019, section 4) */
        spatial =
            select_channels(program, planes, (const int[][2]){{0, 3}, {6, 8}, {20, 2}, {0, 0}});
        vector = select_channels(program, globals, (const int[][2]){{0, 14}, {15, 3}, {0, 0}});
    }
    Value x = program_conv(program, "start.conv", spatial, settings->channels,
                           settings->start_kernel, builder_deviation(&builder, 0.8));
    x = program_add_broadcast(program, x,
                              program_dense(program, "start.globals", vector, settings->channels,
                                            builder_deviation(&builder, 0.6)));
    for (int i = 0; i < settings->blocks; i++) {
        bool pools = settings->pool_every && (i + 1) % settings->pool_every == 0;
        x = block_find(pools ? "pooled" : settings->block)->build(&builder, i, x);
    }
    x = builder_norm(&builder, "tip", x, PLACE_TIP, settings->blocks + 1);
    heads_build(&builder, x, globals);
    status = net_new(program, rng, out, err);
    if (status) return status;
    status = note_architecture(*out, settings, err);
    if (!status && settings->policies == POLICIES_Q_VALUES) status = note_q_values(*out, err);
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
    return settings_parse(groups, note, "architecture", err);
}

Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err) {
    ArchSettings settings;
    *out = NULL;
    Status status = arch_parse(text, &settings, err);
    return status ? status : arch_build(&settings, rng, out, err);
}

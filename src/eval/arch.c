#include "eval/arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/blocks/blocks.h"
#include "eval/features.h"
#include "eval/heads.h"

const ConfigField ARCH_FIELDS[] = {
    FIELD_INT(ArchConfig, blocks, 4, 1, 200, "residual blocks", .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchConfig, channels, 32, 8, 4096, "channels of the trunk",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchConfig, pool_channels, 0, 0, 4096, "channels that are pooled; 0: a quarter",
              .source = "Wu 2019, section 3.3"),
    FIELD_INT(ArchConfig, pool_every, 2, 0, 200, "every k-th block pools over the board; 0: none",
              .source = "Wu 2019, section 3.3"),
    FIELD_INT(ArchConfig, inner_channels, 0, 0, 4096, "channels inside a block; 0: as the trunk"),
    FIELD_INT(ArchConfig, policy_channels, 0, 0, 4096,
              "channels of the policy head; 0: by the trunk", .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchConfig, value_channels, 0, 0, 4096, "channels of the value head; 0: by the trunk",
              .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchConfig, value_hidden, 0, 0, 4096,
              "hidden units of the value head; 0: by the trunk", .source = "Wu 2019, appendix A"),
    FIELD_INT(ArchConfig, start_kernel, 3, 1, 19, "edge of the first convolution; 5 in the paper",
              .source = "Wu 2019, appendix A"),
    FIELD_CHOICE(ArchConfig, norm, NORM_FIXUP, "batch|fixup|fixed|renorm|fixscale|fson",
                 "batch norm, Fixup, gains that start by depth, batch renorm, scales fixed by "
                 "depth, or these with one batch norm after the last block",
                 .source = "KataGo, docs/KataGoMethods.md; Zhang et al. 2019; Ioffe 2017"),
    FIELD_CHOICE(ArchConfig, activation, ACTIVATION_RELU, "identity|relu|mish|silu", "activation",
                 .source = "Misra 2019 (mish)"),
    FIELD_BOOL(ArchConfig, score_distribution, true,
               "a head for the distribution of the final score", .source = "Wu 2019, appendix A"),
    FIELD_BOOL(ArchConfig, go_features, true,
               "see liberties, ladders, areas, parity of komi and what a pass would end",
               .source = "Wu 2019, section 4 and appendix A"),
    FIELD_CHOICE(ArchConfig, policies, POLICIES_PLAIN, "plain|soft|optimistic|q_values",
                 "own move and reply; with soft: flattened too; with optimistic: also as in "
                 "positions that turn out better than expected; with q_values: also what each "
                 "move leads to",
                 .source = "KataGo, docs/KataGoMethods.md, python/katago/train/model_pytorch.py"),
    FIELD_BOOL(ArchConfig, auxiliary, false,
               "heads that only teach: later values, boards in 8 and 32 turns, seki, scoring",
               .source = "KataGo, python/katago/train/model_pytorch.py; p3achygo"),
    FIELD_BOOL(ArchConfig, td_errors, false,
               "with auxiliary: a head for the squared errors of later values and scores",
               .source = "p3achygo, python/model.py"),
    FIELD_FLOAT(ArchConfig, norm_momentum, 0.99, 0, 0.999999,
                "what running statistics of batch norms keep a step (KataGo, p3achygo: 0.999)",
                .source = "Ioffe and Szegedy 2015"),
    FIELD_FLOAT(ArchConfig, norm_epsilon, 1e-4, 1e-8, 1,
                "added to the variance by batch norms (p3achygo, GoNN: 1e-3)",
                .source = "Ioffe and Szegedy 2015; KataGo, python/katago/train"),
    FIELD_BOOL(ArchConfig, norm_gain, true,
               "batch norms have gains beside their biases (p3achygo, GoNN: false)",
               .source = "Ioffe and Szegedy 2015"),
    {0},
};

static Status apply_part(const char *part, ArchConfig *out, Error *err) {
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
    char *end = NULL;
    bool digits = *part == 'b' && isdigit((unsigned char)part[1]);
    long blocks = digits ? strtol(part + 1, &end, 10) : 0;
    digits = end && *end == 'c' && isdigit((unsigned char)end[1]);
    long channels = digits ? strtol(end + 1, &end, 10) : 0;
    if (digits && !*end && (blocks < 1 || blocks > 200 || channels < 8 || channels > 4096))
        return fail(err, ERR_SYNTAX,
                    "net: \"%.40s\" is not within 1 to 200 blocks of 8 to 4096 channels", part);
    if (!digits || *end)
        return fail(
            err, ERR_SYNTAX,
            "net: \"%.40s\" is not understood; b6c96, b4c32-batch-mish, or blocks=4,channels=32",
            part);
    out->blocks = (int)blocks;
    out->channels = (int)channels;
    return OK;
}

Status arch_parse(const char *text, ArchConfig *out, Error *err) {
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
        return fail(err, ERR_ARGUMENT,
                    "net: td_errors are those of auxiliary heads, which it does not have");
    return status;
}

/* Only some channels of an input, by runs of (first, count) that end with a count of 0. */
static Value pick(Program *program, Value x, const int (*runs)[2]) {
    Value kept = program_slice(program, x, (*runs)[0], (*runs)[1]);
    for (runs++; (*runs)[1]; runs++)
        kept = program_concat(program, kept, program_slice(program, x, (*runs)[0], (*runs)[1]));
    return kept;
}

/* KataGo's nets have values of moves in later versions than ours has otherwise. */
static Status note_q_values(Net *net, Error *err) {
    NetMeaning meaning = MEANING_DEFAULT;
    meaning.version = MEANING_VERSION_Q_VALUES;
    return meaning_note(net, &meaning, err);
}

/* Settings that came later are said only of nets that they are not usual in: the others' notes stay
 * what they were. */
static bool is_untold(const ConfigField *field, const SettingsGroup *given,
                      const SettingsGroup *usual) {
    static const char *const LATER[] = {"auxiliary", "td_errors", "norm_momentum", "norm_epsilon",
                                        "norm_gain"};
    StrBuf value = {0}, known = {0};
    bool untold = false;
    for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++) {
        if (strcmp(LATER[i], field->name) != 0) continue;
        untold = !settings_get(given, field->name, &value, NULL) &&
                 !settings_get(usual, field->name, &known, NULL) &&
                 strcmp(strbuf_text(&value), strbuf_text(&known)) == 0;
    }
    strbuf_clear(&value);
    strbuf_clear(&known);
    return untold;
}

static Status note_architecture(Net *net, const ArchConfig *config, Error *err) {
    ArchConfig given = *config, usual;
    ConfigField fields[sizeof ARCH_FIELDS / sizeof *ARCH_FIELDS] = {{0}};
    const SettingsGroup all[] = {{"arch", ARCH_FIELDS, &given}, {0}},
                        defaults[] = {{"arch", ARCH_FIELDS, &usual}, {0}},
                        told[] = {{"arch", fields, &given}, {0}};
    StrBuf text = {0};
    size_t count = 0;
    settings_defaults(ARCH_FIELDS, &usual);
    for (const ConfigField *field = ARCH_FIELDS; field->name; field++) {
        if (!is_untold(field, all, defaults)) fields[count++] = *field;
    }
    settings_write(told, &text);
    Status status = net_set_note(net, "architecture", strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

Status arch_build(const ArchConfig *config, Rng *rng, Net **out, Error *err) {
    Program *program;
    *out = NULL;
    Status status = program_new(&program, err);
    if (status) return status;
    Composer composer = {program, config, (Activation)config->activation};
    Value planes = program_input(program, "planes", KIND_SPATIAL, FEATURE_PLANES),
          globals = program_input(program, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(program, planes, 0);
    Value seen = planes, told = globals;
    if (!config->go_features) { /* the numbers of Wu 2019, tables 1 and 2, in version 7 */
        seen = pick(program, planes, (const int[][2]){{0, 3}, {6, 8}, {20, 2}, {0, 0}});
        told = pick(program, globals, (const int[][2]){{0, 14}, {15, 3}, {0, 0}});
    }
    Value x = program_conv(program, "start.conv", seen, config->channels, config->start_kernel,
                           block_deviation(&composer, 0.8));
    x = program_add_broadcast(program, x,
                              program_dense(program, "start.globals", told, config->channels,
                                            block_deviation(&composer, 0.6)));
    for (int i = 0; i < config->blocks; i++) {
        bool pools = config->pool_every && (i + 1) % config->pool_every == 0;
        x = pools ? block_pooled(&composer, i, x) : block_residual(&composer, i, x);
    }
    x = block_norm(&composer, "tip", x, PLACE_TIP, config->blocks + 1);
    heads_compose(&composer, x, globals);
    status = net_new(program, rng, out, err);
    if (status) return status;
    status = note_architecture(*out, config, err);
    if (!status && config->policies == POLICIES_Q_VALUES) status = note_q_values(*out, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status arch_of_net(const Net *net, ArchConfig *out, Error *err) {
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, out}, {0}};
    const char *note = net_note(net, "architecture");
    settings_defaults(ARCH_FIELDS, out);
    if (!note) return fail(err, ERR_UNSUPPORTED, "the net does not say what it is built of");
    return settings_parse(groups, note, "architecture", err);
}

ArchText arch_text(const ArchConfig *config) {
    ArchConfig given = *config, usual;
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, &given}, {0}},
                        defaults[] = {{"arch", ARCH_FIELDS, &usual}, {0}};
    ArchText out;
    StrBuf words = {0}, value = {0}, known = {0};
    settings_defaults(ARCH_FIELDS, &usual);
    usual.blocks = given.blocks;
    usual.channels = given.channels;
    strbuf_addf(&words, "b%dc%d", given.blocks, given.channels);
    for (const ConfigField *field = ARCH_FIELDS; field->name; field++) {
        strbuf_reset(&value);
        strbuf_reset(&known);
        if (settings_get(groups, field->name, &value, NULL) ||
            settings_get(defaults, field->name, &known, NULL))
            continue;
        if (strcmp(strbuf_text(&value), strbuf_text(&known)) != 0)
            strbuf_addf(&words, ",%s=%s", field->name, strbuf_text(&value));
    }
    snprintf(out.text, sizeof out.text, "%s", strbuf_text(&words));
    strbuf_clear(&words);
    strbuf_clear(&value);
    strbuf_clear(&known);
    return out;
}

Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err) {
    ArchConfig config;
    *out = NULL;
    Status status = arch_parse(text, &config, err);
    return status ? status : arch_build(&config, rng, out, err);
}

/* `aji net info`: the table of a net's parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "eval/features/model_format.h"
#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/net_file.h"
#include "eval/view/net_parts.h"
#include "nn/infer/infer_quantisation.h"

static const int SIZES[] = {7, 9, 13, 19};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

typedef struct {
    const char *path;
    Path file; /* after describe(), `path` is its text */
    Net *net;
    NetPart *parts;
    int count;
    bool json, by_layer; /* what the user asked for */
    NetLayer *layers;    /* if by_layer or json */
    int layer_count;
    int kind_width, layers_width; /* of the columns of the table, in characters */
} NetInfo;

static int count_blocks(const NetInfo *info) {
    int blocks = 0;
    for (int i = 0; i < info->count; i++)
        blocks += *info->parts[i].kind != 0;
    return blocks;
}

/* The number of channels that the blocks of the trunk write. */
static int trunk_channels(const NetInfo *info) {
    for (int i = 0; i < info->count; i++) {
        if (*info->parts[i].kind) return info->parts[i].channels;
    }
    return info->count ? info->parts[0].channels : 0;
}

/* Most kinds are used like adjectives: "4 residual". Two of them are nouns: "2 encoders" and
 * "1 with gates by place". Each may have "nested" before it. */
static void print_kind(int count, const char *kind) {
    bool encodes = path_has_ending(kind, "encoder"),
         gates = path_has_ending(kind, "gates by place");
    printf("; %d %s%s%s", count, gates ? "with " : "", kind, encodes ? plural_ending(count) : "");
}

/* Prints the number of blocks of each kind, such as "; 4 residual; 2 global pooling". The kinds
 * come in the order in which they first occur. */
static void print_kinds(const NetInfo *info) {
    for (int i = 0; i < info->count; i++) {
        const char *kind = info->parts[i].kind;
        int same = 0, before = 0;
        for (int k = 0; k < info->count; k++) {
            if (strcmp(info->parts[k].kind, kind) != 0) continue;
            same++;
            before += k < i;
        }
        if (*kind && !before) print_kind(same, kind);
    }
}

static void print_summary(const NetInfo *info) {
    static const char *const NOTES[] = {"name", "made", "samples"};
    ModelFormat model_format;
    printf("%s\n  hash      %.16s\n", info->path, net_hash(info->net).text);
    for (size_t i = 0; i < sizeof NOTES / sizeof *NOTES; i++) {
        if (net_note(info->net, NOTES[i]))
            printf("  %-9s %s\n", NOTES[i], net_note(info->net, NOTES[i]));
    }
    bool go = program_find_input(net_program(info->net), "globals") >= 0;
    if (go && !model_format_of(info->net, &model_format, NULL)) {
        const char *formulas = model_format.own_policies ? "Aji's own, like KataGo's version"
                                                         : "KataGo's model version";
        printf("  outputs   %s %d; input features version %d%s\n", formulas, model_format.version,
               model_format_features(&model_format),
               model_format.metadata ? "; conditioned on a player's profile" : "");
        if (program_find_input(net_program(info->net), "gonn") >= 0)
            printf("  planes    the 26 planes of the program GoNN\n");
    }
    int blocks = count_blocks(info), channels = trunk_channels(info);
    printf("  trunk     %d block%s of %d channel%s", blocks, plural_ending(blocks), channels,
           plural_ending(channels));
    print_kinds(info);
    int side = program_only_side(net_program(info->net));
    if (side) printf("\n  boards    %dx%d only", side, side);
    long long parameters = net_parameter_total(info->net);
    int ops = program_op_count(net_program(info->net));
    printf("\n  size      %lld parameter%s, %d op%s\n", parameters, plural_ending(parameters), ops,
           plural_ending(ops));
}

/* Prints the boards and the komi of the run to which the net belongs, and the result of the
 * comparison of precisions that `aji net quantize` has kept in the net. */
static void print_origin(const NetInfo *info) {
    NetRun run = net_run_find(info->path);
    if (run.known) printf("  run       %s, komi %g\n", run.boards.text, (double)run.rules.komi);
    const char *note = net_note(info->net, QUANTISATION_REPORT_NOTE);
    json_t *report = NULL, *one;
    const char *name;
    if (!note || json_parse(note, strlen(note), &report, NULL)) return;
    json_object_foreach(report, name, one) {
        long long clear = json_integer_value(json_object_get(one, "clear")),
                  agreed = json_integer_value(json_object_get(one, "agreed"));
        printf("  %-9s %s: the same best move as f32 in %lld of %lld clear positions\n", name,
               json_is_true(json_object_get(one, "passes")) ? "passes" : "too far off", agreed,
               clear);
    }
    json_decref(report);
}

static void print_row(const NetInfo *info, const NetPart *part, const double costs[SIZE_COUNT]) {
    char channels[32] = "";
    if (part->channels)
        snprintf(channels, sizeof channels, "%d > %d", part->in_channels, part->channels);
    printf("%-10s %-*s %-*s %-11s %10lld", part->name, info->kind_width, part->kind,
           info->layers_width, part->layers, channels, (long long)part->parameters);
    for (int i = 0; i < SIZE_COUNT; i++)
        printf(" %9.2f", costs[i] * 1e-6);
    printf("\n");
}

static void print_table(const NetInfo *info) {
    double costs[SIZE_COUNT];
    printf("\n%*s %10s  million multiply-adds\n%-10s %-*s %-*s %-11s %10s",
           24 + info->kind_width + info->layers_width, "", "", "part", info->kind_width, "kind",
           info->layers_width, "layers", "channels", "parameters");
    for (int i = 0; i < SIZE_COUNT; i++)
        printf("     %2dx%-2d", SIZES[i], SIZES[i]);
    printf("\n");
    for (int k = 0; k < info->count; k++) {
        for (int i = 0; i < SIZE_COUNT; i++)
            costs[i] = net_part_multiply_adds(info->net, &info->parts[k], SIZES[i], SIZES[i]);
        print_row(info, &info->parts[k], costs);
    }
    for (int i = 0; i < SIZE_COUNT; i++)
        costs[i] = program_multiply_adds(net_program(info->net), SIZES[i], SIZES[i]);
    print_row(info, &(NetPart){.name = "all", .parameters = net_parameter_total(info->net)}, costs);
    const char *architecture = net_note(info->net, "architecture");
    if (architecture) printf("\n%s", architecture);
}

/* Prints one line for each layer. */
static void print_layers(const NetInfo *info) {
    int name_width = 5, kind_width = 4;
    for (int k = 0; k < info->layer_count; k++) {
        int name = (int)strlen(info->layers[k].name), kind = (int)strlen(info->layers[k].kind);
        if (name > name_width) name_width = name;
        if (kind > kind_width) kind_width = kind;
    }
    printf("\n%*s %10s  million multiply-adds\n%-*s %-*s %-11s %10s", 13 + name_width + kind_width,
           "", "", name_width, "layer", kind_width, "kind", "channels", "parameters");
    for (int i = 0; i < SIZE_COUNT; i++)
        printf("     %2dx%-2d", SIZES[i], SIZES[i]);
    for (int k = 0; k < info->layer_count; k++) {
        const NetLayer *layer = &info->layers[k];
        char channels[32];
        snprintf(channels, sizeof channels, "%d > %d", layer->in_channels, layer->channels);
        printf("\n%-*s %-*s %-11s %10lld", name_width, layer->name, kind_width, layer->kind,
               channels, (long long)layer->parameters);
        for (int i = 0; i < SIZE_COUNT; i++)
            printf(" %9.3f", 1e-6 * program_op_multiply_adds(net_program(info->net), layer->value,
                                                             SIZES[i], SIZES[i]));
    }
    printf("\n");
}

/* The multiply-adds on each board size. They are those of `part`; if it is NULL, those of `layer`;
 * if both are NULL, those of the whole net. */
static json_t *costs_json(const NetInfo *info, const NetPart *part, const NetLayer *layer) {
    const Program *program = net_program(info->net);
    json_t *costs = json_object();
    for (int i = 0; i < SIZE_COUNT; i++) {
        char key[16];
        int size = SIZES[i];
        snprintf(key, sizeof key, "%dx%d", size, size);
        double cost = part    ? net_part_multiply_adds(info->net, part, size, size)
                      : layer ? program_op_multiply_adds(program, layer->value, size, size)
                              : program_multiply_adds(program, size, size);
        json_object_set_new(costs, key, json_real(cost));
    }
    return costs;
}

static json_t *layers_json(const NetInfo *info) {
    json_t *layers = json_array();
    for (int i = 0; i < info->layer_count; i++) {
        const NetLayer *layer = &info->layers[i];
        json_array_append_new(layers, json_pack("{s:s, s:s, s:i, s:i, s:I, s:o}", "name",
                                                layer->name, "kind", layer->kind, "in_channels",
                                                layer->in_channels, "channels", layer->channels,
                                                "numbers", (json_int_t)layer->parameters,
                                                "multiply_adds", costs_json(info, NULL, layer)));
    }
    return layers;
}

static Status print_json(const NetInfo *info, Error *err) {
    json_t *parts = json_array();
    for (int i = 0; i < info->count; i++) {
        const NetPart *part = &info->parts[i];
        json_array_append_new(
            parts, json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:o}", "name", part->name, "kind",
                             part->kind, "layers", part->layers, "in_channels", part->in_channels,
                             "channels", part->channels, "numbers", (json_int_t)part->parameters,
                             "multiply_adds", costs_json(info, part, NULL)));
    }
    json_t *object = json_pack(
        "{s:s, s:s, s:i, s:i, s:I, s:o, s:o, s:o}", "net", info->path, "hash",
        net_hash(info->net).text, "blocks", count_blocks(info), "channels", trunk_channels(info),
        "numbers", (json_int_t)net_parameter_total(info->net), "multiply_adds",
        costs_json(info, NULL, NULL), "parts", parts, "layers", layers_json(info));
    return command_json(object, 9, err);
}

/* Lists what is in a net of lc0 for chess, which Aji cannot play with. */
static Status describe_lc0(const NetInfo *info, Error *err) {
    StrBuf text = {0};
    if (info->json || info->by_layer)
        return fail(err, ERR_ARGUMENT,
                    "%s is a net of lc0 for chess: --json and --layers do not know it", info->path);
    Status status = lc0_net_describe(info->path, &text, err);
    if (!status) fputs(strbuf_text(&text), stdout);
    strbuf_clear(&text);
    return status;
}

static Status describe(NetInfo *info, Error *err) {
    Status status = net_run_file("net info", info->path, &info->file, err);
    info->path = info->file.text;
    bool go = true;
    if (!status && lc0_net_is_file(info->path)) status = lc0_net_is_go(info->path, &go, err);
    if (!status && !go) return describe_lc0(info, err);
    if (!status) status = net_file_load(info->path, &info->net, err);
    if (!status) status = net_parts(info->net, &info->parts, &info->count, err);
    if (!status && (info->json || info->by_layer))
        status = net_layers(info->net, &info->layers, &info->layer_count, err);
    if (!status && info->json) return print_json(info, err);
    if (status) return status;
    info->kind_width = info->layers_width = 6;
    for (int i = 0; i < info->count; i++) {
        int kind = (int)strlen(info->parts[i].kind), layers = (int)strlen(info->parts[i].layers);
        if (kind > info->kind_width) info->kind_width = kind;
        if (layers > info->layers_width) info->layers_width = layers;
    }
    print_summary(info);
    print_origin(info);
    print_table(info);
    if (info->by_layer) print_layers(info);
    return OK;
}

int net_info_command(int argc, char **argv) {
    const char *words[1];
    int count;
    NetInfo info = {.path = NULL};
    const Option options[] = {
        {"layers", OPTION_FLAG, &info.by_layer, 0, 0, NULL, "list the layers of the parts, too"},
        {"json", OPTION_FLAG, &info.json, 0, 0, NULL,
         "print one JSON object instead of the table; it has the layers"},
        {0},
    };
    const CommandUsage usage = {
        "net info",
        "aji net info NET [--layers] [--json]",
        "lists the parts of a net: blocks, channels, parameters, multiply-adds",
        "Multiply-adds are those of one position under one symmetry. `aji net show` shows the "
        "weights. For nets of lc0 (.pb.gz) that are for chess, which Aji cannot play with, the "
        "command lists the trunk, the heads, the formats and the tensors.",
        options,
        NULL,
        1,
        1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    info.path = words[0];
    Status status = describe(&info, &err);
    free(info.layers);
    free(info.parts);
    net_free(info.net);
    return command_end(usage.name, status, &err);
}

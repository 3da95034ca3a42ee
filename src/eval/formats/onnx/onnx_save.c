#include "eval/formats/onnx/onnx_save.h"

#include <stdio.h>

#include "base/file.h"
#include "eval/arch/heads.h"
#include "eval/formats/onnx/onnx_translate.h"

enum { PROPERTIES_MAX = 8 };

/* The properties of the model in the file: pairs of a key and a text, and the texts that are made
 * here. */
typedef struct {
    const char *pairs[PROPERTIES_MAX][2];
    int count;
    char board[16], model_version[16], features_version[16], multipliers[200];
} Properties;

static void add_property(Properties *p, const char *key, const char *text) {
    if (!text || !*text) return;
    p->pairs[p->count][0] = key;
    p->pairs[p->count++][1] = text;
}

/* Collects the notes that describe the net, and what a reader of the outputs must know of the model
 * format. */
static void describe(const Net *net, const ModelFormat *model_format, const OnnxSetup *setup,
                     Properties *p) {
    const ScoreMultipliers *score = &model_format->score;
    snprintf(p->board, sizeof p->board, "%dx%d", setup->width, setup->height);
    snprintf(p->model_version, sizeof p->model_version, "%d", model_format->version);
    snprintf(p->features_version, sizeof p->features_version, "%d",
             model_format_features(model_format));
    snprintf(p->multipliers, sizeof p->multipliers,
             "mean %.9g, stdev %.9g, lead %.9g, var_time %.9g, shortterm_winloss %.9g, "
             "shortterm_score %.9g",
             score->mean, score->stdev, score->lead, score->var_time, score->shortterm_winloss,
             score->shortterm_score);
    add_property(p, "name", net_note(net, "name"));
    add_property(p, "architecture", net_note(net, "architecture"));
    add_property(p, "board", p->board);
    add_property(p, "model_version", p->model_version);
    add_property(p, "features_version", p->features_version);
    add_property(p, "policies", model_format->own_policies ? "aji" : "katago");
    add_property(p, "score_multipliers", p->multipliers);
}

void onnx_setup_sizes(const Net *net, OnnxSetup *setup) {
    enum { USUAL = 19 };
    int side = program_only_side(net_program(net));
    if (!setup->width) setup->width = side ? side : USUAL;
    if (!setup->height) setup->height = side ? side : USUAL;
}

Status onnx_check_name(const char *path, Error *err) {
    if (path_has_ending(path, ".onnx")) return OK;
    return fail(err, ERR_ARGUMENT, "%s: the name of an ONNX file ends in .onnx",
                *path ? path : "the name is empty");
}

static Status write_net(const Net *net, const HeadIndex *heads, const Properties *properties,
                        const OnnxSetup *setup, const char *path, Error *err) {
    bool outputs[PROGRAM_OUTPUTS_MAX] = {false};
    OnnxGraph *graph;
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (heads->output[i] >= 0) outputs[heads->output[i]] = true;
    }
    const OnnxTranslateSetup size = {
        .height = setup->height, .width = setup->width, .outputs = outputs};
    const OnnxModel model = {.name = "net",
                             .version = setup->version,
                             .note =
                                 "A net for the game of Go, exported by Aji. Its docs/NETWORKS.md "
                                 "describes the inputs and outputs.",
                             .properties = properties->pairs,
                             .property_count = properties->count,
                             .limit_bytes = setup->limit_bytes};
    Status status = onnx_graph_new(&graph, err);
    if (!status) status = onnx_translate(net, &size, graph, err);
    if (!status) status = onnx_graph_write(graph, &model, path, err);
    onnx_graph_free(graph);
    return status;
}

Status onnx_save(const Net *net, const char *path, const OnnxSetup *setup, Error *err) {
    OnnxSetup complete = *setup;
    ModelFormat model_format;
    HeadIndex heads;
    Properties properties = {.count = 0};
    Status status = onnx_check_name(path, err);
    if (!status) status = model_format_of(net, &model_format, err);
    if (!status) status = heads_find_as(net_program(net), &model_format, &heads, err);
    if (status) return status;
    onnx_setup_sizes(net, &complete);
    describe(net, &model_format, &complete, &properties);
    return write_net(net, &heads, &properties, &complete, path, err);
}

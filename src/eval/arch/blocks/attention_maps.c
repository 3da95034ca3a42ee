/* Attention with maps. A map b belongs to one head. It has a number for each pair of points, and
 * this number is added to the logit of the pair. With the option `map_factors` each head also has a
 * map m, whose numbers multiply the attention weights (nn/ops/attention/attention_terms.c). The
 * maps of a layer with h heads come from one of three sources (lczero-training, README and
 * tfprocess.py):
 * - learned: the numbers of the maps are weights ("logit gating"). The maps begin at 0.
 * - fullgen: the maps are generated from the input x of the layer. In these formulas n is a layer
 *   norm, W0, W1, W2 and W are matrices, c1 and c2 are biases, and act is an activation:
 *       u = W0 x at all points or pooled over them, as one vector
 *       z = n(act(W1 u + c1)),   g = n(act(W2 z + c2)),   b of head i = W g_i
 *   where g_i is the i-th of h equal parts of g.
 * - smolgen: as fullgen, but all layers whose matrices W have the same shape share one W.
 * With `map_factors` g has 2 h parts; the first h parts give the maps b, and the others give the
 * maps m. */
#include "eval/arch/blocks/attention_maps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/arch/blocks/option_layers.h"

/* Returns how many numbers describe the map of one head. */
static int row_of(const BlockOptions *options) {
    int points = options->side * options->side, width = 2 * options->side - 1;
    return options->map_form == MAP_POINTS    ? points * points
           : options->map_form == MAP_OFFSETS ? width * width
                                              : 2 * points * options->map_rank;
}

/* Returns Glorot's standard deviation of initial weights. */
static double deviation(int inputs, int outputs) {
    return sqrt(2.0 / (inputs + outputs));
}

/* Adds a hidden layer: matrix, bias, activation and layer norm. */
static Value hidden_layer(NetBuilder *builder, const BlockOptions *options, int index,
                          const char *name, Value x, int outputs) {
    char layer[32];
    Program *program = builder->program;
    if (x < 0) return -1;
    int inputs = program_op(program, x)->channels;
    x = program_dense(program, builder_layer(index, name).text, x, outputs,
                      deviation(inputs, outputs));
    snprintf(layer, sizeof layer, "%sbias", name);
    x = program_bias(program, builder_layer(index, layer).text, x);
    BlockOptions own = {.activation = options->map_activation, .norm = ROW_NORM_LAYER};
    x = option_activation(builder, &own, index, layer, x);
    snprintf(layer, sizeof layer, "%snorm", name);
    return option_norm(builder, &own, index, layer, x);
}

/* Returns the op of this name, or -1 if there is none yet. */
static Value earlier_matrix(const Program *program, const char *name) {
    for (Value v = 0; v < program_op_count(program); v++) {
        if (strcmp(program_op(program, v)->name, name) == 0) return v;
    }
    return -1;
}

/* Adds the product with the matrix W. With smolgen, layers share W; otherwise W belongs to this
 * layer alone. */
static Value last_matrix(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    static const char *const FORMS[] = {
        [MAP_POINTS] = "points", [MAP_OFFSETS] = "offsets", [MAP_RANKS] = "ranks"};
    Program *program = builder->program;
    int row = row_of(options);
    if (options->maps != MAPS_SMOLGEN)
        return program_dense(program, builder_layer(index, "maps").text, x, row,
                             deviation(options->map_gen, row));
    char name[48];
    snprintf(name, sizeof name, "smolgen.%s%dx%d", FORMS[options->map_form], row, options->map_gen);
    Value first = earlier_matrix(program, name);
    return first >= 0 ? program_dense_of(program, builder_layer(index, "maps").text, x, row, first)
                      : program_dense(program, name, x, row, deviation(options->map_gen, row));
}

static Value generate(NetBuilder *builder, const BlockOptions *options, int index, int rows,
                      Value input) {
    Program *program = builder->program;
    int channels = builder->settings->channels, compressed = options->map_channels;
    bool pools = options->map_input == MAP_INPUT_POOL ||
                 (options->map_input == MAP_INPUT_AUTO && options->map_form == MAP_OFFSETS);
    Value z = program_dense(program, builder_layer(index, "compress").text, input, compressed,
                            deviation(channels, compressed));
    const Op points = {.kind = OP_POINTS_VECTOR, .inputs = {z}, .side = options->side};
    z = pools ? program_global_pool(program, z, POOL_MEAN_SCALE_MAX)
              : program_add_op(program, "", points);
    z = hidden_layer(builder, options, index, "generate1", z, options->map_hidden);
    z = hidden_layer(builder, options, index, "generate2", z, rows * options->map_gen);
    const Op parts = {.kind = OP_VECTOR_ROWS, .inputs = {z}, .list_rows = rows};
    return last_matrix(builder, options, index, program_add_op(program, "", parts));
}

/* Adds weights for the maps, which begin at 0. With vectors u and v for each point, the maps begin
 * at 0 because all v do. The vectors u begin at random: if they began at 0 too, neither u nor v
 * would ever have a gradient (Hu et al. 2021, "LoRA", section 4.1, begin in the same way). */
static Value learned(NetBuilder *builder, const BlockOptions *options, int index, int rows) {
    Program *program = builder->program;
    int row = row_of(options);
    const BlockLayer name = builder_layer(index, "maps");
    if (options->map_form != MAP_RANKS)
        return program_learned_constant(program, name.text, rows, row, 0);
    Value u = program_learned_constant(program, builder_layer(index, "mapsfrom").text, rows,
                                       row / 2, 1 / sqrt(options->map_rank));
    Value v =
        program_learned_constant(program, builder_layer(index, "mapsto").text, rows, row / 2, 0);
    return program_concat(program, u, v);
}

Value attention_with_terms(NetBuilder *builder, const BlockOptions *options, int index,
                           AttentionShape shape, Value input, Value x) {
    Program *program = builder->program;
    int rows = options->map_factors ? 2 * shape.heads : shape.heads;
    Op op = {.kind = OP_ATTENTION_TABLES,
             .inputs = {x, -1},
             .attention = shape,
             .side = options->side,
             .tables = options->tables};
    const BlockLayer name = builder_layer(index, "attention");
    if (options->maps == MAPS_NONE && !options->tables) return program_attention(program, x, shape);
    if (options->maps == MAPS_NONE) return program_add_op(program, name.text, op);
    op.kind = OP_ATTENTION_MAPS;
    op.map.kind = (MapKind)options->map_form;
    op.map.rank = op.map.kind == MAP_RANKS ? options->map_rank : 0;
    op.inputs[1] = options->maps == MAPS_LEARNED ? learned(builder, options, index, rows)
                                                 : generate(builder, options, index, rows, input);
    return program_add_op(program, name.text, op);
}

/* op_instance.h - random instances of every op. An op without attributes is drawn only from its
 * class; an op with attributes, or one that needs certain inputs, has a function in INSTANCES. */
#pragma once
#include "nn/graph/program.h"
#include "nn/ops/op_table.h"
#include "test.h"

/* An op before it is added to a program: its attributes, and the kinds of its inputs. */
typedef struct {
    Op op;
    ValueKind kinds[2];
    int channels[2];
    int list_rows; /* rows of inputs that are lists */
} Instance;

static inline void draw_conv(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_SPATIAL;
    x->op.kernel_h = 1 + 2 * rng_below(rng, 3);
    x->op.kernel_w = 1 + 2 * rng_below(rng, 3);
    x->op.dilation = x->op.kernel_h > 1 || x->op.kernel_w > 1 ? 1 + rng_below(rng, 4) : 1;
}

static inline void draw_scale(Instance *x, Rng *rng) {
    x->op.fixed = rng_below(rng, 3) == 0;
}

static inline void draw_batch_norm(Instance *x, Rng *rng) {
    x->kinds[0] = rng_below(rng, 2) ? KIND_SPATIAL : KIND_VECTOR;
    x->op.epsilon = 0.5f;
    x->op.momentum = 0.9f;
    x->op.renorm = rng_below(rng, 2);
    x->op.fixed = rng_below(rng, 3) == 0;
}

static inline void draw_activation(Instance *x, Rng *rng) {
    x->op.activation = (Activation)rng_below(rng, ACTIVATION_TANH + 1);
}

static inline void draw_broadcast(Instance *x, Rng *rng) {
    x->kinds[0] = rng_below(rng, 2) ? KIND_SPATIAL : KIND_LIST;
    x->kinds[1] = KIND_VECTOR;
}

static inline void draw_pool(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_SPATIAL;
    x->op.pool = (PoolKind)rng_below(rng, POOL_MEAN_MAX_STDEV + 1);
}

static inline void draw_concat(Instance *x, Rng *rng) {
    x->channels[1] = 1 + rng_below(rng, 6);
}

static inline void draw_slice(Instance *x, Rng *rng) {
    x->op.first = rng_below(rng, x->channels[0]);
    x->op.channels = 1 + rng_below(rng, x->channels[0] - x->op.first);
}

static inline void draw_rms_norm(Instance *x, Rng *rng) {
    x->op.epsilon = 0.5f;
    x->op.whole_board = x->kinds[0] == KIND_SPATIAL && rng_below(rng, 2);
}

static inline void draw_layer_norm(Instance *x, Rng *rng) {
    (void)rng;
    x->op.epsilon = 0.5f;
}

static inline void draw_attention(Instance *x, Rng *rng) {
    int kv_heads = 1 + rng_below(rng, 2);
    AttentionShape shape = {.heads = kv_heads * (1 + rng_below(rng, 2)),
                            .kv_heads = kv_heads,
                            .query_channels = 2 * (1 + rng_below(rng, 2)),
                            .value_channels = 1 + rng_below(rng, 3)};
    x->kinds[0] = KIND_SPATIAL;
    x->channels[0] =
        (shape.heads + kv_heads) * shape.query_channels + kv_heads * shape.value_channels;
    x->op.attention = shape;
    x->op.fixed = x->op.kind == OP_ROTARY && rng_below(rng, 3) == 0;
}

static inline void draw_points(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_SPATIAL;
    x->op.side = 1 + rng_below(rng, 6);
}

static inline void draw_chain_pool(Instance *x, Rng *rng) {
    x->kinds[0] = x->kinds[1] = KIND_SPATIAL;
    x->channels[1] = 3 + rng_below(rng, 3);
}

static inline void draw_diagonals(Instance *x, Rng *rng) {
    draw_chain_pool(x, rng);
    x->channels[0] = 8 * (1 + rng_below(rng, 2));
}

static inline void draw_place_gate(Instance *x, Rng *rng) {
    draw_points(x, rng);
    x->op.edges = rng_below(rng, 2);
    x->op.gate = (GateKind)rng_below(rng, GATE_ADD + 1);
}

static inline void draw_vector_points(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_VECTOR;
    x->op.side = 1 + rng_below(rng, 3);
    x->channels[0] = x->op.side * x->op.side * (1 + rng_below(rng, 3));
}

static inline void draw_vector_rows(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_VECTOR;
    x->op.list_rows = 1 + rng_below(rng, 3);
    x->channels[0] = x->op.list_rows * (1 + rng_below(rng, 4));
}

static inline void draw_attention_tables(Instance *x, Rng *rng) {
    draw_attention(x, rng);
    x->op.side = 2 + rng_below(rng, 4); /* boards of 2 x 2 to 5 x 5 */
    x->op.tables = rng_below(rng, 8);
}

static inline void draw_attention_maps(Instance *x, Rng *rng) {
    AttentionShape shape = {3, rng_below(rng, 2) ? 3 : 1, 1 + rng_below(rng, 3),
                            1 + rng_below(rng, 3)};
    draw_attention_tables(x, rng);
    x->op.attention = shape;
    x->channels[0] = (shape.heads + shape.kv_heads) * shape.query_channels +
                     shape.kv_heads * shape.value_channels;
    x->kinds[1] = KIND_LIST;
    x->op.map.kind = (MapKind)rng_below(rng, MAP_RANKS + 1);
    /* with MAP_POINTS the second input has side^4 channels, so the side must be small */
    if (x->op.map.kind == MAP_POINTS) x->op.side = 2 + rng_below(rng, 2);
    /* If the list has two rows for each head, the second row of a head holds factors. With
     * MAP_RANKS the list has one row for each head. Factors would make results beyond the range of
     * int8 in test_op_executors.c. */
    x->list_rows = shape.heads * (x->op.map.kind == MAP_RANKS ? 1 : 1 + rng_below(rng, 2));
    x->op.map.rank = x->op.map.kind == MAP_RANKS ? 1 + rng_below(rng, 3) : 0;
    int points = x->op.side * x->op.side, width = 2 * x->op.side - 1;
    x->channels[1] = x->op.map.rank                 ? 2 * points * x->op.map.rank
                     : x->op.map.kind == MAP_POINTS ? points * points
                                                    : width * width;
}

static inline void draw_softplus(Instance *x, Rng *rng) {
    x->op.limit = rng_below(rng, 2) ? 100 : 0;
}

static inline void draw_mixture(Instance *x, Rng *rng) {
    (void)rng;
    x->kinds[0] = KIND_LIST;
    x->kinds[1] = KIND_VECTOR;
}

static inline void draw_queries(Instance *x, Rng *rng) {
    x->kinds[0] = KIND_SPATIAL;
    x->kinds[1] = KIND_VECTOR;
    x->channels[1] = x->channels[0] * (1 + rng_below(rng, 4));
}

static inline void draw_fake_quantize(Instance *x, Rng *rng) {
    x->op.zero_point = rng_below(rng, 256);
}

static inline void draw_weight_step(Instance *x, Rng *rng) {
    x->op.group = rng_below(rng, 2) ? 32 << rng_below(rng, 2) : 1;
    x->op.steps = x->op.group > 1 ? 1 + rng_below(rng, 4) : 1;
}

static inline void draw_dropout(Instance *x, Rng *rng) {
    x->op.rate = 0.25f * (float)rng_below(rng, 4);
}

typedef void DrawInstance(Instance *instance, Rng *rng);
static DrawInstance *const INSTANCES[OP_KIND_COUNT] = {
    [OP_CONV] = draw_conv,
    [OP_SCALE] = draw_scale,
    [OP_BATCH_NORM] = draw_batch_norm,
    [OP_ACTIVATION] = draw_activation,
    [OP_ADD_BROADCAST] = draw_broadcast,
    [OP_MUL_BROADCAST] = draw_broadcast,
    [OP_GLOBAL_POOL] = draw_pool,
    [OP_CONCAT] = draw_concat,
    [OP_SLICE] = draw_slice,
    [OP_RMS_NORM] = draw_rms_norm,
    [OP_ROTARY] = draw_attention,
    [OP_ATTENTION] = draw_attention,
    [OP_LAYER_NORM] = draw_layer_norm,
    [OP_POINTS] = draw_points,
    [OP_SOFTPLUS] = draw_softplus,
    [OP_CHAIN_POOL] = draw_chain_pool,
    [OP_DIAGONALS] = draw_diagonals,
    [OP_PLACE_GATE] = draw_place_gate,
    [OP_POINTS_VECTOR] = draw_points,
    [OP_VECTOR_ROWS] = draw_vector_rows,
    [OP_VECTOR_POINTS] = draw_vector_points,
    [OP_ATTENTION_TABLES] = draw_attention_tables,
    [OP_ATTENTION_MAPS] = draw_attention_maps,
    [OP_MIXTURE] = draw_mixture,
    [OP_QUERIES] = draw_queries,
    [OP_FAKE_QUANTIZE] = draw_fake_quantize,
    [OP_WEIGHT_STEP] = draw_weight_step,
    [OP_DROPOUT] = draw_dropout,
};

static inline Instance instance_drawn(OpKind kind, Rng *rng) {
    Instance instance = {.op = {.kind = kind}, .list_rows = 3};
    instance.kinds[0] = instance.kinds[1] = (ValueKind)rng_below(rng, 3);
    instance.channels[0] = instance.channels[1] = 1 + rng_below(rng, 9);
    if (op_class(kind)->free_channels) instance.op.channels = 1 + rng_below(rng, 9);
    if (INSTANCES[kind]) INSTANCES[kind](&instance, rng);
    return instance;
}

/* Whether a program accepts the op with these inputs and attributes. */
static inline bool instance_is_possible(const Instance *instance) {
    Program *program;
    Op op = instance->op;
    EXPECT_OK(program_new(&program, err));
    for (int i = 0; i < op_class(op.kind)->inputs; i++) {
        char name[8] = {'x', (char)('0' + i)};
        op.inputs[i] =
            instance->kinds[i] == KIND_LIST
                ? program_constant(program, name, instance->list_rows, instance->channels[i], NULL)
                : program_input(program, name, instance->kinds[i], instance->channels[i]);
    }
    EXPECT_OK(program_status(program, err));
    bool possible = program_add_op(program, "op", op) >= 0;
    program_free(program);
    return possible;
}

/* Draws instances until one is possible. If 100 are refused, the op needs a function in
 * INSTANCES. */
static inline Instance instance_new(OpKind kind, Rng *rng) {
    for (int tries = 0; tries < 100; tries++) {
        Instance instance = instance_drawn(kind, rng);
        if (instance_is_possible(&instance)) return instance;
    }
    fail_msg("no drawn instance of %s is possible: it needs a function in INSTANCES",
             op_class(kind)->word);
    return (Instance){.op = {.kind = kind}};
}

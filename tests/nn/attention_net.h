/* attention_net.h - small nets with one attention each, for tests that compare fast code with the
 * definition: random layouts of the heads, rotations, maps, and boards at random places of the
 * buffer. */
#pragma once
#include "nn/graph/net.h"
#include "test.h"

enum { SIZE_MAX_TESTED = 9, BATCH = 3, CHANNELS = 12, GLOBALS = 4 };

/* How a net attends. */
typedef struct {
    AttentionShape heads;
    bool rotated, maps, gains;
    MapKind kind;
    int side, rank;
} Layout;

static inline Layout layout_drawn(Rng *rng, int height, int width) {
    Layout layout = {.rotated = rng_below(rng, 2),
                     .maps = rng_below(rng, 3) > 0,
                     .gains = rng_below(rng, 2),
                     .kind = (MapKind)rng_below(rng, 3),
                     .side = 2 + rng_below(rng, 8)};
    layout.heads.kv_heads = 1 + rng_below(rng, 3);
    layout.heads.heads = layout.heads.kv_heads * (1 + rng_below(rng, 3));
    layout.heads.query_channels = 2 * (1 + rng_below(rng, 10));
    layout.heads.value_channels = 1 + rng_below(rng, 20);
    if (layout.kind == MAP_RANKS) layout.rank = 1 + rng_below(rng, 18);
    if (layout.kind == MAP_POINTS && height != width) layout.kind = MAP_OFFSETS;
    if (layout.kind == MAP_POINTS) layout.side = height;
    return layout;
}

/* Adds the maps of all heads, which a dense layer computes from the globals, as smolgen does. */
static inline Value add_maps(Program *program, const Layout *layout, Value globals) {
    int side = layout->side, points = side * side, offsets = (2 * side - 1) * (2 * side - 1),
        rows = layout->heads.heads * (layout->gains ? 2 : 1),
        width = layout->kind == MAP_POINTS    ? points * points
                : layout->kind == MAP_OFFSETS ? offsets
                                              : 2 * points * layout->rank;
    Value maps = program_dense(program, "maps", globals, rows * width, -1);
    return program_add_op(program, "rows",
                          (Op){.kind = OP_VECTOR_ROWS, .inputs = {maps}, .list_rows = rows});
}

static inline Net *net_of(const Layout *layout, Rng *rng) {
    AttentionShape a = layout->heads;
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, CHANNELS),
          globals = program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    int channels = (a.heads + a.kv_heads) * a.query_channels + a.kv_heads * a.value_channels;
    Value x = program_dense(program, "qkv", planes, channels, -1);
    if (layout->rotated) x = program_rotary(program, "rotary", x, a, NULL, true);
    if (layout->maps)
        x = program_add_op(program, "attention_maps",
                           (Op){.kind = OP_ATTENTION_MAPS,
                                .inputs = {x, add_maps(program, layout, globals)},
                                .attention = a,
                                .side = layout->side,
                                .map = {.kind = layout->kind, .rank = layout->rank}});
    else
        x = program_attention(program, x, a);
    program_output(program, "y", x);
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    for (int p = 0; layout->rotated && p < program_parameter_count(net_program(net)); p++) {
        if (strstr(program_parameter(net_program(net), p)->name, "rotary") == NULL) continue;
        for (size_t i = 0; i < program_parameter(net_program(net), p)->count; i++)
            net_values(net, p)[i] = (float)rng_uniform(rng);
    }
    return net;
}

/* Draws the inputs of a net that net_of() has made: boards that fill the buffer, or smaller boards
 * at random places of it. */
static inline void draw_boards(float *planes, float *globals, int height, int width,
                               bool whole_boards, uint64_t seed) {
    Rng rng = rng_seeded(seed);
    float *to = planes;
    for (int n = 0; n < BATCH; n++) {
        int top = whole_boards ? 0 : rng_below(&rng, height - 1),
            left = whole_boards ? 0 : rng_below(&rng, width - 1),
            rows = whole_boards ? height : 2 + rng_below(&rng, height - top - 1),
            columns = whole_boards ? width : 2 + rng_below(&rng, width - left - 1);
        for (int i = 0; i < height * width * CHANNELS; i++, to++) {
            int row = i / CHANNELS / width - top, column = i / CHANNELS % width - left;
            bool on = row >= 0 && row < rows && column >= 0 && column < columns;
            float drawn = (float)rng_normal(&rng);
            *to = !on ? 0 : i % CHANNELS ? drawn : 1;
        }
    }
    for (int i = 0; i < BATCH * GLOBALS; i++)
        globals[i] = (float)rng_normal(&rng);
}

/* Which blocks are equivariant under the symmetries of the board: if the board is turned or
 * mirrored, the output must be transformed in the same way. This holds only if the kernels of the
 * convolutions are symmetric, so the test makes them symmetric first. It must not hold if the
 * kernels are left as they are. Nor must it hold for blocks that depend on the place of a point, or
 * that have other weights for each direction. */
#include "eval/block_alone.h"
#include "go/symmetry.h"

enum { SIDE = 6, COLUMNS = SIDE + 1, BUFFER = SIDE * COLUMNS, C = 8, TRANSPOSE = 4 };

/* Sets the trained parameters to random numbers, and the untrained parameters to 1/2. In lines
 * blocks the untrained parameters are factors that are 1/2 in every net. In encoders and large
 * embeddings they are the factors alpha. */
static void randomise(Net *net, Rng *rng) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        for (size_t k = 0; k < spec->count; k++)
            net_values(net, i)[k] = spec->trained ? (float)(0.6 * rng_uniform(rng) - 0.25) : 0.5f;
    }
}

/* Averages each square kernel over the 8 symmetries. */
static void symmetrise_kernels(Net *net) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        int k = spec->rank == 4 ? spec->dims[1] : 0, in = spec->rank == 4 ? spec->dims[3] : 0;
        if (k < 2 || k != spec->dims[2]) continue;
        for (int pair = 0; pair < spec->dims[0] * in; pair++) {
            float *w = net_values(net, i) + pair / in * k * k * in + pair % in, mean[19 * 19];
            for (int tap = 0; tap < k * k; tap++) {
                mean[tap] = 0;
                for (Symmetry s = 0; s < SYMMETRY_COUNT; s++)
                    mean[tap] += w[symmetry_index(s, tap, k, k) * in] / SYMMETRY_COUNT;
            }
            for (int tap = 0; tap < k * k; tap++)
                w[tap * in] = mean[tap];
        }
    }
}

/* Copies the first quarter of a parameter's channels to the other three quarters. The shape of the
 * parameter is (outer, channels, inner). */
static void tie_four(Net *net, const char *name, int channels, int inner, int outer) {
    float *values = values_named(net, name);
    for (int o = 0; o < outer; o++) {
        float *block = values + o * channels * inner;
        for (int i = 0; i < channels * inner; i++)
            block[i] = block[i % (channels / 4 * inner)];
    }
}

/* Transforming the board turns the four directions of a ladder block into each other. So the block
 * is symmetric if its weights are the same for all directions. */
static void tie_directions(Net *net) {
    tie_four(net, "block0.conv1.weight", 24, 9 * C, 1);
    tie_four(net, "block0.norm2.shift.bias", 24, 1, 1);
    tie_four(net, "block0.norm2.scale.gain", 24, 1, 1);
    tie_four(net, "block0.gate.weight", 24, 9 * C, 1);
    tie_four(net, "block0.gateshift.bias", 24, 1, 1);
    tie_four(net, "block0.conv2.weight", 24, 1, C);
}

/* A lines block has two branches: down and then across, and across and then down. Each branch has a
 * norm of its own. Copies the parameters of the first norm to the second. */
static void tie_lines(Net *net) {
    memcpy(values_named(net, "block0.norm3.shift.bias"),
           values_named(net, "block0.norm2.shift.bias"), 64 * sizeof(float));
    memcpy(values_named(net, "block0.norm3.scale.gain"),
           values_named(net, "block0.norm2.scale.gain"), 64 * sizeof(float));
}

/* Fills a board of SIDE x SIDE: channel 0 is the mask, channels 1 and 2 have the stones of the two
 * colours, and the other five have random numbers. */
static void fill(float *x, Rng *rng) {
    memset(x, 0, BUFFER * C * sizeof *x);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float *cell = x + (i / SIDE * COLUMNS + i % SIDE) * C;
        int stone = rng_below(rng, 3);
        cell[0] = 1;
        cell[1] = stone == 1;
        cell[2] = stone == 2;
        for (int c = 3; c < C; c++)
            cell[c] = (float)(2 * rng_uniform(rng) - 1);
    }
}

static int cell_of(int point) {
    return point / SIDE * COLUMNS + point % SIDE;
}

/* Sets y to the board of x, transformed by the symmetry. */
static void turn(Symmetry symmetry, const float *x, float *y) {
    memset(y, 0, BUFFER * C * sizeof *y);
    for (int i = 0; i < SIDE * SIDE; i++)
        memcpy(y + cell_of(symmetry_index(symmetry, i, SIDE, SIDE)) * C, x + cell_of(i) * C,
               C * sizeof *y);
}

static void run_on(Infer *infer, const float *x, float *y) {
    memcpy(infer_input(infer, 0), x, BUFFER * C * sizeof *x);
    EXPECT_OK(infer_run(infer, 1, err));
    memcpy(y, infer_output(infer, 0), BUFFER * C * sizeof *y);
}

/* Returns how far the net is from symmetric: the largest difference on the board between the output
 * for the transformed input and the transformed output, divided by the largest output. `only` is a
 * symmetry, or -1 for all. */
static double asymmetry(const Net *net, Symmetry only) {
    const InferSetup setup = {.batch = 1, .height = SIDE, .width = COLUMNS};
    float x[BUFFER * C], y[BUFFER * C], turned[BUFFER * C], of_turned[BUFFER * C];
    double worst = 0, largest = 0;
    Rng rng = rng_seeded(4);
    Infer *infer;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill(x, &rng);
    run_on(infer, x, y);
    for (Symmetry s = 1; s < SYMMETRY_COUNT; s++) {
        if (only >= 0 && s != only) continue;
        turn(s, x, turned);
        run_on(infer, turned, of_turned);
        turn(s, y, turned);
        for (int i = 0; i < SIDE * SIDE * C; i++) {
            int at = cell_of(i / C) * C + i % C;
            worst = fmax(worst, (double)fabsf(turned[at] - of_turned[at]));
            largest = fmax(largest, (double)fabsf(turned[at]));
        }
    }
    infer_free(infer);
    return worst / largest;
}

typedef struct {
    const char *block;
    /* Called when the kernels are symmetric: makes the weights of all directions equal. NULL: the
     * block does not need this. */
    void (*tie)(Net *net);
} Case;

static const Case TURN[] = {{"residual", NULL},
                            {"residual(kernel=5)", NULL},
                            {"residual(dilation=2)", NULL},
                            {"pooled(pool=4)", NULL},
                            {"pooled(pool=4,pooling=mean_max)", NULL},
                            {"pooled(pool=4,pooling=mean_max_stdev)", NULL},
                            {"squeeze", NULL},
                            {"stem", NULL},
                            {"resnet(squeeze=3)", NULL},
                            {"bottleneck", NULL},
                            {"nested(pool=2)", NULL},
                            {"chain(inner=8)", NULL},
                            {"ladder", tie_directions},
                            {"attention(heads=2,rotary=none)", NULL},
                            {"swiglu", NULL},
                            {"ffn", NULL},
                            {"encoder(heads=2,rotary=none)", NULL},
                            {"gate", NULL},
                            {"embedding", NULL},
                            {"embedding(inner=8)", NULL}};

TEST(blocks_turn_and_mirror_with_the_board) {
    for (size_t i = 0; i < sizeof TURN / sizeof *TURN; i++) {
        Program *program;
        Rng rng = rng_seeded(i + 1);
        Net *net = block_alone(TURN[i].block, &program);
        randomise(net, &rng);
        symmetrise_kernels(net);
        if (TURN[i].tie) TURN[i].tie(net);
        double found = asymmetry(net, -1);
        if (!(found < 2e-5)) fail_msg("%s differs by %g", TURN[i].block, found);
        net_free(net);
    }
}

/* These blocks are not equivariant: a block whose kernels are not made symmetric, blocks that have
 * other weights for each direction, and blocks that depend on the place of a point. */
TEST(other_blocks_do_not_turn_with_the_board) {
    static const char *const OTHERS[] = {"residual",
                                         "ladder",
                                         "lines(length=5)",
                                         "broadcast(side=6)",
                                         "gate(places=points)",
                                         "attention(heads=2,rotary=learned)",
                                         "attention(heads=2,rotary=none,maps=learned)"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        Program *program;
        Rng rng = rng_seeded(i + 1);
        Net *net = block_alone(OTHERS[i], &program);
        randomise(net, &rng);
        if (i > 0) symmetrise_kernels(net);
        double found = asymmetry(net, -1);
        if (!(found > 1e-3)) fail_msg("%s differs by %g only", OTHERS[i], found);
        net_free(net);
    }
}

/* The kernels stay as they are. If the norms of the two branches are the same, the block is
 * symmetric under mirroring at the diagonal. */
TEST(lines_mirror_at_the_diagonal) {
    Program *program;
    Rng rng = rng_seeded(3);
    Net *net = block_alone("lines(length=5)", &program);
    randomise(net, &rng);
    EXPECT_TRUE(asymmetry(net, TRANSPOSE) > 1e-3);
    tie_lines(net);
    EXPECT_TRUE(asymmetry(net, TRANSPOSE) < 2e-5);
    net_free(net);
}

TEST_MAIN(RUN(blocks_turn_and_mirror_with_the_board), RUN(other_blocks_do_not_turn_with_the_board),
          RUN(lines_mirror_at_the_diagonal))

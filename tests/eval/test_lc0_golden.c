/* Nets of lc0 for chess. The code of lczero-training wrote the nets in tests/golden/lc0.
 * bench/lc0/lczero.py computed the outputs beside them by the formulas of lczero-training and lc0.
 * Aji's outputs must agree with them. */
#include "base/rng.h"
#include "eval/formats/lc0/lc0_read.h"
#include "golden.h"
#include "nn/infer/infer.h"

enum { SIDE = 8, SQUARES = SIDE * SIDE, PLANES = 112 };

/* The input that bench/lc0/lczero.py uses, too. */
static void set_position(float *planes, int channels) {
    for (int p = 0; p < PLANES; p++) {
        for (int s = 0; s < SQUARES; s++)
            planes[s * channels + p] =
                p == PLANES - 1 ? 1 : (float)((p * 31 + s * 17 + p * s) % 7) / 7;
    }
}

/* Goes to the next list of numbers in the golden file, which begins with its name, ": " and its
 * length. Returns the length, or -1 at the end of the file. */
static int next_list(char **text, char name[64]) {
    while (**text == '\n')
        (*text)++;
    size_t length = strcspn(*text, ":");
    if (!**text) return -1;
    EXPECT_TRUE(length < 64);
    snprintf(name, 64, "%.*s", (int)length, *text);
    *text += length + 1;
    return (int)strtol(*text, text, 10);
}

/* Sets the planes that lc0 adds to those of the position. They are the first list. */
static void set_added(float *planes, int channels, char **numbers) {
    int added = channels - PLANES;
    char name[64];
    EXPECT_INT(SQUARES * added, next_list(numbers, name));
    EXPECT_TEXT("added planes", name);
    for (int i = 0; i < SQUARES * added; i++)
        planes[i / added * channels + PLANES + i % added] = strtof(*numbers, numbers);
}

/* Compares all outputs with the lists of the golden file. */
static void expect_outputs(const Infer *infer, const Program *program, char **numbers) {
    char name[64];
    int outputs = 0;
    for (int count; (count = next_list(numbers, name)) >= 0; outputs++) {
        int output = program_find_output(program, name);
        if (output < 0) fail_msg("the net has no output %s", name);
        const Op *op = program_op(program, program_output_value(program, output));
        EXPECT_INT(program_rows(op->shape, op->rows, SIDE, SIDE) * op->channels, count);
        const float *got = infer_output(infer, output);
        for (int i = 0; i < count; i++)
            EXPECT_NEAR(strtod(*numbers, numbers), (double)got[i], 2e-4);
    }
    EXPECT_INT(program_output_count(program), outputs);
}

static void expect_golden(const char *file, const char *answers, const char *backend) {
    Arena arena = {0};
    Path path;
    Net *net;
    Infer *infer;
    bool chess = false;
    const InferSetup setup = {
        .batch = 1, .height = SIDE, .width = SIDE, .precision = PRECISION_F32, .backend = backend};
    EXPECT_OK(path_join(&path, golden_folder(file), file, err));
    EXPECT_OK(lc0_net_load_parts(path.text, &net, &chess, err));
    EXPECT_TRUE(chess);
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    char *numbers = golden_read(golden_folder(answers), answers, &arena);
    int input = program_find_input(net_program(net), "planes"),
        channels =
            program_op(net_program(net), program_input_value(net_program(net), input))->channels;
    set_position(infer_input(infer, input), channels);
    set_added(infer_input(infer, input), channels, &numbers);
    EXPECT_OK(infer_run(infer, 1, err));
    expect_outputs(infer, net_program(net), &numbers);
    infer_free(infer);
    net_free(net);
    arena_clear(&arena);
}

TEST(encoders_with_gates_and_smolgen) {
    expect_golden("lc0/attention.pb.gz", "lc0/attention.txt", "reference");
    expect_golden("lc0/attention.pb.gz", "lc0/attention.txt", NULL);
}

/* lc0 adds a plane that it computes from all squares. Norms and a feed-forward layer follow the
 * embedding, and the value is one of several heads. */
TEST(encoders_behind_a_dense_embedding) {
    expect_golden("lc0/dense.pb.gz", "lc0/dense.txt", "reference");
    expect_golden("lc0/dense.pb.gz", "lc0/dense.txt", NULL);
}

TEST(residual_blocks_with_squeeze_and_excitation) {
    expect_golden("lc0/tower.pb.gz", "lc0/tower.txt", "reference");
    expect_golden("lc0/tower.pb.gz", "lc0/tower.txt", NULL);
}

/* A file that is cut anywhere, or in which any bit is changed, is read or refused. */
TEST(damaged_nets_are_read_or_refused) {
    static const char *const FILES[] = {"lc0/attention.pb.gz", "lc0/tower.pb.gz",
                                        "lc0/dense.pb.gz"};
    Rng rng = rng_seeded(5);
    for (int i = 0; i < 3; i++) {
        Arena arena = {0};
        Path path;
        char *bytes;
        size_t count;
        EXPECT_OK(path_join(&path, golden_folder(FILES[i]), FILES[i], err));
        EXPECT_OK(gzip_read(path.text, (GzipLimit){.bytes = 1 << 24}, &arena, &bytes, &count, err));
        for (int round = 0; round < 300; round++) {
            Error fault = {0};
            Net *net;
            bool chess, cuts = round % 3 == 0;
            size_t at = (size_t)rng_below(&rng, round % 2 ? 2000 : (int)count);
            char kept = bytes[at];
            if (!cuts) bytes[at] = (char)(bytes[at] ^ 1 << rng_below(&rng, 8));
            Status status =
                lc0_net_read_parts(bytes, cuts ? at : count, "a.pb", &net, &chess, &fault);
            EXPECT_TRUE(status == OK || status == ERR_SYNTAX || status == ERR_UNSUPPORTED);
            EXPECT_TRUE((net != NULL) == (status == OK));
            EXPECT_TRUE(status == OK || *fault.message);
            net_free(net);
            bytes[at] = kept;
        }
        arena_clear(&arena);
    }
}

TEST_MAIN(RUN(encoders_with_gates_and_smolgen), RUN(encoders_behind_a_dense_embedding),
          RUN(residual_blocks_with_squeeze_and_excitation), RUN(damaged_nets_are_read_or_refused))

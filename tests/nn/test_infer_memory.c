/* The memory that inference takes: a net whose small file asks for gigabytes is refused before the
 * memory is taken, and the message says the limit (infer_plan.h). */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nn/infer/infer.h"
#include "test.h"

enum { BATCH = 8, SIDE = 19, FREE_MB = 64, TIMES_WEIGHTS = 16 };

/* What makes a net take much memory. */
typedef enum {
    ADDS,     /* a few values with many channels */
    ALIVE,    /* many values that are needed at once */
    OUTPUTS,  /* an output with many channels */
    INPUT,    /* an input with many channels */
    ROTARIES, /* tables of rotations */
    LISTS,    /* a long list */
    WINOGRAD, /* the scratch of a wide convolution */
    LAYERS,   /* the padding of the weights of many small layers */
    SHARED,   /* many copies of weights that layers share */
    VALUES    /* four values of 512 channels, which are allowed */
} Kind;

/* Joins a value with itself until it has `channels`. */
static Value widened(Program *program, Value x, int channels) {
    for (int c = program_op(program, x)->channels; c < channels; c *= 2)
        x = program_concat(program, x, x);
    return x;
}

/* Makes a chain of count - 1 sums, and then adds each of them to x, so that all sums are needed at
 * once. */
static Value all_alive(Program *program, Value x, int count) {
    Value sums[64];
    sums[0] = x;
    for (int i = 1; i < count; i++)
        sums[i] = program_add(program, sums[i - 1], sums[i - 1]);
    for (int i = 1; i < count; i++)
        x = program_add(program, x, sums[i]);
    return x;
}

/* Each table of rotations takes 46 MB on 19x19, although its frequencies are only 128 KB. */
static Value rotated(Program *program, Value x) {
    const AttentionShape shape = {
        .heads = 8, .kv_heads = 8, .query_channels = 4000, .value_channels = 2};
    char name[32];
    x = program_conv(program, "qkv", x, 2 * 8 * 4000 + 8 * 2, 1, 0);
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "rotary%d", i);
        x = program_rotary(program, name, x, shape, NULL, false);
    }
    return program_slice(program, x, 0, 1);
}

/* Each of these convolutions has 9 weights, for which oneDNN keeps 16 x 16 x 9 numbers. */
static Value many_layers(Program *program, Value x) {
    char name[32];
    for (int i = 0; i < 3800; i++) {
        snprintf(name, sizeof name, "layer%d", i);
        x = program_conv(program, name, x, 1, 3, 0);
    }
    return x;
}

/* 300 convolutions that share weights of 1 MB. */
static Value sharing(Program *program, Value x) {
    char name[32];
    Value first = program_conv(program, "shared", widened(program, x, 512), 512, 1, 0);
    x = first;
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "shared%d", i);
        x = program_conv_of(program, name, x, 512, (ConvKind){.height = 1, .weights_of = first}, 0);
    }
    return x;
}

/* Makes a net of this kind. `*weight_bytes` gets the size of its weights. */
static Net *greedy_net(Kind kind, size_t *weight_bytes) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, kind == INPUT ? 8192 : 4);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "conv", planes, kind == WINOGRAD ? 16 : 1, 1, 0);
    if (kind == ADDS) x = all_alive(program, widened(program, x, 65536), 2);
    if (kind == ALIVE) x = all_alive(program, widened(program, x, 1024), 60);
    if (kind == VALUES) x = all_alive(program, widened(program, x, 512), 4);
    if (kind == ROTARIES) x = rotated(program, x);
    if (kind == SHARED) x = sharing(program, x);
    if (kind == LAYERS) x = many_layers(program, x);
    if (kind == WINOGRAD) x = program_conv(program, "wide", widened(program, x, 8192), 16, 3, 0);
    if (kind == LISTS) {
        Value list = program_constant(program, "list", 1 << 16, 1, NULL);
        program_output(program, "list", program_dense(program, "dense", list, 128, 0));
    }
    program_output(program, "y", kind == OUTPUTS ? widened(program, x, 16384) : x);
    EXPECT_OK(net_new(program, NULL, &net, err));
    *weight_bytes = 0;
    for (int i = 0; i < program_parameter_count(program); i++)
        *weight_bytes += program_parameter(program, i)->count * sizeof(float);
    return net;
}

static long peak_mb(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}

/* Makes an executor and, if this succeeds, runs it. Returns NULL if all of these hold, and
 * otherwise what is wrong:
 *     - the executor is made if `runs` is true, and refused if `runs` is false
 *     - the message of a refusal names the limit
 *     - the process has taken at most FREE_MB plus TIMES_WEIGHTS times the size of the weights. */
static const char *try_kind(Kind kind, Precision precision, bool runs) {
    static char wrong[700];
    size_t weight_bytes;
    Net *net = greedy_net(kind, &weight_bytes);
    const long max_mb = FREE_MB + (long)(TIMES_WEIGHTS * weight_bytes >> 20);
    const InferSetup setup = {
        .batch = BATCH, .height = SIDE, .width = SIDE, .precision = precision};
    Infer *infer;
    Error error = {0};
    Status status = infer_new(net, &setup, &infer, &error);
    bool told = strstr(error.message, "MB are allowed (21 MB and 4 times the bytes of its weights");
    if (!status && (infer_run(infer, BATCH, &error) || infer_run(infer, 1, &error)))
        return "it does not run";
    long mb = peak_mb();
    infer_free(infer);
    net_free(net);
    if (status == (runs ? OK : ERR_UNSUPPORTED) && told == !runs && (SANITIZED || mb <= max_mb))
        return NULL;
    snprintf(wrong, sizeof wrong,
             "kind %d: status %d, the process took %ld MB, wanted at most %ld MB: %s", (int)kind,
             (int)status, mb, max_mb, error.message);
    return wrong;
}

/* Calls try_kind() in a process of its own, so that the peak of its memory is that of this net. */
static void expect_kind_in(Kind kind, Precision precision, bool runs) {
    char message[700] = "";
    int ends[2], state;
    EXPECT_INT(0, pipe(ends));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const char *wrong = try_kind(kind, precision, runs);
        size_t length = wrong ? strlen(wrong) : 0;
        _exit(write(ends[1], wrong ? wrong : "", length) == (ssize_t)length ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], message, sizeof message - 1);
    close(ends[0]);
    EXPECT_INT(child, waitpid(child, &state, 0));
    if (got || state) fail_msg("%s (exit status %d)", message, state);
}

static void expect_kind(Kind kind, bool runs) {
    expect_kind_in(kind, PRECISION_F32, runs);
    expect_kind_in(kind, PRECISION_BF16, runs);
}

TEST(wide_values_are_refused) {
    expect_kind(ADDS, false);
}

TEST(many_values_at_once_are_refused) {
    expect_kind(ALIVE, false);
}

TEST(wide_inputs_and_outputs_are_refused) {
    expect_kind(INPUT, false);
    expect_kind(OUTPUTS, false);
}

TEST(tables_of_rotations_are_refused) {
    expect_kind(ROTARIES, false);
}

TEST(large_lists_are_refused) {
    expect_kind(LISTS, false);
}

TEST(scratch_of_wide_convolutions_is_counted) {
    expect_kind_in(WINOGRAD, PRECISION_F32, false);
}

TEST(padding_of_tiny_layers_is_counted) {
    expect_kind_in(LAYERS, PRECISION_F32, false);
}

TEST(copies_of_shared_weights_are_counted) {
    expect_kind(SHARED, false);
}

/* Four values of 512 channels are what the largest nets have. */
TEST(values_of_large_nets_run) {
    expect_kind(VALUES, true);
}

TEST_MAIN(RUN(wide_values_are_refused), RUN(many_values_at_once_are_refused),
          RUN(wide_inputs_and_outputs_are_refused), RUN(tables_of_rotations_are_refused),
          RUN(large_lists_are_refused), RUN(scratch_of_wide_convolutions_is_counted),
          RUN(padding_of_tiny_layers_is_counted), RUN(copies_of_shared_weights_are_counted),
          RUN(values_of_large_nets_run))

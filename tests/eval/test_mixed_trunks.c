/* Norms and activations of single blocks: what each block then consists of, how its weights begin,
 * and what is refused. Gradients, board sizes and KataGo's format must be right for trunks with
 * these blocks, too. */
#include "eval/arch/arch.h"
#include "eval/arch/blocks/blocks.h"
#include "eval/formats/net_file.h"
#include "eval/net_gradients.h"
#include "eval/net_of_words.h"
#include "eval/net_sizes.h"
#include "test_path.h"

static const char *const NORMS[] = {"rms",   "layer",  "batch",    "fixup",
                                    "fixed", "renorm", "fixscale", "fson"};
static const char *const ACTIVATIONS[] = {"relu", "mish", "silu", "relu2", "prelu", "identity"};
enum {
    NORM_COUNT = sizeof NORMS / sizeof *NORMS,
    ACTIVATION_COUNT = sizeof ACTIVATIONS / sizeof *ACTIVATIONS
};

/* Returns how many ops of a kind the block of this number has. `activation` matters only if the
 * kind is OP_ACTIVATION. Ops without parameters have no name of their own. They count if they stand
 * between the first and the last named op of the block. */
static int count_ops(const Net *net, int block, OpKind kind, Activation activation) {
    const Program *program = net_program(net);
    char prefix[16];
    int count = 0, first = -1, last = -1;
    snprintf(prefix, sizeof prefix, "block%d.", block);
    for (Value v = 0; v < program_op_count(program); v++) {
        if (strncmp(program_op(program, v)->name, prefix, strlen(prefix)) != 0) continue;
        if (first < 0) first = v;
        last = v;
    }
    for (Value v = first; v >= 0 && v <= last; v++) {
        const Op *op = program_op(program, v);
        count += op->kind == kind && (kind != OP_ACTIVATION || op->activation == activation);
    }
    return count;
}

static bool has(const Net *net, const char *name) {
    for (int i = 0; i < program_parameter_count(net_program(net)); i++) {
        if (strcmp(program_parameter(net_program(net), i)->name, name) == 0) return true;
    }
    return false;
}

static const ParameterSpec *spec_of(const Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0)
            return program_parameter(program, i);
    }
    fail_msg("the net has no %s", name);
    return NULL;
}

/* Makes a net and adds a random number to every trained weight, because weights that start at 0
 * would hide the layers before them. */
static Net *moved_net(const char *words) {
    Net *net = net_of_words(words, 3);
    move_all(net);
    return net;
}

/* Returns whether the block has the option "norm" and accepts this norm. Encoders and embeddings
 * accept only norms that normalise. */
static bool takes_norm(const Block *block, const char *norm) {
    bool post = block->build == block_encoder || block->build == block_embedding;
    bool normalises = strstr("rms layer batch renorm", norm) != NULL;
    return block_has_option(block, "norm") && (!post || normalises);
}

/* Nets can be built with every kind of block and every norm and activation, and their notes name
 * them. Some norms add a bias off the board, too. For three norms the test also checks that
 * evaluations do not depend on what is off the board. */
TEST(every_block_takes_every_norm_and_activation) {
    for (const Block *block = BLOCKS; block->name; block++) {
        for (int i = 0; i < NORM_COUNT + ACTIVATION_COUNT; i++) {
            char words[120];
            bool norm = i < NORM_COUNT;
            const char *word = norm ? NORMS[i] : ACTIVATIONS[i - NORM_COUNT];
            if (norm ? !takes_norm(block, word) : !block_has_option(block, "activation")) continue;
            snprintf(words, sizeof words, "c16-fixscale-mish,trunk=residual+%s(%s=%s)+residual",
                     block->name, norm ? "norm" : "activation", word);
            Net *net = moved_net(words);
            ArchSettings noted;
            EXPECT_OK(arch_of_net(net, &noted, err));
            EXPECT_CONTAINS(noted.trunk, word);
            if (norm && strstr("layer batch fixscale", word)) expect_sizes_alike(net);
            net_free(net);
        }
    }
    EXPECT_FALSE(block_has_option(block_find("gate"), "norm"));
    EXPECT_FALSE(block_has_option(block_find("gate"), "activation"));
    EXPECT_FALSE(block_has_option(block_find("attention"), "activation"));
}

/* A block has the norm and the activation that its options name. If an option is missing, the block
 * has those of the net, as the heads always do. */
TEST(a_block_has_its_own_norm_and_activation) {
    Net *net = net_of_words("c16-fixup-relu,trunk=residual+residual(norm=batch,activation=mish)+"
                            "residual(norm=layer,activation=silu)+bottleneck(norm=rms)",
                            1);
    EXPECT_TRUE(has(net, "block0.norm2.scale.gain") && !has(net, "block0.norm1.norm.gamma"));
    EXPECT_INT(2, count_ops(net, 0, OP_ACTIVATION, ACTIVATION_RELU));
    EXPECT_INT(2, count_ops(net, 1, OP_BATCH_NORM, 0));
    EXPECT_INT(2, count_ops(net, 1, OP_ACTIVATION, ACTIVATION_MISH));
    EXPECT_INT(0, count_ops(net, 1, OP_ACTIVATION, ACTIVATION_RELU));
    EXPECT_INT(2, count_ops(net, 2, OP_LAYER_NORM, 0));
    EXPECT_INT(2, count_ops(net, 2, OP_ACTIVATION, ACTIVATION_SILU));
    EXPECT_INT(4, count_ops(net, 3, OP_RMS_NORM, 0));
    EXPECT_INT(4, count_ops(net, 3, OP_ACTIVATION, ACTIVATION_RELU));
    EXPECT_TRUE(has(net, "block3.norm4.shift.bias"));
    EXPECT_TRUE(has(net, "tip.shift.bias") && !has(net, "tip.norm.gamma"));
    EXPECT_FALSE(has(net, "value.v1norm.norm.gamma"));
    net_free(net);
    net = net_of_words("c16-batch-relu,trunk=swiglu+swiglu(activation=mish)+swiglu(activation=net)"
                       "+attention(norm=fixup)+attention(norm=batch)+ffn(activation=prelu)",
                       1);
    EXPECT_INT(1, count_ops(net, 0, OP_ACTIVATION, ACTIVATION_SILU));
    EXPECT_INT(1, count_ops(net, 1, OP_ACTIVATION, ACTIVATION_MISH));
    EXPECT_INT(1, count_ops(net, 2, OP_ACTIVATION, ACTIVATION_RELU));
    EXPECT_TRUE(has(net, "block3.norm.shift.bias"));
    EXPECT_INT(1, count_ops(net, 4, OP_BATCH_NORM, 0));
    EXPECT_INT(1, count_ops(net, 5, OP_PRELU, 0));
    net_free(net);
}

/* With tip=none the heads read the mask behind the norm of the last encoder. */
TEST(heads_may_read_the_last_block_itself) {
    Net *net = net_of_words("c16,trunk=embedding+encoder,tip=none", 1);
    const Program *program = net_program(net);
    EXPECT_FALSE(has(net, "tip.norm.gain") || has(net, "tip.shift.bias"));
    Value v = 0;
    while (strcmp(program_op(program, v)->name, "value.v1") != 0)
        v++;
    const Op *mask = program_op(program, program_op(program, v)->inputs[0]);
    EXPECT_INT(OP_MASK, mask->kind);
    EXPECT_INT(OP_LAYER_NORM, program_op(program, mask->inputs[0])->kind);
    EXPECT_TRUE(strcmp("block1.norm2", program_op(program, mask->inputs[0])->name) == 0);
    net_free(net);
    net = net_of_words("c16,trunk=embedding+encoder", 1);
    EXPECT_TRUE(has(net, "tip.shift.bias"));
    net_free(net);
}

/* Checks the deviation with which weights begin. `wanted` is the deviation times the square root of
 * the fan-in, or 0 if the weights begin at 0. */
static void expect_begin(const Net *net, const char *name, double wanted) {
    const ParameterSpec *spec = spec_of(net, name);
    double fan_in = (double)spec->count / spec->dims[0];
    EXPECT_NEAR(wanted, spec->init == INIT_NORMAL ? spec->deviation * sqrt(fan_in) : 0, 1e-6);
}

static void expect_fixed_gain(const Net *net, const char *name, double wanted) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0)
            EXPECT_NEAR(wanted, net_values_const(net, i)[0], 1e-6);
    }
    EXPECT_TRUE(has(net, name));
}

/* The deviation with which the weights of a block begin follows from its own activation and norm.
 * Each block adds variance 1 to the trunk. Only with the norm fixup a block adds nothing at first,
 * because its branch begins at 0. */
TEST(blocks_begin_by_their_own_norm_and_activation) {
    const double RELU = sqrt(2), MISH = sqrt(2.210277), SQUARE = sqrt(2 / 3.0);
    Net *net = net_of_words(
        "c16-fixscale-mish,trunk=residual+residual(norm=fixup,activation=relu)+residual+"
        "residual(norm=batch,activation=relu2)+pooled(activation=relu)+"
        "attention(norm=fixscale)+swiglu(norm=fixup)",
        1);
    expect_begin(net, "block0.conv1.weight", MISH);
    expect_begin(net, "block0.conv2.weight", MISH);
    expect_begin(net, "block1.conv1.weight", RELU / sqrt(7));
    expect_begin(net, "block1.conv2.weight", 0);
    EXPECT_FALSE(has(net, "block1.norm1.fixed.gain"));
    expect_fixed_gain(net, "block2.norm1.fixed.gain", 1 / sqrt(2.0)); /* block 1 added nothing */
    expect_begin(net, "block3.conv1.weight", SQUARE);
    expect_fixed_gain(net, "block4.norm1.fixed.gain", 0.5);
    expect_begin(net, "block4.conv1.weight", 0.8 * RELU);
    expect_begin(net, "block4.pool.weight", sqrt(0.6) * RELU);
    expect_fixed_gain(net, "block5.norm.fixed.gain", 1 / sqrt(5.0));
    expect_begin(net, "block5.qkv.weight", sqrt(1 / 3.0));
    expect_begin(net, "block6.up.weight", sqrt(1 / 3.0) / sqrt(7));
    expect_begin(net, "block6.down.weight", 0);
    expect_fixed_gain(net, "tip.fixed.gain", 1 / sqrt(6.0));
    net_free(net);
}

TEST(gradients_of_mixed_trunks_are_those_of_their_outputs) {
    static const char *const WORDS[] = {
        "c16-silu,trunk=residual(norm=batch)+bottleneck(norm=layer,activation=mish)",
        "c16-batch-silu,trunk=nested(norm=rms,activation=mish)+broadcast(norm=fixup,side=7)",
        "c16-silu,trunk=pooled(norm=fson,activation=mish)+squeeze(norm=layer)",
        "c16-silu,trunk=chain(norm=layer,activation=mish)",
        "c16-silu,trunk=ladder(norm=batch,gate_norm=true)",
        "c16-silu,trunk=ladder(norm=rms,activation=mish)+chain(norm=batch)",
        "c16-silu,trunk=lines(norm=fixed,inner=8)+residual(norm=renorm,activation=identity)",
        "c16-silu,trunk=residual(norm=rms,dilation=2)+residual(norm=fixscale,activation=relu2)",
        "c16-silu,trunk=attention(norm=batch,heads=2)+swiglu(norm=fixup,activation=mish)",
        "c16-silu,trunk=attention(norm=fixscale)+swiglu(activation=relu2,norm=layer)",
        "c16-silu,trunk=ffn(norm=batch,activation=mish)+swiglu(activation=identity)",
        "c16-silu,trunk=embedding(norm=batch,inner=8)+encoder(norm=renorm,activation=mish)",
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        Net *net = moved_net(WORDS[i]);
        expect_gradients(net, WORDS[i], 0.01);
        net_free(net);
    }
}

TEST(what_does_not_fit_is_told) {
    static const char *const BAD[][2] = {
        {"c16,trunk=residual+encoder(norm=fixup)",
         "character 28, \"norm=fixup\": trunk, character 10: the norm of encoder blocks"},
        {"c16,trunk=embedding(norm=fson)",
         "the norm of embedding blocks must be one that normalises: rms, layer, batch or renorm"},
        {"c16,trunk=gate(norm=rms)", "gate blocks have no option \"norm\""},
        {"c16,trunk=attention(activation=relu)", "attention blocks have no option \"activation\""},
        {"c16,trunk=residual(norm=group)", "auto|rms|layer|batch|fixup|fixed|renorm|fixscale|fson"},
        {"c16,trunk=residual(activation=tanh)", "net|relu|mish|silu|relu2|prelu|identity|auto"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        ArchSettings settings;
        Error fault = {0};
        EXPECT_STATUS(ERR_ARGUMENT, arch_parse(BAD[i][0], &settings, &fault));
        EXPECT_CONTAINS(fault.message, BAD[i][1]);
    }
    /* a letter is enough if only one norm begins with it, and "r" means "rms" */
    Net *net = net_of_words("c16,trunk=ffn(norm=r)+ffn(norm=l)", 1);
    EXPECT_INT(1, count_ops(net, 0, OP_RMS_NORM, 0));
    EXPECT_INT(1, count_ops(net, 1, OP_LAYER_NORM, 0));
    net_free(net);
}

/* Trunks that mix norms and activations that KataGo knows can be written (test_katago_save.c). For
 * others the message names the layer and the reason. */
TEST(katago_s_format_names_what_it_lacks) {
    static const char *const BAD[][2] = {
        {"c16-mish,trunk=residual+residual(norm=rms)", "block1.norm"},
        {"c16-mish,trunk=residual+residual(norm=layer)", "block1.norm"},
        {"c16-mish,trunk=residual+residual(activation=prelu)", "block1.norm"},
        {"c16-mish,trunk=residual+residual(activation=relu2)", "block1.norm"},
        {"c16-mish,trunk=pooled(activation=identity)", "the pooling has no activation before it"},
        {"c16-mish,trunk=residual+attention(norm=batch)", "block1.norm"},
        {"c16-mish,trunk=residual+swiglu(activation=mish)",
         "block1.up: an activation other than SiLU in a gated layer"},
        {"c16-mish,trunk=residual+swiglu(norm=fixup)", "block1.norm"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Net *net = net_of_words(BAD[i][0], 1);
        TestPath path = test_path("mixed.bin.gz");
        Error fault = {0};
        EXPECT_STATUS(ERR_UNSUPPORTED, net_file_save(net, path.text, &fault));
        EXPECT_CONTAINS(fault.message, "KataGo cannot have this net: ");
        EXPECT_CONTAINS(fault.message, BAD[i][1]);
        net_free(net);
    }
}

TEST_MAIN(RUN(every_block_takes_every_norm_and_activation),
          RUN(a_block_has_its_own_norm_and_activation), RUN(heads_may_read_the_last_block_itself),
          RUN(blocks_begin_by_their_own_norm_and_activation),
          RUN(gradients_of_mixed_trunks_are_those_of_their_outputs), RUN(what_does_not_fit_is_told),
          RUN(katago_s_format_names_what_it_lacks))

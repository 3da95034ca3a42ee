/* Descriptions of nets ("b6c96-mish"): how they are read and written, which of them are refused
 * with which message, and that the nets built from them run. */
#include "eval/arch/arch.h"
#include "eval/arch/heads.h"
#include "eval/features/features.h"
#include "eval/net_of_words.h"
#include "nn/infer/infer.h"
#include "test.h"

static ArchSettings parsed(const char *text) {
    ArchSettings config;
    EXPECT_OK(arch_parse(text, &config, err));
    return config;
}

static int choice(const char *norm) {
    ArchSettings config = parsed(norm);
    return config.norm;
}

TEST(short_forms_are_read) {
    ArchSettings plain = parsed("b6c96"), config = parsed("b12c128-batch-mish-k5-nodist");
    EXPECT_INT(6, plain.blocks);
    EXPECT_INT(96, plain.channels);
    EXPECT_INT(3, plain.start_kernel);
    EXPECT_INT(2, plain.pool_every);
    EXPECT_INT(ACTIVATION_RELU, plain.activation);
    EXPECT_TRUE(plain.score_distribution);
    EXPECT_INT(12, config.blocks);
    EXPECT_INT(128, config.channels);
    EXPECT_INT(5, config.start_kernel);
    EXPECT_INT(ACTIVATION_MISH, config.activation);
    EXPECT_FALSE(config.score_distribution);
    EXPECT_TRUE(choice("b1c8-batch") != choice("b1c8-fixup"));
    EXPECT_TRUE(choice("b1c8-fixed") != choice("b1c8-fixup"));
    EXPECT_INT(choice("b1c8"), choice("b1c8-fixup"));
    EXPECT_INT(ACTIVATION_SILU, parsed("b1c8-silu").activation);
    EXPECT_INT(ARCH_PRELU, parsed("b1c8-prelu").activation);
    EXPECT_INT(ARCH_RELU2, parsed("b1c8-relu2").activation);
}

TEST(assignments_are_read) {
    ArchSettings config = parsed("blocks=4,channels=32,norm=batch");
    EXPECT_INT(4, config.blocks);
    EXPECT_INT(32, config.channels);
    EXPECT_INT(choice("b1c8-batch"), config.norm);
    config = parsed("b5c40-silu,inner_channels=24,pool_every=0,value_hidden=17");
    EXPECT_INT(5, config.blocks);
    EXPECT_INT(40, config.channels);
    EXPECT_INT(ACTIVATION_SILU, config.activation);
    EXPECT_INT(24, config.inner_channels);
    EXPECT_INT(0, config.pool_every);
    EXPECT_INT(17, config.value_hidden);
    EXPECT_INT(200, parsed("b200c4096").blocks);
    config = parsed("blocks=7,c40");
    EXPECT_TRUE(config.blocks == 7 && config.channels == 40);
}

/* The text that describes a net leaves out settings with their default. */
TEST(texts_of_nets_leave_out_defaults) {
    ArchSettings plain = parsed("fixup-b4c32"),
                 config = parsed("b12c128-batch-mish-k5-nodist,pool_every=3");
    EXPECT_TEXT("b4c32", arch_text(&plain).text);
    EXPECT_TEXT("b12c128,pool_every=3,start_kernel=5,norm=batch,activation=mish,"
                "score_distribution=false",
                arch_text(&config).text);
}

/* A net with the word "nogo" does not see the features that need knowledge of Go: liberties,
 * ladders, areas, parity, and that a pass would end the phase. If two positions differ only in
 * these, the outputs of the net are the same. If they differ in stones, the outputs differ. */
TEST(features_of_go_can_be_left_out) {
    static const int HIDDEN_PLANES[] = {3, 4, 5, 14, 15, 16, 17, 18, 19},
                     SHOWN_PLANES[] = {1, 6, 9};
    for (int kind = 0; kind < 2; kind++) {
        Net *net = net_of_words(kind ? "b1c8-nogo" : "b1c8", 5);
        Infer *infer;
        const InferSetup setup = {1, 5, 5, PRECISION_F32, NULL};
        EXPECT_OK(infer_new(net, &setup, &infer, err));
        int planes = program_find_input(net_program(net), "planes"),
            globals = program_find_input(net_program(net), "globals"),
            scores = program_find_output(net_program(net), HEADS[HEAD_SCORE_DISTRIBUTION].name);
        float first[3], bin[3];
        for (int round = 0; round < 3; round++) {
            float *at = infer_input(infer, planes), *numbers = infer_input(infer, globals);
            memset(numbers, 0, FEATURE_GLOBALS * sizeof *numbers);
            memset(at, 0, 25 * FEATURE_PLANES * sizeof *at);
            for (int cell = 0; cell < 25; cell++)
                at[cell * FEATURE_PLANES] = 1;
            for (int k = 0; k < 9 && round == 1; k++)
                at[7 * FEATURE_PLANES + HIDDEN_PLANES[k]] = 1;
            for (int k = 0; k < 3 && round == 2; k++)
                at[7 * FEATURE_PLANES + SHOWN_PLANES[k]] = 1;
            if (round == 1) numbers[14] = numbers[18] = 1;
            EXPECT_OK(infer_run(infer, 1, err));
            first[round] = infer_output(infer, 0)[0];
            bin[round] = infer_output(infer, scores)[0];
        }
        EXPECT_TRUE((first[0] == first[1]) == (kind == 1));
        EXPECT_TRUE((bin[0] == bin[1]) == (kind == 1));
        EXPECT_TRUE(first[0] != first[2]);
        infer_free(infer);
        net_free(net);
    }
}

static const struct {
    const char *text;
    Status status;
    const char *part; /* of the message */
} MISTAKES[] = {
    {"b0c32", ERR_SYNTAX, "\"b0c32\""},
    {"b201c32", ERR_SYNTAX, "b201c32"},
    {"b4c7", ERR_SYNTAX, "b4c7"},
    {"b4c4097", ERR_SYNTAX, "b4c4097"},
    {"b99999999999999999999c32", ERR_SYNTAX, "b9999"},
    {"b4", ERR_SYNTAX, "b6c96"}, /* the message shows a valid description */
    {"b4c", ERR_SYNTAX, "b4c"},
    {"b-4c32", ERR_SYNTAX, "net:"},
    {"b+4c32", ERR_SYNTAX, "b+4c32"},
    {"b4c +32", ERR_SYNTAX, "b4c +32"},
    {"b4c32x", ERR_SYNTAX, "b4c32x"},
    {"b4c32--batch", ERR_SYNTAX, "net:"},
    {"b4c32-btach", ERR_SYNTAX, "btach"},
    {"B4C32", ERR_SYNTAX, "B4C32"},
    {"chanels=32", ERR_ARGUMENT, "arch.channels"}, /* the message names the nearest setting */
    {"channels=7", ERR_ARGUMENT, "8 to 4096"},
    {"channels=many", ERR_SYNTAX, "many"},
    {"norm=group", ERR_ARGUMENT, "batch|fixup|fixed|renorm|fixscale|fson"},
    {"norm_momentum=1", ERR_ARGUMENT, "0.999999"},
    {"norm_epsilon=0", ERR_ARGUMENT, "arch.norm_epsilon"},
    {"b1c8,start_kernel=1,start_center=0.3", ERR_ARGUMENT, "start_center needs a start_kernel"},
    {"b1c8-nodist,score_mixtures=2", ERR_ARGUMENT, "score_mixtures needs the score distribution"},
    {"b1c8-score_scale,score_mixtures=2", ERR_ARGUMENT,
     "score_scale is for one distribution of the score, not for a mixture of several"},
    {"policy_kernel=4", ERR_ARGUMENT, "policy_kernel is 4, an odd number"},
    {"head_kernel=2", ERR_ARGUMENT, "head_kernel is 2, an odd number"},
    {"start_center=-1", ERR_ARGUMENT, "0 to 4"},
    {"start_kernel=4", ERR_ARGUMENT, "start_kernel is 4"},
    {"b1c8,score_scale_max=10", ERR_ARGUMENT, "score_scale_max needs the head score_scale"},
    {"policy_embedding=8", ERR_ARGUMENT, "policy_embedding needs policy_attention"},
    {"policy_attention=8,policy_embedding=8,policy_channels=8", ERR_ARGUMENT,
     "takes the place of policy_channels"},
    {"heads=policy,score_distribution=true", ERR_ARGUMENT,
     "heads does not name the score distribution"},
    {"c8-squeeze,trunk=residual", ERR_ARGUMENT, "block is for nets without trunk="},
    {"c8,trunk=residual,pool_every=2", ERR_ARGUMENT, "pool_every is for nets without trunk="},
    {"b1c8-nogo,inputs=gonn26", ERR_ARGUMENT, "go_features=false leaves out some"},
    {"inputs=gonn17", ERR_ARGUMENT, "katago|gonn26"},
    {"head_stdev=true", ERR_ARGUMENT, "head_stdev needs head_mean_max"},
    {"b1c8-errors", ERR_ARGUMENT, "td_errors needs the auxiliary"},
    {"start_kernel=21", ERR_ARGUMENT, "1 to 19"},
};

TEST(descriptions_with_mistakes_are_refused) {
    char long_text[400];
    ArchSettings config;
    Error error;
    for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; i++) {
        error = (Error){0};
        if (arch_parse(MISTAKES[i].text, &config, &error) != MISTAKES[i].status)
            fail_msg("%s: another status, message \"%s\"", MISTAKES[i].text, error.message);
        EXPECT_CONTAINS(error.message, MISTAKES[i].part);
    }
    memset(long_text, 'b', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    EXPECT_STATUS(ERR_SYNTAX, arch_parse(long_text, &config, &error));
    EXPECT_CONTAINS(error.message, "too long");
    Rng rng = rng_seeded(1);
    Net *net;
    EXPECT_STATUS(ERR_SYNTAX, arch_build_text("b4", &rng, &net, &error));
    EXPECT_TRUE(net == NULL);
}

/* Every message about a mistake says where it is: the number of the character in the whole text,
 * and the word there. */
TEST(mistakes_are_told_with_their_place) {
    static const struct {
        const char *text, *part; /* of the message */
    } BAD[] = {
        {"b6c96-batch-foo", "net: character 13, \"foo\": \"foo\" is not understood; examples"},
        {"b6c96,norm=foo", "net: character 7, \"norm=foo\": arch.norm: \"foo\" is not one of"},
        {"b6c96, norm = foo", "character 7, \" norm = foo\": arch.norm: "},
        {"b6c96,heads=x", "character 13, \"x\": there is no head \"x\""},
        {"b6c96-mish,heads=ladders+mish", "character 26, \"mish\": there is no head \"mish\""},
        {"heads=x,b6c96-mish", "character 7, \"x\""},
        {"b6c96,start_kernel=4", "character 7, \"start_kernel=4\": start_kernel is 4, an odd"},
        {"start_kernel=3,b6c96-k5,start_kernel=6", "character 25, \"start_kernel=6\""},
        {"c32-b0c96", "character 5, \"b0c96\": 1 to 200 blocks"},
        {"b4c32--batch", "character 7, \"\": "},
        {"b2c8,blok=x", "character 6, \"blok=x\": there is no setting \"blok\""},
        {"b2c8,block=x", "character 6, \"block=x\": there is no block \"x\""},
        {"b1c8-mish,start_kernel=1,start_center=0.3", "character 26, \"start_center=0.3\": "},
        {"b1c8-errors", "character 6, \"errors\": td_errors needs"},
        {"b1c8,norm_gain=false", "character 6, \"norm_gain=false\": norm_gain needs a batch norm"},
        {"b1c8-fson,norm_momentum=0.9,prelu_slope=0", "character 29, \"prelu_slope=0\": "},
        {"c16,norm_epsilon=0.001,trunk=residual(norm=fixup)", "norm_epsilon needs a batch norm"},
        {"b1c8-nodist-score_scale", "character 13, \"score_scale\": score_scale needs"},
        {"b1c8,score_mixtures=2,heads=score_scale", "character 29, \"score_scale\": "},
        {"b4c16,trunk=residual*3", "character 1, \"b4c16\": the trunk has 3 blocks, not 4"},
        {"c16-mish,trunk=residual+x", "character 25, \"x\": trunk, character 10: there is no"},
        {"c16,trunk=\"residual+x\"", "character 21, \"x\": trunk, character 10: "},
        {"c16,trunk = residual*3+", "character 24, \"\": trunk, character 12: found \"\""},
        {"c16,trunk=nested(inner=8,layers=99)", "character 26, \"layers=99\": "},
        {"c16,trunk=residual+lines(length=8)", "character 26, \"length=8\": trunk, character 10"},
        {"c16,trunk=residual(dilation=2,dilated=17)",
         "character 31, \"dilated=17\": trunk, character 1: dilated is 17, more than the 16 inner"},
        {"c96,trunk=residual+attention(heads=5)",
         "character 30, \"heads=5\": trunk, character 10: heads is 5, which must divide the 96"},
        {"c24,trunk=attention(heads=8)",
         "heads is 8, so that a head would have 3 of the 24 channels of the trunk; an even number"},
        {"c96,trunk=pooled(pool=4096)", "character 18, \"pool=4096\": trunk, character 1: pool is "
                                        "4096, more than the 96 inner channels of a pooled block"},
        {"c96,trunk=nested(pool=49)", "pool is 49, more than the 48 inner channels of a nested"},
        {"b4c32,pool_channels=33", "character 7, \"pool_channels=33\": pool_channels is 33, more "},
        /* mistakes that are found only when the layers are built */
        {"c96,trunk=residual+attention(heads=256,query=1024)",
         "character 20, \"attention(heads=256,query=1024)\": net, at \"block1.qkv\": "},
        {"c96,trunk=attention(maps=learned,map_form=points,side=9)+"
         "attention(maps=learned,map_form=points,side=5)",
         "character 58, \"attention(maps=learned,map_form=points,s...\": net, at "},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        ArchSettings config;
        Error fault = {0};
        if (!arch_parse(BAD[i].text, &config, &fault)) fail_msg("%s is accepted", BAD[i].text);
        EXPECT_CONTAINS(fault.message, BAD[i].part);
    }
    EXPECT_INT(40, parsed("c24,trunk=attention(heads=5,query=8)").channels + 16);
    EXPECT_INT(32, parsed("b4c32,pool_channels=32").pool_channels);
}

/* A trunk may be written out block by block. */
TEST(long_descriptions) {
    char text[6000] = "c8,trunk=residual";
    Error fault = {0};
    ArchSettings config, noted;
    size_t length = strlen(text), begin = strlen("c8,trunk=");
    for (int i = 1; i < 200; i++)
        length += (size_t)sprintf(text + length, "+residual(kernel=%d)", i % 2 ? 1 : 3);
    EXPECT_TRUE(length - begin > 3700 && length - begin < 4096);
    config = parsed(text);
    EXPECT_INT(200, config.blocks);
    noted = parsed(arch_text(&config).text);
    EXPECT_TEXT(config.trunk, noted.trunk);
    Net *net = net_of_words(text, 1);
    EXPECT_OK(arch_of_net(net, &noted, err));
    EXPECT_TEXT(text + begin, noted.trunk);
    net_free(net);
    memset(text + length, '+', 4096 - (length - begin));
    text[begin + 4096] = 0;
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse(text, &config, &fault));
    EXPECT_CONTAINS(fault.message, "character 4, \"trunk=");
    EXPECT_CONTAINS(fault.message, "arch.trunk: the text is longer than 4095 characters");
}

static void expect_same(const ArchSettings *a, const ArchSettings *b) {
    EXPECT_INT(a->blocks, b->blocks);
    EXPECT_INT(a->channels, b->channels);
    EXPECT_INT(a->pool_every, b->pool_every);
    EXPECT_INT(a->inner_channels, b->inner_channels);
    EXPECT_INT(a->start_kernel, b->start_kernel);
    EXPECT_INT(a->norm, b->norm);
    EXPECT_INT(a->activation, b->activation);
    EXPECT_INT(a->score_distribution, b->score_distribution);
    EXPECT_INT(a->policies, b->policies);
    EXPECT_INT(a->go_features, b->go_features);
    EXPECT_INT(a->inputs, b->inputs);
    EXPECT_INT(a->auxiliary, b->auxiliary);
    EXPECT_INT(a->td_errors, b->td_errors);
    EXPECT_NEAR(a->norm_momentum, b->norm_momentum, 0);
    EXPECT_NEAR(a->norm_epsilon, b->norm_epsilon, 0);
    EXPECT_INT(a->norm_gain, b->norm_gain);
}

/* Builds a net. Its note must contain the settings from which it was built, its outputs must be
 * found, and its value must be finite. */
static void check_built(const char *words) {
    Rng rng = rng_seeded(7);
    ArchSettings wanted = parsed(words), noted;
    const SettingsGroup groups[] = {{"arch", ARCH_FIELDS, &noted}, {0}};
    Net *net;
    HeadIndex heads;
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = 4, .width = 4};
    EXPECT_OK(arch_build(&wanted, &rng, &net, err));
    settings_defaults(ARCH_FIELDS, &noted);
    EXPECT_OK(settings_parse(groups, net_note(net, "architecture"), "note", err));
    expect_same(&wanted, &noted);
    EXPECT_OK(arch_of_net(net, &noted, err));
    expect_same(&wanted, &noted);
    noted = parsed(arch_text(&wanted).text);
    expect_same(&wanted, &noted);
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_INT(wanted.score_distribution, heads.output[HEAD_SCORE_DISTRIBUTION] >= 0);
    EXPECT_INT(2 * wanted.policies + 2, heads.policies.count);
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    const Program *program = net_program(net);
    for (int i = 0; i < 16 * program_op(program, program_input_value(program, 0))->channels; i++)
        infer_input(infer, heads.planes)[i] = 1;
    for (int i = 0; i < program_op(program, program_input_value(program, 1))->channels; i++)
        infer_input(infer, heads.globals)[i] = 0;
    EXPECT_OK(infer_run(infer, 1, err));
    for (int i = 0; i < 3; i++)
        EXPECT_TRUE(isfinite(infer_output(infer, heads.output[HEAD_VALUE])[i]));
    infer_free(infer);
    net_free(net);
}

TEST(policies_of_trained_nets_are_found) {
    /* This net has two policies, like nets of KataGo's model version 12. In our own nets the second
     * policy is for the opponent's reply; in KataGo's nets for play it is the optimistic policy. */
    Net *net = net_of_words("b1c8", 1);
    HeadIndex heads;
    ModelFormat model_format = MODEL_FORMAT_DEFAULT;
    EXPECT_OK(heads_find_trained(net, &heads, err));
    EXPECT_INT(1, heads.policies.at[POLICY_REPLY]);
    model_format.own_policies = false;
    EXPECT_OK(model_format_note(net, &model_format, err));
    EXPECT_OK(heads_find_trained(net, &heads, err));
    EXPECT_INT(-1, heads.policies.at[POLICY_REPLY]);
    EXPECT_INT(1, heads.policies.at[POLICY_OPTIMISTIC]);
    model_format.metadata = true; /* the net has no input "metadata", so it is refused */
    EXPECT_OK(model_format_note(net, &model_format, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, heads_find_trained(net, &heads, NULL));
    net_free(net);
}

TEST(built_nets_note_their_architecture) {
    check_built("b1c8");
    check_built("b3c16-batch-mish-k5-nodist");
    check_built("b2c8-fixed,pool_every=1,pool_channels=1,inner_channels=1");
    check_built("b2c24-silu,pool_every=0,policy_channels=1,value_channels=1,value_hidden=1");
    check_built("b1c8,start_kernel=19");
    check_built("b1c8-soft");
    check_built("b1c8-optimistic");
    check_built("b1c8-qvalues");
    check_built("b1c8-nogo");
    check_built("b1c8,inputs=gonn26");
    check_built("b1c8,ranks=4,inputs=gonn26");
    check_built("c8-batch,inputs=gonn26,trunk=residual+chain+ladder");
    check_built("b1c8-auxiliary");
    check_built("b1c8-errors-auxiliary");
    check_built("b2c8-renorm");
    check_built("b2c8-fixscale");
    check_built("b2c8-fson-silu");
    check_built("b1c8-batch,norm_momentum=0.999,norm_epsilon=0.001,norm_gain=false");
}

TEST_MAIN(RUN(short_forms_are_read), RUN(assignments_are_read),
          RUN(texts_of_nets_leave_out_defaults), RUN(features_of_go_can_be_left_out),
          RUN(descriptions_with_mistakes_are_refused), RUN(mistakes_are_told_with_their_place),
          RUN(long_descriptions), RUN(policies_of_trained_nets_are_found),
          RUN(built_nets_note_their_architecture))

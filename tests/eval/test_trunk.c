/* Descriptions of trunks ("(residual*2+pooled)*2"): the blocks that they stand for, and the
 * messages with which mistakes are refused. */
#include "eval/arch/arch.h"
#include "eval/arch/trunk.h"
#include "eval/net_of_words.h"

static Trunk parsed(const char *text) {
    static Trunk trunk;
    EXPECT_OK(trunk_parse(text, &trunk, err));
    return trunk;
}

/* Returns the first letters of the names of the blocks. The next call overwrites them. */
static const char *letters(const Trunk *trunk) {
    static char text[TRUNK_BLOCKS_MAX + 1];
    for (int i = 0; i < trunk->count; i++)
        text[i] = trunk->blocks[i].kind->name[0];
    text[trunk->count] = 0;
    return text;
}

TEST(lists_repetitions_and_parentheses_are_read) {
    static const char *const CASES[][2] = {
        {"residual", "r"},
        {"residual*3", "rrr"},
        {"residual+pooled+squeeze", "rps"},
        {"(residual*2+pooled)*2", "rrprrp"},
        {"((residual+pooled)*2+nested)*2+bottleneck", "rprpnrprpnb"},
        {"(residual)", "r"},
        {"attention(heads=4)*2+swiglu(inner=8)", "aas"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Trunk trunk = parsed(CASES[i][0]);
        EXPECT_TEXT(CASES[i][1], letters(&trunk));
    }
    EXPECT_INT(TRUNK_BLOCKS_MAX, parsed("(attention+swiglu)*100").count);
}

TEST(options_belong_to_their_block) {
    Trunk trunk = parsed("nested(inner=24,pool=9,layers=3,kernel=5)*2+nested+"
                         "attention(heads=6,kv_heads=3,query=10,value=7,rotary=fixed)");
    for (int i = 0; i < 2; i++) {
        const BlockOptions *options = &trunk.blocks[i].options;
        EXPECT_TRUE(options->inner == 24 && options->pool == 9 && options->layers == 3 &&
                    options->kernel == 5);
    }
    const BlockOptions *usual = &trunk.blocks[2].options, *last = &trunk.blocks[3].options;
    EXPECT_TRUE(usual->inner == 0 && usual->pool == 0 && usual->layers == 0 && usual->kernel == 3);
    EXPECT_TRUE(last->heads == 6 && last->kv_heads == 3 && last->query == 10 && last->value == 7 &&
                last->rotary == ROTARY_FIXED);
}

TEST(messages_name_the_place_of_a_mistake) {
    static const struct {
        const char *text;
        Status status;
        const char *part; /* of the message */
    } BAD[] = {
        {"", ERR_SYNTAX, "character 1: found \"\", wanted the name of a block"},
        {"residul", ERR_ARGUMENT,
         "character 1: there is no block \"residul\"; the blocks are: "
         "residual, pooled"},
        {"residual+", ERR_SYNTAX, "character 10: found \"\""},
        {"residual++pooled", ERR_SYNTAX, "character 10: found \"+pooled\""},
        {"residual pooled", ERR_SYNTAX, "character 9: found \" pooled\", wanted \"+\" or \"*\""},
        {"residual*0", ERR_SYNTAX, "character 10: \"0\" is no number of repetitions"},
        {"residual*-1", ERR_SYNTAX, "character 10"},
        {"residual*two", ERR_SYNTAX, "\"two\""},
        {"residual*201", ERR_SYNTAX, "from 1 to 200"},
        {"(residual*100)*3", ERR_ARGUMENT, "character 15: more than 200 blocks"},
        {"residual*200+pooled", ERR_ARGUMENT, "character 14: more than 200 blocks"},
        {"(residual", ERR_SYNTAX, "character 1: this \"(\" is not closed"},
        {"residual)", ERR_SYNTAX, "character 9: found \")\""},
        {"()", ERR_SYNTAX, "character 2"},
        {"(((((((((residual)))))))))", ERR_SYNTAX, "character 9: more than 8 open parentheses"},
        {"residual(heads=4)", ERR_ARGUMENT,
         "character 10: residual blocks have no option \"heads\"; their options are: inner kernel"},
        {"nested(inner)", ERR_SYNTAX, "character 13: wanted \"=\""},
        {"nested(inner=)", ERR_SYNTAX, "character 14: found \")\", wanted a value"},
        {"nested(inner=9999)", ERR_ARGUMENT, "character 8: "},
        {"nested(inner=8;layers=2)", ERR_SYNTAX, "character 15: wanted \",\" or \")\""},
        {"nested(inner=8", ERR_SYNTAX, "character 15: wanted"},
        {"residual(kernel=4)", ERR_ARGUMENT, "kernel is 4, an odd number is wanted"},
        {"pooled+residual(kernel=1,dilation=2)", ERR_ARGUMENT,
         "character 8: dilation is 2, which needs a kernel wider than 1"},
        {"residual(dilated=8)", ERR_ARGUMENT, "dilated is 8, which needs a dilation above 1"},
        {"residual(dilation=19)", ERR_ARGUMENT, "character 10: "},
        {"lines(length=8)", ERR_ARGUMENT, "length is 8, an odd number is wanted"},
        {"lines(length=21)", ERR_ARGUMENT, "character 7: "},
        {"pooled(dilation=2)", ERR_ARGUMENT, "pooled blocks have no option \"dilation\""},
        {"attention(heads=4,kv_heads=3)", ERR_ARGUMENT, "kv_heads is 3, which must divide"},
        {"attention(kv_heads=3)", ERR_ARGUMENT, "heads is 0"},
        {"attention(query=7)", ERR_ARGUMENT, "query is 7, an even number is wanted"},
        {"attention(rotary=round)", ERR_ARGUMENT, "none|fixed|learned"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Trunk trunk;
        Error fault = {0};
        if (trunk_parse(BAD[i].text, &trunk, &fault) != BAD[i].status)
            fail_msg("%s: another status, message \"%s\"", BAD[i].text, fault.message);
        EXPECT_CONTAINS(fault.message, BAD[i].part);
    }
}

TEST(a_short_description_stands_for_a_trunk) {
    ArchSettings settings;
    Trunk trunk;
    EXPECT_OK(arch_parse("b6c16-squeeze,pool_every=3", &settings, err));
    EXPECT_OK(trunk_of(&settings, &trunk, err));
    EXPECT_TEXT("sspssp", letters(&trunk));
    EXPECT_FALSE(trunk_is_transformer(&trunk));
    trunk = parsed("(attention+swiglu)*3");
    EXPECT_TRUE(trunk_is_transformer(&trunk));
}

/* The number of blocks follows from the trunk. If the description gives another one, it is
 * refused. */
TEST(a_description_holds_its_trunk) {
    ArchSettings settings, again;
    Error fault = {0};
    EXPECT_OK(arch_parse("c16-mish-trunk=(residual+attention(heads=2,rotary=fixed))*2,norm=batch",
                         &settings, err));
    EXPECT_TRUE(settings.blocks == 4 && settings.channels == 16);
    EXPECT_TEXT("(residual+attention(heads=2,rotary=fixed))*2", settings.trunk);
    EXPECT_OK(arch_parse(arch_text(&settings).text, &again, err));
    EXPECT_TEXT(arch_text(&settings).text, arch_text(&again).text);
    EXPECT_OK(arch_parse("b3c16,trunk=residual*3", &settings, err));
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("b4c16,trunk=residual*3", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "the trunk has 3 blocks, not 4");
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("c16,trunk=residual*3+x", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "trunk, character 12: there is no block \"x\"");
    EXPECT_STATUS(ERR_ARGUMENT, arch_parse("b2c8,block=x", &settings, &fault));
    EXPECT_CONTAINS(fault.message, "there is no block \"x\"");
    Net *net = net_of_words("c16,trunk=nested(layers=3)+swiglu", 3);
    EXPECT_OK(arch_of_net(net, &settings, err));
    EXPECT_TEXT("b2c16,trunk=nested(layers=3)+swiglu", arch_text(&settings).text);
    net_free(net);
}

/* A short form and the trunk that it stands for build the same net. */
TEST(both_forms_build_the_same_net) {
    Net *a = net_of_words("b4c16-batch", 5),
        *b = net_of_words("c16-batch,trunk=(residual+pooled)*2", 5);
    const Program *program = net_program(a), *other = net_program(b);
    EXPECT_INT(program_parameter_count(program), program_parameter_count(other));
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        EXPECT_TEXT(spec->name, program_parameter(other, i)->name);
        EXPECT_INT(0, memcmp(net_values(a, i), net_values(b, i), spec->count * sizeof(float)));
    }
    net_free(a);
    net_free(b);
}

TEST_MAIN(RUN(lists_repetitions_and_parentheses_are_read), RUN(options_belong_to_their_block),
          RUN(messages_name_the_place_of_a_mistake), RUN(a_short_description_stands_for_a_trunk),
          RUN(a_description_holds_its_trunk), RUN(both_forms_build_the_same_net))

/* Whole nets as ONNX files: the interpreter of onnx_interpreter.h runs the file, and its outputs
 * must be those of our executor. The tests also check the description of the net in the file, and
 * which nets are refused. */
#include "eval/arch/blocks/blocks.h"
#include "eval/formats/onnx/onnx_save.h"
#include "eval/made_katago_net.h"
#include "eval/net_of_words.h"
#include "eval/onnx_case.h"

static void save_and_compare(const Net *net, int height, int width, const char *what) {
    const OnnxSetup setup = {.height = height, .width = width, .version = "1.2"};
    TestPath path = test_path("net.onnx");
    EXPECT_OK(onnx_save(net, path.text, &setup, err));
    compare_file(net, path.text, height, width, NULL, 5, what);
    unlink(path.text);
}

static void check_words(const char *words, int height, int width) {
    Net *net = net_of_words(words, 3);
    Rng rng = rng_seeded(4);
    disturb(net, &rng);
    save_and_compare(net, height, width, words);
    net_free(net);
}

TEST(nets_of_every_block_give_the_same_outputs) {
    for (const Block *block = BLOCKS; block->name; block++) {
        char words[64];
        snprintf(words, sizeof words, "b2c16-mish-%s,pool_every=0", block->name);
        check_words(words, 5, 4);
    }
}

TEST(nets_of_every_kind_give_the_same_outputs) {
    static const char *const WORDS[] = {
        "b2c8-fixup",
        "b2c8-batch",
        "b2c8-renorm-silu",
        "b2c8-fixscale,activation=identity",
        "b2c8-fson-mish",
        "b2c8-fixed,activation=prelu",
        "b2c8-batch-auxiliary-errors-qvalues-moves_left-score_scale-ladders-value_buckets",
        "b2c8-batch-later_moves-root_variance-value_error",
        "b2c8,pooling=mean_max,head_mean_max=true",
        "b2c8,pooling=mean_max_stdev,head_mean_max=true,head_stdev=true",
        "b2c8-batch,head_kernel=3,policy_kernel=5,head_crelu=true",
        "b2c8-k5,start_center=0.3",
        "b2c8-batch,inputs=gonn26",
        "b2c8-batch-prelu,heads=policy,policies=move,pass=false,policy_channels=6,policy_pooled=5",
        "b2c8,score_mixtures=3",
        "b2c8-relu2",
        "c8-batch,trunk=ladder(gate_norm=true)",
        "b2c8-score_scale,score_scale_max=0.5",
        "b2c8-soft,policy_attention=6,policy_embedding=7,policy_kernel=3",
        "c12-mish,trunk=residual(dilation=2)+nested(inner=4,layers=3)+nested(pool=2)",
        "c12-mish,trunk=attention(heads=6,kv_heads=3,query=4,value=2)+swiglu(inner=8)",
        "c12-mish,trunk=attention(heads=3,norm=layer)+ffn(inner=8,activation=relu2,norm=layer)",
        "c12-mish,tip=rms,trunk=residual+attention(rotary=fixed,heads=2)",
        "c12,trunk=attention(heads=3,rotary=none,tables=qkv)+attention(heads=3,tables=v)",
        "c12,trunk=attention(heads=3,maps=smolgen)",
        "c12,trunk=attention(heads=3,process=true)+encoder(heads=2,process=true)",
        "c12,trunk=attention(heads=2,maps=smolgen,map_form=offsets)",
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        check_words(WORDS[i], 4, 5);
}

TEST(nets_of_katago_give_the_same_outputs) {
    const MadeNet made[] = {{.version = 3, .blocks = "og"},
                            {.version = 8, .blocks = "ogo"},
                            {.version = 12, .blocks = "nm"},
                            {.version = 15, .blocks = "on", .metadata = true},
                            {.version = 16, .blocks = "og"},
                            {.version = 17, .blocks = "arpf", .rms_tip = true},
                            {.version = 17, .blocks = "oaf", .rms_tip = true, .point_tip = true}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        Net *net = read_made_net(made[i]);
        save_and_compare(net, 5, 6, made[i].blocks);
        net_free(net);
    }
}

/* A net for boards of one size can be exported only for this size, which is the default. */
TEST(a_net_for_one_size_stays_at_it) {
    Net *net = net_of_words("c12,trunk=attention(heads=2,maps=smolgen,map_form=points,side=5)", 1);
    Rng rng = rng_seeded(4);
    TestPath path = test_path("only.onnx");
    Error fault = {0};
    OnnxSetup setup = {.version = "0"};
    disturb(net, &rng);
    EXPECT_OK(onnx_save(net, path.text, &setup, err));
    compare_file(net, path.text, 5, 5, NULL, 5, "map_form=points");
    unlink(path.text);
    setup.width = 5;
    setup.height = 6;
    EXPECT_STATUS(ERR_ARGUMENT, onnx_save(net, path.text, &setup, &fault));
    EXPECT_CONTAINS(fault.message, "only for boards of 5x5, not for 5x6");
    EXPECT_FALSE(file_exists(path.text));
    net_free(net);
}

static void expect_port(const Port *port, const char *name, int rank, const int *dims) {
    EXPECT_TEXT(name, port->name.text);
    EXPECT_INT(1, port->type); /* f32 */
    EXPECT_INT(rank, port->rank);
    for (int i = 0; i < rank; i++)
        EXPECT_INT(dims[i], port->dims[i]);
}

TEST(an_onnx_file_describes_the_net) {
    Net *net = net_of_words("b1c8", 1);
    const OnnxSetup setup = {.width = 7, .height = 5, .version = "1.2"};
    TestPath path = test_path("about.onnx");
    Arena arena = {0};
    char *bytes;
    size_t length;
    EXPECT_OK(onnx_save(net, path.text, &setup, err));
    EXPECT_OK(file_read(path.text, 1 << 24, &arena, &bytes, &length, err));
    Model model = read_model(bytes, length);
    EXPECT_INT(8, model.format);
    EXPECT_INT(17, model.opset);
    EXPECT_TEXT("aji", model.producer.text);
    EXPECT_TEXT("1.2", model.version.text);
    EXPECT_INT(2, model.input_count);
    expect_port(&model.inputs[0], "planes", 4, (int[]){-1, 22, 5, 7});
    expect_port(&model.inputs[1], "globals", 2, (int[]){-1, 19});
    EXPECT_INT(6, model.output_count);
    expect_port(&model.outputs[0], "policy", 4, (int[]){-1, 2, 5, 7});
    expect_port(&model.outputs[1], "pass", 2, (int[]){-1, 2});
    expect_port(&model.outputs[2], "value", 2, (int[]){-1, 3});
    expect_port(&model.outputs[3], "score", 2, (int[]){-1, 6});
    expect_port(&model.outputs[4], "ownership", 4, (int[]){-1, 1, 5, 7});
    expect_port(&model.outputs[5], "score_distribution", 3, (int[]){-1, 842, 1});
    EXPECT_CONTAINS(model.properties, "board=7x5\n");
    EXPECT_CONTAINS(model.properties, "model_version=14\n");
    EXPECT_CONTAINS(model.properties, "features_version=7\n");
    EXPECT_CONTAINS(model.properties, "policies=aji\n");
    EXPECT_CONTAINS(model.properties, "score_multipliers=mean 20, stdev 20, lead 20, ");
    net_free(net);
    arena_clear(&arena);
    unlink(path.text);
}

TEST(sizes_that_are_not_given_have_defaults) {
    Net *any = net_of_words("b1c8", 1),
        *one = net_of_words("c8,trunk=attention(maps=smolgen,map_form=points,side=9)", 1);
    OnnxSetup setup = {.width = 0};
    onnx_setup_sizes(any, &setup);
    EXPECT_INT(19, setup.width);
    EXPECT_INT(19, setup.height);
    onnx_setup_sizes(one, &setup);
    EXPECT_INT(19, setup.width); /* what is given stays */
    setup = (OnnxSetup){.height = 0};
    onnx_setup_sizes(one, &setup);
    EXPECT_INT(9, setup.width);
    EXPECT_INT(9, setup.height);
    net_free(any);
    net_free(one);
}

/* A file of exactly the limit is written. If the file would be larger, the old file stays as it
 * is. */
TEST(a_file_has_a_limit) {
    Net *net = net_of_words("b1c8", 1);
    OnnxSetup setup = {.width = 5, .height = 5, .version = "0"};
    TestPath path = test_path("limit.onnx");
    Error fault = {0};
    EXPECT_OK(onnx_save(net, path.text, &setup, err));
    int64_t bytes = file_bytes(path.text);
    setup.limit_bytes = (uint64_t)bytes;
    EXPECT_OK(file_write(path.text, "old", 3, err));
    EXPECT_OK(onnx_save(net, path.text, &setup, err));
    EXPECT_INT(bytes, file_bytes(path.text));
    EXPECT_OK(file_write(path.text, "old", 3, err));
    setup.limit_bytes--;
    EXPECT_STATUS(ERR_UNSUPPORTED, onnx_save(net, path.text, &setup, &fault));
    EXPECT_CONTAINS(fault.message, "bytes, and ONNX files have at most");
    EXPECT_INT(3, file_bytes(path.text));
    net_free(net);
    unlink(path.text);
}

/* A tensor that is larger than a file may be is not allocated. */
TEST(a_graph_that_needs_too_much_memory_is_refused) {
    const OnnxModel model = {.name = "test", .version = "0", .note = ""};
    const OnnxName name = onnx_name("huge");
    TestPath path = test_path("huge.onnx");
    OnnxGraph *graph;
    Error fault = {0};
    EXPECT_OK(onnx_graph_new(&graph, err));
    EXPECT_TRUE(onnx_new_floats(graph, &name, 2, (int64_t[]){1 << 16, 1 << 14}) == NULL);
    EXPECT_STATUS(ERR_UNSUPPORTED, onnx_graph_write(graph, &model, path.text, &fault));
    EXPECT_CONTAINS(fault.message, "the file would have 4294967");
    EXPECT_FALSE(file_exists(path.text));
    onnx_graph_free(graph);
}

TEST(what_is_no_net_for_go_or_has_a_wrong_name_is_refused) {
    Net *net = net_of_words("b1c8", 1), *other;
    const OnnxSetup setup = {.version = "0"};
    Program *program;
    Error fault = {0};
    EXPECT_STATUS(ERR_ARGUMENT, onnx_save(net, "/tmp/net.aji", &setup, &fault));
    EXPECT_CONTAINS(fault.message, "/tmp/net.aji: the name of an ONNX file ends in .onnx");
    EXPECT_STATUS(ERR_ARGUMENT, onnx_check_name("", &fault));
    EXPECT_CONTAINS(fault.message, "the name is empty");
    EXPECT_OK(onnx_check_name("a.onnx", err));
    EXPECT_OK(program_new(&program, err));
    program_output(program, "y", program_input(program, "x", KIND_VECTOR, 3));
    EXPECT_OK(net_new(program, NULL, &other, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, onnx_save(other, "/tmp/no.onnx", &setup, &fault));
    EXPECT_CONTAINS(fault.message, "the net has no \"planes\"");
    EXPECT_STATUS(ERR_IO, onnx_save(net, "/proc/no.onnx", &setup, &fault));
    EXPECT_CONTAINS(fault.message, "/proc/no.onnx");
    net_free(net);
    net_free(other);
}

TEST_MAIN(RUN(nets_of_every_block_give_the_same_outputs),
          RUN(nets_of_every_kind_give_the_same_outputs), RUN(nets_of_katago_give_the_same_outputs),
          RUN(a_net_for_one_size_stays_at_it), RUN(an_onnx_file_describes_the_net),
          RUN(sizes_that_are_not_given_have_defaults), RUN(a_file_has_a_limit),
          RUN(a_graph_that_needs_too_much_memory_is_refused),
          RUN(what_is_no_net_for_go_or_has_a_wrong_name_is_refused))

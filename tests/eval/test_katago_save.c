/* Writing KataGo's model files. A net that was read from a model file is written with the same
 * weights. Our own nets give the same evaluations after they were written and read. Nets that the
 * format cannot express are refused with a message that names the layer. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "eval/arch/arch.h"
#include "eval/arch/heads.h"
#include "eval/evaluators/evaluator.h"
#include "eval/formats/katago_net.h"
#include "eval/formats/net_file.h"
#include "eval/golden_nets.h"
#include "test_path.h"

enum { EDGE = 7 };

/* Saves the net to the file `name` and returns the net that is read from it. The caller frees
 * it. */
static Net *through(const Net *net, const char *name) {
    TestPath path = test_path(name);
    Net *again;
    EXPECT_OK(net_file_save(net, path.text, err));
    EXPECT_OK(net_file_load(path.text, &again, err));
    remove(path.text);
    return again;
}

static void expect_same(const Net *net, const char *name) {
    Net *again = through(net, name);
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    EXPECT_TEXT(net_note(net, "name"), net_note(again, "name"));
    EXPECT_TEXT(net_note(net, "meaning"), net_note(again, "meaning"));
    net_free(again);
}

TEST(nets_of_all_versions_are_written_as_they_were_read) {
    for (int version = 3; version <= 17; version++) {
        MadeNet made = {version, version < 15 ? "ogn" : "ognarf", .binary = version % 2};
        made.metadata = version == 15 || version == 17;
        made.rms_tip = version >= 16;
        Net *net = read_made_net(made);
        expect_same(net, "a.bin.gz");
        expect_same(net, "a.txt.gz");
        expect_same(net, "a.bin");
        expect_same(net, "a.txt");
        expect_same(net, "a.aji");
        net_free(net);
    }
}

TEST(nets_of_all_kinds_are_written_as_they_were_read) {
    for (int i = 0; i < GOLDEN_NET_COUNT; i++) {
        Net *net = read_made_net(GOLDEN_NETS[i]);
        expect_same(net, "a.bin.gz");
        net_free(net);
    }
}

/* Saves and reads back all nets of the folder, checks that they are the same, and returns how many
 * there are. */
static int folder_there_and_back(const char *from) {
    Arena arena = {0};
    char **names;
    int count, nets = 0;
    EXPECT_OK(directory_list(from, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (length < 3 || strcmp(names[i] + length - 3, ".gz") != 0) continue;
        Path path;
        Net *net;
        EXPECT_OK(path_join(&path, from, names[i], err));
        EXPECT_OK(net_file_load(path.text, &net, err));
        expect_same(net, "b.bin");
        net_free(net);
        nets++;
    }
    arena_clear(&arena);
    return nets;
}

TEST(nets_of_katago_are_written_as_they_were_read) {
    const char *folder = getenv("AJI_NETS");
    if (!folder || !*folder) SKIP("AJI_NETS names no folder with KataGo's nets");
    EXPECT_TRUE(folder_there_and_back(folder) > 0);
}

/* Makes a net of ours whose parameters look as after training: none of them is 0, and no two are
 * the same. For this, a random number is added to each parameter except those that start at given
 * values (INIT_GIVEN). */
static Net *trained(const char *arch) {
    Rng rng = rng_seeded(7);
    Net *net;
    EXPECT_OK(arch_build_text(arch, &rng, &net, err));
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        bool variance = strstr(spec->name, "variance") != NULL;
        for (size_t k = 0; spec->init != INIT_GIVEN && k < spec->count; k++)
            net_values(net, i)[k] += (float)(variance ? rng_uniform(&rng) : 0.1 * rng_normal(&rng));
    }
    return net;
}

static Evaluation evaluate(const Net *net, float optimism) {
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .ownership = true,
                                .human_profile = "rank_3k_1d",
                                .features = FEATURE_OPTIONS_DEFAULT};
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    const EvaluationRequest asked = {.position = &position,
                                     .options = {.policy_optimism = optimism}};
    Evaluator *evaluator;
    Evaluation out;
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    EXPECT_OK(position_play(&position, point_at(2, 3), err));
    EXPECT_OK(position_play(&position, point_at(4, 4), err));
    EXPECT_OK(position_play(&position, point_at(2, 2), err));
    EXPECT_OK(evaluator_net_new(net, &config, &evaluator, err));
    EXPECT_OK(evaluator_evaluate(evaluator, &asked, 1, &out, err));
    evaluator_free(evaluator);
    position_clear(&position);
    return out;
}

static void expect_near(const Evaluation *a, const Evaluation *b) {
    const double NEAR = 1e-5;
    for (int i = 0; i <= EDGE * EDGE; i++)
        EXPECT_NEAR(a->policy[i], b->policy[i], NEAR);
    for (int i = 0; i < EDGE * EDGE; i++)
        EXPECT_NEAR(a->ownership[i], b->ownership[i], NEAR);
    EXPECT_NEAR(a->win, b->win, NEAR);
    EXPECT_NEAR(a->loss, b->loss, NEAR);
    EXPECT_NEAR(a->lead, b->lead, NEAR * 10);
    EXPECT_NEAR(a->score_mean, b->score_mean, NEAR * 10);
    EXPECT_NEAR(a->score_mean_sq, b->score_mean_sq, NEAR * 10 * (1 + (double)a->score_mean_sq));
    EXPECT_NEAR(a->var_time, b->var_time, NEAR * 10);
    EXPECT_NEAR(a->shortterm_winloss_error, b->shortterm_winloss_error, NEAR);
    EXPECT_NEAR(a->shortterm_score_error, b->shortterm_score_error, NEAR * 10);
}

/* Two heads of queries share one head of keys and values. Each key has 6 channels, and each value
 * 5. */
#define GROUPED                                                                                    \
    "c16-mish,trunk=attention(heads=4,kv_heads=2,query=6,value=5,rotary=fixed)+swiglu(inner=24)"

TEST(our_nets_answer_the_same) {
    static const char *const ARCHS[] = {
        "b3c16-fixup",
        "b2c16-batch-mish",
        "b4c16-fixed-silu-k5",
        "b3c16-fson-mish",
        "b3c16-fixscale",
        "b2c16-renorm,norm_gain=false",
        "b2c16-fixup-nodist-soft",
        "b2c16-batch-optimistic",
        "b2c16-fixup-mish-optimistic",
        "b2c16-fixup-auxiliary",
        "b2c16-batch-silu-qvalues",
        "b2c16-fixup-qvalues-auxiliary-errors",
        "blocks=3,channels=16,pool_every=1,inner_channels=24",
        "blocks=2,channels=16,pool_every=0,value_hidden=9",
        "c16-batch-mish,trunk=nested*2+nested(pool=8,layers=3)",
        "c16-fixup,trunk=nested(inner=12)+pooled+residual",
        "c16-silu,trunk=(attention(heads=2)+swiglu)*2",
        "c16-mish,trunk=residual(dilation=2,dilated=16)+pooled",
        "c16-batch,trunk=residual(dilation=3)*2",
        "b2c16-mish-k5,start_center=0.3",
        "b2c16-batch-mish,players=12",
        "b2c16-batch,policy_kernel=5,head_kernel=3",
        "c16-batch-mish,trunk=residual(norm=fixup,activation=relu)+"
        "pooled(norm=fixscale,activation=silu)+nested(norm=fson,pool=4)",
        "c16-fixup,trunk=residual(norm=renorm,activation=identity)+"
        "nested(activation=mish)+pooled(norm=fixed)+attention",
        GROUPED,
        "c16-relu,trunk=attention(rotary=none)+residual+swiglu",
        "c16-mish,tip=rms,trunk=residual+attention+pooled",
        "c16-relu,tip=rms_board,trunk=residual+pooled",
        "c16-batch-mish,tip=norm,trunk=attention+swiglu",
        "c16-mish-qvalues,players=8,trunk=attention(heads=6,kv_heads=1,query=8,value=3)+swiglu",
        "b2c16-mish,policy_channels=12,policy_pooled=7,value_channels=9,value_hidden=11",
        "b2c16-batch-mish-later_moves-value_error,score_mixtures=4",
        "b2c16-batch-mish,pooling=mean_max",
        "c16-mish,pooling=mean,trunk=pooled*2",
        "b2c16-fixup-mish,head_mean_max=true",
        "b2c16-batch-nogo-qvalues,head_mean_max=true,pooling=mean_max",
        "b2c16-mish-nogo-k5,start_center=0.3",
        "b2c16-mish-nogo,players=8"};
    for (size_t i = 0; i < sizeof ARCHS / sizeof *ARCHS; i++) {
        Net *net = trained(ARCHS[i]), *again = through(net, i % 2 ? "c.txt.gz" : "c.bin.gz");
        for (int optimism = 0; optimism < 2; optimism++) {
            Evaluation a = evaluate(net, (float)optimism), b = evaluate(again, (float)optimism);
            expect_near(&a, &b);
        }
        expect_same(again, "d.bin.gz");
        net_free(net);
        net_free(again);
    }
}

static const float *weights_of(const Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0) return net_values_const(net, i);
    }
    fail_msg("the net has no %s", name);
    return NULL;
}

/* In KataGo's file, one convolution stands for two of ours: for the first convolution and its added
 * center, and for the regular and the dilated channels of a block. */
TEST(two_convolutions_become_one) {
    Net *net = trained("c16-k5,start_center=0.3,trunk=residual(dilation=2,dilated=6)"),
        *again = through(net, "i.bin.gz");
    const float *kernel = weights_of(net, "start.conv.weight"),
                *center = weights_of(net, "start.center.weight"),
                *merged = weights_of(again, "start.conv.weight");
    for (int i = 0; i < 16 * 25 * 22; i++) {
        int out = i / (25 * 22), tap = i / 22 % 25, in = i % 22;
        EXPECT_NEAR(kernel[i] + (tap == 12 ? center[out * 22 + in] : 0), merged[i], 1e-6);
    }
    /* In a kernel of 5 x 5, the last 6 of 16 inner channels use every other row and column. The
     * other channels use the middle 3 x 3. */
    const float *near = weights_of(net, "block0.conv1.weight"),
                *far = weights_of(net, "block0.dilated.weight");
    merged = weights_of(again, "block0.conv1.weight");
    for (int i = 0; i < 16 * 25 * 16; i++) {
        int out = i / (25 * 16), y = i / 16 % 25 / 5, x = i / 16 % 5, in = i % 16;
        double want = 0;
        if (out < 10 && y >= 1 && y <= 3 && x >= 1 && x <= 3)
            want = (double)near[((out * 3 + y - 1) * 3 + x - 1) * 16 + in];
        if (out >= 10 && y % 2 == 0 && x % 2 == 0)
            want = (double)far[(((out - 10) * 3 + y / 2) * 3 + x / 2) * 16 + in];
        EXPECT_NEAR(want, merged[i], 0);
    }
    net_free(net);
    net_free(again);
}

/* The policy of KataGo's version 16 has four channels: the policy of the mover's move, the
 * optimistic policy, and two for the values of moves, win - loss and score. */
TEST(values_of_moves_are_kept_in_version_16) {
    enum { INNER = 16 };
    static const int CHANNELS[4] = {POLICY_OWN, POLICY_OPTIMISTIC, POLICY_Q_WINLOSS,
                                    POLICY_Q_SCORE};
    static const char *const LAYERS[] = {"policy.p2.weight", "policy.pass2.weight"};
    Net *net = trained("b1c16-batch-mish-qvalues"), *again = through(net, "h.bin.gz");
    ModelFormat model_format;
    EXPECT_OK(model_format_of(again, &model_format, err));
    EXPECT_INT(16, model_format.version);
    EXPECT_FALSE(model_format.own_policies);
    for (int layer = 0; layer < 2; layer++) {
        const float *from = weights_of(net, LAYERS[layer]), *to = weights_of(again, LAYERS[layer]);
        for (int k = 0; k < 4; k++)
            EXPECT_INT(0, memcmp(from + CHANNELS[k] * INNER, to + k * INNER, INNER * sizeof *to));
    }
    net_free(net);
    net_free(again);
}

static void expect_refused(const Net *net, const char *part) {
    TestPath path = test_path("e.bin.gz");
    Error error = {0};
    EXPECT_STATUS(ERR_UNSUPPORTED, net_file_save(net, path.text, &error));
    EXPECT_CONTAINS(error.message, part);
    EXPECT_TRUE(!file_exists(path.text));
}

/* Returns a net of ours in whose program, written as text, the first `from` is replaced by `to`. */
static Net *changed(const char *from, const char *to) {
    Net *net = trained("b1c8-batch-nodist"), *other;
    StrBuf text = {0}, made = {0};
    Program *program;
    EXPECT_OK(program_write(net_program(net), &text, err));
    const char *at = strstr(strbuf_text(&text), from);
    if (!at) fail_msg("the program has no %s", from);
    strbuf_add_bytes(&made, strbuf_text(&text), (size_t)(at - strbuf_text(&text)));
    strbuf_add(&made, to);
    strbuf_add(&made, at + strlen(from));
    EXPECT_OK(program_read(strbuf_text(&made), made.length, &program, err));
    Rng rng = rng_seeded(1);
    EXPECT_OK(net_new(program, &rng, &other, err));
    net_free(net);
    strbuf_clear(&text);
    strbuf_clear(&made);
    return other;
}

TEST(programs_that_katago_cannot_express_are_refused) {
    static const struct {
        const char *from, *to, *part;
    } CHANGES[] = {
        {"\"activation\":\"relu\"", "\"activation\":\"tanh\"", "block0.norm1.norm: tanh"},
        {"\"inputs\":[4,12]", "\"inputs\":[12,4]",
         "block0.conv2: a convolution, where KataGo wants a sum with a vector"},
        {"\"op\":\"mask\",\"name\":\"mask\",\"channels\":8,\"inputs\":[15]",
         "\"op\":\"activation\",\"name\":\"a\",\"activation\":\"relu\",\"channels\":8,\"inputs\":["
         "15]",
         "behind tip.norm: an activation, where KataGo wants a mask"},
        {"mean_scale_max", "mean_scale_scale", "behind policy.gnorm.norm: pooling of another kind"},
        {"\"name\":\"block0.conv1\",\"channels\":8,\"inputs\":[7]",
         "\"name\":\"block0.conv1\",\"channels\":8,\"inputs\":[4]",
         "behind start.conv: a sum with a vector, where KataGo wants a mask"},
        {"\"name\":\"policy.g1\",\"channels\":16,\"inputs\":[16]",
         "\"name\":\"policy.g1\",\"channels\":16,\"inputs\":[13]", "policy.g1: it reads another"},
    };
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        Net *net = changed(CHANGES[i].from, CHANGES[i].to);
        expect_refused(net, CHANGES[i].part);
        net_free(net);
    }
}

TEST(nets_that_katago_cannot_express_are_refused) {
    static const struct {
        const char *words, *part;
    } REFUSED[] = {
        {"blocks=2,channels=16,norm=batch,activation=identity",
         "the pooling has no activation before it"},
        {"b1c8-relu2", "behind policy.pnorm.shift: a product, where KataGo wants"},
        {"b1c8-prelu", "prelu: a parametric ReLU"},
        {"b2c8,pooling=mean_max_stdev", "pooling of another kind than KataGo has here"},
        {"b1c8,head_mean_max=true,head_stdev=true",
         "behind policy.gnorm.shift: pooling of another kind"},
        {"b2c8,pooling=mean_max,activation=identity", "the pooling has no activation before it"},
        {"b1c8,head_crelu=true", "a concatenated ReLU, where KataGo wants a sum with a vector"},
        {"c8,trunk=lines", "block0.half1: a gain, where KataGo wants a convolution"},
        {"c8,trunk=residual(dilation=10)",
         "block0.dilated: as one convolution it would have a kernel of 21x21"},
        {"c8,trunk=residual+squeeze", "behind block1.conv2: a branch that is scaled and shifted"},
        {"c16,trunk=bottleneck", "block0.conv3: more than two convolutions in a row, as in bott"},
        {"c16-batch,trunk=residual+bottleneck(layers=3)", "block1.conv4: more than two conv"},
        {"c16,trunk=broadcast", "block0.points: a matrix over the points, where KataGo wants"},
        {"c8,trunk=chain", "behind block0.norm2.shift: pooling over chains, where KataGo"},
        {"c8,trunk=ladder", "behind block0.norm2.shift: averages along diagonals"},
        {"c8-batch,trunk=ladder(gate_norm=true)", "behind block0.norm2.norm: averages along"},
        {"b1c8,policy_attention=4,policy_embedding=6",
         "behind policy.keys: queries to points, where KataGo wants"},
        {"b1c8,ranks=8", "ranks.embedding"},
        {"b1c8,inputs=gonn26", "gonn: GoNN's input planes, which KataGo's features do not have"},
        {"b1c8,players=8,ranks=8", "players"},
        {"b1c8,policy_attention=4", "behind policy.keys: queries to points, where KataGo wants"},
    };
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        Net *net = trained(REFUSED[i].words);
        expect_refused(net, REFUSED[i].part);
        net_free(net);
    }
}

TEST(model_formats_that_no_version_has_are_named) {
    Net *net = trained("b1c8-batch-nodist");
    EXPECT_OK(net_set_note(net, "meaning", "version = 17\n", err));
    expect_refused(net, "this net's policies are not those of model version 17");
    Net *q_values = trained("b1c8-batch-qvalues");
    EXPECT_OK(net_set_note(q_values, "meaning", "version = 14\n", err));
    expect_refused(q_values, "this net's policies are not those of model version 14");
    net_free(q_values);
    EXPECT_OK(net_set_note(net, "meaning", "passalive_under_suicide = true\n", err));
    expect_refused(net, "model version 14 cannot show pass-alive areas as if suicide");
    EXPECT_OK(net_set_note(net, "meaning", "metadata = true\n", err));
    expect_refused(net, "no \"metadata\"");
    net_free(net);
}

TEST(names_become_valid_for_katago) {
    Net *net = trained("b1c8-batch-nodist"), *again;
    again = through(net, "f g-1.bin.gz");
    EXPECT_CONTAINS(net_note(again, "name"), "_f_g-1");
    net_free(again);
    EXPECT_OK(net_set_note(net, "name", "a net, of v1.2", err));
    again = through(net, "f.txt");
    EXPECT_TEXT("a_net__of_v1_2", net_note(again, "name"));
    net_free(again);
    net_free(net);
}

TEST(a_file_that_cannot_be_written_is_reported) {
    Net *net = trained("b2c16-batch");
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, net_file_save(net, "/tmp/net.onnx", &error));
    EXPECT_CONTAINS(error.message, ".bin.gz");
    EXPECT_STATUS(ERR_IO, net_file_save(net, "/tmp/no such folder/a.bin.gz", &error));
    TestPath path = test_path("g.bin.gz");
    EXPECT_OK(file_write(path.text, "before", 6, err));
    struct rlimit before, little = {.rlim_cur = 4096};
    getrlimit(RLIMIT_FSIZE, &before);
    little.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little); /* like a disk that is full after 4096 bytes */
    Status status = net_file_save(net, path.text, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_STATUS(ERR_IO, status);
    EXPECT_CONTAINS(error.message, "g.bin.gz: ");
    EXPECT_INT(6, (int)file_bytes(path.text));
    remove(path.text);
    net_free(net);
}

TEST_MAIN(RUN(nets_of_all_versions_are_written_as_they_were_read),
          RUN(nets_of_all_kinds_are_written_as_they_were_read),
          RUN(nets_of_katago_are_written_as_they_were_read), RUN(our_nets_answer_the_same),
          RUN(values_of_moves_are_kept_in_version_16), RUN(two_convolutions_become_one),
          RUN(programs_that_katago_cannot_express_are_refused),
          RUN(nets_that_katago_cannot_express_are_refused),
          RUN(model_formats_that_no_version_has_are_named), RUN(names_become_valid_for_katago),
          RUN(a_file_that_cannot_be_written_is_reported))

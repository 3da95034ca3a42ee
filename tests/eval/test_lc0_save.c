/* Nets for Go in lc0's format. A net that was written and read has the same outputs, except for the
 * rounding to 16 bits. If the format cannot express a part of a net, the net is refused with a
 * message that names the part. */
#include "base/file.h"
#include "base/rng.h"
#include "eval/features/features_version.h"
#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/net_file.h"
#include "eval/net_of_words.h"
#include "nn/infer/infer.h"
#include "test_path.h"

/* Changes all parameters a little, so that none is 0 or 1 as at the beginning of training. */
static void train(Net *net) {
    Rng rng = rng_seeded(7);
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        bool variance = strstr(spec->name, "variance") != NULL;
        for (size_t k = 0; spec->trained && k < spec->count; k++)
            net_values(net, i)[k] += (float)(variance ? rng_uniform(&rng) : 0.1 * rng_normal(&rng));
    }
}

static Net *trained(const char *words) {
    Net *net = net_of_words(words, 1);
    train(net);
    return net;
}

static Net *through(const Net *net, const char *name) {
    TestPath path = test_path(name);
    Net *again = NULL;
    EXPECT_OK(net_file_save(net, path.text, err));
    EXPECT_OK(net_file_load(path.text, &again, err));
    remove(path.text);
    return again;
}

/* Runs a net on a board of random planes and numbers. The caller frees the executor. */
static Infer *run(const Net *net, int side) {
    Rng rng = rng_seeded(11);
    Infer *infer;
    const InferSetup setup = {
        .batch = 1, .height = side, .width = side, .precision = PRECISION_F32};
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    const Program *program = net_program(net);
    float *planes = infer_input(infer, program_find_input(program, "planes")),
          *globals = infer_input(infer, program_find_input(program, "globals"));
    for (int i = 0; i < side * side * FEATURE_PLANES; i++)
        planes[i] = i % FEATURE_PLANES == 0 ? 1 : (float)rng_below(&rng, 2);
    for (int i = 0; i < FEATURE_GLOBALS; i++)
        globals[i] = (float)rng_normal(&rng);
    EXPECT_OK(infer_run(infer, 1, err));
    return infer;
}

/* Compares all outputs of two nets. They may differ by `tolerance` times the largest number of an
 * output, or times 0.1 if that is more. */
static void expect_same_outputs(const Net *a, const Net *b, int side, double tolerance) {
    Infer *first = run(a, side), *second = run(b, side);
    const Program *program = net_program(a);
    EXPECT_INT(program_output_count(program), program_output_count(net_program(b)));
    for (int i = 0; i < program_output_count(program); i++) {
        const char *name = program_output_name(program, i);
        int other = program_find_output(net_program(b), name);
        if (other < 0) fail_msg("the output %s is missing", name);
        const Op *op = program_op(program, program_output_value(program, i));
        int rows = program_rows(op->shape, op->rows, side, side);
        const float *x = infer_output(first, i), *y = infer_output(second, other);
        double largest = 0.1;
        for (int k = 0; k < rows * op->channels; k++) {
            if (fabs((double)x[k]) > largest) largest = fabs((double)x[k]);
        }
        for (int k = 0; k < rows * op->channels; k++)
            EXPECT_NEAR((double)x[k], (double)y[k], tolerance * largest);
    }
    infer_free(first);
    infer_free(second);
}

/* The heads that lc0's files can hold, and what the trunks in them lack. */
#define HEADS_TOWER                                                                                \
    "tip=none,policy_attention=6,policy_embedding=8,value_channels=8,heads=policy+value"
#define HEADS_LC0 "start_kernel=1," HEADS_TOWER

static void expect_round_trip(const char *words, int side) {
    Net *net = trained(words), *again = through(net, "a.pb.gz"), *third = through(again, "b.pb");
    expect_same_outputs(net, again, side, 1e-3);
    expect_same_outputs(again, third, side, 1e-5);
    net_free(net);
    net_free(again);
    net_free(third);
}

TEST(encoders_come_back_with_the_same_outputs) {
    static const struct {
        const char *words;
        int side;
    } NETS[] = {
        {"c16-mish,trunk=embedding+encoder(rotary=none,heads=4,inner=20)*2," HEADS_LC0, 9},
        {"c16-mish,trunk=embedding+encoder(rotary=none,heads=4,inner=20)*2," HEADS_LC0, 13},
        /* other sizes, activations and heads; the norm of the heads is folded */
        {"c16-relu-batch,trunk=embedding+encoder(rotary=none,heads=2,query=6,value=6,inner=24,"
         "activation=relu2)*3," HEADS_LC0 "+moves_left+value_error+value_buckets",
         7},
        /* an embedding with norms and a feed-forward layer, and the other kind of pooling */
        {"c16-mish,trunk=embedding(inner=24)+encoder(rotary=none,heads=4,inner=20)*2,"
         "policies=soft,head_mean_max=true," HEADS_LC0,
         9},
        {"c16-relu,trunk=embedding(places=points,side=9,gate=multiply)+encoder(rotary=none,heads=4,"
         "activation=silu)," HEADS_LC0,
         9},
        {"c16-mish,trunk=embedding(gate=add)+encoder(rotary=none,heads=4,dropout=10),"
         "policies=move,pass=false," HEADS_LC0,
         9},
        {"c16-mish,trunk=embedding+encoder(rotary=none,heads=4,maps=smolgen,map_form=points,side=5,"
         "map_channels=3,map_hidden=5,map_gen=4)*2," HEADS_LC0,
         5},
    };
    for (size_t i = 0; i < sizeof NETS / sizeof *NETS; i++)
        expect_round_trip(NETS[i].words, NETS[i].side);
}

/* The layers have the names that nets of this kind always have. */
TEST(a_net_that_was_read_looks_like_one_that_was_built) {
    static const char WORDS[] =
        "c16-mish,trunk=embedding+encoder(rotary=none,heads=4,inner=20)*2," HEADS_LC0 "+moves_left";
    Net *net = trained(WORDS), *again = through(net, "a.pb.gz");
    const Program *a = net_program(net), *b = net_program(again);
    EXPECT_INT(program_parameter_count(a), program_parameter_count(b));
    for (int i = 0; i < program_parameter_count(a); i++) {
        bool found = false;
        for (int k = 0; k < program_parameter_count(b); k++) {
            const ParameterSpec *x = program_parameter(a, i), *y = program_parameter(b, k);
            found |= strcmp(x->name, y->name) == 0 && x->count == y->count;
        }
        if (!found) fail_msg("%s is missing", program_parameter(a, i)->name);
    }
    net_free(net);
    net_free(again);
}

/* Adds a convolution of 3x3, a norm, and with `activates` an activation and the mask. */
static Value add_conv(Program *program, const char *name, Value x, int channels, bool activates) {
    char norm[64];
    snprintf(norm, sizeof norm, "%s.norm", name);
    x = program_conv(program, name, x, channels, 3, -1);
    x = program_batch_norm(program, norm, x, 1e-5, 0.99);
    if (!activates) return x;
    return program_mask(program, program_activation(program, x, ACTIVATION_RELU));
}

static Value add_squeeze(Program *program, Value x, int channels) {
    Value v = program_bias(
        program, "squeezebias",
        program_dense(program, "squeeze", program_global_pool(program, x, POOL_MEAN), 3, -1));
    v = program_activation(program, v, ACTIVATION_RELU);
    v = program_bias(program, "excitebias", program_dense(program, "excite", v, 2 * channels, -1));
    x = program_mul_broadcast(program, x,
                              program_sigmoid(program, program_slice(program, v, 0, channels)));
    return program_add_broadcast(program, x, program_slice(program, v, channels, channels));
}

/* Adds a hidden layer of each point. */
static Value add_points(Program *program, const char *name, Value x) {
    char bias[64];
    snprintf(bias, sizeof bias, "%s.shift", name);
    x = program_bias(program, bias, program_conv(program, name, x, 6, 1, -1));
    return program_mask(program, program_activation(program, x, ACTIVATION_RELU));
}

static Value add_dense(Program *program, const char *name, Value x, int channels) {
    char bias[64];
    snprintf(bias, sizeof bias, "%s.bias", name);
    return program_bias(program, bias, program_dense(program, name, x, channels, -1));
}

/* A tower of two residual blocks of lc0's form, the second with squeeze and excitation. */
static Net *made_tower(void) {
    enum { CHANNELS = 8 };
    Program *p;
    Net *net;
    Rng rng = rng_seeded(3);
    EXPECT_OK(program_new(&p, err));
    Value planes = program_input(p, "planes", KIND_SPATIAL, FEATURE_PLANES),
          globals = program_input(p, "globals", KIND_VECTOR, FEATURE_GLOBALS);
    program_set_mask(p, planes, 0);
    Value x = program_add_broadcast(p, program_conv(p, "start.conv", planes, CHANNELS, 3, -1),
                                    program_dense(p, "start.globals", globals, CHANNELS, -1));
    x = program_batch_norm(p, "start.norm", x, 1e-5, 0.99);
    x = program_mask(p, program_activation(p, x, ACTIVATION_RELU));
    for (int i = 0; i < 2; i++) {
        char name[2][32];
        for (int k = 0; k < 2; k++)
            snprintf(name[k], sizeof name[k], "block%d.conv%d", i, k + 1);
        Value y = add_conv(p, name[0], x, CHANNELS, true);
        y = add_conv(p, name[1], y, CHANNELS, false);
        if (i) y = add_squeeze(p, y, CHANNELS);
        x = program_mask(p, program_activation(p, program_add(p, x, y), ACTIVATION_RELU));
    }
    Value h = add_points(p, "policy.embed", x), z = program_global_pool(p, h, POOL_MEAN_SCALE_MAX);
    Value keys = program_conv(p, "policy.keys", h, 5, 1, -1),
          queries = add_dense(p, "policy.queries", z, 2 * 5);
    program_output(p, "policy",
                   program_add_op(p, "", (Op){.kind = OP_QUERIES, .inputs = {keys, queries}}));
    program_output(p, "pass", program_dense(p, "policy.pass", z, 2, -1));
    h = add_points(p, "value.v1", x);
    h = add_dense(p, "value.v2", program_global_pool(p, h, POOL_MEAN), 7);
    h = program_activation(p, h, ACTIVATION_RELU);
    program_output(p, "value", add_dense(p, "value.v3", h, 3));
    EXPECT_OK(net_new(p, &rng, &net, err));
    train(net);
    return net;
}

TEST(residual_blocks_come_back_with_the_same_outputs) {
    expect_round_trip("c16-relu-batch,trunk=stem+resnet(squeeze=4)*2+resnet," HEADS_TOWER, 9);
    expect_round_trip("c16-mish,trunk=stem+resnet*2+resnet(squeeze=5)," HEADS_TOWER "+moves_left",
                      7);
    Net *net = made_tower(), *again = through(net, "a.pb.gz"), *third = through(again, "b.pb.gz");
    expect_same_outputs(net, again, 9, 1e-3);
    expect_same_outputs(again, third, 7, 1e-5);
    net_free(net);
    net_free(again);
    net_free(third);
}

#define ENCODER "trunk=embedding+encoder(rotary=none,heads=2),"
static const struct {
    const char *words, *part;
} REFUSED[] = {
    {"b1c8", "no place for its head \"score\""},
    {"c8-mish," ENCODER HEADS_LC0 "+ownership", "no place for its head \"ownership\""},
    {"c8-mish," ENCODER HEADS_LC0 "+ladders", "no place for its head \"ladders\""},
    {"c8-mish,tip=none," ENCODER "heads=policy", "it has no head \"value\""},
    {"c8-mish," ENCODER "heads=policy+value,start_kernel=1", "an RMS norm ends its trunk"},
    {"c8-mish," ENCODER "heads=policy+value,start_kernel=1,tip=none",
     "policy.p2: a policy without attention"},
    {"c8-mish,tip=none," ENCODER "heads=policy+value,policy_attention=4,policy_embedding=4",
     "start.conv: a kernel of 3x3, where lc0 has one of 1x1"},
    {"c8-silu," ENCODER HEADS_LC0, "its activation is neither relu nor mish"},
    {"c8-mish,trunk=embedding+encoder(heads=2)," HEADS_LC0,
     "block1.rotary: rotated queries and keys (rotary=none"},
    {"c8-mish,trunk=embedding(dense=2,side=5)+encoder(rotary=none,heads=2)," HEADS_LC0,
     "a dense layer over all points (dense)"},
    {"c8-mish,trunk=encoder(rotary=none,heads=2)," HEADS_LC0, "do not follow an embedding"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,norm=rms)," HEADS_LC0,
     "block1.norm2: the trunk does not end with"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=4,kv_heads=2)," HEADS_LC0,
     "heads of keys that several heads of queries share"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2)+encoder(rotary=none,heads=4)"
     "," HEADS_LC0,
     "another number of heads than in other encoders"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,value=6)," HEADS_LC0,
     "values with another number of channels"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,process=true)," HEADS_LC0,
     "a further matrix behind the attention"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,tables=q)," HEADS_LC0,
     "tables of offsets"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,maps=smolgen)," HEADS_LC0,
     "maps that are not a number for each pair"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,maps=learned,map_form=points,side=5)"
     "," HEADS_LC0,
     "block1.maps"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2,maps=fullgen,map_form=points,side=5)*"
     "2," HEADS_LC0,
     "a last matrix of its own"},
    {"c8-mish,trunk=embedding+encoder(rotary=none,heads=2)+encoder(rotary=none,heads=2,"
     "activation=relu)," HEADS_LC0,
     "another activation than before it"},
    {"b1c8-mish," HEADS_LC0, "behind block0.conv2: the trunk does not end with"},
    {"c8-mish,trunk=resnet," HEADS_TOWER, "no activation behind the first convolution"},
    {"c8-mish,trunk=stem+resnet(kernel=5)," HEADS_TOWER,
     "block1.conv2: a kernel of 5x5, where lc0 has one of 3x3"},
    {"c8-mish,trunk=ladder," HEADS_LC0, "behind block0."},
    {"c8-mish,trunk=chain," HEADS_LC0, "behind block0."},
    {"b1c8-mish,policy_attention=4,policy_embedding=4,heads=policy+value",
     "a block that is no residual block of lc0"},
    {"c8-mish,inputs=gonn26," ENCODER HEADS_LC0, "it reads GoNN's input planes"},
    {"c8-mish-nogo," ENCODER HEADS_LC0, "start.conv: it does not read all input planes"},
    {"c8-mish,players=4," ENCODER HEADS_LC0, "KataGo's model version 15"},
};
#undef ENCODER

TEST(nets_that_the_format_lacks_are_refused_by_name) {
    TestPath path = test_path("refused.pb.gz");
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        Error fault = {0};
        Net *net = trained(REFUSED[i].words);
        EXPECT_STATUS(ERR_UNSUPPORTED, net_file_save(net, path.text, &fault));
        EXPECT_CONTAINS(fault.message, "lc0's files cannot hold this net:");
        EXPECT_CONTAINS(fault.message, REFUSED[i].part);
        EXPECT_FALSE(file_exists(path.text));
        net_free(net);
    }
}

TEST(the_license_is_kept) {
    Net *net = trained("c8-mish,trunk=embedding+encoder(rotary=none,heads=2)," HEADS_LC0);
    EXPECT_OK(net_set_note(net, "license", "free to use", err));
    Net *again = through(net, "a.pb.gz");
    EXPECT_TEXT("free to use", net_note(again, "license"));
    net_free(net);
    net_free(again);
}

TEST(numbers_that_are_not_finite_are_refused) {
    Net *net = trained("c8-mish,trunk=embedding+encoder(rotary=none,heads=2)," HEADS_LC0);
    TestPath path = test_path("nan.pb");
    Error fault = {0};
    net_values(net, 3)[0] = NAN;
    EXPECT_STATUS(ERR_ARGUMENT, net_file_save(net, path.text, &fault));
    EXPECT_CONTAINS(fault.message, "not finite");
    net_free(net);
}

TEST_MAIN(RUN(encoders_come_back_with_the_same_outputs),
          RUN(a_net_that_was_read_looks_like_one_that_was_built),
          RUN(residual_blocks_come_back_with_the_same_outputs),
          RUN(nets_that_the_format_lacks_are_refused_by_name), RUN(the_license_is_kept),
          RUN(numbers_that_are_not_finite_are_refused))

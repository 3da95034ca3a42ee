/* Quantisation to int8: scales and zero points worked out by hand, which layers run in int8, and
 * when a report passes. Small nets go through all of it, from the sampled positions to the notes in
 * the net. */
#include "base/json.h"
#include "eval/arch/arch.h"
#include "eval/formats/katago_net.h"
#include "eval/formats/net_file.h"
#include "eval/made_katago_net.h"
#include "eval/precision/activation_sample.h"
#include "eval/precision/bias_correction.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/quantize.h"
#include "eval/precision/sample_positions.h"
#include "nn/infer/infer_quantisation.h"
#include "test.h"

/* The whole numbers from 0 to 255 have no error with the scale 1 and the zero point 0. Numbers from
 * -0.5 to 2.05 at distances of 0.01 need the scale 0.01 and the zero point 50. */
TEST(a_range_gets_its_scale_and_zero_point) {
    float whole[256], step;
    uint8_t zero;
    for (int i = 0; i < 256; i++)
        whole[i] = (float)i;
    quantize_range(whole, 256, &step, &zero);
    EXPECT_NEAR(1.0, step, 1e-6);
    EXPECT_INT(0, zero);
    for (int i = 0; i < 256; i++)
        whole[i] = 0.01f * (float)(i - 50);
    quantize_range(whole, 256, &step, &zero);
    EXPECT_NEAR(0.01, step, 1e-6);
    EXPECT_INT(50, zero);
    for (int i = 0; i < 256; i++)
        whole[i] = 0.0f;
    quantize_range(whole, 256, &step, &zero);
    EXPECT_TRUE(step > 0.0f);
    EXPECT_INT(0, zero);
}

/* One number is larger than all of 50000 others. It is clipped, because the scale that suits the
 * others gives a smaller sum of squared errors. */
TEST(a_rare_large_number_is_clipped) {
    static float values[50001];
    float step;
    uint8_t zero;
    for (int i = 0; i < 50000; i++)
        values[i] = 0.1f * (float)(i % 100) / 99.0f * 2.55f;
    values[50000] = 0.28f;
    quantize_range(values, 50001, &step, &zero);
    EXPECT_TRUE(step < 0.28f / 255.0f);
    EXPECT_TRUE(step > 0.9f * 0.255f / 255.0f);
}

/* Each scale becomes scale^0.35 * largest^0.65, where `largest` is the largest of the scales, here
 * 0.01. So the scale 0.01 stays, and the scale 0.01 / 32 becomes 0.01 / 32^0.35 = 0.01 / 3.364. Its
 * zero point 64 becomes 64 * 3.364 / 32 = 6.7, rounded to 7. */
TEST(scales_are_balanced) {
    float steps[2] = {0.01f, 0.01f / 32.0f};
    uint8_t zeros[2] = {7, 64};
    quantize_balance(2, steps, zeros);
    EXPECT_NEAR(0.01, steps[0], 1e-7);
    EXPECT_NEAR(0.01 / 3.3636, steps[1], 1e-6);
    EXPECT_INT(7, zeros[0]);
    EXPECT_INT(7, zeros[1]);
}

TEST(a_report_passes_at_its_limits) {
    Comparison report = {.positions = 300,
                         .clear = 200,
                         .clear_same_top = 194,
                         .winrate = {.sum = 2.7, .count = 300, .worst = 0.2}}; /* mean 0.009 */
    EXPECT_TRUE(precision_passes(PRECISION_INT8, &report));                    /* 97% */
    EXPECT_FALSE(precision_passes(PRECISION_BF16, &report));
    report.clear_same_top = 197; /* 98.5% */
    EXPECT_TRUE(precision_passes(PRECISION_BF16, &report));
    report.winrate.sum = 0.012 * 300;
    EXPECT_FALSE(precision_passes(PRECISION_BF16, &report));
    EXPECT_TRUE(precision_passes(PRECISION_INT8, &report));
    report.winrate.sum = 0.016 * 300;
    EXPECT_FALSE(precision_passes(PRECISION_INT8, &report));
    EXPECT_FALSE(precision_passes(PRECISION_INT8, &(Comparison){0}));
}

/* Makes a net and adds a random number to every trained weight, because some start at 0 and would
 * have no effect. */
static Net *small_net(const char *arch) {
    Rng rng = rng_seeded(3);
    Net *net;
    EXPECT_OK(arch_build_text(arch, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        float *values = net_values(net, p);
        double deviation = spec->rank == 1 ? 0.1 : 0.7 / sqrt((double)spec->count / spec->dims[0]);
        for (size_t i = 0; i < spec->count && spec->trained; i++)
            values[i] += (float)(deviation * rng_normal(&rng));
    }
    return net;
}

static bool is_quantised(const Net *net, const char *name) {
    Quantisation *quantisation;
    bool found = false;
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    for (int i = 0; i < quantisation->count; i++)
        found = found || strcmp(quantisation->layers[i].name, name) == 0;
    quantisation_free(quantisation);
    return found;
}

enum { SAMPLED = 24, SIZE = 7 };

/* The third net ("nogo") selects some channels of its planes before the first convolution.
 * Nevertheless this convolution must stay in f32. */
TEST(a_net_is_quantized_and_reported) {
    static const char *const ARCHS[] = {"b3c32-batch", "b2c32-fixup-mish", "b2c32-fixup-nogo"};
    for (size_t a = 0; a < sizeof ARCHS / sizeof *ARCHS; a++) {
        Net *net = small_net(ARCHS[a]);
        static Position sampled[SAMPLED];
        const Position *positions[SAMPLED];
        int layers;
        Comparison same, eight;
        const SampleCall sample = {.size = SIZE, .count = SAMPLED, .seed = 5};
        EXPECT_OK(sample_positions(net, &sample, sampled, err));
        for (int i = 0; i < SAMPLED; i++)
            positions[i] = &sampled[i];
        const QuantizeCall call = {positions, SAMPLED, NULL, 1, a == 0, false, 0, NULL};
        EXPECT_OK(quantize_net(net, &call, &layers, err));
        const Program *program = net_program(net);
        int convs = 0;
        for (Value v = 0; v < program_op_count(program); v++) {
            const Op *op = program_op(program, v);
            if (op->kind != OP_CONV) continue;
            bool first = strcmp(op->name, "start.conv") == 0;
            bool found = is_quantised(net, op->name);
            convs += found;
            if (first) EXPECT_FALSE(found);
            if (op->kernel_h == 3 && !first && strstr(op->name, "block")) EXPECT_TRUE(found);
            if (strstr(op->name, "policy") || strstr(op->name, "value")) EXPECT_FALSE(found);
        }
        EXPECT_INT(layers, convs);
        EXPECT_TRUE(layers >= 4);
        const PrecisionCall compare = {positions, SAMPLED, NULL, NULL};
        EXPECT_OK(precision_compare(net, PRECISION_F32, &compare, &same, err));
        EXPECT_INT(SAMPLED, same.positions);
        EXPECT_INT(same.clear, same.clear_same_top);
        EXPECT_NEAR(0.0, same.policy_distance.worst + same.winrate.worst + same.lead.worst, 1e-12);
        EXPECT_OK(precision_compare(net, PRECISION_INT8, &compare, &eight, err));
        double policy = differences_mean(&eight.policy_distance);
        EXPECT_TRUE(policy > 0.0 && policy <= eight.policy_distance.worst && policy < 0.1);
        EXPECT_TRUE(differences_mean(&eight.winrate) < 0.015);
        EXPECT_OK(precision_note(net, PRECISION_BF16, &same, err));
        EXPECT_OK(precision_note(net, PRECISION_INT8, &eight, err));
        EXPECT_INT(1, quantisation_report(net, "bf16"));
        EXPECT_INT(precision_passes(PRECISION_INT8, &eight), quantisation_report(net, "int8"));
        EXPECT_INT(-1, quantisation_report(net, "f16"));
        for (int i = 0; i < SAMPLED; i++)
            position_clear(&sampled[i]);
        net_free(net);
    }
}

TEST(the_same_seed_gives_the_same_positions) {
    Net *net = small_net("b2c24-fixup");
    static Position first[4], second[4];
    const SampleCall sample = {.size = SIZE, .count = 4, .seed = 9};
    EXPECT_OK(sample_positions(net, &sample, first, err));
    EXPECT_OK(sample_positions(net, &sample, second, err));
    for (int i = 0; i < 4; i++) {
        EXPECT_TRUE(position_state_hash(&first[i]) == position_state_hash(&second[i]));
        position_clear(&first[i]);
        position_clear(&second[i]);
    }
    net_free(net);
}

static Status begin_territory(void *context, Rng *rng, Position *out, Error *err) {
    const Rules *rules = context;
    (void)rng;
    return position_init(out, 2, 2, rules, err);
}

/* Under territory scoring, games that begin as SampleCall.begin says go on into the encore. So the
 * samples contain positions of both phases of the encore. Without `begin` they contain none. */
TEST(games_with_a_given_beginning_enter_the_encore) {
    Net *net = small_net("b2c24-fixup");
    static Position sampled[200];
    Rules rules = {.ko = KO_SIMPLE, .scoring = SCORING_TERRITORY};
    SampleCall sample = {.size = 2,
                         .count = 200,
                         .every = 1,
                         .seed = 9,
                         .begin = begin_territory,
                         .context = &rules};
    int phases[3] = {0};
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    for (int i = 0; i < 200; i++)
        phases[sampled[i].encore_phase]++;
    EXPECT_TRUE(phases[0] > 0 && phases[1] > 0 && phases[2] > 0);
    sample.begin = NULL;
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    for (int i = 0; i < 200; i++) {
        EXPECT_INT(0, sampled[i].encore_phase);
        position_clear(&sampled[i]);
    }
    net_free(net);
}

typedef struct {
    int calls, last, total, max; /* watch() stops the work when `max` positions are done */
} Watched;

static Status watch(void *context, int done, int total, Error *err) {
    Watched *watched = context;
    EXPECT_TRUE(done >= watched->last);
    watched->calls++;
    watched->last = done;
    watched->total = total;
    (void)err;
    return done < watched->max ? OK : ERR_STOPPED;
}

TEST(long_work_is_watched_and_stopped) {
    Net *net = small_net("b2c24-fixup");
    static Position sampled[40];
    const Position *positions[40];
    Comparison report;
    int layers;
    Watched watched = {.max = 1000};
    const ProgressWatch watcher = {watch, &watched};
    SampleCall sample = {.size = SIZE, .count = 40, .every = 2, .seed = 9, .watch = &watcher};
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    EXPECT_TRUE(watched.calls > 1 && watched.last == 40 && watched.total == 40);
    for (int i = 0; i < 40; i++)
        positions[i] = &sampled[i];
    const QuantizeCall call = {positions, 40, NULL, 1, false, false, 0, &watcher};
    const PrecisionCall compare = {positions, 40, NULL, &watcher};
    watched = (Watched){.max = 1000};
    EXPECT_OK(quantize_net(net, &call, &layers, err));
    /* 40 for the activations, and 40 for the corrections of biases */
    EXPECT_TRUE(watched.calls == 80 && watched.last == 40 && watched.total == 40);
    watched = (Watched){.max = 1000};
    EXPECT_OK(precision_compare(net, PRECISION_INT8, &compare, &report, err));
    EXPECT_TRUE(watched.calls == 3 && watched.last == 40 && watched.total == 40); /* 16, 32, 40 */
    watched = (Watched){.max = 5};
    EXPECT_STATUS(ERR_STOPPED, quantize_net(net, &call, &layers, NULL));
    EXPECT_INT(5, watched.calls);
    watched = (Watched){.max = 5};
    EXPECT_STATUS(ERR_STOPPED, precision_compare(net, PRECISION_BF16, &compare, &report, NULL));
    EXPECT_INT(16, report.positions);
    watched = (Watched){.max = 5};
    EXPECT_STATUS(ERR_STOPPED, sample_positions(net, &sample, sampled, NULL));
    EXPECT_TRUE(watched.last >= 5 && watched.last < 40);
    for (int i = 0; i < 40; i++)
        position_clear(&sampled[i]);
    net_free(net);
}

static Position empty_board(int size) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, size, size, &rules, err));
    return position;
}

/* Thirteen blocks have 26 convolutions, which read more values than a program can have outputs
 * (PROGRAM_OUTPUTS_MAX). So the values are sampled in several runs. */
TEST(deep_nets_are_measured_in_parts) {
    Net *net = small_net("b13c8-fixup");
    Position position = empty_board(5);
    const Position *positions[] = {&position};
    int layers;
    EXPECT_OK(quantize_net(net, &(QuantizeCall){positions, 1, NULL, 1, false, false, 0, NULL},
                           &layers, err));
    EXPECT_TRUE(layers > PROGRAM_OUTPUTS_MAX);
    Quantisation *quantisation;
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    int corrections = bias_correction_count(net_program(net));
    EXPECT_TRUE(corrections > 0);
    EXPECT_INT(layers + corrections, quantisation->count);
    quantisation_free(quantisation);
    position_clear(&position);
    net_free(net);
}

/* The cells at which a value is sampled do not depend on which other values are sampled. */
TEST(values_are_sampled_at_the_same_cells) {
    Net *net = small_net("b13c8-fixup");
    Position position = empty_board(4);
    const Position *positions[] = {&position};
    const ActivationSampleCall call = {positions, 1, NULL, 6, 2, NULL};
    Value values[PROGRAM_OUTPUTS_MAX + 3];
    ActivationSample all[PROGRAM_OUTPUTS_MAX + 3], last;
    int count = 0;
    for (Value v = 0; count < PROGRAM_OUTPUTS_MAX + 3; v++) {
        if (program_op(net_program(net), v)->kind == OP_CONV) values[count++] = v;
    }
    EXPECT_OK(activation_sample_values(net, &call, values, count, all, err));
    EXPECT_OK(activation_sample_values(net, &call, &values[count - 1], 1, &last, err));
    EXPECT_INT(6, last.count);
    EXPECT_INT(6, all[0].count);
    for (int i = 0; i < 6 * last.channels; i++)
        EXPECT_NEAR(last.rows[i], all[count - 1].rows[i], 1e-5 * (1 + fabs((double)last.rows[i])));
    for (int i = 0; i < count; i++)
        activation_sample_clear(&all[i]);
    activation_sample_clear(&last);
    position_clear(&position);
    net_free(net);
}

/* A net in KataGo's format with nested blocks and with players as inputs. The inner blocks have
 * only 3 channels. The convolution that leads to them is not quantised. */
TEST(narrow_blocks_stay_close_to_f32) {
    Net *net = read_made_net((MadeNet){15, "ng", .binary = false, .metadata = true});
    static Position sampled[SAMPLED];
    const Position *positions[SAMPLED];
    Comparison report;
    int layers;
    const SampleCall sample = {.size = SIZE, .count = SAMPLED, .every = 2, .seed = 5};
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    for (int i = 0; i < SAMPLED; i++)
        positions[i] = &sampled[i];
    const QuantizeCall call = {.positions = positions, .position_count = SAMPLED, .seed = 1};
    EXPECT_OK(quantize_net(net, &call, &layers, err));
    EXPECT_FALSE(is_quantised(net, "block0.conv1"));
    EXPECT_TRUE(is_quantised(net, "block0.inner0.conv1"));
    const PrecisionCall compare = {positions, SAMPLED, NULL, NULL};
    EXPECT_OK(precision_compare(net, PRECISION_INT8, &compare, &report, err));
    EXPECT_TRUE(report.policy_distance.worst > 0);
    EXPECT_TRUE(differences_mean(&report.policy_distance) < 0.002);
    for (int i = 0; i < SAMPLED; i++)
        position_clear(&sampled[i]);
    net_free(net);
}

/* Checks that the note has rounded weights of a dense layer, and whether the layer's activations
 * have 15 bits (`fine`). */
static void expect_dense(const Net *net, const char *name, int channels, bool fine) {
    Quantisation *quantisation;
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    const LayerQuantisation *layer = quantisation_find(quantisation, name, channels);
    assert_non_null(layer);
    EXPECT_TRUE(layer->by_rows);
    assert_non_null(layer->weights);
    EXPECT_INT(fine, layer->fine);
    quantisation_free(quantisation);
}

TEST(transformers_stay_close_to_f32) {
    Net *net = small_net("c32,trunk=(attention(heads=2)+swiglu(inner=64))*2");
    static Position sampled[SAMPLED];
    const Position *positions[SAMPLED];
    const SampleCall sample = {.size = SIZE, .count = SAMPLED, .every = 2, .seed = 5};
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    for (int i = 0; i < SAMPLED; i++)
        positions[i] = &sampled[i];
    QuantizeCall call = {.positions = positions, .position_count = SAMPLED, .seed = 1};
    for (int attention = 0; attention < 2; attention++) {
        Comparison report;
        int layers;
        call.attention = attention;
        EXPECT_OK(quantize_net(net, &call, &layers, err));
        EXPECT_INT(10, layers);
        expect_dense(net, "block0.qkv", 32, true);
        expect_dense(net, "block0.out", 32, false);
        expect_dense(net, "block1.up", 32, false);
        expect_dense(net, "block1.down", 64, true);
        EXPECT_INT(attention, is_quantised(net, QUANTISATION_ATTENTION));
        const PrecisionCall compare = {positions, SAMPLED, NULL, NULL};
        EXPECT_OK(precision_compare(net, PRECISION_INT8, &compare, &report, err));
        EXPECT_TRUE(report.policy_distance.worst > 0);
        EXPECT_TRUE(differences_mean(&report.policy_distance) < 0.02);
    }
    for (int i = 0; i < SAMPLED; i++)
        position_clear(&sampled[i]);
    net_free(net);
}

TEST(bf16_is_faster_for_more_attention_than_convolutions) {
    static const struct {
        const char *arch;
        bool faster;
    } CASES[] = {
        {"c32,trunk=(attention(heads=2)+swiglu(inner=64))*2", true},
        {"c32,trunk=attention(heads=2)+swiglu(inner=64)", false}, /* the net begins with a 3 x 3 */
        {"c32,trunk=(residual+attention(heads=2))*2", false},
        {"b2c16", false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Net *net = small_net(CASES[i].arch);
        EXPECT_INT(CASES[i].faster && backend_isa() >= ISA_AMX, infer_bf16_is_faster(net));
        net_free(net);
    }
}

/* With AMX, `auto` takes bf16 for a net of attention, unless the report forbids it. */
TEST(auto_takes_bf16_for_attention_with_amx) {
    static const char *const REPORTS[] = {
        "{\"bf16\": {\"passes\": true}, \"int8\": {\"passes\": true}}",
        "{\"bf16\": {\"passes\": false}, \"int8\": {\"passes\": true}}"};
    if (backend_isa() < ISA_AVX512_VNNI) SKIP("%s", "this processor has no int8 in AVX-512");
    Net *net = small_net("c32,trunk=(attention(heads=2)+swiglu(inner=64))*2");
    static Position positions[1];
    const Position *all[1] = {&positions[0]};
    const Rules rules = rules_tromp_taylor();
    const InferSetup setup = {
        .batch = 1, .height = SIZE, .width = SIZE, .precision = PRECISION_AUTO};
    int layers;
    EXPECT_OK(position_init(&positions[0], SIZE, SIZE, &rules, err));
    const QuantizeCall call = {.positions = all, .position_count = 1, .seed = 1};
    EXPECT_OK(quantize_net(net, &call, &layers, err));
    EXPECT_TRUE(infer_bf16_is_faster(net) == (backend_isa() >= ISA_AMX));
    for (int i = 0; i < 2; i++) {
        Infer *infer;
        EXPECT_OK(net_set_note(net, QUANTISATION_REPORT_NOTE, REPORTS[i], err));
        EXPECT_OK(infer_new(net, &setup, &infer, err));
        EXPECT_INT(!i && backend_isa() >= ISA_AMX ? PRECISION_BF16 : PRECISION_INT8,
                   infer_precision(infer));
        infer_free(infer);
    }
    position_clear(&positions[0]);
    net_free(net);
}

/* Attention amplifies the errors of queries, keys and values, so the layers that make them read
 * activations of 15 bits, however the block is built. */
TEST(layers_that_feed_attention_read_15_bits) {
    static const struct {
        const char *arch, *layers[3];
    } CASES[] = {{"c32,trunk=attention(heads=2)", {"block0.qkv"}},
                 {"c32,trunk=attention(heads=2,maps=learned)", {"block0.qkv"}},
                 {"c32,trunk=attention(heads=2,rotary=none,tables=v)", {"block0.qkv"}},
                 {"c32,trunk=encoder(heads=2)", {"block0.q", "block0.k", "block0.v"}}};
    static Position sampled[SAMPLED];
    const Position *positions[SAMPLED];
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        Net *net = small_net(CASES[c].arch);
        const SampleCall sample = {.size = SIZE, .count = SAMPLED, .every = 2, .seed = 5};
        Quantisation *quantisation;
        int layers;
        EXPECT_OK(sample_positions(net, &sample, sampled, err));
        for (int i = 0; i < SAMPLED; i++)
            positions[i] = &sampled[i];
        const QuantizeCall call = {.positions = positions, .position_count = SAMPLED, .seed = 1};
        EXPECT_OK(quantize_net(net, &call, &layers, err));
        EXPECT_OK(quantisation_read(net, &quantisation, err));
        for (int i = 0; i < 3 && CASES[c].layers[i]; i++) {
            const LayerQuantisation *layer =
                quantisation_find(quantisation, CASES[c].layers[i], 32);
            if (!layer || !layer->fine)
                fail_msg("%s: %s reads 8 bits", CASES[c].arch, CASES[c].layers[i]);
        }
        quantisation_free(quantisation);
        for (int i = 0; i < SAMPLED; i++)
            position_clear(&sampled[i]);
        net_free(net);
    }
}

/* Larger weights of queries and keys make attention sharp, and larger weights of the policy make the
 * best moves clear. Then small errors change the best moves, so weights of 8 bits are too
 * coarse. */
TEST(inexact_transformers_get_weights_of_15_bits) {
    Net *net = small_net("c32,trunk=(attention(heads=2)+swiglu(inner=64))*2");
    const Program *program = net_program(net);
    static Position sampled[SAMPLED];
    const Position *positions[SAMPLED];
    const SampleCall sample = {.size = SIZE, .count = SAMPLED, .every = 2, .seed = 5};
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool queries = strstr(op->name, "qkv"), policy = strcmp(op->name, "policy.p2") == 0;
        if (!queries && !policy) continue;
        size_t count = program_parameter(program, op->parameters[0])->count;
        for (size_t i = 0; i < count; i++)
            net_values(net, op->parameters[0])[i] *= policy ? 100 : 10;
    }
    EXPECT_OK(sample_positions(net, &sample, sampled, err));
    for (int i = 0; i < SAMPLED; i++)
        positions[i] = &sampled[i];
    const QuantizeCall call = {.positions = positions, .position_count = SAMPLED, .seed = 1};
    Quantisation *quantisation;
    int layers;
    EXPECT_OK(quantize_net(net, &call, &layers, err));
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    const LayerQuantisation *layer = quantisation_find(quantisation, "block0.qkv", 32);
    EXPECT_TRUE(layer->by_rows && layer->fine && layer->fine_weights && !layer->weights);
    quantisation_free(quantisation);
    for (int i = 0; i < SAMPLED; i++)
        position_clear(&sampled[i]);
    net_free(net);
}

TEST(what_cannot_be_quantized_is_refused) {
    Net *net = small_net("b2c24-fixup"), *lines = small_net("c24,trunk=lines");
    Error error = {0};
    int layers;
    Position position = empty_board(5);
    const Position *positions[] = {&position};
    const QuantizeCall call = {.positions = positions, .position_count = 1, .seed = 1};
    EXPECT_STATUS(ERR_ARGUMENT, quantize_net(net, &(QuantizeCall){0}, &layers, &error));
    EXPECT_CONTAINS(error.message, "positions");
    EXPECT_STATUS(ERR_UNSUPPORTED, quantize_net(lines, &call, &layers, &error));
    EXPECT_CONTAINS(error.message, "no layers");
    float *weights = net_values(net, 0); /* of the first convolution */
    for (size_t i = 0; i < program_parameter(net_program(net), 0)->count; i++)
        weights[i] = 1e25f;
    EXPECT_STATUS(ERR_ARGUMENT, quantize_net(net, &call, &layers, &error));
    EXPECT_CONTAINS(error.message, "has an activation of");
    EXPECT_INT(0, layers);
    assert_null(net_note(net, QUANTISATION_NOTE));
    position_clear(&position);
    net_free(net);
    net_free(lines);
}

/* precision_note() replaces a note that is not valid. From a valid note it keeps the reports of
 * other precisions. */
TEST(reports_are_kept_side_by_side) {
    static const char *const OLD[] = {"[1]", "{", "{\"bf16\": {\"passes\": true}}"};
    const Comparison report = {.positions = 4,
                               .clear = 2,
                               .clear_same_top = 1,
                               .policy_distance = {.sum = 1, .count = 4, .worst = 0.5}};
    Net *net = small_net("b1c8");
    for (size_t i = 0; i < sizeof OLD / sizeof *OLD; i++) {
        json_t *root;
        EXPECT_OK(net_set_note(net, QUANTISATION_REPORT_NOTE, OLD[i], err));
        EXPECT_OK(precision_note(net, PRECISION_INT8, &report, err));
        EXPECT_INT(0, quantisation_report(net, "int8"));
        EXPECT_INT(i == 2 ? 1 : -1, quantisation_report(net, "bf16"));
        const char *note = net_note(net, QUANTISATION_REPORT_NOTE);
        EXPECT_OK(json_parse(note, strlen(note), &root, err));
        const json_t *one = json_object_get(root, "int8"), *policy = json_object_get(one, "policy");
        EXPECT_INT(1, json_integer_value(json_object_get(one, "agreed")));
        EXPECT_NEAR(0.25, json_real_value(json_object_get(policy, "mean")), 1e-6);
        EXPECT_NEAR(0.5, json_real_value(json_object_get(policy, "worst")), 1e-6);
        json_decref(root);
    }
    net_free(net);
}

TEST_MAIN(RUN(a_range_gets_its_scale_and_zero_point), RUN(a_rare_large_number_is_clipped),
          RUN(scales_are_balanced), RUN(a_report_passes_at_its_limits),
          RUN(a_net_is_quantized_and_reported), RUN(the_same_seed_gives_the_same_positions),
          RUN(games_with_a_given_beginning_enter_the_encore), RUN(deep_nets_are_measured_in_parts),
          RUN(values_are_sampled_at_the_same_cells), RUN(narrow_blocks_stay_close_to_f32),
          RUN(transformers_stay_close_to_f32), RUN(inexact_transformers_get_weights_of_15_bits),
          RUN(layers_that_feed_attention_read_15_bits),
          RUN(bf16_is_faster_for_more_attention_than_convolutions),
          RUN(auto_takes_bf16_for_attention_with_amx), RUN(what_cannot_be_quantized_is_refused),
          RUN(reports_are_kept_side_by_side), RUN(long_work_is_watched_and_stopped))

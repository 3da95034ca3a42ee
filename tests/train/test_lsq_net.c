/* A net that learns with the rounding of int8 (lsq_net.h). It is made from an ordinary net and
 * turned into one again. Training moves the steps of its rounding and keeps its weights rounded. */
#include <math.h>

#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "eval/precision/int4_weights.h"
#include "eval/precision/lsq_net.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/sample_positions.h"
#include "nn/graph/packed_weights.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/ops/lsq.h"
#include "train/trainer_private.h"

enum { EDGE = 5, BATCH = 32, POSITIONS = 24 };
/* The second net has dense layers over cells: those of queries, keys and values and the last of
 * swiglu read activations of 15 bits, the others 8. */
static const char *const ARCHS[] = {
    "b2c16-fixscale-nodist",
    "c16-fixscale-nodist,trunk=encoder(heads=2)+attention(heads=2)+swiglu"};
enum { ARCH_COUNT = sizeof ARCHS / sizeof *ARCHS };

static Net *begun(const Net *net, int *layers) {
    Position position;
    Net *out;
    const Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, 7, 7, &rules, err));
    const Position *positions[] = {&position};
    const QuantizeCall call = {.positions = positions, .position_count = 1, .seed = 3};
    EXPECT_OK(lsq_net_begin(net, &call, &out, layers, err));
    position_clear(&position);
    return out;
}

static int count_ops(const Net *net, OpKind kind) {
    int count = 0;
    for (Value v = 0; v < program_op_count(net_program(net)); v++)
        count += program_op(net_program(net), v)->kind == kind;
    return count;
}

/* Returns whether all weights that have rounding steps are whole multiples of their steps, from
 * -127 to 127 times. */
static bool is_rounded(const Net *net) {
    const Program *program = net_program(net);
    bool all = true;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *steps = program_op(program, v);
        if (steps->kind != OP_WEIGHT_STEP) continue;
        const Op *layer = program_op(program, steps->inputs[0]);
        size_t count = program_parameter(program, layer->parameters[0])->count,
               each = count / (size_t)layer->channels;
        const float *weights = net_values_const(net, layer->parameters[0]);
        for (size_t k = 0; k < count; k++) {
            float step = lsq_step(net_values_const(net, steps->parameters[0])[k / each]);
            float level = nearbyintf(weights[k] / step);
            all = all && fabsf(level) <= 127 && level * step == weights[k];
        }
    }
    return all;
}

static void expect_same_net(const char *arch) {
    Net *net = net_of_words(arch, 1), *learner, *back;
    int layers, again;
    learner = begun(net, &layers);
    EXPECT_TRUE(layers > 0);
    EXPECT_FALSE(lsq_net_is(net));
    EXPECT_TRUE(lsq_net_is(learner));
    EXPECT_INT(layers, count_ops(learner, OP_WEIGHT_STEP));
    EXPECT_OK(lsq_net_end(learner, false, &back, &again, err));
    EXPECT_INT(layers, again);
    EXPECT_TEXT(net_hash(net).text, net_hash(back).text);
    EXPECT_TEXT(net_note(net, "architecture"), net_note(back, "architecture"));
    net_free(net);
    net_free(learner);
    net_free(back);
}

TEST(ending_at_once_gives_the_same_net) {
    for (int i = 0; i < ARCH_COUNT; i++)
        expect_same_net(ARCHS[i]);
}

/* The quantisation of the ordinary net has the learned steps as scales, and the zero points of the
 * rounding. */
static void expect_learned_steps(const char *arch) {
    Net *net = net_of_words(arch, 1), *learner, *back;
    Quantisation *quantisation;
    int layers;
    learner = begun(net, &layers);
    const Program *program = net_program(learner);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind == OP_FAKE_QUANTIZE)
            net_values(learner, op->parameters[0])[0] = -3 - 0.01f * (float)v;
    }
    EXPECT_OK(lsq_net_end(learner, true, &back, &layers, err));
    EXPECT_OK(quantisation_read(back, &quantisation, err));
    EXPECT_INT(layers, quantisation->count);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        const Op *from = op->inputs[0] >= 0 ? program_op(program, op->inputs[0]) : op;
        if (from == op || from->kind != OP_FAKE_QUANTIZE) continue;
        const LayerQuantisation *layer = quantisation_find(quantisation, op->name, from->channels);
        assert_non_null(layer);
        EXPECT_TRUE(layer->winograd);
        for (int c = 0; c < layer->channels; c++) {
            double wanted = exp(-3 - 0.01 * op->inputs[0]);
            EXPECT_NEAR(wanted, layer->scales[c], 1e-6 * wanted);
            EXPECT_INT(from->zero_point, layer->zero_points[c]);
        }
    }
    quantisation_free(quantisation);
    net_free(net);
    net_free(learner);
    net_free(back);
}

TEST(int8_gets_the_learned_steps) {
    for (int i = 0; i < ARCH_COUNT; i++)
        expect_learned_steps(ARCHS[i]);
}

/* The layers of queries, keys and values and the last layer of swiglu read 15 bits. Their
 * activations are not rounded in training. In int8 they have the weights that training rounded: the
 * integer of a weight of 0.26 with the step 0.1 is 3, and one of 100 is limited to 127. */
TEST(layers_with_15_bits_keep_their_rounded_weights) {
    static const char *const FINE[] = {"block0.q", "block0.k", "block0.v", "block1.qkv",
                                       "block2.down"};
    Net *net = net_of_words(ARCHS[1], 1), *learner, *back;
    const Program *program;
    Quantisation *quantisation;
    int layers, found = 0;
    learner = begun(net, &layers);
    program = net_program(learner);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *steps = program_op(program, v);
        if (steps->kind != OP_WEIGHT_STEP) continue;
        const Op *layer = program_op(program, steps->inputs[0]);
        bool fine = false;
        for (size_t i = 0; i < sizeof FINE / sizeof *FINE; i++)
            fine = fine || strcmp(layer->name, FINE[i]) == 0;
        found += fine;
        EXPECT_INT(!fine, program_op(program, layer->inputs[0])->kind == OP_FAKE_QUANTIZE);
        net_values(learner, steps->parameters[0])[1] = logf(0.1f);
        float *weights = net_values(learner, layer->parameters[0]) +
                         program_op(program, layer->inputs[0])->channels;
        weights[0] = 0.26f;
        weights[1] = 100;
    }
    EXPECT_INT(5, found);
    EXPECT_OK(lsq_net_end(learner, false, &back, &layers, err));
    EXPECT_OK(quantisation_read(back, &quantisation, err));
    for (size_t i = 0; i < sizeof FINE / sizeof *FINE; i++) {
        int in = i == 4 ? 48 : 16; /* swiglu has three times as many inner channels */
        const LayerQuantisation *layer = quantisation_find(quantisation, FINE[i], in);
        assert_non_null(layer);
        EXPECT_TRUE(layer->by_rows && layer->fine && layer->weights);
        EXPECT_NEAR(0.1, layer->weight_scales[1], 1e-6);
        EXPECT_INT(3, layer->weights[in]);
        EXPECT_INT(127, layer->weights[in + 1]);
    }
    quantisation_free(quantisation);
    net_free(net);
    net_free(learner);
    net_free(back);
}

/* Rounds the weights of a learner by their steps, as training does. */
static void round_weights(Net *learner) {
    const Program *program = net_program(learner);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *steps = program_op(program, v);
        if (steps->kind != OP_WEIGHT_STEP) continue;
        const Op *layer = program_op(program, steps->inputs[0]);
        size_t outputs = (size_t)layer->channels,
               each = program_parameter(program, layer->parameters[0])->count / outputs;
        for (size_t o = 0; o < outputs; o++) {
            float *row = net_values(learner, layer->parameters[0]) + o * each;
            lsq_forward(each, lsq_step(net_values(learner, steps->parameters[0])[o]), 127, 127, row,
                        row);
        }
    }
}

/* Compares int8 of the ordinary net with the learner itself, in f32. */
static Comparison int8_of_learner(const Net *learner) {
    static Position positions[POSITIONS];
    const Position *all[POSITIONS];
    const SampleCall sample = {.size = 7, .count = POSITIONS, .every = 2, .seed = 5};
    const PrecisionCall call = {.positions = all, .count = POSITIONS};
    Comparison report;
    Net *back;
    int layers;
    EXPECT_OK(lsq_net_end(learner, false, &back, &layers, err));
    EXPECT_OK(sample_positions(back, &sample, positions, err));
    for (int i = 0; i < POSITIONS; i++)
        all[i] = &positions[i];
    EXPECT_OK(precision_compare_nets(learner, back, PRECISION_INT8, &call, &report, err));
    for (int i = 0; i < POSITIONS; i++)
        position_clear(&positions[i]);
    net_free(back);
    return report;
}

/* What int8 computes is near to what the net computed in training. Large weights of queries,
 * keys and the policy make small errors matter. Steps that are wrong by a tenth make errors beyond
 * the bounds. */
TEST(int8_computes_what_was_trained) {
    Net *net = net_of_words("c32,trunk=(attention(heads=2)+swiglu(inner=64))*2", 1);
    const Program *program = net_program(net);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool queries = strstr(op->name, "qkv"), policy = strcmp(op->name, "policy.p2") == 0;
        if (!queries && !policy) continue;
        size_t count = program_parameter(program, op->parameters[0])->count;
        for (size_t i = 0; i < count; i++)
            net_values(net, op->parameters[0])[i] *= policy ? 30 : 10;
    }
    int layers;
    Net *learner = begun(net, &layers);
    round_weights(learner);
    const Comparison report = int8_of_learner(learner);
    EXPECT_TRUE(differences_mean(&report.policy_distance) < 0.004);
    EXPECT_TRUE(differences_mean(&report.winrate) < 0.0006);
    net_free(learner);
    net_free(net);
}

TEST(other_nets_are_refused) {
    Net *net = net_of_words(ARCHS[0], 1), *learner, *out;
    int layers;
    const QuantizeCall none = {0};
    EXPECT_STATUS(ERR_ARGUMENT, lsq_net_begin(net, &none, &out, &layers, NULL));
    EXPECT_STATUS(ERR_UNSUPPORTED, lsq_net_end(net, false, &out, &layers, NULL));
    learner = begun(net, &layers);
    EXPECT_STATUS(ERR_ARGUMENT, lsq_net_begin(learner, &none, &out, &layers, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, lsq_net_begin_int4(learner, 32, &out, &layers, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, lsq_net_begin_int4(net, 48, &out, &layers, NULL));
    EXPECT_STATUS(ERR_UNSUPPORTED, lsq_net_end_int4(learner, &out, &layers, NULL));
    net_free(net);
    net_free(learner);
}

/* Nets for int4: with a kernel, with weights that two layers share, and with rows of more than one
 * group (swiglu has 120 inner channels). */
#define SMOLGEN "maps=smolgen,map_channels=4,map_hidden=8,map_gen=8,side=7"
static const char *const INT4_ARCHS[] = {
    "b2c16-fixscale-nodist", "c40-fixscale-nodist,trunk=lines(inner=8)+attention(heads=2)+swiglu",
    ("c16-nodist,trunk=encoder(heads=2," SMOLGEN ")*2")};
enum { INT4_COUNT = sizeof INT4_ARCHS / sizeof *INT4_ARCHS };

static Net *begun_int4(const char *arch, int group, int *layers) {
    Net *net = net_of_words(arch, 1), *learner;
    EXPECT_OK(lsq_net_begin_int4(net, group, &learner, layers, err));
    EXPECT_TRUE(*layers > 0);
    EXPECT_INT(group, lsq_net_int4_group(learner));
    EXPECT_INT(0, lsq_net_int4_group(net));
    net_free(net);
    return learner;
}

/* Checks that the weights of all layers with steps can be packed as int4 without a change. */
static void expect_int4(const Net *net, int group) {
    const Program *program = net_program(net);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *steps = program_op(program, v);
        if (steps->kind != OP_WEIGHT_STEP) continue;
        int weights = program_op(program, steps->inputs[0])->parameters[0];
        EXPECT_TRUE(packed_form_fits(program_parameter(program, weights),
                                     (PackedForm){PACKED_FORM_INT4, group},
                                     net_values_const(net, weights)));
    }
}

/* Without training, the learned scales are those that int4_round_net() chooses. */
TEST(ending_at_once_rounds_to_int4) {
    for (int i = 0; i < INT4_COUNT; i++) {
        for (int group = 32; group <= 64; group += 32) {
            Net *net = net_of_words(INT4_ARCHS[i], 1), *learner, *ended, *again;
            int layers, ended_layers, rounded_layers;
            TestPath path = test_path("int4.aji");
            learner = begun_int4(INT4_ARCHS[i], group, &layers);
            EXPECT_OK(lsq_net_end_int4(learner, &ended, &ended_layers, err));
            EXPECT_OK(int4_round_net(net, group, &rounded_layers, err));
            EXPECT_INT(layers, ended_layers);
            EXPECT_INT(layers, rounded_layers);
            EXPECT_TEXT(net_hash(net).text, net_hash(ended).text);
            EXPECT_TEXT(net_note(net, PACKED_NOTE), net_note(ended, PACKED_NOTE));
            EXPECT_OK(net_save(ended, path.text, err));
            EXPECT_OK(net_load(path.text, &again, err));
            EXPECT_TEXT(net_hash(ended).text, net_hash(again).text);
            remove(path.text);
            net_free(net);
            net_free(learner);
            net_free(ended);
            net_free(again);
        }
    }
}

typedef struct {
    TestPath rows, checkpoint;
    Trainer *trainer;
    Loader *loader;
} Fixture;

static Fixture make_of(Net *net, double rate, int sparsity) {
    Fixture f = {.rows = test_path("lsq.npz"), .checkpoint = test_path("lsq.aji")};
    LoaderSettings config = {.batch = BATCH, .length = EDGE, .memory_mb = 64, .seed = 3};
    TrainerSetup setup = {.batch = BATCH, .length = EDGE};
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = 2;
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.trainer.sparsity.method = sparsity;
    setup.training.schedule.rate = rate;
    setup.training.averaging.period_samples = 4 * BATCH;
    made_file(f.rows.text, EDGE, EDGE, EDGE, 256, 11);
    EXPECT_OK(loader_new(&config, &f.loader, err));
    EXPECT_OK(loader_add_file(f.loader, f.rows.text, err));
    EXPECT_OK(trainer_new(&setup, net, &f.trainer, err));
    return f;
}

static Fixture make(const char *arch, int sparsity) {
    Net *net = net_of_words(arch, 1);
    int layers;
    Fixture f = make_of(begun(net, &layers), 6e-5, sparsity);
    net_free(net);
    return f;
}

static void clear(Fixture *f) {
    trainer_free(f->trainer);
    loader_free(f->loader);
    remove(f->rows.text);
    remove(f->checkpoint.text);
}

static Metrics step(Fixture *f, int steps) {
    Metrics metrics = {0};
    for (int i = 0; i < steps; i++) {
        Batch batch;
        EXPECT_OK(loader_next(f->loader, &batch, err));
        EXPECT_OK(trainer_step(f->trainer, &batch, &metrics, err));
    }
    return metrics;
}

/* Returns how far the rounding steps moved from `before` to `after`: the sum of their absolute
 * changes. Rounding steps are parameters of ops; only those of ops of this kind count. */
static double moved(const Net *before, const Net *after, OpKind kind) {
    const Program *program = net_program(before);
    double sum = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        for (int c = 0; op->kind == kind && c < (kind == OP_WEIGHT_STEP ? op->channels : 1); c++)
            sum += fabs((double)net_values_const(before, op->parameters[0])[c] -
                        (double)net_values_const(after, op->parameters[0])[c]);
    }
    return sum;
}

static void expect_learning(const char *arch) {
    Fixture f = make(arch, SPARSITY_OFF);
    Net *before, *averaged;
    EXPECT_TRUE(is_rounded(trainer_net(f.trainer))); /* before the first batch */
    EXPECT_OK(net_copy(trainer_net(f.trainer), &before, err));
    Metrics first = step(&f, 1), last = step(&f, 200);
    EXPECT_TRUE(last.loss < 0.9 * first.loss);
    EXPECT_TRUE(is_rounded(trainer_net(f.trainer)));
    EXPECT_TRUE(moved(before, trainer_net(f.trainer), OP_WEIGHT_STEP) > 0.01);
    EXPECT_TRUE(moved(before, trainer_net(f.trainer), OP_FAKE_QUANTIZE) > 0.01);
    EXPECT_OK(trainer_averaged_net(f.trainer, &averaged, err));
    EXPECT_TRUE(is_rounded(averaged));
    EXPECT_INT(0, trainer_setbacks(f.trainer));
    net_free(before);
    net_free(averaged);
    clear(&f);
}

TEST(steps_are_learned_and_weights_stay_rounded) {
    for (int i = 0; i < ARCH_COUNT; i++)
        expect_learning(ARCHS[i]);
}

/* Training keeps all weights in int4, moves the scales of groups, and makes the loss smaller. The
 * averaged net and the net at the end have weights of int4 too. */
TEST(scales_of_int4_are_learned) {
    for (int i = 0; i < INT4_COUNT; i++) {
        int layers, ended_layers;
        Fixture f = make_of(begun_int4(INT4_ARCHS[i], 32, &layers), 2e-5, SPARSITY_OFF);
        Net *before, *averaged, *ended;
        expect_int4(trainer_net(f.trainer), 32);
        EXPECT_OK(net_copy(trainer_net(f.trainer), &before, err));
        Metrics first = step(&f, 1), last = step(&f, 120);
        EXPECT_TRUE(last.loss < 0.95 * first.loss);
        expect_int4(trainer_net(f.trainer), 32);
        EXPECT_TRUE(moved(before, trainer_net(f.trainer), OP_WEIGHT_STEP) > 0.01);
        EXPECT_OK(trainer_averaged_net(f.trainer, &averaged, err));
        expect_int4(averaged, 32);
        EXPECT_OK(lsq_net_end_int4(averaged, &ended, &ended_layers, err));
        EXPECT_INT(layers, ended_layers);
        EXPECT_INT(0, count_ops(ended, OP_WEIGHT_STEP));
        EXPECT_INT(0, trainer_setbacks(f.trainer));
        net_free(before);
        net_free(averaged);
        net_free(ended);
        clear(&f);
    }
}

/* A trainer that loads a checkpoint continues with the same weights as the trainer that saved it.
 * This is checked without sparsity and with each method of 2:4 sparsity. */
TEST(a_checkpoint_keeps_the_steps_and_the_latent_weights) {
    for (int sparsity = SPARSITY_OFF; sparsity <= SPARSITY_SR_STE; sparsity++) {
        Fixture f = make(ARCHS[0], sparsity), g = make(ARCHS[0], sparsity);
        step(&f, 7);
        EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
        EXPECT_OK(trainer_load(g.trainer, f.checkpoint.text, err));
        for (int i = 0; i < 6; i++) {
            Batch batch;
            Metrics metrics;
            EXPECT_OK(loader_next(f.loader, &batch, err));
            EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
            EXPECT_OK(trainer_step(g.trainer, &batch, &metrics, err));
            EXPECT_TEXT(net_hash(trainer_net(f.trainer)).text,
                        net_hash(trainer_net(g.trainer)).text);
        }
        EXPECT_TRUE(is_rounded(trainer_net(f.trainer)));
        clear(&f);
        clear(&g);
    }
}

TEST_MAIN(RUN(ending_at_once_gives_the_same_net), RUN(int8_gets_the_learned_steps),
          RUN(layers_with_15_bits_keep_their_rounded_weights), RUN(int8_computes_what_was_trained),
          RUN(other_nets_are_refused), RUN(ending_at_once_rounds_to_int4),
          RUN(scales_of_int4_are_learned), RUN(steps_are_learned_and_weights_stay_rounded),
          RUN(a_checkpoint_keeps_the_steps_and_the_latent_weights))

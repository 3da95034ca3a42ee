/* The trainer: it learns, gives the same result twice, continues from checkpoints, and returns to a
 * good state when training diverges or numbers become NaN. */
#include "base/file.h"
#include "base/memory.h"
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "train/trainer_private.h"

enum { EDGE = 5, BATCH = 32 };

typedef struct {
    TestPath rows, checkpoint;
    Trainer *trainer;
    Loader *loader;
} Fixture;

/* Settings of the trainers that make_trainer() makes. Tests set them before the call and reset them
 * after it. */
static TrainerSettings extra; /* accumulate, lookahead, renorm, clip_median */
static bool by_sgd;
static float rate_times = 1;     /* factor of RATE */
static const float RATE = 6e-5f; /* a learning rate by which these nets learn well */
enum { PERIOD = 4 };             /* batches in an averaging period */

static TrainerSetup default_setup(int batch, int length) {
    TrainerSetup setup = {.batch = batch, .length = length};
    training_settings_defaults(&setup.training);
    setup.training.trainer.precision = TRAINER_F32;
    return setup;
}

TEST(the_defaults_of_a_setup_are_those_of_the_tables) {
    TrainerSetup setup = {.batch = 3, .length = 9, .seed = 5};
    OptimiserSettings optimiser;
    training_settings_defaults(&setup.training);
    settings_defaults(OPTIMISER_FIELDS, &optimiser);
    EXPECT_INT(TRAINER_AUTO, setup.training.trainer.precision);
    EXPECT_NEAR(4, setup.training.trainer.clip_median, 0);
    EXPECT_INT(optimiser.kind, setup.training.optimiser.kind);
    EXPECT_NEAR(optimiser.weight_decay, setup.training.optimiser.weight_decay, 0);
    EXPECT_NEAR(1.2, setup.training.objective.value, 0);
    EXPECT_INT(10000000, (int)setup.training.schedule.total_samples);
    EXPECT_INT(20000, (int)setup.training.averaging.period_samples);
    EXPECT_INT(50000, (int)setup.training.divergence.setback_samples);
    EXPECT_INT(3, setup.batch);
    EXPECT_INT(9, setup.length);
    EXPECT_INT(5, (int)setup.seed);
}

static Trainer *make_trainer(const char *arch, int threads) {
    TrainerSetup setup = default_setup(BATCH, EDGE);
    Net *net = net_of_words(arch, 1);
    Trainer *trainer;
    setup.training.trainer = extra;
    setup.training.trainer.threads = threads;
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.schedule.rate = (double)(rate_times * RATE);
    if (by_sgd) setup.training.optimiser.kind = OPTIMISER_SGD;
    setup.training.averaging.period_samples = PERIOD * BATCH;
    EXPECT_OK(trainer_new(&setup, net, &trainer, err));
    return trainer;
}

static Fixture make(const char *arch, int threads) {
    Fixture f = {.rows = test_path("trainer.npz"), .checkpoint = test_path("checkpoint.aji")};
    LoaderSettings config = {.batch = BATCH,
                             .length = EDGE,
                             .memory_mb = 64,
                             .seed = 3,
                             .boards = strstr(arch, "auxiliary") != NULL,
                             .q_values = strstr(arch, "qvalues") != NULL};
    made_file(f.rows.text, EDGE, EDGE, EDGE, 256, 11);
    EXPECT_OK(loader_new(&config, &f.loader, err));
    EXPECT_OK(loader_add_file(f.loader, f.rows.text, err));
    f.trainer = make_trainer(arch, threads);
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

static NetHash averaged_hash(const Trainer *trainer) {
    Net *net;
    EXPECT_OK(trainer_averaged_net(trainer, &net, err));
    NetHash hash = net_hash(net);
    net_free(net);
    return hash;
}

/* Both trainers learn from the same batches, those of `f`, and must have the same net. */
static void expect_alike(Fixture *f, Fixture *g, int steps) {
    for (int i = 0; i < steps; i++) {
        Batch batch;
        Metrics metrics;
        EXPECT_OK(loader_next(f->loader, &batch, err));
        EXPECT_OK(trainer_step(f->trainer, &batch, &metrics, err));
        EXPECT_OK(trainer_step(g->trainer, &batch, &metrics, err));
    }
    EXPECT_TEXT(net_hash(trainer_net(f->trainer)).text, net_hash(trainer_net(g->trainer)).text);
}

TEST(a_batch_that_no_memory_holds_is_refused) {
    if (mem_available() > (int64_t)30 << 30)
        SKIP("this machine has more than 30 GB of free memory");
    TrainerSetup setup = default_setup(1 << 20, 19);
    Net *net = net_of_words("b2c64-fixup-nodist", 1);
    Trainer *trainer;
    Error fault = {0};
    setup.training.trainer.threads = 1;
    EXPECT_INT(ERR_MEMORY, trainer_new(&setup, net, &trainer, &fault));
    EXPECT_CONTAINS(fault.message, "set loader.batch or trainer.threads lower");
}

TEST(the_trainer_learns_the_rule_of_the_rows) {
    Fixture f = make("b2c16-fixup-nodist", 1);
    Metrics first = step(&f, 1), last = step(&f, 400);
    EXPECT_TRUE(last.loss < 0.8 * first.loss);
    EXPECT_TRUE(last.value < 0.3);
    EXPECT_TRUE(last.policy - last.policy_entropy_target <
                0.5 * (first.policy - first.policy_entropy_target));
    EXPECT_INT(401 * BATCH, trainer_samples(f.trainer));
    clear(&f);
}

TEST(auxiliary_heads_learn_too) {
    Fixture f = make("b2c16-fixup-nodist-auxiliary-errors", 2);
    Metrics first = step(&f, 1), last = step(&f, 150);
    EXPECT_TRUE(last.td_values < 0.7 * first.td_values);
    EXPECT_TRUE(last.search_values < 0.7 * first.search_values);
    EXPECT_TRUE(last.seki < 0.7 * first.seki);
    EXPECT_TRUE(last.td_value_error < 0.7 * first.td_value_error);
    EXPECT_TRUE(last.td_score_error < 0.7 * first.td_score_error);
    clear(&f);
    f = make("b1c8-auxiliary", 1);
    Batch batch;
    EXPECT_OK(loader_next(f.loader, &batch, err));
    batch.boards = NULL;
    EXPECT_STATUS(ERR_ARGUMENT, trainer_step(f.trainer, &batch, &first, NULL));
    clear(&f);
}

TEST(values_of_moves_are_learned_too) {
    Fixture f = make("b2c16-fixup-nodist-qvalues", 2);
    Metrics first = step(&f, 1), last = step(&f, 150);
    EXPECT_TRUE(last.q_winloss < 0.5 * first.q_winloss);
    EXPECT_TRUE(last.q_score < 0.7 * first.q_score);
    Batch batch;
    EXPECT_OK(loader_next(f.loader, &batch, err));
    batch.q_values = NULL;
    EXPECT_STATUS(ERR_ARGUMENT, trainer_step(f.trainer, &batch, &first, NULL));
    clear(&f);
}

static Batch part_of(const Batch *batch, size_t from, int count) {
    size_t cells = EDGE * EDGE;
    return (Batch){.count = count,
                   .length = EDGE,
                   .planes = batch->planes + from * cells * FEATURE_PLANES,
                   .globals = batch->globals + from * FEATURE_GLOBALS,
                   .policy = batch->policy + from * 2 * (cells + 1),
                   .targets = batch->targets + from * ROW_GLOBAL_TARGETS,
                   .score = batch->score + from * 842,
                   .ownership = batch->ownership + from * cells,
                   .mask = batch->mask + from * cells};
}

/* Trains two nets on the same three batches of 32 rows: one on whole batches, the other on four
 * parts of each, whose gradients make one step. Returns the largest distance between two weights of
 * the nets, divided by the largest distance by which a weight of the first net has moved. */
static double parted(const char *arch) {
    Fixture whole = make(arch, 1), parts;
    extra.accumulate = 4;
    parts = make(arch, 1);
    extra.accumulate = 0;
    for (int i = 0; i < 3; i++) {
        Batch batch;
        Metrics metrics;
        EXPECT_OK(loader_next(whole.loader, &batch, err));
        EXPECT_OK(trainer_step(whole.trainer, &batch, &metrics, err));
        for (size_t k = 0; k < 4; k++) {
            Batch part = part_of(&batch, k * BATCH / 4, BATCH / 4);
            EXPECT_OK(trainer_step(parts.trainer, &part, &metrics, err));
        }
    }
    EXPECT_INT(trainer_samples(whole.trainer), trainer_samples(parts.trainer));
    const Net *a = trainer_net(whole.trainer), *b = trainer_net(parts.trainer);
    Net *first = net_of_words(arch, 1);
    double apart = 0, moved = 0;
    for (int p = 0; p < program_parameter_count(net_program(a)); p++) {
        for (size_t k = 0; k < program_parameter(net_program(a), p)->count; k++) {
            double now = (double)net_values_const(a, p)[k];
            apart = fmax(apart, fabs(now - (double)net_values_const(b, p)[k]));
            moved = fmax(moved, fabs(now - (double)net_values_const(first, p)[k]));
        }
    }
    net_free(first);
    clear(&whole);
    clear(&parts);
    print_message("%s: %g apart, %g moved\n", arch, apart, moved);
    return apart / moved;
}

/* With accumulate = 4, four batches of 8 rows give the same weights, except for rounding, as one
 * batch of the same 32 rows. A batch norm normalises each part by itself. */
TEST(accumulated_batches_make_one_step) {
    by_sgd = true;
    EXPECT_TRUE(parted("b1c8-fixup-nodist") < 1e-5);
    EXPECT_TRUE(parted("b1c8-batch-nodist") > 1e-2);
    by_sgd = false;
    EXPECT_TRUE(parted("b1c8-fixup-nodist") < 1e-2);
}

TEST(a_checkpoint_keeps_the_slow_weights) {
    extra.lookahead.steps = 3;
    extra.lookahead.fraction = 0.5;
    Fixture f = make("b1c8-fixup-auxiliary", 1), g = make("b1c8-fixup-auxiliary", 1);
    step(&f, 4); /* the slow weights moved at the third step */
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(g.trainer, f.checkpoint.text, err));
    expect_alike(&f, &g, 4);
    clear(&f);
    clear(&g);
    extra = (TrainerSettings){0};
}

/* With accumulate = 2, the gradients of one batch wait for the second. Loading a checkpoint in
 * between drops them. */
TEST(loading_drops_gradients_that_wait) {
    extra.accumulate = 2;
    Fixture f = make("b1c8-fixup-nodist", 1), g = make("b1c8-fixup-nodist", 1);
    double norm = step(&f, 2).gradient_norm;
    EXPECT_TRUE(norm > 0);
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(g.trainer, f.checkpoint.text, err));
    EXPECT_NEAR(norm, step(&f, 1).gradient_norm, 0); /* still the norm of the last step */
    EXPECT_OK(trainer_load(f.trainer, f.checkpoint.text, err));
    expect_alike(&f, &g, 2);
    clear(&f);
    clear(&g);
    extra = (TrainerSettings){0};
}

TEST(equal_trainings_give_equal_nets) {
    Fixture a = make("b1c8-fixup", 2), b = make("b1c8-fixup", 2);
    step(&a, 12);
    step(&b, 12);
    EXPECT_TEXT(net_hash(trainer_net(a.trainer)).text, net_hash(trainer_net(b.trainer)).text);
    EXPECT_TEXT(averaged_hash(a.trainer).text, averaged_hash(b.trainer).text);
    clear(&a);
    clear(&b);
}

TEST(the_time_of_ops_is_summed_over_threads) {
    Fixture f = make("b1c8", 2);
    const Program *program = net_program(trainer_net(f.trainer));
    OpTime *times = calloc((size_t)program_op_count(program), sizeof *times);
    double sum = 0, own = 0;
    assert_non_null(times);
    EXPECT_OK(trainer_time_ops(f.trainer, err));
    step(&f, 2);
    trainer_op_times(f.trainer, times);
    for (int i = 0; i < program_op_count(program); i++) {
        sum += times[i].forward_seconds + times[i].backward_seconds;
        EXPECT_INT(i, times[i].op);
        for (int t = 0; t < 2; t++) {
            const OpTime *one = &learn_op_times(batch_run_learn(f.trainer->run, t))[i];
            own += one->forward_seconds + one->backward_seconds;
        }
    }
    EXPECT_TRUE(sum > 0);
    EXPECT_NEAR(own, sum, 1e-9);
    free(times);
    clear(&f);
}

TEST(measuring_changes_nothing) {
    Fixture f = make("b1c8-batch", 1);
    Batch batch;
    Metrics metrics;
    NetHash before = net_hash(trainer_net(f.trainer));
    EXPECT_OK(loader_next(f.loader, &batch, err));
    EXPECT_OK(trainer_measure(f.trainer, &batch, &metrics, err));
    EXPECT_TRUE(metrics.loss > 0);
    EXPECT_TEXT(before.text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_INT(0, trainer_samples(f.trainer));
    clear(&f);
}

/* trainer_measure_net() with the averaged net gives the metrics that another trainer with these
 * weights gives. It changes neither net. */
static void expect_measure_of_averaged(const char *arch) {
    Fixture f = make(arch, 2);
    Trainer *other = make_trainer(arch, 2);
    Net *averaged;
    Batch batch;
    Metrics own, its, wanted;
    step(&f, 10);
    NetHash before = net_hash(trainer_net(f.trainer)), mean = averaged_hash(f.trainer);
    EXPECT_OK(trainer_averaged_net(f.trainer, &averaged, err));
    net_copy_values(other->net, averaged);
    EXPECT_OK(loader_next(f.loader, &batch, err));
    EXPECT_OK(trainer_measure(other, &batch, &wanted, err));
    EXPECT_OK(trainer_measure(f.trainer, &batch, &own, err));
    EXPECT_OK(trainer_measure_net(f.trainer, averaged, &batch, &its, err));
    EXPECT_NEAR(wanted.loss, its.loss, 0);
    EXPECT_NEAR(wanted.policy, its.policy, 0);
    EXPECT_TRUE(fabs(own.loss - its.loss) > 1e-3);
    EXPECT_TEXT(before.text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_TEXT(mean.text, net_hash(averaged).text);
    EXPECT_OK(trainer_measure(f.trainer, &batch, &its, err));
    EXPECT_NEAR(own.loss, its.loss, 0);
    net_free(averaged);
    trainer_free(other);
    clear(&f);
}

TEST(the_averaged_net_is_measured_too) {
    expect_measure_of_averaged("b1c8-fixup-nodist");
    expect_measure_of_averaged("b1c8-batch");
}

static void expect_going_on(const char *arch) {
    Fixture f = make(arch, 1);
    Trainer *other = make_trainer(arch, 1);
    step(&f, 10);
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(other, f.checkpoint.text, err));
    for (int i = 0; i < 10; i++) {
        Batch batch;
        Metrics one, two;
        EXPECT_OK(loader_next(f.loader, &batch, err));
        EXPECT_OK(trainer_step(f.trainer, &batch, &one, err));
        EXPECT_OK(trainer_step(other, &batch, &two, err));
    }
    EXPECT_INT(20 * BATCH, trainer_samples(other));
    EXPECT_TEXT(net_hash(trainer_net(f.trainer)).text, net_hash(trainer_net(other)).text);
    EXPECT_TEXT(averaged_hash(f.trainer).text, averaged_hash(other).text);
    trainer_free(other);
    clear(&f);
}

TEST(training_continues_from_a_checkpoint_with_the_same_numbers) {
    expect_going_on("b1c8-fixup-nodist");
    expect_going_on("b1c8-batch");
    extra = (TrainerSettings){.renorm.rmax = 3, .renorm.dmax = 5, .renorm.samples = BATCH};
    expect_going_on("b1c8-renorm");
    extra = (TrainerSettings){0};
}

static double farthest(const Net *a, const Net *b) {
    double max = 0;
    for (int p = 0; p < program_parameter_count(net_program(a)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(a), p);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            max = fmax(max,
                       fabs((double)net_values_const(a, p)[k] - (double)net_values_const(b, p)[k]));
    }
    return max;
}

/* At the first batch the limits of batch renorm are 1 and 0, so it does the same as batch norm.
 * Later it does not, unless the final limits are 1 and 0, too. */
TEST(batch_renorm_departs_from_batch_norm_after_the_first_batch) {
    for (int moves = 0; moves < 2; moves++) {
        Fixture f = make("b1c8-batch-nodist", 2);
        extra = (TrainerSettings){.renorm.rmax = 1, .renorm.dmax = 0, .renorm.samples = BATCH};
        if (moves) extra.renorm.rmax = 3, extra.renorm.dmax = 5;
        Fixture g = make("b1c8-renorm-nodist", 2);
        extra = (TrainerSettings){0};
        step(&f, 1);
        step(&g, 1);
        EXPECT_NEAR(0, farthest(trainer_net(f.trainer), trainer_net(g.trainer)), 0);
        step(&f, 3);
        step(&g, 3);
        double apart = farthest(trainer_net(f.trainer), trainer_net(g.trainer));
        EXPECT_TRUE(moves ? apart > 1e-5 : apart == 0);
        clear(&f);
        clear(&g);
    }
}

TEST(batch_renorm_learns) {
    extra = (TrainerSettings){.renorm.rmax = 3, .renorm.dmax = 5, .renorm.samples = 50 * BATCH};
    Fixture f = make("b2c16-renorm-nodist", 1);
    extra = (TrainerSettings){0};
    Metrics first = step(&f, 1), last = step(&f, 400);
    EXPECT_TRUE(last.loss < 0.8 * first.loss);
    EXPECT_TRUE(last.value < 0.3);
    clear(&f);
}

TEST(broken_checkpoints_are_refused_and_change_nothing) {
    Fixture f = make("b1c8-fixup", 1);
    Arena arena = {0};
    char *bytes;
    size_t length;
    step(&f, 3);
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(file_read(f.checkpoint.text, 1 << 26, &arena, &bytes, &length, err));
    step(&f, 3);
    NetHash before = net_hash(trainer_net(f.trainer));
    const size_t CUTS[] = {0, 7, 100, length / 2, length - 1};
    for (size_t i = 0; i < sizeof CUTS / sizeof *CUTS; i++) {
        EXPECT_OK(file_write(f.checkpoint.text, bytes, CUTS[i], err));
        EXPECT_STATUS(ERR_SYNTAX, trainer_load(f.trainer, f.checkpoint.text, NULL));
    }
    bytes[length - 40] ^= 4; /* a bit of a weight */
    EXPECT_OK(file_write(f.checkpoint.text, bytes, length, err));
    EXPECT_STATUS(ERR_SYNTAX, trainer_load(f.trainer, f.checkpoint.text, NULL));
    Trainer *other = make_trainer("b1c16-fixup", 1);
    bytes[length - 40] ^= 4;
    EXPECT_OK(file_write(f.checkpoint.text, bytes, length, err));
    EXPECT_STATUS(ERR_SYNTAX, trainer_load(other, f.checkpoint.text, NULL)); /* of another net */
    EXPECT_TEXT(before.text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_INT(6 * BATCH, trainer_samples(f.trainer));
    trainer_free(other);
    arena_clear(&arena);
    clear(&f);
}

/* Trains on the next batch, in which an input is NaN. */
static void step_on_nan(Fixture *f, Status wanted, Error *err) {
    Batch batch;
    Metrics metrics;
    EXPECT_STATUS(OK, loader_next(f->loader, &batch, err));
    batch.globals[3] = NAN;
    EXPECT_STATUS(wanted, trainer_step(f->trainer, &batch, &metrics, err));
}

/* A state is good if training continued from it for at least a period. After two and a half
 * periods, this is the state at the end of the first. Training returns to it and continues with 0.3
 * times the rate. */
TEST(nan_returns_training_to_the_last_good_state) {
    Fixture f = make("b1c8-fixup", 1);
    double before = step(&f, PERIOD).learning_rate;
    NetHash good = net_hash(trainer_net(f.trainer)), mean = averaged_hash(f.trainer);
    EXPECT_TEXT("", trainer_setback_text(f.trainer));
    step(&f, PERIOD + 2);
    step_on_nan(&f, OK, NULL);
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_CONTAINS(trainer_setback_text(f.trainer),
                    "after 352 samples the gradient is not finite");
    EXPECT_CONTAINS(trainer_setback_text(f.trainer), "training stands at 128 samples again");
    EXPECT_TEXT(good.text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_TEXT(mean.text, averaged_hash(f.trainer).text);
    EXPECT_INT(PERIOD * BATCH, trainer_samples(f.trainer));
    EXPECT_NEAR(0.3 * before, step(&f, 1).learning_rate, 1e-6 * before);
    step(&f, 4);
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    clear(&f);
}

/* A gradient may be finite while its square is infinite. Such a step would freeze a weight, because
 * the optimiser divides by the root of a mean of squares. So it counts as a setback. */
TEST(a_gradient_that_cannot_be_squared_is_a_setback) {
    Fixture f = make("b1c8-fixup", 1);
    step(&f, PERIOD);
    f.trainer->setup.training.objective.policy = 1e24;
    Metrics metrics = step(&f, 1);
    EXPECT_TRUE(isfinite(metrics.loss));
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_CONTAINS(trainer_setback_text(f.trainer), "the norm of the gradient is");
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    f.trainer->setup.training.objective.policy = 1;
    NetHash before = net_hash(trainer_net(f.trainer));
    step(&f, 1); /* the weights go on learning */
    EXPECT_TRUE(strcmp(before.text, net_hash(trainer_net(f.trainer)).text) != 0);
    clear(&f);
}

/* Training has not continued from the newest state for a period, so it returns to the one before.
 * At first this is the state with which the trainer was made. */
TEST(the_newest_state_is_not_yet_good) {
    Fixture f = make("b1c8-fixup", 1);
    NetHash first = net_hash(trainer_net(f.trainer));
    step(&f, 2 * PERIOD - 1);
    step_on_nan(&f, OK, NULL);
    EXPECT_INT(0, trainer_samples(f.trainer));
    EXPECT_TEXT(first.text, net_hash(trainer_net(f.trainer)).text);
    step(&f, 2 * PERIOD);
    step_on_nan(&f, OK, NULL);
    EXPECT_INT(PERIOD * BATCH, trainer_samples(f.trainer));
    EXPECT_INT(2, trainer_setbacks(f.trainer));
    clear(&f);
}

/* A weight that has become NaN is noticed within the next period. */
TEST(nan_weights_are_replaced_by_the_last_good_ones) {
    Fixture f = make("b1c8-fixup", 1);
    Batch batch;
    Metrics metrics;
    step(&f, PERIOD);
    NetHash good = net_hash(trainer_net(f.trainer));
    step(&f, PERIOD);
    net_values(f.trainer->net, 0)[0] = NAN;
    for (int i = 0; i < PERIOD && !trainer_setbacks(f.trainer); i++) {
        EXPECT_OK(loader_next(f.loader, &batch, err));
        EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
    }
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_CONTAINS(trainer_setback_text(f.trainer), "training stands at 128 samples again");
    EXPECT_TEXT(good.text, net_hash(trainer_net(f.trainer)).text);
    step(&f, 5);
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    clear(&f);
}

/* The batch is suspect, and the step makes weights infinite. Training returns to the good state. */
TEST(a_suspect_step_that_overflows_is_a_setback) {
    Fixture f = make("b1c8-fixup-nodist", 1);
    Batch batch;
    Metrics metrics;
    f.trainer->divergence.settings.batches = 1;
    step(&f, 2 * PERIOD);
    const Program *program = net_program(trainer_net(f.trainer));
    for (int p = 0; p < program_parameter_count(program); p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            net_values(f.trainer->net, p)[k] *=
                20; /* now the loss is far above the first one, but finite */
    }
    f.trainer->schedule.config.rate = 3e38;
    EXPECT_OK(loader_next(f.loader, &batch, err));
    EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
    EXPECT_TRUE(isfinite(metrics.loss) && isfinite(metrics.gradient_norm));
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_INT(PERIOD * BATCH, trainer_samples(f.trainer));
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    clear(&f);
}

/* Training may return SETBACKS_MAX times without coming further; the next time it fails. */
TEST(too_many_setbacks_end_training) {
    Fixture f = make("b1c8-fixup", 1);
    Error fault = {0};
    step(&f, 3);
    for (int i = 0; i < SETBACKS_MAX; i++) {
        step_on_nan(&f, OK, &fault);
        EXPECT_INT(0, trainer_samples(f.trainer));
        EXPECT_INT(i + 1, trainer_setbacks(f.trainer));
    }
    step_on_nan(&f, ERR_ARGUMENT, &fault);
    EXPECT_CONTAINS(fault.message, "is not finite");
    EXPECT_CONTAINS(fault.message, "10 times without coming further");
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    clear(&f);
}

TEST(coming_further_resets_the_count_of_setbacks) {
    Fixture f = make("b1c8-fixup", 1);
    for (int round = 1; round <= 3; round++) {
        step(&f, 2 * PERIOD);
        for (int i = 0; i < SETBACKS_MAX; i++)
            step_on_nan(&f, OK, NULL);
        EXPECT_INT(round * SETBACKS_MAX, trainer_setbacks(f.trainer));
    }
    clear(&f);
}

/* The loss falls although the learning rate is 100 times too large at first, because setbacks
 * reduce the rate. */
TEST(a_rate_that_is_too_large_becomes_smaller) {
    rate_times = 100;
    Fixture f = make("b2c16-fixup-nodist", 1);
    rate_times = 1;
    Metrics first = step(&f, 1), last = {0};
    for (int i = 0; i < 400; i++) {
        last = step(&f, 1);
        EXPECT_TRUE(isfinite(last.loss));
    }
    EXPECT_TRUE(trainer_setbacks(f.trainer) > 0);
    EXPECT_TRUE(last.learning_rate < 0.5 * first.learning_rate);
    EXPECT_TRUE(net_is_finite(trainer_net(f.trainer), NULL));
    EXPECT_TRUE(last.loss < 0.9 * first.loss);
    clear(&f);
}

/* A state that is loaded counts as good. So while training is under suspicion, trainer_save()
 * writes the last good state. */
TEST(a_suspect_state_is_not_saved) {
    Fixture f = make("b2c16-fixup-nodist", 1);
    step(&f, 12); /* states are kept after 4, 8 and 12 steps; that after 8 is good */
    EXPECT_INT(12 * BATCH, trainer_saved_samples(f.trainer));
    f.trainer->divergence.suspicion = 3;
    EXPECT_INT(8 * BATCH, trainer_saved_samples(f.trainer));
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(f.trainer, f.checkpoint.text, err));
    EXPECT_INT(8 * BATCH, trainer_samples(f.trainer));
    EXPECT_INT(0, f.trainer->divergence.suspicion);
    clear(&f);
}

/* The last good state, which is saved under suspicion, has the setbacks and the lower rate. */
TEST(a_suspect_state_after_a_setback_keeps_the_setback) {
    Fixture f = make("b1c8-fixup", 1);
    Trainer *other = make_trainer("b1c8-fixup", 1);
    step(&f, 2 * PERIOD);
    step_on_nan(&f, OK, NULL);
    step(&f, 1);
    f.trainer->divergence.suspicion = 3;
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(other, f.checkpoint.text, err));
    EXPECT_INT(1, trainer_setbacks(other));
    EXPECT_TRUE(other->divergence.rate < 0.5);
    EXPECT_INT(0, other->divergence.suspicion);
    EXPECT_INT(trainer_saved_samples(f.trainer), trainer_samples(other));
    trainer_free(other);
    clear(&f);
}

/* A training with a good rate has no setback in 400 steps. */
TEST(a_good_rate_has_no_setbacks) {
    Fixture f = make("b2c16-fixup-nodist", 1);
    Metrics first = step(&f, 1), last = step(&f, 400);
    EXPECT_INT(0, trainer_setbacks(f.trainer));
    EXPECT_NEAR(first.learning_rate, last.learning_rate, 1e-9 * first.learning_rate);
    clear(&f);
}

/* From the 31st batch on, rows have the weight 30. This makes the gradient larger with any weights
 * of the net, so it is no setback. */
TEST(rows_of_another_kind_are_no_setback) {
    Fixture f = make("b1c8-fixup-nodist", 1);
    double usual = step(&f, 30).gradient_norm;
    for (int i = 0; i < 30; i++) {
        Batch batch;
        Metrics metrics;
        EXPECT_OK(loader_next(f.loader, &batch, err));
        for (int n = 0; n < batch.count; n++)
            batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 30;
        EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
        if (i < 4) EXPECT_TRUE(metrics.gradient_norm > 12 * usual);
        /* The fourth batch makes training suspect. Then the last good weights show that the data
         * has changed, so the suspicion ends, and the rows count as usual from then on. */
        EXPECT_INT(i < 3 ? i + 1 : 0, f.trainer->divergence.suspicion / 3);
    }
    EXPECT_INT(0, trainer_setbacks(f.trainer));
    EXPECT_INT(60 * BATCH, trainer_samples(f.trainer));
    clear(&f);
}

TEST(a_checkpoint_keeps_the_setbacks_and_the_rate) {
    Fixture f = make("b1c8-fixup-nodist", 1);
    Trainer *other = make_trainer("b1c8-fixup-nodist", 1);
    Batch batch;
    Metrics one, two;
    step(&f, 2 * PERIOD);
    step_on_nan(&f, OK, NULL);
    step(&f, 2);
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(other, f.checkpoint.text, err));
    EXPECT_INT(1, trainer_setbacks(other));
    EXPECT_TEXT("", trainer_setback_text(other)); /* it had no setback since it was made */
    EXPECT_OK(loader_next(f.loader, &batch, err));
    EXPECT_OK(trainer_step(f.trainer, &batch, &one, err));
    EXPECT_OK(trainer_step(other, &batch, &two, err));
    EXPECT_NEAR(0.3 * (double)RATE, two.learning_rate, 1e-9);
    EXPECT_NEAR(one.learning_rate, two.learning_rate, 0);
    EXPECT_TEXT(net_hash(trainer_net(f.trainer)).text, net_hash(trainer_net(other)).text);
    trainer_free(other);
    clear(&f);
}

/* Returns the largest change of a weight by a step of SGD on a batch whose rows have the weight
 * 1000. */
static double moved_by_a_heavy_batch(float clip_median) {
    by_sgd = true;
    extra.clip_median = (double)clip_median;
    rate_times = 0.01f;
    Fixture f = make("b1c8-fixup-nodist", 1);
    by_sgd = false;
    extra.clip_median = 0;
    rate_times = 1;
    Batch batch;
    Metrics metrics;
    Net *before;
    double usual = step(&f, 20).gradient_norm;
    EXPECT_OK(net_copy(trainer_net(f.trainer), &before, err));
    EXPECT_OK(loader_next(f.loader, &batch, err));
    for (int n = 0; n < batch.count; n++)
        batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 1000;
    EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
    EXPECT_TRUE(metrics.gradient_norm > 100 * usual); /* the norm before clipping */
    double moved = farthest(before, trainer_net(f.trainer));
    net_free(before);
    clear(&f);
    return moved;
}

TEST(a_gradient_is_clipped_to_a_few_medians) {
    double free_of_it = moved_by_a_heavy_batch(0), four = moved_by_a_heavy_batch(4),
           two = moved_by_a_heavy_batch(2);
    EXPECT_TRUE(four < 0.1 * free_of_it);
    EXPECT_TRUE(two < four);
}

/* After a restart from a net, the trainer continues as a new trainer with this net would. Only the
 * count of samples and the lower rate differ. */
TEST(a_restart_starts_again_from_a_net) {
    Fixture f = make("b1c8-fixup-nodist", 1);
    Net *net = net_of_words("b1c8-fixup-nodist", 5);
    Batch batch;
    Metrics metrics;
    step(&f, 2 * PERIOD + 1);
    EXPECT_INT((2 * PERIOD + 1) * BATCH, trainer_own_samples(f.trainer));
    EXPECT_OK(trainer_restart(f.trainer, net, "it has learned nothing", err));
    EXPECT_TEXT(net_hash(net).text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_TEXT(net_hash(net).text, averaged_hash(f.trainer).text);
    EXPECT_INT((2 * PERIOD + 1) * BATCH, trainer_samples(f.trainer));
    EXPECT_INT(0, trainer_own_samples(f.trainer));
    EXPECT_INT(1, trainer_setbacks(f.trainer));
    EXPECT_CONTAINS(trainer_setback_text(f.trainer), "it has learned nothing");
    EXPECT_CONTAINS(trainer_setback_text(f.trainer), "begins anew");

    TrainerSetup setup = f.trainer->setup;
    Trainer *fresh;
    setup.training.schedule.rate *= f.trainer->divergence.settings.setback_rate;
    EXPECT_OK(trainer_new(&setup, net, &fresh, err)); /* takes the net */
    for (int i = 0; i < PERIOD; i++) {
        EXPECT_OK(loader_next(f.loader, &batch, err));
        EXPECT_OK(trainer_step(f.trainer, &batch, &metrics, err));
        EXPECT_OK(trainer_step(fresh, &batch, &metrics, err));
    }
    EXPECT_NEAR(0, farthest(trainer_net(f.trainer), trainer_net(fresh)), 1e-6);
    EXPECT_TEXT(net_hash(trainer_net(f.trainer)).text, averaged_hash(f.trainer).text);
    EXPECT_INT(PERIOD * BATCH, trainer_own_samples(f.trainer));
    trainer_free(fresh);
    clear(&f);
}

/* After a restart, the good state is the net with which training started again. States from before
 * the restart are gone. */
TEST(after_a_restart_training_returns_no_farther) {
    extra.lookahead.steps = 3;
    extra.lookahead.fraction = 0.5;
    Fixture f = make("b1c8-fixup-nodist", 1);
    extra = (TrainerSettings){0};
    Net *net = net_of_words("b1c8-fixup-nodist", 5);
    step(&f, 3 * PERIOD);
    EXPECT_OK(trainer_restart(f.trainer, net, "it has learned nothing", err));
    step(&f, 2);
    step_on_nan(&f, OK, NULL);
    EXPECT_INT(3 * PERIOD * BATCH, trainer_samples(f.trainer));
    EXPECT_TEXT(net_hash(net).text, net_hash(trainer_net(f.trainer)).text);
    EXPECT_INT(2, trainer_setbacks(f.trainer));
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(f.trainer, f.checkpoint.text, err));
    step(&f, 3);
    net_free(net);
    clear(&f);
}

/* If a net started with random weights at the sample 5000, its own samples count from there. */
TEST(own_samples_count_from_the_random_weights) {
    Fixture f = make("b1c8-fixup-nodist", 1);
    TrainerSetup setup = f.trainer->setup;
    Trainer *later;
    setup.samples = 5000;
    setup.origin = 5000;
    EXPECT_OK(trainer_new(&setup, net_of_words("b1c8-fixup-nodist", 1), &later, err));
    EXPECT_INT(0, trainer_own_samples(later));
    trainer_free(f.trainer);
    f.trainer = later;
    step(&f, 2);
    EXPECT_INT(2 * BATCH, trainer_own_samples(later));
    EXPECT_INT(5000 + 2 * BATCH, trainer_samples(later));
    clear(&f);
}

TEST(batches_of_another_shape_are_refused) {
    Fixture f = make("b1c8-fixup", 1);
    Batch batch = {0};
    Metrics metrics;
    EXPECT_OK(batch_init(&batch, BATCH + 1, EDGE, err));
    batch.count = BATCH + 1;
    EXPECT_STATUS(ERR_ARGUMENT, trainer_step(f.trainer, &batch, &metrics, NULL));
    batch_clear(&batch);
    EXPECT_OK(batch_init(&batch, BATCH, EDGE + 1, err));
    batch.count = BATCH;
    EXPECT_STATUS(ERR_ARGUMENT, trainer_step(f.trainer, &batch, &metrics, NULL));
    batch_clear(&batch);
    clear(&f);
}

/* Muon is for matrices. The rates of a learned rotation belong to AdamW, which has second moments.
 * A file of a version in which Muon updated them can still be read. */
TEST(learned_rotations_are_not_for_muon) {
    static const char NAME[] = "m2.block0.rotary.rates";
    Net *net = net_of_words("c16,trunk=attention(heads=2)+swiglu", 1);
    const Program *program = net_program(net);
    OptimiserSettings settings;
    Optimiser *optimiser;
    TensorFile *file, *older;
    settings_defaults(OPTIMISER_FIELDS, &settings);
    EXPECT_INT(OPTIMISER_MUON, settings.kind);
    EXPECT_OK(optimiser_new(net, &settings, &optimiser, err));
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(optimiser_save(optimiser, file, err));
    EXPECT_OK(tensor_file_new(&older, err));
    EXPECT_OK(tensor_file_add(older, "optimiser.steps", "I64", 1, &(int64_t){3}, err));
    int rotations = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        for (int moment = 1; moment <= 2; moment++) {
            char name[96];
            snprintf(name, sizeof name, "m%d.%s", moment, spec->name);
            const float *values = tensor_file_values(file, name, "F32", spec->count);
            rotations += values && strcmp(name, NAME) == 0;
            if (values && strcmp(name, NAME) != 0)
                EXPECT_OK(tensor_file_add(older, name, "F32", spec->count, values, err));
        }
    }
    EXPECT_INT(1, rotations);
    EXPECT_OK(optimiser_restore(optimiser, older, err));
    tensor_file_free(older);
    tensor_file_free(file);
    optimiser_free(optimiser);
    net_free(net);
}

TEST_MAIN(RUN(learned_rotations_are_not_for_muon),
          RUN(the_defaults_of_a_setup_are_those_of_the_tables),
          RUN(a_batch_that_no_memory_holds_is_refused),
          RUN(the_trainer_learns_the_rule_of_the_rows), RUN(auxiliary_heads_learn_too),
          RUN(values_of_moves_are_learned_too), RUN(accumulated_batches_make_one_step),
          RUN(a_checkpoint_keeps_the_slow_weights), RUN(loading_drops_gradients_that_wait),
          RUN(equal_trainings_give_equal_nets), RUN(the_time_of_ops_is_summed_over_threads),
          RUN(measuring_changes_nothing), RUN(the_averaged_net_is_measured_too),
          RUN(training_continues_from_a_checkpoint_with_the_same_numbers),
          RUN(batch_renorm_departs_from_batch_norm_after_the_first_batch), RUN(batch_renorm_learns),
          RUN(broken_checkpoints_are_refused_and_change_nothing),
          RUN(nan_returns_training_to_the_last_good_state),
          RUN(a_gradient_that_cannot_be_squared_is_a_setback),
          RUN(the_newest_state_is_not_yet_good),
          RUN(nan_weights_are_replaced_by_the_last_good_ones),
          RUN(a_suspect_step_that_overflows_is_a_setback), RUN(too_many_setbacks_end_training),
          RUN(coming_further_resets_the_count_of_setbacks), RUN(a_suspect_state_is_not_saved),
          RUN(a_suspect_state_after_a_setback_keeps_the_setback),
          RUN(a_rate_that_is_too_large_becomes_smaller), RUN(a_good_rate_has_no_setbacks),
          RUN(rows_of_another_kind_are_no_setback),
          RUN(a_checkpoint_keeps_the_setbacks_and_the_rate),
          RUN(a_gradient_is_clipped_to_a_few_medians), RUN(a_restart_starts_again_from_a_net),
          RUN(after_a_restart_training_returns_no_farther),
          RUN(own_samples_count_from_the_random_weights), RUN(batches_of_another_shape_are_refused))

/* The learning rate. Its place in the schedule depends on the samples since the net's weights were
 * random. The length of a step depends on the number of rows. */
#include "base/file.h"
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "train/trainer.h"

enum { EDGE = 3, BATCH = 4, WARM_UP = 1000, BEFORE = 50000 };

static TrainerSetup usual(void) {
    TrainerSetup setup = {.batch = BATCH, .length = EDGE};
    training_settings_defaults(&setup.training);
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.schedule.rate = 1e-4;
    return setup;
}

/* The steps are long enough that the rounding of weights does not matter. */
static TrainerSetup usual_of(int optimiser) {
    TrainerSetup setup = usual();
    setup.training.optimiser.kind = optimiser;
    setup.training.schedule.rate = optimiser == OPTIMISER_MUON ? 2e-5 : 1e-6;
    return setup;
}

static Trainer *make(const TrainerSetup *setup) {
    Trainer *trainer;
    EXPECT_OK(trainer_new(setup, net_of_words("b1c8-fixup-nodist", 1), &trainer, err));
    return trainer;
}

/* Trains on one batch and returns its learning rate. */
static double next_rate(Trainer *trainer) {
    LoaderSettings config = {.batch = BATCH, .length = EDGE, .memory_mb = 64, .seed = 3};
    TestPath rows = test_path("rate.npz");
    Loader *loader;
    Batch batch;
    Metrics metrics;
    made_file(rows.text, EDGE, EDGE, EDGE, 4 * BATCH, 11);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, rows.text, err));
    EXPECT_OK(loader_next(loader, &batch, err));
    EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
    loader_free(loader);
    remove(rows.text);
    return metrics.learning_rate;
}

/* The learning rate during the warm-up, `samples` samples after its start. */
static double warm(int samples) {
    return 1e-4 * (samples + 1) / WARM_UP;
}

/* A larger net starts with random weights in the middle of a run (`origin` is its count of
 * samples). It warms up like the first net, and continues to do so from a checkpoint. A net that
 * was trained from sample 0 on does not warm up again. */
TEST(the_schedule_begins_where_the_weights_were_random) {
    TestPath path = test_path("origin.aji");
    TrainerSetup setup = usual();
    setup.training.schedule.warmup_samples = WARM_UP;
    Trainer *first = make(&setup);
    setup.samples = BEFORE;
    Trainer *trained = make(&setup);
    setup.origin = BEFORE;
    Trainer *larger = make(&setup);
    EXPECT_NEAR(warm(0), next_rate(first), 1e-12);
    EXPECT_NEAR(1e-4, next_rate(trained), 1e-9);
    EXPECT_NEAR(warm(0), next_rate(larger), 1e-12);
    EXPECT_NEAR(warm(BATCH), next_rate(larger), 1e-12);
    EXPECT_INT(BEFORE + 2 * BATCH, trainer_samples(larger));
    EXPECT_OK(trainer_save(larger, path.text, err));
    EXPECT_OK(trainer_load(first, path.text, err));
    EXPECT_INT(BEFORE + 2 * BATCH, trainer_samples(first));
    EXPECT_NEAR(warm(2 * BATCH), next_rate(first), 1e-12);
    EXPECT_OK(trainer_save(trained, path.text, err)); /* its origin is 0 */
    EXPECT_OK(trainer_load(larger, path.text, err));
    EXPECT_NEAR(1e-4, next_rate(larger), 1e-9);
    trainer_free(first);
    trainer_free(trained);
    trainer_free(larger);
    remove(path.text);
}

/* Makes one step with `rows` rows, and returns the largest change of a weight. All rows are the
 * same, so their mean gradient is that of one row. */
static double step_of(TrainerSetup setup, int rows) {
    Batch batch;
    Metrics metrics;
    double max = 0;
    setup.batch =
        rows / (setup.training.trainer.accumulate > 1 ? setup.training.trainer.accumulate : 1);
    EXPECT_OK(batch_init(&batch, setup.batch, EDGE, err));
    batch.count = setup.batch;
    for (size_t n = 0; n < (size_t)batch.count; n++) {
        for (size_t i = 0; i < EDGE * EDGE; i++) {
            batch.mask[n * EDGE * EDGE + i] = 1;
            batch.planes[(n * EDGE * EDGE + i) * FEATURE_PLANES] = 1;
        }
        batch.policy[n * 2 * (EDGE * EDGE + 1) + 4] = 1;
        batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 1;
        batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_POLICY] = 1;
        batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_FINAL] = 1;
    }
    Trainer *trainer = make(&setup);
    Net *before = net_of_words("b1c8-fixup-nodist", 1);
    for (int i = 0; i < rows; i += setup.batch)
        EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
    for (int p = 0; p < program_parameter_count(net_program(before)); p++) {
        const float *from = net_values_const(before, p),
                    *to = net_values_const(trainer_net(trainer), p);
        for (size_t k = 0; k < program_parameter(net_program(before), p)->count; k++)
            max = fmax(max, fabs((double)to[k] - (double)from[k]));
    }
    net_free(before);
    trainer_free(trainer);
    batch_clear(&batch);
    EXPECT_TRUE(max > 0);
    return max;
}

/* As in KataGo's python/train.py, SGD multiplies its rate by the sum of the gradients of a batch,
 * so that a step grows with the number of rows. The steps of the other optimisers do not grow with
 * the gradient. So their rates are multiplied by sqrt(batch / 256). */
TEST(steps_grow_with_the_rows_or_with_their_root) {
    static const struct {
        int kind, by_rows;
        double four, all; /* length of a step of 4 rows, and of 256, relative to one row */
    } LAWS[] = {
        {OPTIMISER_SGD, BY_ROWS_AUTO, 4, 256},     {OPTIMISER_ADAMW, BY_ROWS_AUTO, 2, 16},
        {OPTIMISER_MUON, BY_ROWS_AUTO, 2, 16},     {OPTIMISER_SGD, BY_ROWS_ROOT, 2, 16},
        {OPTIMISER_ADAMW, BY_ROWS_LINEAR, 4, 256}, {OPTIMISER_MUON, BY_ROWS_LINEAR, 4, 256}};
    /* For each optimiser, the length of a step of 256 rows. Both laws of an optimiser give it. */
    double usual[3] = {0};
    for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++) {
        TrainerSetup setup = usual_of(LAWS[i].kind);
        setup.training.schedule.by_rows = LAWS[i].by_rows;
        double one = step_of(setup, 1), all = step_of(setup, 256);
        EXPECT_NEAR(LAWS[i].four, step_of(setup, 4) / one, 0.01 * LAWS[i].four);
        EXPECT_NEAR(LAWS[i].all, all / one, 0.01 * LAWS[i].all);
        setup.training.trainer.accumulate = 4;
        EXPECT_NEAR(LAWS[i].four, step_of(setup, 4) / one, 0.01 * LAWS[i].four);
        if (!(usual[LAWS[i].kind] > 0)) usual[LAWS[i].kind] = all;
        EXPECT_NEAR(usual[LAWS[i].kind], all, 1e-4 * all);
    }
}

/* Trains two nets with these setups and descriptions on one batch, and returns the largest
 * difference between their trained parameters. */
static double first_steps_apart(const TrainerSetup *one, const char *one_net,
                                const TrainerSetup *two, const char *two_net) {
    Trainer *a, *b;
    double max = 0;
    EXPECT_OK(trainer_new(one, net_of_words(one_net, 1), &a, err));
    EXPECT_OK(trainer_new(two, net_of_words(two_net, 1), &b, err));
    next_rate(a);
    next_rate(b);
    const Net *x = trainer_net(a), *y = trainer_net(b);
    for (int p = 0; p < program_parameter_count(net_program(x)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(x), p);
        for (size_t k = 0; k < spec->count && spec->trained; k++) {
            double by = (double)net_values_const(x, p)[k] - (double)net_values_const(y, p)[k];
            max = isfinite(by) ? fmax(max, fabs(by)) : HUGE_VAL;
        }
    }
    trainer_free(a);
    trainer_free(b);
    return max;
}

/* decay_rate_exponent raises the ratio of the rate to its full value to a power. At the full rate
 * the ratio is 1, so the power changes nothing. During the warm-up the power changes the decay. A
 * rate of 0 stands for the optimiser's usual rate. */
TEST(decay_follows_the_ratio_of_the_rate) {
    TrainerSetup plain = usual(), powered = usual();
    plain.training.schedule.rate = powered.training.schedule.rate = 0;
    plain.training.optimiser.weight_decay = powered.training.optimiser.weight_decay = 1;
    powered.training.optimiser.decay_rate_exponent = 2;
    EXPECT_NEAR(0, first_steps_apart(&plain, "b1c8-nodist", &powered, "b1c8-nodist"), 0);
    plain.training.schedule.rate = powered.training.schedule.rate = 0.1;
    plain.training.schedule.warmup_samples = powered.training.schedule.warmup_samples = 10;
    EXPECT_TRUE(first_steps_apart(&plain, "b1c8-nodist", &powered, "b1c8-nodist") > 1e-3);
}

/* The limits of batch renorm depend on the samples since the net's weights were random. So the
 * first step of a net is as with batch norm, also in the middle of a run. */
TEST(batch_renorm_begins_where_the_weights_were_random) {
    const char *batch = "b1c8-batch-nodist", *renorm = "b1c8-renorm-nodist";
    TrainerSetup setup = usual();
    setup.samples = setup.origin = BEFORE;
    EXPECT_NEAR(0, first_steps_apart(&setup, batch, &setup, renorm), 0);
    setup.origin = 0;
    EXPECT_TRUE(first_steps_apart(&setup, batch, &setup, renorm) > 1e-6);
}

static double usual_rate(const char *arch, int kind) {
    Net *net = net_of_words(arch, 1);
    double rate = optimiser_usual_rate(kind, net);
    net_free(net);
    return rate;
}

/* The usual rates of AdamW and Muon are the same for all small nets. For larger nets they are
 * divided by a factor that grows as the square root of blocks times channels. The usual rate of SGD
 * is the same for all nets. */
TEST(large_nets_have_a_smaller_rate) {
    EXPECT_NEAR(6e-5, usual_rate("b10c128-fixup-nodist", OPTIMISER_SGD), 0);
    EXPECT_NEAR(12e-6, usual_rate("b1c8-fixup-nodist", OPTIMISER_MUON), 0);
    EXPECT_NEAR(12e-6, usual_rate("b4c32-fixup-nodist", OPTIMISER_ADAMW), 0);
    EXPECT_NEAR(12e-6, usual_rate("b5c48-fixup-nodist", OPTIMISER_MUON), 0);
    EXPECT_NEAR(9.8e-6, usual_rate("b6c64-fixup-nodist", OPTIMISER_MUON), 1e-7);
    EXPECT_NEAR(5.5e-6, usual_rate("b10c128-fixup-nodist", OPTIMISER_MUON), 1e-7);
}

TEST_MAIN(RUN(large_nets_have_a_smaller_rate), RUN(steps_grow_with_the_rows_or_with_their_root),
          RUN(the_schedule_begins_where_the_weights_were_random),
          RUN(decay_follows_the_ratio_of_the_rate),
          RUN(batch_renorm_begins_where_the_weights_were_random))

/* The rate of a step: a net's own samples decide where it stands in the schedule. */
#include "base/file.h"
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "train/trainer.h"

enum { EDGE = 3, BATCH = 4, WARM_UP = 1000, BEFORE = 50000 };

static TrainerSetup usual(void) {
    TrainerSetup setup = {.batch = BATCH, .length = EDGE};
    settings_defaults(TRAINER_FIELDS, &setup.trainer);
    settings_defaults(OBJECTIVE_FIELDS, &setup.objective);
    settings_defaults(OPTIMISER_FIELDS, &setup.optimiser);
    settings_defaults(SCHEDULE_FIELDS, &setup.schedule);
    settings_defaults(AVERAGING_FIELDS, &setup.averaging);
    setup.trainer.precision = TRAINER_F32;
    setup.schedule.rate = 1e-4f;
    return setup;
}

static Trainer *make(const TrainerSetup *setup) {
    Trainer *trainer;
    EXPECT_OK(trainer_new(setup, net_of_words("b1c8-fixup-nodist", 1), &trainer, err));
    return trainer;
}

/* The rate that the next batch has. */
static double next_rate(Trainer *trainer) {
    LoaderConfig config = {.batch = BATCH, .length = EDGE, .memory_mb = 64, .seed = 3};
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

static double warm(int samples) {
    return 1e-4 * (samples + 1) / WARM_UP;
}

/* A larger net that begins in the middle of a run warms up like the first, also after a new start;
 * a net whose count began elsewhere but that was trained before does not. */
TEST(the_schedule_begins_where_the_weights_were_random) {
    TestPath path = test_path("origin.aji");
    TrainerSetup setup = usual();
    setup.schedule.warmup_samples = WARM_UP;
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
    EXPECT_OK(trainer_save(trained, path.text, err)); /* which says no origin */
    EXPECT_OK(trainer_load(larger, path.text, err));
    EXPECT_NEAR(1e-4, next_rate(larger), 1e-9);
    trainer_free(first);
    trainer_free(trained);
    trainer_free(larger);
    remove(path.text);
}

TEST_MAIN(RUN(the_schedule_begins_where_the_weights_were_random))

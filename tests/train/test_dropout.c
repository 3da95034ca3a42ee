/* Training with dropout. What is dropped follows from the seed and the count of samples, and does
 * not depend on the number of threads. */
#include <math.h>

#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "train/trainer_private.h"

enum { EDGE = 5, BATCH = 16 };

static Trainer *trainer_of(const char *arch, uint64_t seed, int threads) {
    TrainerSetup setup = {.batch = BATCH, .length = EDGE, .seed = seed};
    Trainer *trainer;
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = threads;
    setup.training.trainer.precision = TRAINER_F32;
    EXPECT_OK(trainer_new(&setup, net_of_words(arch, 1), &trainer, err));
    return trainer;
}

typedef struct {
    double losses[3], measured;
} Course;

/* Trains on three batches, which are the same in every call. Before that, it measures the loss of
 * the first batch without learning. */
static Course run(const char *arch, uint64_t seed, int threads) {
    LoaderSettings config = {.batch = BATCH, .length = EDGE, .memory_mb = 16, .seed = 3};
    TestPath path = test_path("dropout.npz");
    Trainer *trainer = trainer_of(arch, seed, threads);
    Loader *loader;
    Course course;
    Metrics metrics;
    Batch batch;
    made_file(path.text, EDGE, EDGE, EDGE, 64, 1);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(loader_next(loader, &batch, err));
        if (i == 0) EXPECT_OK(trainer_measure(trainer, &batch, &metrics, err));
        if (i == 0) course.measured = metrics.loss;
        EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
        course.losses[i] = metrics.loss;
    }
    loader_free(loader);
    trainer_free(trainer);
    remove(path.text);
    return course;
}

static const char PLAIN[] = "c16-silu-nodist,trunk=encoder(heads=2)*2",
                  DROPPED[] = "c16-silu-nodist,trunk=encoder(heads=2,dropout=50)*2";

TEST(the_seed_decides_what_is_dropped) {
    Course one = run(DROPPED, 1, 1), again = run(DROPPED, 1, 1), other = run(DROPPED, 2, 1);
    for (int i = 0; i < 3; i++) {
        EXPECT_NEAR(one.losses[i], again.losses[i], 0);
        EXPECT_TRUE(fabs(one.losses[i] - other.losses[i]) > 1e-4);
    }
}

TEST(three_threads_drop_what_one_thread_drops) {
    Course one = run(DROPPED, 1, 1), three = run(DROPPED, 1, 3);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(one.losses[i], three.losses[i], 1e-3);
}

/* Only learning drops anything. A measurement has the result of a net without dropout. */
TEST(measurements_drop_nothing) {
    Course plain = run(PLAIN, 1, 1), dropped = run(DROPPED, 1, 1);
    EXPECT_NEAR(plain.measured, dropped.measured, 1e-6);
    EXPECT_NEAR(plain.measured, plain.losses[0], 1e-6);
    EXPECT_TRUE(fabs(dropped.measured - dropped.losses[0]) > 1e-4);
}

TEST_MAIN(RUN(the_seed_decides_what_is_dropped), RUN(three_threads_drop_what_one_thread_drops),
          RUN(measurements_drop_nothing))

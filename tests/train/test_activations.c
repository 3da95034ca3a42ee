/* The mean squares of the outputs of layers, as a trainer measures them. */
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "test.h"
#include "train/trainer.h"

enum { EDGE = 5, ROWS = 13 };

static Trainer *make_trainer(bool measured, int threads) {
    TrainerSetup setup = {.batch = ROWS, .length = EDGE};
    Trainer *trainer;
    training_settings_defaults(&setup.training);
    EXPECT_FALSE(setup.training.trainer.activations);
    setup.training.trainer.activations = measured;
    setup.training.trainer.threads = threads;
    setup.training.trainer.precision = TRAINER_F32;
    EXPECT_OK(trainer_new(&setup, net_of_words("b1c8-fixup-nodist", 1), &trainer, err));
    return trainer;
}

/* Returns the mean square of an input of the batch, over its rows and, for planes, over the points
 * on the board. */
static double square_of(const Batch *batch, bool planes) {
    size_t channels = planes ? FEATURE_PLANES : FEATURE_GLOBALS,
           rows = (size_t)batch->count * (planes ? EDGE * EDGE : 1);
    const float *values = planes ? batch->planes : batch->globals;
    double sum = 0, count = 0;
    for (size_t r = 0; r < rows; r++) {
        if (planes && values[r * channels] == 0) continue; /* the first plane is the board */
        for (size_t c = 0; c < channels; c++)
            sum += pow((double)values[r * channels + c], 2);
        count += (double)channels;
    }
    return sum / count;
}

TEST(each_batch_is_measured_and_training_stays_the_same) {
    LoaderSettings config = {.batch = ROWS, .length = EDGE, .memory_mb = 16, .seed = 1};
    TestPath path = test_path("activations.npz");
    Trainer *plain = make_trainer(false, 1), *one = make_trainer(true, 1),
            *three = make_trainer(true, 3);
    const Program *program = net_program(trainer_net(one));
    Loader *loader;
    made_file(path.text, EDGE, EDGE - 1, EDGE - 1, 4 * ROWS, 1);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_TRUE(!trainer_activations(plain));
    for (int v = 0; v < program_op_count(program); v++)
        EXPECT_TRUE(isnan(trainer_activations(one)[v]));
    for (int step = 0; step < 3; step++) {
        Batch batch;
        Metrics metrics;
        int known = 0;
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int i = 0; i < batch.count * FEATURE_GLOBALS; i++)
            batch.globals[i] = (float)((1 + step) * (i % 7)) / 10; /* so that batches differ */
        EXPECT_OK(trainer_step(plain, &batch, &metrics, err));
        EXPECT_OK(trainer_step(one, &batch, &metrics, err));
        EXPECT_OK(trainer_step(three, &batch, &metrics, err));
        EXPECT_TEXT(net_hash(trainer_net(plain)).text, net_hash(trainer_net(one)).text);
        for (int v = 0; v < program_op_count(program); v++) {
            double mean = trainer_activations(one)[v], other = trainer_activations(three)[v];
            EXPECT_TRUE(isnan(mean) == isnan(other));
            if (isnan(mean)) continue;
            EXPECT_NEAR(mean, other, 1e-3 * mean + 1e-9);
            known += mean > 0;
        }
        EXPECT_TRUE(known >= 10);
        for (int i = 0; i < 2; i++) {
            Value input = program_input_value(program, i);
            bool planes = program_op(program, input)->shape == KIND_SPATIAL;
            double want = square_of(&batch, planes);
            EXPECT_NEAR(want, trainer_activations(one)[input], 1e-5 * want);
        }
    }
    trainer_free(plain);
    trainer_free(one);
    trainer_free(three);
    loader_free(loader);
    remove(path.text);
}

static double sum_of(const Trainer *trainer) {
    double sum = 0;
    for (int v = 0; v < program_op_count(net_program(trainer_net(trainer))); v++) {
        double mean = trainer_activations(trainer)[v];
        sum += isnan(mean) ? 0 : mean;
    }
    return sum;
}

/* Measuring a net on other rows changes nothing of what was measured in training. */
TEST(a_measured_batch_is_left_out) {
    LoaderSettings config = {.batch = ROWS, .length = EDGE, .memory_mb = 16, .seed = 1};
    TestPath path = test_path("activations.npz");
    Trainer *trainer = make_trainer(true, 1);
    Loader *loader;
    Batch batch;
    Metrics metrics;
    made_file(path.text, EDGE, EDGE, EDGE, 4 * ROWS, 1);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_OK(loader_next(loader, &batch, err));
    EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
    double before = sum_of(trainer);
    EXPECT_OK(loader_next(loader, &batch, err));
    EXPECT_OK(trainer_measure(trainer, &batch, &metrics, err));
    EXPECT_NEAR(before, sum_of(trainer), 0);
    EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
    EXPECT_FALSE(before == sum_of(trainer));
    trainer_free(trainer);
    loader_free(loader);
    remove(path.text);
}

TEST_MAIN(RUN(each_batch_is_measured_and_training_stays_the_same),
          RUN(a_measured_batch_is_left_out))

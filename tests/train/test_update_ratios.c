/* The update ratios of steps, compared with copies of the weights before and after them. */
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "test.h"
#include "train/trainer.h"
#include "train/update_ratios.h"

enum { EDGE = 4, ROWS = 16 };

/* A weight that moves from (3, 4) to (3, 1), a bias that is 0 at first, and a running mean, which
 * is not trained. */
TEST(ratios_are_those_of_euclidean_norms) {
    Program *program;
    Net *net;
    UpdateRatios *ratios;
    EXPECT_OK(program_new(&program, err));
    Value x = program_dense(program, "dense", program_input(program, "v", KIND_VECTOR, 1), 2, 0);
    x = program_bias(program, "shift", x);
    program_output(program, "y", program_batch_norm(program, "batch", x, 1e-3, 0.9));
    EXPECT_OK(net_new(program, NULL, &net, err));
    EXPECT_OK(update_ratios_new(net, &ratios, err));
    for (int p = 0; p < program_parameter_count(program); p++)
        EXPECT_TRUE(isnan(update_ratios_values(ratios)[p]));
    for (int p = 0; p < program_parameter_count(program); p++)
        net_values(net, p)[0] = net_values(net, p)[1] = 0;
    net_values(net, 0)[0] = 3;
    net_values(net, 0)[1] = 4;
    update_ratios_begin(ratios, net);
    for (int p = 0; p < program_parameter_count(program); p++)
        net_values(net, p)[1] = 1;
    update_ratios_end(ratios, net);
    EXPECT_NEAR(3.0 / 5, update_ratios_values(ratios)[0], 1e-12);
    for (int p = 1; p < program_parameter_count(program); p++)
        EXPECT_TRUE(isnan(update_ratios_values(ratios)[p]));
    update_ratios_free(ratios);
    net_free(net);
}

static Trainer *make_trainer(bool measured) {
    TrainerSetup setup = {.batch = ROWS, .length = EDGE};
    Trainer *trainer;
    training_settings_defaults(&setup.training);
    EXPECT_FALSE(setup.training.trainer.update_ratios);
    setup.training.trainer.update_ratios = measured;
    setup.training.trainer.threads = 1;
    EXPECT_OK(trainer_new(&setup, net_of_words("b1c8-nodist", 1), &trainer, err));
    return trainer;
}

TEST(a_trainer_measures_each_step_and_learns_the_same) {
    LoaderSettings config = {.batch = ROWS, .length = EDGE, .memory_mb = 16, .seed = 1};
    TestPath path = test_path("ratios.npz");
    Trainer *plain = make_trainer(false), *measured = make_trainer(true);
    Loader *loader;
    made_file(path.text, EDGE, EDGE, EDGE, ROWS, 1);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_TRUE(!trainer_update_ratios(plain));
    for (int step = 0; step < 3; step++) {
        Batch batch;
        Metrics metrics;
        Net *before;
        int known = 0;
        EXPECT_OK(loader_next(loader, &batch, err));
        EXPECT_OK(net_copy(trainer_net(measured), &before, err));
        EXPECT_OK(trainer_step(plain, &batch, &metrics, err));
        EXPECT_OK(trainer_step(measured, &batch, &metrics, err));
        EXPECT_TEXT(net_hash(trainer_net(plain)).text, net_hash(trainer_net(measured)).text);
        const Program *program = net_program(before);
        for (int p = 0; p < program_parameter_count(program); p++) {
            const float *a = net_values_const(before, p),
                        *b = net_values_const(trainer_net(measured), p);
            double size = 0, moved = 0, ratio = trainer_update_ratios(measured)[p];
            for (size_t k = 0; k < program_parameter(program, p)->count; k++) {
                size += pow((double)a[k], 2);
                moved += pow((double)(b[k] - a[k]), 2);
            }
            if (!program_parameter(program, p)->trained || !(size > 0)) continue;
            EXPECT_NEAR(sqrt(moved) / sqrt(size), ratio, 1e-9);
            known += ratio > 0;
        }
        EXPECT_TRUE(known >= 5);
        net_free(before);
    }
    trainer_free(plain);
    trainer_free(measured);
    loader_free(loader);
    remove(path.text);
}

TEST_MAIN(RUN(ratios_are_those_of_euclidean_norms),
          RUN(a_trainer_measures_each_step_and_learns_the_same))

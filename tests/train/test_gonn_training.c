/* Nets that read GoNN's planes learn from stored rows, which only have KataGo's planes. */
#include "base/file.h"
#include "data/loader.h"
#include "eval/net_of_words.h"
#include "golden.h"
#include "train/trainer.h"

#define ROWS "train/selfplay.npz"
enum { BATCH = 32, LENGTH = 19, STEPS = 80, MEASURED = 10 };

/* Trains a net on the golden rows, on two threads, with this weight of the policy. Writes the means
 * of the metrics over the first and over the last MEASURED steps. */
static void train(const char *words, double policy, Metrics means[2]) {
    const LoaderSettings config = {.batch = BATCH,
                                   .length = LENGTH,
                                   .memory_mb = 64,
                                   .symmetries = true,
                                   .history_drop = true,
                                   .history_masks = HISTORY_DRAWN,
                                   .seed = 3};
    TrainerSetup setup = {.batch = BATCH, .length = LENGTH};
    Loader *loader;
    Trainer *trainer;
    Path path;
    EXPECT_TRUE(golden_find(golden_folder(ROWS), ROWS, &path));
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    training_settings_defaults(&setup.training);
    setup.training.schedule.rate = 1e-4;
    setup.training.trainer.threads = 2;
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.objective.policy = policy;
    setup.training.objective.ladders = 5;
    EXPECT_OK(trainer_new(&setup, net_of_words(words, 1), &trainer, err));
    memset(means, 0, 2 * sizeof *means);
    for (int i = 0; i < STEPS; i++) {
        Metrics metrics;
        Batch batch;
        EXPECT_OK(loader_next(loader, &batch, err));
        EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
        int part = i < MEASURED ? 0 : i >= STEPS - MEASURED ? 1 : -1;
        if (part < 0) continue;
        means[part].loss += metrics.loss / MEASURED;
        means[part].policy += metrics.policy / MEASURED;
        means[part].ladders += metrics.ladders / MEASURED;
    }
    trainer_free(trainer);
    loader_free(loader);
}

/* This is a small form of GoNN's net of April 2018, with the head "ladders" added. The target of
 * this head is the sum of two planes, GONN_ATARI and GONN_LADDER. So the net can learn it only if
 * the trainer fills the planes of the right rows. */
static const char NET[] =
    "c16-batch-prelu-k5,heads=policy+ladders,policies=move,pass=false,inputs=gonn26,"
    "start_center=0.3,center_init=0.3,prelu_slope=0,norm_gain=false,pooling=mean_max,"
    "head_kernel=3,policy_kernel=5,head_crelu=true,head_mean_max=true,policy_channels=12,"
    "policy_pooled=8,trunk=residual(dilation=2)+pooled";

TEST(losses_fall) {
    Metrics means[2];
    train(NET, 1, means);
    print_message("loss %g to %g, policy %g to %g, ladders %g to %g\n", means[0].loss,
                  means[1].loss, means[0].policy, means[1].policy, means[0].ladders,
                  means[1].ladders);
    EXPECT_TRUE(means[1].loss < means[0].loss - 1.5);
    EXPECT_TRUE(means[1].policy < means[0].policy - 0.7);
    EXPECT_TRUE(means[1].ladders < 0.1);
}

/* As GoNN's net that reads only ladders: without a weight, the policy is not learned, although every
 * net has this head. */
TEST(ladders_are_learned_alone) {
    Metrics means[2];
    train(NET, 0, means);
    print_message("policy %g to %g, ladders %g to %g\n", means[0].policy, means[1].policy,
                  means[0].ladders, means[1].ladders);
    EXPECT_TRUE(means[0].ladders > 0.1 && means[1].ladders < 0.1);
    EXPECT_TRUE(means[1].policy > means[0].policy - 0.3);
}

TEST_MAIN(RUN(losses_fall), RUN(ladders_are_learned_alone))

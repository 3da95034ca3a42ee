/* fuzz_checkpoint.c - reads any bytes as a checkpoint for a tiny trainer. If the trainer refuses
 * the checkpoint, the trainer must stay as it was. Otherwise the loaded weights must be finite.
 * They must not change when the state is written and read again. They must still be finite after
 * one more step of training, if this step succeeds. */
#include "fuzz.h"

#include <math.h>

#include "eval/arch/arch.h"
#include "train/trainer.h"

enum { LENGTH = 2, ROWS = 2, AREA = LENGTH * LENGTH };

static Trainer *trainer;
static Batch batch;
static Path base, path, copy;

/* Makes a batch of two rows. Their boards fill the buffer, and their policy targets are uniform. */
static void make_batch(void) {
    CHECK(!batch_init(&batch, ROWS, LENGTH, NULL));
    batch.count = ROWS;
    for (int i = 0; i < ROWS * AREA; i++)
        batch.mask[i] = batch.planes[i * FEATURE_PLANES] = 1;
    for (int i = 0; i < ROWS * 2 * (AREA + 1); i++)
        batch.policy[i] = 1.0f / (AREA + 1);
    for (int n = 0; n < ROWS; n++) {
        float *targets = batch.targets + n * ROW_GLOBAL_TARGETS;
        for (int i = 0; i < 20; i += 4)
            targets[i + n] = 1;
        for (int i = TARGET_WEIGHT; i <= TARGET_WEIGHT_REPLY; i++)
            targets[i] = 1;
        batch.score[n * 842 + 421] = 1;
    }
}

static void begin(void) {
    TrainerSetup setup = {.batch = ROWS, .length = LENGTH};
    Rng rng = rng_seeded(1);
    Metrics metrics;
    Net *net;
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = 1;
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.averaging.period_samples = ROWS;
    CHECK(!arch_build_text("b1c8-fixup-nodist,start_kernel=1,go_features=false,policy_channels=1,"
                           "value_channels=1,value_hidden=1",
                           &rng, &net, NULL));
    CHECK(!trainer_new(&setup, net, &trainer, NULL));
    make_batch();
    for (int i = 0; i < 3; i++)
        CHECK(!trainer_step(trainer, &batch, &metrics, NULL));
    base = fuzz_path("base.aji");
    path = fuzz_path("checkpoint.aji");
    copy = fuzz_path("copy.aji");
    CHECK(!trainer_save(trainer, base.text, NULL));
}

static NetHash hash_of_average(void) {
    Net *net;
    CHECK(!trainer_averaged_net(trainer, &net, NULL));
    CHECK(net_is_finite(net, NULL));
    NetHash hash = net_hash(net);
    net_free(net);
    return hash;
}

static void check_loaded(void) {
    Metrics metrics;
    CHECK(net_is_finite(trainer_net(trainer), NULL));
    NetHash hash = net_hash(trainer_net(trainer)), average = hash_of_average();
    int64_t samples = trainer_samples(trainer), setbacks = trainer_setbacks(trainer);
    CHECK(samples >= 0 && setbacks >= 0 && trainer_own_samples(trainer) >= 0);
    CHECK(!trainer_save(trainer, copy.text, NULL));
    CHECK(!trainer_load(trainer, copy.text, NULL));
    CHECK(strcmp(hash.text, net_hash(trainer_net(trainer)).text) == 0);
    CHECK(strcmp(average.text, hash_of_average().text) == 0);
    CHECK(samples == trainer_samples(trainer) && setbacks == trainer_setbacks(trainer));
    Status status = trainer_step(trainer, &batch, &metrics, NULL);
    if (!status) status = trainer_settle(trainer, NULL);
    if (!status) CHECK(net_is_finite(trainer_net(trainer), NULL) && isfinite(metrics.loss));
    if (!status) hash_of_average();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static NetHash hash, average;
    Error fault = {0};
    if (!trainer) {
        begin();
        hash = net_hash(trainer_net(trainer));
        average = hash_of_average();
    }
    fuzz_write_tensors(path.text, bytes, count);
    if (!trainer_load(trainer, path.text, &fault)) {
        check_loaded();
        CHECK(!trainer_load(trainer, base.text, NULL));
    } else {
        CHECK(*fault.message != 0);
    }
    CHECK(strcmp(hash.text, net_hash(trainer_net(trainer)).text) == 0);
    CHECK(strcmp(average.text, hash_of_average().text) == 0);
    return 0;
}

/* Nets with attention learn in bf16 as well as in f32: with the same first net and the same batches,
 * the losses at the end differ by at most half as much as those of two trainings in f32 that have
 * the batches in different orders. */
#include <math.h>

#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "nn/backends/backend.h"
#include "train/trainer_private.h"

enum { EDGE = 5, BATCH = 32, STEPS = 100, LAST = 20 };

static Trainer *trainer_of(const char *arch, int precision) {
    TrainerSetup setup = {.batch = BATCH, .length = EDGE, .seed = 1};
    Trainer *trainer;
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = 1;
    setup.training.trainer.precision = precision;
    setup.training.schedule.rate = 3e-5;
    EXPECT_OK(trainer_new(&setup, net_of_words(arch, 1), &trainer, err));
    return trainer;
}

typedef struct {
    double first, last; /* the loss of the first batch, and the mean loss of the last batches */
} Course;

/* `order` determines the order of the batches. */
static Course run(const char *arch, int precision, uint64_t order) {
    LoaderSettings config = {.batch = BATCH, .length = EDGE, .memory_mb = 16, .seed = order};
    TestPath path = test_path("bf16.npz");
    Trainer *trainer = trainer_of(arch, precision);
    Loader *loader;
    Course course = {0, 0};
    made_file(path.text, EDGE, EDGE, EDGE, 256, 11);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < STEPS; i++) {
        Batch batch;
        Metrics metrics;
        EXPECT_OK(loader_next(loader, &batch, err));
        EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
        if (i == 0) course.first = metrics.loss;
        if (i >= STEPS - LAST) course.last += metrics.loss / LAST;
    }
    loader_free(loader);
    trainer_free(trainer);
    remove(path.text);
    return course;
}

static void check(const char *arch) {
    Course f32 = run(arch, TRAINER_F32, 3), bf16 = run(arch, TRAINER_BF16, 3),
           other = run(arch, TRAINER_F32, 4);
    print_message("loss of the first batch %g; of the last: f32 %g, bf16 %g, other order %g\n",
                  f32.first, f32.last, bf16.last, other.last);
    EXPECT_TRUE(f32.last < 0.6 * f32.first);
    EXPECT_TRUE(bf16.last != f32.last); /* bf16 was really used */
    EXPECT_NEAR(f32.last, bf16.last, 0.5 * fabs(f32.last - other.last));
}

TEST(attention_in_bf16_learns_as_in_f32) {
    if (SANITIZED) SKIP("it would take minutes with a sanitizer");
    if (!backend_has_bf16()) SKIP("bf16 is not native here");
    check("c16-silu-nodist,trunk=attention(heads=2,kv_heads=1)+swiglu");
}

TEST(attention_with_maps_in_bf16_learns_as_in_f32) {
    if (SANITIZED) SKIP("it would take minutes with a sanitizer");
    if (!backend_has_bf16()) SKIP("bf16 is not native here");
    check("c16-silu-nodist,trunk=attention(heads=2,maps=smolgen,side=5)+swiglu");
}

TEST_MAIN(RUN(attention_in_bf16_learns_as_in_f32),
          RUN(attention_with_maps_in_bf16_learns_as_in_f32))

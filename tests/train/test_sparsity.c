/* Training with 2:4 sparsity. Weights outside the masks stay 0 after many steps and in the averaged
 * net. Checkpoints keep the masks, and a restart makes new ones. A training without sparsity has no
 * trace of it. */
#include "data/made_rows.h"
#include "eval/net_of_words.h"
#include "nn/graph/packed_weights.h"
#include "train/trainer_private.h"

enum { EDGE = 5, BATCH = 32 };

typedef struct {
    TestPath rows, checkpoint;
    Trainer *trainer;
    Loader *loader;
} Fixture;

static const char ARCH[] = "b2c16-fixup-nodist";

static TrainerSetup setup_of(const SparsitySettings *sparsity) {
    TrainerSetup setup = {.batch = BATCH, .length = EDGE};
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = 1;
    setup.training.trainer.precision = TRAINER_F32;
    setup.training.trainer.sparsity.method = sparsity->method;
    if (*sparsity->names)
        snprintf(setup.training.trainer.sparsity.names,
                 sizeof setup.training.trainer.sparsity.names, "%s", sparsity->names);
    if (sparsity->refresh_samples)
        setup.training.trainer.sparsity.refresh_samples = sparsity->refresh_samples;
    setup.training.trainer.sparsity.start_samples = sparsity->start_samples;
    setup.training.schedule.rate = 6e-5;
    setup.training.averaging.period_samples = 4 * BATCH;
    return setup;
}

static Fixture make_of(const char *arch, SparsitySettings sparsity) {
    Fixture f = {.rows = test_path("sparsity.npz"), .checkpoint = test_path("sparsity.aji")};
    LoaderSettings config = {.batch = BATCH, .length = EDGE, .memory_mb = 64, .seed = 3};
    const TrainerSetup setup = setup_of(&sparsity);
    made_file(f.rows.text, EDGE, EDGE, EDGE, 256, 11);
    EXPECT_OK(loader_new(&config, &f.loader, err));
    EXPECT_OK(loader_add_file(f.loader, f.rows.text, err));
    EXPECT_OK(trainer_new(&setup, net_of_words(arch, 1), &f.trainer, err));
    return f;
}

static Fixture make(SparsitySettings sparsity) {
    return make_of(ARCH, sparsity);
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

/* Whether a parameter has the form 2:4 and some weights other than 0. */
static bool is_2_4(const Net *net, int parameter) {
    const ParameterSpec *spec = program_parameter(net_program(net), parameter);
    const float *values = net_values_const(net, parameter);
    bool zero = true;
    for (size_t k = 0; k < spec->count; k++)
        zero = zero && values[k] == 0;
    return !zero && packed_form_fits(spec, (PackedForm){PACKED_FORM_2_4, 0}, values);
}

/* Returns how many layers of the blocks are so. */
static int sparse_layers(const Net *net) {
    int count = 0;
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        count += strncmp(spec->name, "block", 5) == 0 && is_2_4(net, p);
    }
    return count;
}

static bool is_sparse(const Net *net, const char *name) {
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        if (strcmp(program_parameter(net_program(net), p)->name, name) == 0) return is_2_4(net, p);
    }
    fail_msg("the net has no %s", name);
    return false;
}

enum { LAYERS = 6 }; /* layers of the two blocks, one of which has global pooling */

static void expect_sparse_average(const Trainer *trainer) {
    Net *net;
    EXPECT_OK(trainer_averaged_net(trainer, &net, err));
    EXPECT_INT(LAYERS, sparse_layers(net));
    EXPECT_TRUE(net_note(net, PACKED_NOTE) != NULL);
    net_free(net);
}

static void learns_with(SparsitySettings sparsity) {
    Fixture f = make(sparsity);
    EXPECT_INT(0, sparse_layers(trainer_net(f.trainer)));
    Metrics first = step(&f, 1);
    EXPECT_TRUE(sparse_layers(trainer_net(f.trainer)) > 0);
    step(&f, 2); /* now the last convolutions of Fixup, which start at 0, have moved, too */
    for (int i = 0; i < 10; i++) {
        step(&f, 20);
        EXPECT_INT(LAYERS, sparse_layers(trainer_net(f.trainer)));
        expect_sparse_average(f.trainer);
    }
    Metrics last = step(&f, 100);
    EXPECT_TRUE(last.loss < 0.9 * first.loss);
    EXPECT_INT(0, trainer_setbacks(f.trainer));
    clear(&f);
}

TEST(fixed_masks_hold_while_it_learns) {
    learns_with((SparsitySettings){.method = SPARSITY_FIXED});
}

TEST(refreshed_masks_hold_while_it_learns) {
    learns_with((SparsitySettings){.method = SPARSITY_SR_STE, .refresh_samples = 3 * BATCH});
}

/* Each encoder has six matrices beside those that generate its maps. lczero-training makes only such
 * matrices of encoders sparse, and not those of smolgen. */
TEST(encoders_learn_with_masks_outside_of_smolgen) {
    static const char *const MATRICES[] = {"q", "k", "v", "out", "up", "down"};
    for (int method = SPARSITY_FIXED; method <= SPARSITY_SR_STE; method++) {
        Fixture f = make_of("c16-nodist,trunk=embedding+encoder(heads=2,maps=smolgen,map_channels="
                            "4,map_hidden=8,map_gen=8,side=5)*2",
                            (SparsitySettings){.method = method,
                                               .refresh_samples = 3 * BATCH,
                                               .names = "block -compress -generate -maps"});
        EXPECT_INT(0, sparse_layers(trainer_net(f.trainer)));
        Metrics first = step(&f, 1);
        for (int i = 0; i < 5; i++) {
            step(&f, 20);
            EXPECT_INT(2 * 6, sparse_layers(trainer_net(f.trainer)));
        }
        Metrics last = step(&f, 100);
        EXPECT_TRUE(last.loss < 0.9 * first.loss);
        for (int i = 0; i < 12; i++) {
            char name[32];
            snprintf(name, sizeof name, "block%d.%s.weight", 1 + i / 6, MATRICES[i % 6]);
            EXPECT_TRUE(is_sparse(trainer_net(f.trainer), name));
        }
        clear(&f);
    }
}

TEST(masks_wait_for_their_start) {
    Fixture f = make((SparsitySettings){.method = SPARSITY_FIXED, .start_samples = 5 * BATCH});
    step(&f, 4);
    EXPECT_INT(0, sparse_layers(trainer_net(f.trainer)));
    step(&f, 1);
    EXPECT_INT(LAYERS, sparse_layers(trainer_net(f.trainer)));
    clear(&f);
}

/* Both trainers learn from the same batches, those of `f`, and must have the same nets and averaged
 * nets. */
static void expect_alike(Fixture *f, Fixture *g, int steps) {
    Net *a, *b;
    for (int i = 0; i < steps; i++) {
        Batch batch;
        Metrics metrics;
        EXPECT_OK(loader_next(f->loader, &batch, err));
        EXPECT_OK(trainer_step(f->trainer, &batch, &metrics, err));
        EXPECT_OK(trainer_step(g->trainer, &batch, &metrics, err));
        EXPECT_TEXT(net_hash(trainer_net(f->trainer)).text, net_hash(trainer_net(g->trainer)).text);
    }
    EXPECT_OK(trainer_averaged_net(f->trainer, &a, err));
    EXPECT_OK(trainer_averaged_net(g->trainer, &b, err));
    EXPECT_TEXT(net_hash(a).text, net_hash(b).text);
    net_free(a);
    net_free(b);
}

TEST(a_checkpoint_keeps_masks_and_latent_weights) {
    const SparsitySettings sparsity[] = {
        {.method = SPARSITY_FIXED},
        {.method = SPARSITY_SR_STE, .refresh_samples = 3 * BATCH},
    };
    for (int i = 0; i < 2; i++) {
        Fixture f = make(sparsity[i]), g = make(sparsity[i]);
        step(&f, 10);
        EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
        EXPECT_OK(trainer_load(g.trainer, f.checkpoint.text, err));
        expect_alike(&f, &g, 12);
        clear(&f);
        clear(&g);
    }
}

/* A checkpoint of a training without sparsity can be continued with sparsity, and the reverse. */
TEST(sparsity_may_begin_and_end_in_a_training) {
    Fixture f = make((SparsitySettings){.method = SPARSITY_OFF}),
            g = make((SparsitySettings){.method = SPARSITY_SR_STE});
    step(&f, 8);
    EXPECT_OK(trainer_save(f.trainer, f.checkpoint.text, err));
    EXPECT_OK(trainer_load(g.trainer, f.checkpoint.text, err));
    EXPECT_TEXT(net_hash(trainer_net(f.trainer)).text, net_hash(trainer_net(g.trainer)).text);
    step(&g, 1);
    EXPECT_INT(LAYERS, sparse_layers(trainer_net(g.trainer)));
    EXPECT_OK(trainer_save(g.trainer, g.checkpoint.text, err));
    EXPECT_OK(trainer_load(f.trainer, g.checkpoint.text, err));
    EXPECT_INT(LAYERS, sparse_layers(trainer_net(f.trainer)));
    step(&f, 2);
    EXPECT_INT(0, sparse_layers(trainer_net(f.trainer)));
    clear(&f);
    clear(&g);
}

/* The checkpoint of a training without sparsity has no tensor for it, and its averaged net has no
 * note of a packed form. */
TEST(trainings_without_sparsity_have_no_trace_of_it) {
    Fixture f = make((SparsitySettings){.method = SPARSITY_OFF});
    TensorFile *file;
    step(&f, 1);
    EXPECT_OK(checkpoint_collect(f.trainer, &file, err));
    EXPECT_FALSE(tensor_file_has(file, "latent.refreshed", "I64", 1));
    Net *net;
    EXPECT_OK(trainer_averaged_net(f.trainer, &net, err));
    EXPECT_TRUE(net_note(net, PACKED_NOTE) == NULL);
    net_free(net);
    tensor_file_free(file);
    clear(&f);
}

TEST(a_restart_forgets_the_masks) {
    Fixture f = make((SparsitySettings){.method = SPARSITY_FIXED, .start_samples = 2 * BATCH});
    Net *net = net_of_words(ARCH, 2);
    step(&f, 4);
    EXPECT_INT(LAYERS, sparse_layers(trainer_net(f.trainer)));
    EXPECT_OK(trainer_restart(f.trainer, net, "it is a test", err));
    EXPECT_TEXT(net_hash(net).text, net_hash(trainer_net(f.trainer)).text);
    step(&f, 1);
    EXPECT_INT(0, sparse_layers(trainer_net(f.trainer)));
    step(&f, 1);
    EXPECT_INT(LAYERS, sparse_layers(trainer_net(f.trainer)));
    net_free(net);
    clear(&f);
}

TEST(a_net_without_such_layers_is_refused) {
    const SparsitySettings sparsity = {.method = SPARSITY_FIXED};
    TrainerSetup setup = setup_of(&sparsity);
    Trainer *trainer;
    Error fault = {0};
    snprintf(setup.training.trainer.sparsity.names, sizeof setup.training.trainer.sparsity.names,
             "tower");
    EXPECT_STATUS(ERR_ARGUMENT, trainer_new(&setup, net_of_words(ARCH, 1), &trainer, &fault));
    EXPECT_CONTAINS(fault.message, "no layers for 2:4 sparsity");
}

TEST_MAIN(RUN(fixed_masks_hold_while_it_learns), RUN(refreshed_masks_hold_while_it_learns),
          RUN(encoders_learn_with_masks_outside_of_smolgen), RUN(masks_wait_for_their_start),
          RUN(a_checkpoint_keeps_masks_and_latent_weights),
          RUN(sparsity_may_begin_and_end_in_a_training),
          RUN(trainings_without_sparsity_have_no_trace_of_it), RUN(a_restart_forgets_the_masks),
          RUN(a_net_without_such_layers_is_refused))

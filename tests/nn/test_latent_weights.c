/* Masks of 2:4 sparsity and latent weights, by hand. */
#include <math.h>

#include "nn/graph/packed_weights.h"
#include "nn/learn/latent_weights.h"
#include "nn/learn/mask_2_4.h"
#include "test.h"

/* Dense layers with 4, 3 and 4 inputs, and a convolution with 8 input channels. */
static Net *net_of_layers(void) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(5);
    EXPECT_OK(program_new(&program, err));
    Value v = program_input(program, "v", KIND_VECTOR, 4),
          x = program_input(program, "x", KIND_SPATIAL, 8);
    program_set_mask(program, x, 0);
    program_output(program, "a", program_dense(program, "block.a", v, 1, -1));
    program_output(program, "b",
                   program_dense(program, "block.b", program_slice(program, v, 0, 3), 4, -1));
    program_output(program, "c", program_conv(program, "block.c", x, 2, 3, -1));
    program_output(program, "d", program_dense(program, "head.d", v, 2, -1));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}
enum { LAYER_A, LAYER_B, LAYER_C, LAYER_D }; /* indices of their weights */

static SparsitySettings settings_of(int method) {
    return (SparsitySettings){.method = method,
                              .layers = "conv dense",
                              .names = "block",
                              .refresh_samples = 1,
                              .decay = 0.5};
}

/* Sets the four weights of layer A; expect() checks them. */
static void set(Net *net, float a, float b, float c, float d) {
    const float values[4] = {a, b, c, d};
    memcpy(net_values(net, LAYER_A), values, sizeof values);
}

static void expect(const Net *net, float a, float b, float c, float d) {
    const float wanted[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(wanted[i], net_values_const(net, LAYER_A)[i], 1e-6);
}

TEST(masks_by_hand) {
    const float weights[12] = {1, -4, 2, 3, 0, 0, 0, 0, -1, 1, 1, -2};
    unsigned char mask[3];
    float masked[12];
    EXPECT_INT(3, mask_2_4_bytes(12));
    mask_2_4_choose(12, weights, mask);
    EXPECT_INT(2 + 8, mask[0]); /* -4 and 3 */
    EXPECT_INT(1 + 2, mask[1]); /* the first two of four zeros */
    EXPECT_INT(8 + 1, mask[2]); /* -2, and the first of three equal ones */
    EXPECT_TRUE(mask_2_4_is_valid(12, mask));
    memcpy(masked, weights, sizeof masked);
    mask_2_4_apply(12, mask, 0, masked);
    const float wanted[12] = {0, -4, 0, 3, 0, 0, 0, 0, -1, 0, 0, -2};
    EXPECT_TRUE(memcmp(wanted, masked, sizeof wanted) == 0);
    memcpy(masked, weights, sizeof masked);
    mask_2_4_prune(12, masked);
    EXPECT_TRUE(memcmp(wanted, masked, sizeof wanted) == 0);
    memcpy(masked, weights, sizeof masked);
    mask_2_4_apply(12, mask, 0.5f, masked);
    EXPECT_TRUE(masked[0] == 0.5f && masked[1] == -4 && masked[2] == 1 && masked[9] == 0.5f);
    const unsigned char bad[] = {0, 1, 7, 15, 16 + 3};
    for (size_t i = 0; i < sizeof bad; i++)
        EXPECT_FALSE(mask_2_4_is_valid(4, &bad[i]));
}

/* Does what an optimiser does: adds `change` to the weights while the net holds the latent ones. */
static void step(LatentWeights *latent, Net *net, int64_t samples, const float change[4]) {
    latent_weights_enter(latent, net);
    for (int i = 0; i < 4; i++)
        net_values(net, LAYER_A)[i] += change[i];
    latent_weights_step(latent, net, samples, 0.1);
    latent_weights_leave(latent, net);
}

TEST(fixed_masks_stay) {
    Net *net = net_of_layers();
    LatentWeights *latent;
    const SparsitySettings settings = settings_of(SPARSITY_FIXED);
    set(net, 1, 2, 3, 4);
    EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
    expect(net, 1, 2, 3, 4); /* there is no mask before the first step */
    step(latent, net, 10, (float[4]){0, 0, 0, 0});
    expect(net, 0, 0, 3, 4);
    /* The first latent weight becomes the largest, but its mask stays and sets it to 0. */
    step(latent, net, 20, (float[4]){9, 0, -2, 0});
    expect(net, 0, 0, 1, 4);
    latent_weights_enter(latent, net);
    expect(net, 0, 0, 1, 4);
    latent_weights_leave(latent, net);
    latent_weights_free(latent);
    net_free(net);
}

/* The rate is 0.1 and the decay 0.5, so a step multiplies weights outside of the mask by
 * 1 - 0.1 * 0.5 = 0.95. */
TEST(refreshed_masks_follow_the_latent_weights) {
    Net *net = net_of_layers();
    LatentWeights *latent;
    SparsitySettings settings = settings_of(SPARSITY_SR_STE);
    settings.start_samples = 10;
    settings.refresh_samples = 20;
    set(net, 1, 2, 3, 4);
    EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
    step(latent, net, 9, (float[4]){0, 0, 0, 0});
    expect(net, 1, 2, 3, 4); /* too early */
    step(latent, net, 10, (float[4]){0, 0, 0, 0});
    expect(net, 0, 0, 3, 4);
    step(latent, net, 29, (float[4]){9, 0, 0, 0}); /* 20 samples have not passed yet */
    expect(net, 0, 0, 3, 4);
    latent_weights_enter(latent, net);
    expect(net, 9.5f, 1.9f, 3, 4);
    latent_weights_leave(latent, net);
    step(latent, net, 30, (float[4]){0, 0, 0, 0});
    expect(net, 9.025f, 0, 0, 4);
    latent_weights_enter(latent, net);
    expect(net, 9.025f, 1.805f, 3, 4);
    latent_weights_leave(latent, net);
    latent_weights_restart(latent, net);
    step(latent, net, 0, (float[4]){0, 1, 1, 0});
    expect(net, 9.025f, 1, 1, 4); /* without a mask again */
    latent_weights_free(latent);
    net_free(net);
}

static bool is_2_4(const Net *net, int parameter) {
    const ParameterSpec *spec = program_parameter(net_program(net), parameter);
    return packed_form_fits(spec, (PackedForm){PACKED_FORM_2_4, 0},
                            net_values_const(net, parameter));
}

/* Which layers get masks: if all kinds of layer may have them, if only one kind may, and if only
 * layers with certain names may. */
TEST(kinds_and_names_choose_the_layers) {
    const struct {
        const char *layers, *names;
        bool sparse[4];
    } CASES[] = {
        {"conv dense", "block", {true, false, true, false}}, /* block.b has 3 inputs */
        {"conv", "block", {false, false, true, false}},
        {"dense", "block, head", {true, false, false, true}},
        {"dense,conv", "head.d", {false, false, false, true}},
        {"conv dense", "block head -a", {false, false, true, true}},
        {"conv dense", "-c,block head -head", {true, false, false, false}},
        {"conv dense", "block head -block.a", {false, false, true, true}},
        {"conv dense", "block - -lock", {true, false, true, false}}, /* no part begins so */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Net *net = net_of_layers(), *copy;
        LatentWeights *latent;
        SparsitySettings settings = settings_of(SPARSITY_FIXED);
        snprintf(settings.layers, sizeof settings.layers, "%s", CASES[i].layers);
        snprintf(settings.names, sizeof settings.names, "%s", CASES[i].names);
        EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
        EXPECT_OK(net_copy(net, &copy, err));
        EXPECT_OK(latent_weights_restrict(latent, copy, err));
        EXPECT_TEXT(net_hash(net).text, net_hash(copy).text); /* no masks yet */
        EXPECT_TRUE(net_note(copy, PACKED_NOTE) == NULL);
        step(latent, net, 0, (float[4]){0, 0, 0, 0});
        EXPECT_OK(latent_weights_restrict(latent, copy, err));
        for (int p = 0; p < 4; p++) {
            EXPECT_TRUE(is_2_4(net, p) == CASES[i].sparse[p]);
            EXPECT_TRUE(is_2_4(copy, p) == CASES[i].sparse[p]);
        }
        EXPECT_TEXT(net_hash(net).text, net_hash(copy).text);
        if (i == 0)
            EXPECT_TEXT("{\"block.a.weight\":\"2:4\",\"block.c.weight\":\"2:4\"}",
                        net_note(copy, PACKED_NOTE));
        latent_weights_free(latent);
        net_free(copy);
        net_free(net);
    }
}

TEST(wrong_settings_are_refused) {
    Net *net = net_of_layers();
    LatentWeights *latent;
    Error fault = {0};
    SparsitySettings settings = settings_of(SPARSITY_OFF);
    EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
    EXPECT_TRUE(latent == NULL);
    settings = settings_of(SPARSITY_FIXED);
    snprintf(settings.layers, sizeof settings.layers, "conv heads");
    EXPECT_STATUS(ERR_ARGUMENT, latent_weights_new(net, &settings, &latent, &fault));
    EXPECT_CONTAINS(fault.message, "\"heads\" is no kind of layers");
    EXPECT_TRUE(latent == NULL);
    settings = settings_of(SPARSITY_FIXED);
    snprintf(settings.names, sizeof settings.names, "tower");
    EXPECT_STATUS(ERR_ARGUMENT, latent_weights_new(net, &settings, &latent, &fault));
    EXPECT_CONTAINS(fault.message, "no layers for 2:4 sparsity");
    settings = settings_of(SPARSITY_FIXED);
    snprintf(settings.names, sizeof settings.names, "block.b");
    EXPECT_STATUS(ERR_ARGUMENT, latent_weights_new(net, &settings, &latent, NULL));
    net_free(net);
}

TEST(masks_and_latent_weights_are_saved) {
    Net *net = net_of_layers(), *other;
    LatentWeights *latent, *again;
    TensorFile *file;
    const SparsitySettings settings = settings_of(SPARSITY_SR_STE);
    EXPECT_OK(net_copy(net, &other, err));
    set(net, 1, 2, 3, 4);
    EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
    EXPECT_OK(latent_weights_new(other, &settings, &again, err));
    step(latent, net, 10, (float[4]){0, 0, 0, 0});
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(latent_weights_save(latent, file, err));
    EXPECT_OK(latent_weights_restore(again, file, err));
    latent_weights_enter(again, other);
    expect(other, 1, 2, 3, 4);
    latent_weights_leave(again, other);
    expect(other, 0, 0, 3, 4);
    for (int i = 1; i < 5; i++) {
        const float change[4] = {1, 0.5f, 0, -0.5f};
        step(latent, net, 10 + i, change);
        step(again, other, 10 + i, change);
        EXPECT_TEXT(net_hash(net).text, net_hash(other).text);
    }
    tensor_file_free(file);
    latent_weights_free(latent);
    latent_weights_free(again);
    net_free(net);
    net_free(other);
}

TEST(damaged_masks_are_refused) {
    Net *net = net_of_layers();
    LatentWeights *latent;
    const SparsitySettings settings = settings_of(SPARSITY_FIXED);
    const unsigned char three = 7, two = 3;
    const int64_t negative = -1;
    const float weights[4] = {1, NAN, 0, 0};
    EXPECT_OK(latent_weights_new(net, &settings, &latent, err));
    const struct {
        const char *name, *dtype;
        size_t count;
        const void *values;
        Status status;
    } CASES[] = {{"mask.block.a.weight", "U8", 1, &three, ERR_SYNTAX},
                 {"mask.block.a.weight", "U8", 1, &two, OK},
                 {"latent.block.a.weight", "F32", 4, weights, ERR_SYNTAX},
                 {"latent.refreshed", "I64", 1, &negative, ERR_SYNTAX}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        TensorFile *file;
        EXPECT_OK(tensor_file_new(&file, err));
        EXPECT_OK(tensor_file_add(file, CASES[i].name, CASES[i].dtype, CASES[i].count,
                                  CASES[i].values, err));
        EXPECT_STATUS(CASES[i].status, latent_weights_restore(latent, file, NULL));
        tensor_file_free(file);
    }
    latent_weights_free(latent);
    net_free(net);
}

/* A dense layer with 34 inputs and 2 outputs, whose weights are in groups of 32 and of 2. `steps` is
 * what the op weight_step says of the number of groups of an output. */
static Net *net_in_groups(int steps) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value y = program_dense(program, "m", program_input(program, "v", KIND_VECTOR, 34), 2, 0);
    program_output(
        program, "y",
        program_add_op(program, "steps",
                       (Op){.kind = OP_WEIGHT_STEP, .inputs = {y}, .group = 32, .steps = steps}));
    EXPECT_OK(net_new(program, NULL, &net, err));
    return net;
}

/* The last group has the weights 32 and 33 of the second output. Its step is 0.1, which becomes the
 * bf16 number 0.10009766. The weights are rounded to 3 and 7 steps, because 0.26 / 0.1 = 2.6 and
 * because 7 is the highest level. The gradients of the weights are 1 and 10. The second one is 0 to
 * the latent weight, which is beyond the highest level. The gradient of the logarithm of the step is
 *     (1 (3 - 0.26 / 0.10009766) + 10 * 7) / sqrt(2 * 7) * 0.10009766 = 1.8834 */
TEST(groups_of_int4_have_steps_of_their_own) {
    const SparsitySettings off = settings_of(SPARSITY_OFF);
    Net *net = net_in_groups(2);
    LatentWeights *latent;
    float weight_slopes[68] = {0}, step_slopes[4] = {0},
          *gradients[] = {weight_slopes, step_slopes};
    const float step = 0.10009765625f;
    for (int i = 0; i < 4; i++)
        net_values(net, 1)[i] = logf(i == 3 ? 0.1f : 100);
    for (int i = 0; i < 68; i++)
        net_values(net, 0)[i] = 30;
    net_values(net, 0)[66] = 0.26f;
    net_values(net, 0)[67] = 5;
    EXPECT_OK(latent_weights_new(net, &off, &latent, err));
    latent_weights_enter(latent, net);
    latent_weights_leave(latent, net);
    for (int i = 0; i < 66; i++)
        EXPECT_NEAR(0, net_values(net, 0)[i], 0);
    EXPECT_NEAR(3 * step, net_values(net, 0)[66], 1e-7);
    EXPECT_NEAR(7 * step, net_values(net, 0)[67], 1e-7);
    weight_slopes[66] = 1;
    weight_slopes[67] = 10;
    latent_weights_add_gradients(latent, net, gradients);
    EXPECT_NEAR(1, weight_slopes[66], 0);
    EXPECT_NEAR(0, weight_slopes[67], 0);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(0, step_slopes[i], 0);
    EXPECT_NEAR(1.8834, step_slopes[3], 1e-4);
    latent_weights_free(latent);
    net_free(net);
}

TEST(a_wrong_number_of_steps_is_refused) {
    const SparsitySettings off = settings_of(SPARSITY_OFF);
    LatentWeights *latent;
    Error fault = {0};
    Net *net = net_in_groups(3);
    EXPECT_STATUS(ERR_ARGUMENT, latent_weights_new(net, &off, &latent, &fault));
    EXPECT_CONTAINS(fault.message, "needs 4 steps");
    net_free(net);
}

TEST_MAIN(RUN(masks_by_hand), RUN(fixed_masks_stay), RUN(refreshed_masks_follow_the_latent_weights),
          RUN(kinds_and_names_choose_the_layers), RUN(groups_of_int4_have_steps_of_their_own),
          RUN(a_wrong_number_of_steps_is_refused), RUN(wrong_settings_are_refused),
          RUN(masks_and_latent_weights_are_saved), RUN(damaged_masks_are_refused))

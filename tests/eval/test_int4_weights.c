/* Weights in int4: how a group is rounded, worked out by hand; which layers of a net are rounded;
 * and that files keep the rounded weights exactly. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/net_of_words.h"
#include "eval/precision/int4_weights.h"
#include "eval/precision/precision_report.h"
#include "nn/graph/packed_weights.h"

static const PackedForm FORMS[2] = {{PACKED_FORM_INT4, 32}, {PACKED_FORM_INT4, 64}};

/* The largest weight is 7, so the scale 1 is one of those that are tried. With this scale, all
 * weights except 0.4 are exact. A smaller scale would make larger errors. */
TEST(a_group_is_rounded_as_by_hand) {
    float weights[6] = {7, -3, 0.4f, 2, 0, -1};
    const float wanted[6] = {7, -3, 0, 2, 0, -1};
    int4_round_group(6, weights);
    EXPECT_TRUE(memcmp(wanted, weights, sizeof wanted) == 0);
}

/* One weight is 7, and all others are 1.45. With the scale 1, each of these others would have an
 * error of 0.45. With a smaller scale the large weight is cut off, and the sum of squared errors is
 * smaller. */
TEST(an_outlier_is_cut_off) {
    float weights[32], error = 0;
    for (int i = 0; i < 32; i++)
        weights[i] = i ? 1.45f : 7;
    int4_round_group(32, weights);
    for (int i = 0; i < 32; i++)
        error += (weights[i] - (i ? 1.45f : 7)) * (weights[i] - (i ? 1.45f : 7));
    EXPECT_TRUE(weights[0] < 6.5f && weights[0] > 4);
    EXPECT_TRUE(error < 31 * 0.45f * 0.45f);
}

/* Random groups fit the packed form after they are rounded. A second rounding changes each weight
 * by at most 6% of this weight. */
TEST(random_groups_can_be_stored) {
    Rng rng = rng_seeded(3);
    for (int round = 0; round < 2000; round++) {
        float weights[64], once[64];
        size_t count = 1 + (size_t)rng_below(&rng, 64);
        double size = exp(30 * rng_normal(&rng));
        if (!(size < 1e29)) size = 1e29;
        for (size_t i = 0; i < count; i++)
            weights[i] = (float)(size * rng_normal_truncated(&rng, 5));
        if (round % 5 == 0) weights[0] = -0.0f;
        int4_round_group(count, weights);
        const ParameterSpec spec = {
            .name = "m", .rank = 2, .dims = {1, (int)count}, .count = count};
        if (!packed_form_fits(&spec, FORMS[1], weights)) fail_msg("round %d does not fit", round);
        memcpy(once, weights, sizeof once);
        int4_round_group(count, weights);
        for (size_t i = 0; i < count; i++)
            EXPECT_NEAR(once[i], weights[i], 0.06 * fabs((double)once[i]));
    }
}

/* The blocks are rounded; the first layer, the heads and all norms stay as they are. */
TEST(the_trunk_is_rounded) {
    for (int i = 0; i < 2; i++) {
        Net *net = net_of_words("b2c32-nodist", 4), *before;
        int layers, rounded = 0;
        EXPECT_OK(net_copy(net, &before, err));
        EXPECT_OK(int4_round_net(net, FORMS[i].group, &layers, err));
        for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
            const ParameterSpec *spec = program_parameter(net_program(net), p);
            bool same =
                memcmp(net_values(net, p), net_values(before, p), spec->count * sizeof(float)) == 0;
            bool block = strncmp(spec->name, "block", 5) == 0 && spec->rank >= 2;
            if (!block) EXPECT_TRUE(same);
            if (!block) continue;
            rounded++;
            EXPECT_TRUE(packed_form_fits(spec, FORMS[i], net_values(net, p)));
        }
        EXPECT_INT(layers, rounded);
        net_free(before);
        net_free(net);
    }
}

TEST(the_file_is_exact_and_smaller) {
    char path[128];
    struct stat whole, packed;
    snprintf(path, sizeof path, "/tmp/aji_test_int4_%d.aji", (int)getpid());
    Net *net = net_of_words("b2c32-nodist", 4), *again;
    int layers;
    EXPECT_OK(net_save(net, path, err));
    assert_int_equal(stat(path, &whole), 0);
    EXPECT_OK(int4_round_net(net, 32, &layers, err));
    EXPECT_OK(net_save(net, path, err));
    assert_int_equal(stat(path, &packed), 0);
    EXPECT_TRUE(packed.st_size < whole.st_size * 2 / 3); /* the large heads are not packed */
    EXPECT_OK(net_load(path, &again, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    net_free(net);
    net_free(again);
    unlink(path);
}

TEST(invalid_groups_and_weights_are_refused) {
    Net *net = net_of_words("b1c16-nodist", 4);
    int layers;
    EXPECT_STATUS(ERR_ARGUMENT, int4_round_net(net, 48, &layers, NULL));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        if (strncmp(program_parameter(net_program(net), p)->name, "block", 5) == 0)
            net_values(net, p)[0] = 2e30f;
    }
    EXPECT_STATUS(ERR_ARGUMENT, int4_round_net(net, 32, &layers, NULL));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        if (strncmp(program_parameter(net_program(net), p)->name, "block", 5) == 0)
            net_values(net, p)[0] = NAN;
    }
    EXPECT_STATUS(ERR_ARGUMENT, int4_round_net(net, 32, &layers, NULL));
    net_free(net);
    Program *program;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, 3);
    program_set_mask(program, x, 0);
    program_output(program, "y", program_conv(program, "conv", x, 5, 3, -1));
    Rng rng = rng_seeded(1);
    EXPECT_OK(net_new(program, &rng, &net, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, int4_round_net(net, 32, &layers, NULL));
    net_free(net);
}

/* Comparing a net with itself finds no difference; comparing it with the rounded net finds some. */
TEST(nets_are_compared) {
    /* with this norm no layer starts at 0 */
    Net *net = net_of_words("b2c32-fixscale-nodist", 4), *rounded;
    Position position;
    Comparison report;
    int layers;
    const Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, 7, 7, &rules, err));
    const Position *positions[] = {&position};
    const PrecisionCall call = {.positions = positions, .count = 1};
    EXPECT_OK(net_copy(net, &rounded, err));
    EXPECT_OK(precision_compare_nets(net, rounded, PRECISION_F32, &call, &report, err));
    EXPECT_TRUE(report.positions == 1 && report.policy.worst == 0 && report.winrate.worst == 0);
    EXPECT_OK(int4_round_net(rounded, 32, &layers, err));
    EXPECT_OK(precision_compare_nets(net, rounded, PRECISION_F32, &call, &report, err));
    EXPECT_TRUE(report.policy.worst > 0);
    EXPECT_OK(precision_note_as(rounded, "int4", true, &report, err));
    EXPECT_CONTAINS(net_note(rounded, "precision"), "\"int4\":{\"passes\":true");
    position_clear(&position);
    net_free(rounded);
    net_free(net);
}

TEST_MAIN(RUN(a_group_is_rounded_as_by_hand), RUN(an_outlier_is_cut_off),
          RUN(random_groups_can_be_stored), RUN(the_trunk_is_rounded),
          RUN(the_file_is_exact_and_smaller), RUN(invalid_groups_and_weights_are_refused),
          RUN(nets_are_compared))

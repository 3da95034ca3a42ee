/* The net of self-play in 8 bits: a copy, measured on positions of the run's own sizes and rules,
 * the same for the same seed. */
#include "eval/arch.h"
#include "eval/precision_report.h"
#include "nn/infer_scales.h"
#include "play/selfplay_net.h"
#include "test.h"

static Net *net_of(const char *arch) {
    Rng rng = rng_seeded(3);
    Net *net;
    EXPECT_OK(arch_build_text(arch, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        for (size_t i = 0; i < spec->count && spec->trained; i++)
            net_values(net, p)[i] += 0.05f * (float)rng_normal(&rng);
    }
    return net;
}

static SelfplaySettings settings_with(const char *sizes) {
    SelfplaySettings settings;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    snprintf(settings.sizes, sizeof settings.sizes, "%s", sizes);
    return settings;
}

TEST(a_copy_is_measured_and_the_net_stays) {
    static const char *const SIZES[] = {"7:1", "5:1, 6x4:1, 9:2"};
    Net *net = net_of("b2c16-fixup-nodist");
    NetHash before = net_hash(net);
    for (int i = 0; i < 2; i++) {
        SelfplaySettings settings = settings_with(SIZES[i]);
        Comparison report;
        Net *eight, *again, *other;
        EXPECT_OK(selfplay_net_new(net, PRECISION_INT8, &settings, 7, &report, &eight, err));
        EXPECT_INT(64, report.positions);
        EXPECT_TRUE(report.winrate.worst > 0 && differences_mean(&report.winrate) < 0.015);
        EXPECT_INT(precision_passes(PRECISION_INT8, &report), scales_report(eight, "int8"));
        EXPECT_TRUE(net_note(eight, SCALES_NOTE) != NULL);
        EXPECT_TRUE(net_note(net, SCALES_NOTE) == NULL);
        EXPECT_TEXT(before.text, net_hash(net).text);
        EXPECT_TEXT(before.text, net_hash(eight).text);
        EXPECT_OK(selfplay_net_new(net, PRECISION_INT8, &settings, 7, &report, &again, err));
        EXPECT_OK(selfplay_net_new(net, PRECISION_INT8, &settings, 8, &report, &other, err));
        EXPECT_TEXT(net_note(eight, SCALES_NOTE), net_note(again, SCALES_NOTE));
        EXPECT_TRUE(strcmp(net_note(eight, SCALES_NOTE), net_note(other, SCALES_NOTE)) != 0);
        net_free(eight);
        net_free(again);
        net_free(other);
    }
    net_free(net);
}

TEST(other_precisions_leave_the_net) {
    Net *net = net_of("b2c16-fixup-nodist"), *out = net;
    SelfplaySettings settings = settings_with("7:1");
    Comparison report;
    EXPECT_OK(selfplay_net_new(net, PRECISION_BF16, &settings, 1, &report, &out, err));
    EXPECT_TRUE(out == NULL);
    EXPECT_OK(selfplay_net_new(net, PRECISION_AUTO, &settings, 1, &report, &out, err));
    EXPECT_INT(backend_isa() >= ISA_AVX512_VNNI, out != NULL);
    net_free(out);
    net_free(net);
}

TEST_MAIN(RUN(a_copy_is_measured_and_the_net_stays), RUN(other_precisions_leave_the_net))

/* The corrections of biases: after them, the mean error of int8 is 0 on the positions on which it
 * was measured, and they are found again if they are set to 0. */
#include "base/rng.h"
#include "eval/arch/arch.h"
#include "eval/precision/bias_correction.h"
#include "eval/precision/quantize.h"
#include "eval/precision/sample_positions.h"
#include "test.h"

enum { COUNT = 12, CORRECTIONS = 64 };

static void sample(const Net *net, Position sampled[COUNT], const Position *positions[COUNT]) {
    const SampleCall call = {.size = 7, .count = COUNT, .every = 2, .seed = 5};
    EXPECT_OK(sample_positions(net, &call, sampled, err));
    for (int i = 0; i < COUNT; i++)
        positions[i] = &sampled[i];
}

/* Copies all corrections of the net to `out`, and returns how many they are. With `clear`, they
 * become 0 in the net. */
static int corrections_of(Net *net, bool clear, float out[CORRECTIONS]) {
    Quantisation *quantisation;
    int count = 0;
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    for (int i = 0; i < quantisation->count; i++) {
        LayerQuantisation *layer = &quantisation->layers[i];
        for (int c = 0; c < layer->correction_count; c++) {
            assert_true(count < CORRECTIONS);
            out[count++] = layer->correction[c];
            if (clear) layer->correction[c] = 0;
        }
    }
    EXPECT_OK(quantisation_write(quantisation, net, err));
    quantisation_free(quantisation);
    return count;
}

static void measure(Net *net, const Position **positions) {
    Quantisation *quantisation;
    const ActivationSampleCall call = {.positions = positions, .position_count = COUNT};
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    EXPECT_OK(bias_correction_measure(net, &call, quantisation, err));
    EXPECT_OK(quantisation_write(quantisation, net, err));
    quantisation_free(quantisation);
}

TEST(the_mean_error_vanishes) {
    static const char *const ARCHS[] = {"b2c32-fixup",
                                        "c32,trunk=attention(heads=2)+swiglu(inner=64)"};
    for (int a = 0; a < 2; a++) {
        Rng rng = rng_seeded(3);
        Net *net;
        static Position sampled[COUNT];
        const Position *positions[COUNT];
        float first[CORRECTIONS], second[CORRECTIONS], third[CORRECTIONS];
        int layers;
        double size = 0;
        EXPECT_OK(arch_build_text(ARCHS[a], &rng, &net, err));
        for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
            const ParameterSpec *spec = program_parameter(net_program(net), p);
            for (size_t i = 0; i < spec->count && spec->trained; i++)
                net_values(net, p)[i] += 0.05f * (float)rng_normal(&rng);
        }
        sample(net, sampled, positions);
        EXPECT_OK(quantize_net(
            net, &(QuantizeCall){.positions = positions, .position_count = COUNT}, &layers, err));
        int count = corrections_of(net, false, first);
        EXPECT_TRUE(count > 3);
        for (int i = 0; i < count; i++)
            size += fabs((double)first[i]) / count;
        EXPECT_TRUE(size > 0);
        measure(net, positions);
        corrections_of(net, true, second);
        measure(net, positions);
        corrections_of(net, false, third);
        for (int i = 0; i < count; i++) {
            EXPECT_NEAR(first[i], second[i], 1e-2 * size);
            EXPECT_NEAR(first[i], third[i], 1e-2 * size);
        }
        for (int i = 0; i < COUNT; i++)
            position_clear(&sampled[i]);
        net_free(net);
    }
}

TEST_MAIN(RUN(the_mean_error_vanishes))

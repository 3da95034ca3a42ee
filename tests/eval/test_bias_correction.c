/* The corrections of biases: on the positions on which they were measured, a second measurement
 * finds no error, and a shift of all outputs is found. */
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

TEST(the_typical_error_vanishes) {
    static const char *const ARCHS[] = {"b2c32-fixup",
                                        "c32,trunk=attention(heads=2)+swiglu(inner=64)"};
    for (int a = 0; a < 2; a++) {
        Rng rng = rng_seeded(3);
        Net *net;
        static Position sampled[COUNT];
        const Position *positions[COUNT];
        float first[CORRECTIONS], second[CORRECTIONS], unused[CORRECTIONS];
        int layers, found = 0;
        EXPECT_OK(arch_build_text(ARCHS[a], &rng, &net, err));
        for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
            const ParameterSpec *spec = program_parameter(net_program(net), p);
            for (size_t i = 0; i < spec->count && spec->trained; i++)
                net_values(net, p)[i] += 0.05f * (float)rng_normal(&rng);
        }
        sample(net, sampled, positions);
        EXPECT_OK(quantize_net(
            net, &(QuantizeCall){.positions = positions, .position_count = COUNT}, &layers, err));
        int count = corrections_of(net, true, unused);
        measure(net, positions);
        corrections_of(net, false, first);
        measure(net, positions);
        corrections_of(net, true, second);
        EXPECT_TRUE(count > 3);
        for (int i = 0; i < count; i++) {
            found += first[i] != 0;
            EXPECT_NEAR(first[i], second[i], 1e-5 + 1e-3 * fabs((double)first[i]));
        }
        EXPECT_TRUE(found > 0);
        for (int i = 0; i < COUNT; i++)
            position_clear(&sampled[i]);
        net_free(net);
    }
}

/* 0.5 is added to all outputs of the net in int8. Then the corrections become smaller by 0.5. */
TEST(a_shift_is_found) {
    Rng rng = rng_seeded(4);
    Net *net;
    static Position sampled[COUNT];
    const Position *positions[COUNT];
    float before[CORRECTIONS], after[CORRECTIONS];
    int layers;
    Quantisation *quantisation;
    EXPECT_OK(arch_build_text("b2c32-fixup", &rng, &net, err));
    sample(net, sampled, positions);
    EXPECT_OK(quantize_net(net, &(QuantizeCall){.positions = positions, .position_count = COUNT},
                           &layers, err));
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    for (int i = 0; i < quantisation->count; i++) {
        LayerQuantisation *layer = &quantisation->layers[i];
        for (int c = 0; c < layer->correction_count; c++)
            layer->correction[c] = 0.5f;
    }
    EXPECT_OK(quantisation_write(quantisation, net, err));
    quantisation_free(quantisation);
    int count = corrections_of(net, false, before);
    measure(net, positions);
    corrections_of(net, false, after);
    for (int i = 0; i < count; i++) {
        EXPECT_NEAR(0.5, before[i], 1e-9);
        EXPECT_NEAR(0, after[i], 0.05);
    }
    for (int i = 0; i < COUNT; i++)
        position_clear(&sampled[i]);
    net_free(net);
}

TEST_MAIN(RUN(the_typical_error_vanishes), RUN(a_shift_is_found))

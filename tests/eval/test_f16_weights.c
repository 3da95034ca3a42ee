/* Weights in 16 bits: which parameters are rounded, how far they move, and that files keep the
 * rounded weights exactly. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/net_of_words.h"
#include "eval/precision/f16_weights.h"
#include "eval/precision/int4_weights.h"
#include "nn/graph/packed_weights.h"
#include "nn/infer/infer_quantisation.h"

static const PackedForm F16 = {PACKED_FORM_F16, 0};

static bool has_same_values(const Net *a, const Net *b, int parameter) {
    size_t count = program_parameter(net_program(a), parameter)->count;
    return memcmp(net_values_const(a, parameter), net_values_const(b, parameter),
                  count * sizeof(float)) == 0;
}

/* A rounded weight has 11 significant bits. Rounding moves a weight whose absolute value is at
 * least 2^-14 by at most 2^-11 of this value, and a smaller weight by at most 2^-25. */
TEST(matrices_are_rounded_and_vectors_are_not) {
    Net *net = net_of_words("b2c32", 4), *before;
    int64_t rounded, expected = 0;
    EXPECT_OK(net_copy(net, &before, err));
    EXPECT_OK(f16_round_net(net, &rounded, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        bool matrix = spec->trained && spec->rank >= 2;
        if (!matrix) EXPECT_TRUE(has_same_values(net, before, p));
        if (!matrix) continue;
        expected += (int64_t)spec->count;
        EXPECT_TRUE(packed_form_fits(spec, F16, net_values(net, p)));
        for (size_t i = 0; i < spec->count; i++) {
            double was = (double)net_values(before, p)[i], is = (double)net_values(net, p)[i];
            EXPECT_TRUE(fabs(was - is) <= fmax(0x1p-25, 0x1p-11 * fabs(was)));
        }
    }
    EXPECT_INT(expected, rounded);
    EXPECT_TRUE(rounded > net_parameter_total(net) / 2);
    net_values(net, 0)[0] = 0.1f; /* as training changes it; the note still says f16 */
    EXPECT_OK(f16_round_net(net, &rounded, err));
    EXPECT_INT(expected, rounded);
    EXPECT_TRUE(packed_form_fits(program_parameter(net_program(net), 0), F16, net_values(net, 0)));
    net_free(before);
    net_free(net);
}

TEST(the_file_is_exact_and_nearly_half_as_large) {
    char path[128];
    struct stat whole, packed;
    snprintf(path, sizeof path, "/tmp/aji_test_f16_%d.aji", (int)getpid());
    Net *net = net_of_words("b2c32-nodist", 4), *again;
    int64_t rounded;
    EXPECT_OK(net_save(net, path, err));
    assert_int_equal(stat(path, &whole), 0);
    EXPECT_OK(f16_round_net(net, &rounded, err));
    EXPECT_OK(net_save(net, path, err));
    assert_int_equal(stat(path, &packed), 0);
    EXPECT_INT(whole.st_size - packed.st_size > 2 * rounded - 3000, 1); /* the note takes some */
    EXPECT_OK(net_load(path, &again, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    net_free(net);
    net_free(again);
    unlink(path);
}

/* f16_round_net() does not change the weights of layers that int4 has packed, and these layers stay
 * packed in int4. It does not change a matrix that has a weight too large for 16 bits, either. */
TEST(packed_and_large_weights_stay) {
    Net *net = net_of_words("b2c32-nodist", 4), *before;
    const Program *program = net_program(net);
    int layers, large = -1;
    int64_t rounded;
    EXPECT_OK(int4_round_net(net, 32, &layers, err));
    for (int p = 0; p < program_parameter_count(program); p++) {
        if (program_parameter(program, p)->rank == 4 && large < 0) large = p;
    }
    assert_true(large >= 0); /* the first layer, which int4 leaves alone */
    net_values(net, large)[0] = 70000;
    EXPECT_OK(net_copy(net, &before, err));
    EXPECT_OK(f16_round_net(net, &rounded, err));
    EXPECT_TRUE(has_same_values(net, before, large));
    PackedForms *forms;
    EXPECT_OK(packed_forms_new(net_note(net, PACKED_NOTE), &forms, err));
    int still = 0, in_16_bits = 0;
    for (int p = 0; p < program_parameter_count(program); p++) {
        PackedForm form = packed_forms_find(forms, program_parameter(program, p)->name);
        still += form.kind == PACKED_FORM_INT4;
        in_16_bits += form.kind == PACKED_FORM_F16;
        if (form.kind == PACKED_FORM_INT4) EXPECT_TRUE(has_same_values(net, before, p));
    }
    EXPECT_INT(layers, still);
    EXPECT_TRUE(in_16_bits > 0);
    packed_forms_free(forms);
    net_free(before);
    net_free(net);
}

/* The report on precisions was measured before the rounding, so it would not be true of the rounded
 * weights. */
TEST(the_report_on_precisions_is_emptied) {
    Net *net = net_of_words("b1c16-nodist", 4);
    int64_t rounded;
    EXPECT_OK(net_set_note(net, QUANTISATION_REPORT_NOTE, "{\"bf16\":{\"passes\":true}}", err));
    EXPECT_OK(f16_round_net(net, &rounded, err));
    EXPECT_TEXT("{}", net_note(net, QUANTISATION_REPORT_NOTE));
    net_free(net);
}

TEST_MAIN(RUN(matrices_are_rounded_and_vectors_are_not),
          RUN(the_file_is_exact_and_nearly_half_as_large), RUN(packed_and_large_weights_stay),
          RUN(the_report_on_precisions_is_emptied))

/* The smaller forms in which a file may hold weights: packed weights are read back with the same
 * bits, values that do not fit a form are stored as they are, and impossible codes are refused. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nn/graph/net.h"
#include "nn/graph/packed_weights.h"
#include "test.h"

static const PackedForm SPARSE = {PACKED_FORM_2_4, 0}, INT4 = {PACKED_FORM_INT4, 32},
                        F16 = {PACKED_FORM_F16, 0};

static ParameterSpec matrix(int rows, int inputs) {
    return (ParameterSpec){
        .name = "m", .rank = 2, .dims = {rows, inputs}, .count = (size_t)rows * (size_t)inputs};
}

static float bits(uint32_t value) {
    float out;
    memcpy(&out, &value, sizeof out);
    return out;
}

/* Writes and reads the values, and expects the same bits. Returns whether they were packed. */
static bool round_trip(const ParameterSpec *spec, PackedForm form, const float *values) {
    TensorFile *file;
    float *again = calloc(spec->count, sizeof *again);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(packed_add(file, spec, form, values, err));
    bool packed = !tensor_file_has(file, spec->name, "F32", spec->count);
    EXPECT_TRUE(packed_has(file, spec, form));
    EXPECT_OK(packed_read(file, spec, form, again, err));
    EXPECT_TRUE(memcmp(values, again, spec->count * sizeof *again) == 0);
    EXPECT_TRUE(packed == packed_form_fits(spec, form, values));
    tensor_file_free(file);
    free(again);
    return packed;
}

/* A group of four keeps two of its places. The four bits are the first place plus 4 times the
 * second:
 *     0 5 0 -3   places 1 and 3   1 + 3 * 4 = 13
 *     0 0 7 0    places 0 and 2   0 + 2 * 4 = 8
 *     0 0 0 0    places 0 and 1   0 + 1 * 4 = 4 */
TEST(groups_of_four_by_hand) {
    const ParameterSpec spec = matrix(1, 12);
    const float values[12] = {0, 5, 0, -3, 0, 0, 7, 0, 0, 0, 0, 0};
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(packed_add(file, &spec, SPARSE, values, err));
    const unsigned char *places = tensor_file_values(file, "m.places", "U8", 2);
    const float *kept = tensor_file_values(file, "m.kept", "F32", 6);
    assert_non_null(places);
    assert_non_null(kept);
    EXPECT_INT(13 + 16 * 8, places[0]);
    EXPECT_INT(4, places[1]);
    const float wanted[6] = {5, -3, 0, 7, 0, 0};
    for (int i = 0; i < 6; i++)
        EXPECT_TRUE(kept[i] == wanted[i]);
    tensor_file_free(file);
    EXPECT_TRUE(round_trip(&spec, SPARSE, values));
}

/* The largest weight is 3.5 = 7 * 0.5, so the scale is 0.5, which is 0x3f00 in bf16. The weights
 * 3.5, -1 and 0 have the codes 7 + 8, -2 + 8 and 0 + 8. */
TEST(int4_by_hand) {
    const ParameterSpec spec = matrix(1, 3);
    const float values[3] = {3.5f, -1, 0};
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(packed_add(file, &spec, INT4, values, err));
    const unsigned char *codes = tensor_file_values(file, "m.int4", "U8", 2);
    const uint16_t *scales = tensor_file_values(file, "m.scales", "BF16", 1);
    assert_non_null(codes);
    assert_non_null(scales);
    EXPECT_INT(15 + 16 * 6, codes[0]);
    EXPECT_INT(8, codes[1]);
    EXPECT_INT(0x3f00, scales[0]);
    tensor_file_free(file);
}

TEST(random_weights_come_back_to_the_bit) {
    Rng rng = rng_seeded(1);
    for (int round = 0; round < 200; round++) {
        PackedForm form = {rng_below(&rng, 2) ? PACKED_FORM_INT4 : PACKED_FORM_2_4,
                           rng_below(&rng, 2) ? 32 : 64};
        bool sparse = form.kind == PACKED_FORM_2_4;
        int inputs = sparse ? 4 * (1 + rng_below(&rng, 30)) : 1 + rng_below(&rng, 150);
        const ParameterSpec spec = matrix(1 + rng_below(&rng, 9), inputs);
        float *values = calloc(spec.count, sizeof *values);
        for (size_t k = 0; k < spec.count; k++) {
            size_t column = k % (size_t)inputs, group = (size_t)(sparse ? 4 : form.group);
            if (sparse && column % group < 2)
                values[k - column % 2 + (size_t)rng_below(&rng, 2)] = (float)rng_normal(&rng);
            if (sparse) continue;
            /* the first weight of each group is 7 times the scale */
            float scale = column % group ? values[k - column % group] / 7
                                         : packed_bf16((float)exp(4 * rng_normal(&rng)));
            values[k] = column % group ? scale * (float)(rng_below(&rng, 15) - 7) : 7 * scale;
            if (values[k] == 0) values[k] = 0; /* turns -0, which int4 cannot store, into 0 */
        }
        if (!round_trip(&spec, form, values)) fail_msg("round %d is not packed", round);
        free(values);
    }
}

/* All values are stored exactly, whether they are packed or not: also large numbers, -0, subnormal
 * numbers and NaN. */
TEST(values_that_do_not_fit_stay_as_they_are) {
    const ParameterSpec spec = matrix(1, 4);
    const struct {
        float values[4];
        bool sparse, int4, f16;
    } CASES[] = {
        {{0, 0, 0, 0}, true, true, true},
        {{1, 2, 3, 0}, false, true, true}, /* with the scale 1, although no code is 7 */
        {{1, 2, 9, 0}, false, false, true},
        {{7, 2, 3, -7}, false, true, true},
        {{7, 0, 0, -1}, true, true, true},
        {{7, 0.5f, 0, 0}, true, false, true},
        {{7, -0.0f, 0, 0}, true, false, true}, /* -0 counts as one of the two values of 2:4 */
        {{7, -0.0f, 1, 0}, false, false, true},
        {{1e-45f, 0, 0, 0}, true, false, false},
        {{3e38f, 0, 0, 1}, true, false, false},
        {{NAN, 0, 0, 0}, true, false, false},
        {{0, INFINITY, 0, 0}, true, false, false},
        {{65504, -0x1p-24f, 0x3ffp-24f, 1}, false, false, true}, /* largest and smallest of f16 */
        {{65520, 0, 0, 0}, true, false, false},
        {{1.0001f, 0, 0, 0}, true, false, false}, /* f16 has too few bits for it */
        {{7.0078125f, 0, 0, 0},
         true,
         false,
         true}, /* the scale would need more bits than bf16 has */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        EXPECT_TRUE(round_trip(&spec, SPARSE, CASES[i].values) == CASES[i].sparse);
        EXPECT_TRUE(round_trip(&spec, INT4, CASES[i].values) == CASES[i].int4);
        EXPECT_TRUE(round_trip(&spec, F16, CASES[i].values) == CASES[i].f16);
    }
    const ParameterSpec odd = matrix(2, 3),
                        vector = {.name = "v", .rank = 1, .dims = {4}, .count = 4};
    EXPECT_FALSE(packed_form_suits(&odd, SPARSE)); /* 3 inputs cannot be cut into groups of four */
    EXPECT_TRUE(packed_form_suits(&odd, INT4));
    EXPECT_FALSE(packed_form_suits(&vector, SPARSE));
    EXPECT_FALSE(packed_form_suits(&vector, INT4));
    EXPECT_TRUE(packed_form_suits(&odd, F16));
    EXPECT_FALSE(packed_form_suits(&vector, F16));
    EXPECT_FALSE(packed_form_suits(&odd, (PackedForm){PACKED_FORM_NONE, 0}));
}

TEST(bf16_rounds_to_the_nearest) {
    EXPECT_TRUE(packed_bf16(1) == 1);
    EXPECT_TRUE(packed_bf16(bits(0x3f808000)) == bits(0x3f800000)); /* a tie goes to even */
    EXPECT_TRUE(packed_bf16(bits(0x3f818000)) == bits(0x3f820000));
    EXPECT_TRUE(packed_bf16(bits(0x3f808001)) == bits(0x3f810000));
}

TEST(impossible_codes_are_refused) {
    const ParameterSpec spec = matrix(1, 4);
    float out[4];
    /* the places 0 and 0, 1 and 1, 1 and 0, 3 and 3 */
    const unsigned char places[] = {0, 5, 1, 15};
    const float kept[2] = {1, 2};
    for (size_t i = 0; i < sizeof places; i++) {
        TensorFile *file;
        EXPECT_OK(tensor_file_new(&file, err));
        EXPECT_OK(tensor_file_add(file, "m.kept", "F32", 2, kept, err));
        EXPECT_OK(tensor_file_add(file, "m.places", "U8", 1, &places[i], err));
        EXPECT_STATUS(ERR_SYNTAX, packed_read(file, &spec, SPARSE, out, NULL));
        EXPECT_STATUS(ERR_SYNTAX, packed_read(file, &spec, INT4, out, NULL)); /* missing */
        tensor_file_free(file);
    }
    const struct {
        uint16_t scale;
        unsigned char codes[2];
        Status status;
    } CASES[] = {{0x3f80, {0x88, 0x88}, OK},         {0x3f80, {0x80, 0x88}, ERR_SYNTAX},
                 {0xbf80, {0x88, 0x88}, ERR_SYNTAX}, {0x7f80, {0x88, 0x88}, ERR_SYNTAX},
                 {0x7fc0, {0x88, 0x88}, ERR_SYNTAX}, {0x7f7f, {0x88, 0x88}, ERR_SYNTAX}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        TensorFile *file;
        EXPECT_OK(tensor_file_new(&file, err));
        EXPECT_OK(tensor_file_add(file, "m.scales", "BF16", 1, &CASES[i].scale, err));
        EXPECT_OK(tensor_file_add(file, "m.int4", "U8", 2, CASES[i].codes, err));
        EXPECT_STATUS(CASES[i].status, packed_read(file, &spec, INT4, out, NULL));
        tensor_file_free(file);
    }
}

TEST(infinite_numbers_of_16_bits_are_refused) {
    const ParameterSpec spec = matrix(1, 4);
    const uint16_t good[4] = {0x3c00, 0x7bff, 0x8000, 1}, bad[4] = {0x3c00, 0x7c00, 0x8000, 1};
    float out[4];
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(tensor_file_add(file, "m", "F16", 4, good, err));
    EXPECT_STATUS(ERR_SYNTAX, packed_read(file, &spec, INT4, out, NULL)); /* not that form */
    EXPECT_OK(packed_read(file, &spec, F16, out, err));
    EXPECT_TRUE(out[0] == 1 && out[1] == 65504 && signbit(out[2]) && out[3] == 0x1p-24f);
    tensor_file_free(file);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(tensor_file_add(file, "m", "F16", 4, bad, err));
    EXPECT_STATUS(ERR_SYNTAX, packed_read(file, &spec, F16, out, NULL));
    tensor_file_free(file);
}

TEST(forms_are_read_and_written) {
    PackedForms *forms;
    EXPECT_OK(packed_forms_new(NULL, &forms, err));
    EXPECT_INT(0, packed_forms_count(forms));
    EXPECT_OK(packed_forms_set(forms, "a.weight", SPARSE, err));
    EXPECT_OK(packed_forms_set(forms, "b.weight", (PackedForm){PACKED_FORM_INT4, 64}, err));
    EXPECT_STATUS(ERR_ARGUMENT,
                  packed_forms_set(forms, "c", (PackedForm){PACKED_FORM_INT4, 48}, NULL));
    EXPECT_OK(packed_forms_set(forms, "d.weight", F16, err));
    char *text = packed_forms_text(forms);
    EXPECT_TEXT("{\"a.weight\":\"2:4\",\"b.weight\":\"int4/64\",\"d.weight\":\"f16\"}", text);
    packed_forms_free(forms);
    EXPECT_OK(packed_forms_new(text, &forms, err));
    EXPECT_INT(PACKED_FORM_2_4, packed_forms_find(forms, "a.weight").kind);
    EXPECT_INT(64, packed_forms_find(forms, "b.weight").group);
    EXPECT_INT(PACKED_FORM_F16, packed_forms_find(forms, "d.weight").kind);
    EXPECT_INT(PACKED_FORM_NONE, packed_forms_find(forms, "c.weight").kind);
    EXPECT_OK(packed_forms_set(forms, "a.weight", (PackedForm){PACKED_FORM_NONE, 0}, err));
    EXPECT_INT(2, packed_forms_count(forms));
    packed_forms_free(forms);
    free(text);
    EXPECT_STATUS(ERR_SYNTAX, packed_forms_new("[]", &forms, NULL));
    EXPECT_STATUS(ERR_SYNTAX, packed_forms_new("{\"a\":3}", &forms, NULL));
    EXPECT_STATUS(ERR_SYNTAX, packed_forms_new("nothing", &forms, NULL));
    EXPECT_STATUS(ERR_UNSUPPORTED, packed_forms_new("{\"a\":\"int4/16\"}", &forms, NULL));
    EXPECT_STATUS(ERR_UNSUPPORTED, packed_forms_new("{\"a\":\"int3\"}", &forms, NULL));
    EXPECT_TRUE(forms == NULL);
}

static Net *small_net(void) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(7);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, 32);
    program_set_mask(program, x, 0);
    x = program_conv(program, "a", x, 32, 3, -1);
    x = program_conv(program, "b", x, 16, 1, -1);
    program_output(program, "y", program_bias(program, "c", x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static void keep_two_of_four(float *values, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (k % 4 == 1 || k % 4 == 2) values[k] = 0;
}

static int64_t size_of(const char *path) {
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return (int64_t)file.st_size;
}

/* A net keeps its hash when it is packed, and the file is smaller. Without the note nothing is
 * packed. A matrix of weights that no longer fits its form is stored unpacked. */
TEST(nets_are_saved_packed) {
    char path[128];
    snprintf(path, sizeof path, "/tmp/aji_test_packed_%d.aji", (int)getpid());
    Net *net = small_net(), *again;
    keep_two_of_four(net_values(net, 0), program_parameter(net_program(net), 0)->count);
    EXPECT_OK(net_save(net, path, err));
    int64_t whole = size_of(path);
    EXPECT_OK(net_set_note(net, PACKED_NOTE, "{\"a.weight\":\"2:4\",\"b.weight\":\"2:4\"}", err));
    EXPECT_OK(net_save(net, path, err));
    EXPECT_TRUE(size_of(path) < whole - 9 * 32 * 32 * 3 / 2);
    EXPECT_OK(net_load(path, &again, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    EXPECT_TEXT(net_note(net, PACKED_NOTE), net_note(again, PACKED_NOTE));
    net_values(again, 0)[1] = 1; /* now three weights of the first group are not 0 */
    EXPECT_OK(net_save(again, path, err));
    EXPECT_TRUE(size_of(path) >= whole);
    net_free(net);
    EXPECT_OK(net_copy(again, &net, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    net_free(again);
    EXPECT_OK(net_load(path, &again, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    net_free(again);
    net_free(net);
    unlink(path);
}

TEST_MAIN(RUN(groups_of_four_by_hand), RUN(int4_by_hand), RUN(random_weights_come_back_to_the_bit),
          RUN(values_that_do_not_fit_stay_as_they_are), RUN(bf16_rounds_to_the_nearest),
          RUN(impossible_codes_are_refused), RUN(infinite_numbers_of_16_bits_are_refused),
          RUN(forms_are_read_and_written), RUN(nets_are_saved_packed))

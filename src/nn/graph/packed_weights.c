/* The tensors of a packed parameter "NAME":
 *   2:4   "NAME.kept"    F32, two values for each group of four
 *         "NAME.places"  U8, four bits for each group. The low two bits are the place of the first
 *                        value, and the high two bits are the place of the second value, which is
 *                        the larger place. Two groups share a byte; the earlier group has the low
 *                        bits of the byte.
 *   int4  "NAME.scales"  BF16, one for each group
 *         "NAME.int4"    U8, four bits for each weight: q + 8. Two weights of a row share a byte;
 *                        the earlier weight has the low bits. If a row has an odd number of
 *                        weights, the high bits of its last byte are 0.
 *   f16   "NAME"         F16, one for each weight */
#include "nn/graph/packed_weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/float16.h"
#include "base/json.h"
#include "base/memory.h"

enum { NO_CODE = -128 };

struct PackedForms {
    json_t *root;
};

/* Returns false if the text is not the name of a form. */
static bool parse_form(const char *text, PackedForm *out) {
    static const struct {
        const char *text;
        PackedForm form;
    } FORMS[] = {{"2:4", {PACKED_FORM_2_4, 0}},
                 {"int4/32", {PACKED_FORM_INT4, 32}},
                 {"int4/64", {PACKED_FORM_INT4, 64}},
                 {"f16", {PACKED_FORM_F16, 0}}};
    for (size_t i = 0; text && i < sizeof FORMS / sizeof *FORMS; i++) {
        if (strcmp(text, FORMS[i].text) != 0) continue;
        *out = FORMS[i].form;
        return true;
    }
    return false;
}

Status packed_forms_new(const char *text, PackedForms **out, Error *err) {
    PackedForms *forms;
    *out = NULL;
    Status status = mem_new(1, sizeof *forms, &forms, err);
    if (status) return status;
    const char *parameter;
    json_t *value;
    if (text)
        status = json_parse(text, strlen(text), &forms->root, err);
    else if (!(forms->root = json_object()))
        status = fail(err, ERR_MEMORY, "no memory for the forms of packed weights");
    if (!status && !json_is_object(forms->root))
        status = fail(err, ERR_SYNTAX, "packed: the forms of weights are not a JSON object");
    json_object_foreach(forms->root, parameter, value) {
        PackedForm form;
        const char *word = json_string_value(value);
        if (!status && !word)
            status =
                fail(err, ERR_SYNTAX, "packed: the form of \"%.60s\" is not a text", parameter);
        if (!status && !parse_form(word, &form))
            status = fail(err, ERR_UNSUPPORTED,
                          "made by a newer version of aji: \"%.60s\" has the unknown packed form "
                          "\"%.20s\"",
                          parameter, word);
    }
    if (status)
        packed_forms_free(forms);
    else
        *out = forms;
    return status;
}

void packed_forms_free(PackedForms *forms) {
    if (!forms) return;
    json_decref(forms->root);
    free(forms);
}

PackedForm packed_forms_find(const PackedForms *forms, const char *parameter) {
    PackedForm form = {PACKED_FORM_NONE, 0};
    parse_form(json_string_value(json_object_get(forms->root, parameter)), &form);
    return form;
}

Status packed_forms_set(PackedForms *forms, const char *parameter, PackedForm form, Error *err) {
    char text[24] = "2:4";
    if (form.kind == PACKED_FORM_NONE) {
        json_object_del(forms->root, parameter);
        return OK;
    }
    if (form.kind == PACKED_FORM_INT4) snprintf(text, sizeof text, "int4/%d", form.group);
    if (form.kind == PACKED_FORM_F16) snprintf(text, sizeof text, "f16");
    if (!parse_form(text, &form))
        return fail(err, ERR_ARGUMENT, "groups of %d weights in int4; 32 or 64 are wanted",
                    form.group);
    if (json_object_set_new(forms->root, parameter, json_string(text)))
        return fail(err, ERR_MEMORY, "no memory for the forms of packed weights");
    return OK;
}

int packed_forms_count(const PackedForms *forms) {
    return (int)json_object_size(forms->root);
}

char *packed_forms_text(const PackedForms *forms) {
    return json_dumps(forms->root, JSON_COMPACT);
}

float packed_bf16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1);
    bits &= 0xffff0000;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The sizes of packed weights. */
typedef struct {
    size_t rows, inputs, group, groups; /* `group` weights in a group, `groups` groups in a row */
    size_t row_bytes;                   /* bytes of the codes of one row of int4 */
} Layout;

static Layout layout_of(const ParameterSpec *spec, PackedForm form) {
    Layout at = {.inputs = (size_t)spec->dims[spec->rank - 1],
                 .group = form.kind == PACKED_FORM_2_4 ? PACKED_GROUP : (size_t)form.group};
    at.rows = spec->count / at.inputs;
    at.groups = (at.inputs + at.group - 1) / at.group;
    at.row_bytes = (at.inputs + 1) / 2;
    return at;
}

bool packed_form_suits(const ParameterSpec *spec, PackedForm form) {
    bool matrix = spec->rank == 2 || spec->rank == 4;
    if (form.kind == PACKED_FORM_NONE || !matrix || !spec->count) return false;
    return form.kind != PACKED_FORM_2_4 || spec->dims[spec->rank - 1] % PACKED_GROUP == 0;
}

/* Whether a number is 0 but not -0. A weight that 2:4 leaves out and a weight with q = 0 are read
 * back as 0, so a weight of -0 would lose its sign. */
static bool is_plain_zero(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return !bits;
}

static bool fits_2_4(size_t count, const float *values) {
    for (size_t k = 0; k < count; k += PACKED_GROUP) {
        int kept = 0;
        for (size_t i = 0; i < PACKED_GROUP; i++)
            kept += !is_plain_zero(values[k + i]);
        if (kept > PACKED_KEPT) return false;
    }
    return true;
}

/* Returns the scale with which q is `level` or -level for the weight that has the largest absolute
 * value in a group. The scale is 0 if all weights are 0. Returns -1 if that scale is not a finite
 * bf16 number. */
static float scale_of(const float *values, size_t count, int level) {
    float max = 0;
    for (size_t i = 0; i < count; i++)
        max = fmaxf(max, fabsf(values[i]));
    float scale = max / (float)level;
    return isfinite(scale) && scale == packed_bf16(scale) ? scale : -1;
}

/* Returns the q of a weight, or NO_CODE if the weight is not exactly q times the scale for any q
 * from -7 to 7. */
static int code_of(float value, float scale) {
    if (is_plain_zero(value)) return 0;
    float q = scale > 0 ? nearbyintf(value / scale) : 0;
    bool exact = q != 0 && fabsf(q) <= PACKED_INT4_MAX && q * scale == value;
    return exact ? (int)q : NO_CODE;
}

/* Finds the codes (q) of one group with this scale. Returns false if there are none. */
static bool encode_with(const float *values, size_t count, float scale, signed char *codes) {
    for (size_t i = 0; i < count && scale >= 0; i++) {
        int code = code_of(values[i], scale);
        if (code == NO_CODE) return false;
        codes[i] = (signed char)code;
    }
    return scale >= 0;
}

/* Finds the scale and the codes of one group. The largest absolute value has the code 7 or -7 if
 * int4_weights.h has rounded the weights, and may have a smaller code if the scale was learned.
 * Returns false if the group does not fit int4. */
static bool encode_group(const float *values, size_t count, float *scale, signed char *codes) {
    for (int level = PACKED_INT4_MAX; level >= 1; level--) {
        *scale = scale_of(values, count, level);
        if (encode_with(values, count, *scale, codes)) return true;
    }
    return false;
}

/* Encodes all weights, with one byte for each code. `scales` and `codes` may be NULL. Returns false
 * if a group does not fit int4. */
static bool encode_int4(Layout at, const float *values, float *scales, signed char *codes) {
    for (size_t r = 0; r < at.rows; r++) {
        for (size_t g = 0; g < at.groups; g++) {
            size_t first = r * at.inputs + g * at.group, left = at.inputs - g * at.group,
                   count = left < at.group ? left : at.group;
            signed char unused[64];
            float scale;
            if (!encode_group(values + first, count, &scale, codes ? codes + first : unused))
                return false;
            if (scales) scales[r * at.groups + g] = scale;
        }
    }
    return true;
}

static bool fits_f16(size_t count, const float *values) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k]) || float16_value(float16_bits(values[k])) != values[k])
            return false;
    }
    return true;
}

bool packed_form_fits(const ParameterSpec *spec, PackedForm form, const float *values) {
    if (!packed_form_suits(spec, form)) return false;
    if (form.kind == PACKED_FORM_2_4) return fits_2_4(spec->count, values);
    if (form.kind == PACKED_FORM_F16) return fits_f16(spec->count, values);
    return encode_int4(layout_of(spec, form), values, NULL, NULL);
}

typedef struct {
    char text[80];
} TensorName;

static TensorName tensor_name(const ParameterSpec *spec, const char *part) {
    TensorName name;
    snprintf(name.text, sizeof name.text, "%s.%s", spec->name, part);
    return name;
}

/* Writes the values that one group of 2:4 keeps, and returns their places in four bits. A group
 * with fewer than two values that are not 0 also keeps zeros. */
static unsigned pack_group(const float *values, float *kept) {
    unsigned places = 0;
    int count = 0, needed = PACKED_KEPT;
    for (int i = 0; i < PACKED_GROUP; i++)
        needed -= !is_plain_zero(values[i]);
    for (int i = 0; i < PACKED_GROUP; i++) {
        bool zero = is_plain_zero(values[i]);
        if (zero && needed <= 0) continue;
        needed -= zero;
        places |= (unsigned)i << (2 * count);
        kept[count++] = values[i];
    }
    return places;
}

static Status add_2_4(TensorFile *file, const ParameterSpec *spec, const float *values,
                      Error *err) {
    size_t groups = spec->count / PACKED_GROUP, bytes = (groups + 1) / 2;
    float *kept = NULL;
    unsigned char *places = NULL;
    Status status = mem_new(groups * PACKED_KEPT, sizeof *kept, &kept, err);
    if (!status) status = mem_new(bytes, 1, &places, err);
    for (size_t g = 0; g < groups && !status; g++) {
        unsigned pair = pack_group(values + g * PACKED_GROUP, kept + g * PACKED_KEPT);
        places[g / 2] = (unsigned char)(places[g / 2] | pair << (g % 2 ? 4 : 0));
    }
    if (!status)
        status = tensor_file_add(file, tensor_name(spec, "kept").text, "F32", groups * PACKED_KEPT,
                                 kept, err);
    if (!status)
        status = tensor_file_add(file, tensor_name(spec, "places").text, "U8", bytes, places, err);
    free(kept);
    free(places);
    return status;
}

static uint16_t bf16_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static Status write_int4(TensorFile *file, const ParameterSpec *spec, Layout at,
                         const float *scales, const signed char *codes, Error *err) {
    uint16_t *short_scales = NULL;
    unsigned char *bytes = NULL;
    size_t groups = at.rows * at.groups;
    Status status = mem_new(groups, sizeof *short_scales, &short_scales, err);
    if (!status) status = mem_new(at.rows * at.row_bytes, 1, &bytes, err);
    for (size_t g = 0; g < groups && !status; g++)
        short_scales[g] = bf16_bits(scales[g]);
    for (size_t k = 0; k < spec->count && !status; k++) {
        size_t row = k / at.inputs, column = k % at.inputs;
        unsigned char *byte = &bytes[row * at.row_bytes + column / 2];
        *byte = (unsigned char)(*byte | (codes[k] + 8) << (column % 2 ? 4 : 0));
    }
    if (!status)
        status = tensor_file_add(file, tensor_name(spec, "scales").text, "BF16", groups,
                                 short_scales, err);
    if (!status)
        status = tensor_file_add(file, tensor_name(spec, "int4").text, "U8", at.rows * at.row_bytes,
                                 bytes, err);
    free(short_scales);
    free(bytes);
    return status;
}

static Status add_int4(TensorFile *file, const ParameterSpec *spec, PackedForm form,
                       const float *values, Error *err) {
    Layout at = layout_of(spec, form);
    float *scales = NULL;
    signed char *codes = NULL;
    Status status = mem_new(at.rows * at.groups, sizeof *scales, &scales, err);
    if (!status) status = mem_new(spec->count, 1, &codes, err);
    if (!status && encode_int4(at, values, scales, codes))
        status = write_int4(file, spec, at, scales, codes, err);
    free(scales);
    free(codes);
    return status;
}

static Status add_f16(TensorFile *file, const ParameterSpec *spec, const float *values,
                      Error *err) {
    uint16_t *bits = NULL;
    Status status = mem_new(spec->count, sizeof *bits, &bits, err);
    for (size_t k = 0; k < spec->count && !status; k++)
        bits[k] = float16_bits(values[k]);
    if (!status) status = tensor_file_add(file, spec->name, "F16", spec->count, bits, err);
    free(bits);
    return status;
}

Status packed_add(TensorFile *file, const ParameterSpec *spec, PackedForm form, const float *values,
                  Error *err) {
    if (!packed_form_fits(spec, form, values))
        return tensor_file_add(file, spec->name, "F32", spec->count, values, err);
    if (form.kind == PACKED_FORM_2_4) return add_2_4(file, spec, values, err);
    if (form.kind == PACKED_FORM_F16) return add_f16(file, spec, values, err);
    return add_int4(file, spec, form, values, err);
}

bool packed_has(const TensorFile *file, const ParameterSpec *spec, PackedForm form) {
    if (tensor_file_has(file, spec->name, "F32", spec->count)) return true;
    if (!packed_form_suits(spec, form)) return false;
    if (form.kind == PACKED_FORM_F16) return tensor_file_has(file, spec->name, "F16", spec->count);
    Layout at = layout_of(spec, form);
    size_t groups = at.rows * at.groups;
    if (form.kind == PACKED_FORM_2_4)
        return tensor_file_has(file, tensor_name(spec, "kept").text, "F32", groups * PACKED_KEPT) &&
               tensor_file_has(file, tensor_name(spec, "places").text, "U8", (groups + 1) / 2);
    return tensor_file_has(file, tensor_name(spec, "scales").text, "BF16", groups) &&
           tensor_file_has(file, tensor_name(spec, "int4").text, "U8", at.rows * at.row_bytes);
}

static Status read_2_4(const TensorFile *file, const ParameterSpec *spec, float *values,
                       Error *err) {
    size_t groups = spec->count / PACKED_GROUP;
    const float *kept =
        tensor_file_values(file, tensor_name(spec, "kept").text, "F32", groups * PACKED_KEPT);
    const unsigned char *bytes =
        tensor_file_values(file, tensor_name(spec, "places").text, "U8", (groups + 1) / 2);
    for (size_t g = 0; g < groups; g++) {
        unsigned pair = bytes[g / 2] >> (g % 2 ? 4 : 0) & 15u, first = pair & 3, second = pair >> 2;
        if (first >= second)
            return fail(err, ERR_SYNTAX, "packed: group %zu of \"%s\" keeps the places %u and %u",
                        g, spec->name, first, second);
        for (size_t i = 0; i < PACKED_GROUP; i++)
            values[g * PACKED_GROUP + i] = 0;
        values[g * PACKED_GROUP + first] = kept[g * PACKED_KEPT];
        values[g * PACKED_GROUP + second] = kept[g * PACKED_KEPT + 1];
    }
    return OK;
}

static Status read_int4(const TensorFile *file, const ParameterSpec *spec, PackedForm form,
                        float *values, Error *err) {
    Layout at = layout_of(spec, form);
    const uint16_t *scales =
        tensor_file_values(file, tensor_name(spec, "scales").text, "BF16", at.rows * at.groups);
    const unsigned char *bytes =
        tensor_file_values(file, tensor_name(spec, "int4").text, "U8", at.rows * at.row_bytes);
    for (size_t k = 0; k < spec->count; k++) {
        size_t row = k / at.inputs, column = k % at.inputs;
        int code = bytes[row * at.row_bytes + column / 2] >> (column % 2 ? 4 : 0) & 15;
        uint32_t bits = (uint32_t)scales[row * at.groups + column / at.group] << 16;
        float scale;
        memcpy(&scale, &bits, sizeof scale);
        if (!code || !(scale >= 0) || !isfinite(scale * PACKED_INT4_MAX))
            return fail(err, ERR_SYNTAX, "packed: weight %zu of \"%s\" has code %d and scale %g", k,
                        spec->name, code, (double)scale);
        values[k] = code == 8 ? 0 : (float)(code - 8) * scale;
    }
    return OK;
}

static Status read_f16(const TensorFile *file, const ParameterSpec *spec, float *values,
                       Error *err) {
    const uint16_t *bits = tensor_file_values(file, spec->name, "F16", spec->count);
    for (size_t k = 0; k < spec->count; k++) {
        values[k] = float16_value(bits[k]);
        if (!isfinite(values[k]))
            return fail(err, ERR_SYNTAX, "packed: weight %zu of \"%s\" is not finite", k,
                        spec->name);
    }
    return OK;
}

Status packed_read(const TensorFile *file, const ParameterSpec *spec, PackedForm form,
                   float *values, Error *err) {
    bool packed =
        !tensor_file_has(file, spec->name, "F32", spec->count) && packed_has(file, spec, form);
    if (!packed) return tensor_file_read(file, spec->name, "F32", spec->count, values, err);
    if (form.kind == PACKED_FORM_2_4) return read_2_4(file, spec, values, err);
    if (form.kind == PACKED_FORM_F16) return read_f16(file, spec, values, err);
    return read_int4(file, spec, form, values, err);
}

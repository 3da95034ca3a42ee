#include "eval/formats/lc0/lc0_tensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float16.h"
#include "eval/formats/lc0/lc0_fields.h"

enum { LEVELS = 65535 };

static bool add_dim(Lc0Tensor *tensor, uint64_t dim) {
    if (tensor->dim_count == LC0_DIMS_MAX) return false;
    tensor->dims[tensor->dim_count++] = dim;
    return true;
}

static bool read_dims(Lc0Tensor *tensor, ProtoField *field) {
    uint64_t dim;
    if (field->wire == PROTO_VARINT) return add_dim(tensor, field->value);
    if (field->wire != PROTO_LENGTH) return false;
    while (field->bytes.left) { /* packed */
        if (!proto_read_varint(&field->bytes, &dim) || !add_dim(tensor, dim)) return false;
    }
    return true;
}

/* The form that the value of a field of a tensor has. */
static bool fits(const ProtoField *field) {
    if (field->number == LC0_LAYER_MIN || field->number == LC0_LAYER_MAX)
        return field->wire == PROTO_32;
    if (field->number == LC0_LAYER_PARAMS) return field->wire == PROTO_LENGTH;
    return field->number != LC0_LAYER_ENCODING || field->wire == PROTO_VARINT;
}

bool lc0_tensor_read(ProtoBytes from, Lc0Tensor *out) {
    *out = (Lc0Tensor){0};
    while (from.left) {
        ProtoField field;
        if (!proto_read_field(&from, &field) || !fits(&field)) return false;
        if (field.number == LC0_LAYER_MIN) out->min = proto_float(&field);
        if (field.number == LC0_LAYER_MAX) out->max = proto_float(&field);
        if (field.number == LC0_LAYER_PARAMS) out->params = field.bytes;
        if (field.number == LC0_LAYER_ENCODING) out->encoding = field.value;
        if (field.number == LC0_LAYER_DIMS && !read_dims(out, &field)) return false;
    }
    return isfinite(out->min) && isfinite(out->max);
}

/* Whether the dimensions, if there are any, have as many numbers as the tensor. */
static bool dims_fit(const Lc0Tensor *tensor) {
    uint64_t product = 1;
    for (int i = 0; i < tensor->dim_count; i++) {
        if (tensor->dims[i] && product > UINT32_MAX / tensor->dims[i]) return false;
        product *= tensor->dims[i];
    }
    return !tensor->dim_count || product == tensor->count;
}

const char *lc0_tensor_check(Lc0Tensor *tensor, uint64_t usual_encoding, char text[80]) {
    if (!tensor->encoding) tensor->encoding = usual_encoding;
    if (tensor->encoding == LC0_ENCODING_UNKNOWN || !lc0_word(LC0_ENCODINGS, tensor->encoding)) {
        snprintf(text, 80, "its encoding is %llu, which is not known",
                 (unsigned long long)tensor->encoding);
        return text;
    }
    size_t size = tensor->encoding == LC0_FLOAT32 ? 4 : 2;
    if (tensor->params.left % size) return "it has half a number";
    tensor->count = tensor->params.left / size;
    return dims_fit(tensor) ? NULL : "its dimensions do not fit the number of its numbers";
}

static float of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool lc0_tensor_decode(const Lc0Tensor *tensor, float *out) {
    const double min = (double)tensor->min, range = (double)tensor->max - min;
    const unsigned char *at = tensor->params.at;
    for (size_t i = 0; i < tensor->count; i++) {
        uint32_t bits = at[0] | (uint32_t)at[1] << 8;
        at += 2;
        if (tensor->encoding == LC0_FLOAT32) {
            out[i] = of_bits(bits | (uint32_t)at[0] << 16 | (uint32_t)at[1] << 24);
            at += 2;
        } else if (tensor->encoding == LC0_FLOAT16) {
            out[i] = float16_value((uint16_t)bits);
        } else if (tensor->encoding == LC0_BFLOAT16) {
            out[i] = of_bits(bits << 16);
        } else {
            out[i] = (float)(min + range * bits / LEVELS);
        }
        if (!isfinite(out[i])) return false;
    }
    return true;
}

typedef struct {
    float min, max;
} Range;

/* If 0 lies inside the range, makes the range larger so that it is a whole number of steps from
 * `min` to 0. The step has only 8 significant bits, so that min, max and their difference are exact
 * in float. */
static Range with_zero(Range range) {
    int exponent;
    if (!(range.min < 0 && range.max > 0)) return range;
    double wanted = ((double)range.max - (double)range.min) / (LEVELS - 1),
           fraction = frexp(wanted, &exponent), step = ldexp(ceil(fraction * 256) / 256, exponent),
           below = ceil(-(double)range.min / step);
    Range wide = {(float)(-below * step), (float)((LEVELS - below) * step)};
    return isfinite(wide.min) && isfinite(wide.max) ? wide : range;
}

void lc0_tensor_add(StrBuf *out, int field, const float *values, size_t count) {
    StrBuf message = {0};
    Range range = {count ? values[0] : 0, count ? values[0] : 0};
    bool zeros = false;
    for (size_t i = 0; i < count; i++) {
        if (values[i] < range.min) range.min = values[i];
        if (values[i] > range.max) range.max = values[i];
        zeros |= !(values[i] < 0) && !(values[i] > 0);
    }
    if (zeros) range = with_zero(range);
    const double min = (double)range.min, width = (double)range.max - min;
    proto_add_float(&message, LC0_LAYER_MIN, range.min);
    proto_add_float(&message, LC0_LAYER_MAX, range.max);
    proto_add_length(&message, LC0_LAYER_PARAMS, 2 * (uint64_t)count);
    for (size_t i = 0; i < count; i++) {
        double level = width > 0 ? rint(((double)values[i] - min) / width * LEVELS) : 0;
        unsigned bits = level < 0 ? 0 : level > LEVELS ? LEVELS : (unsigned)level;
        strbuf_add_bytes(&message,
                         (unsigned char[]){(unsigned char)(bits & 255), (unsigned char)(bits >> 8)},
                         2);
    }
    proto_add_message(out, field, &message);
    strbuf_clear(&message);
}

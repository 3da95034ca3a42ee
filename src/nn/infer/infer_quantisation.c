#include "nn/infer/infer_quantisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"
#include "nn/kernels/int8/int8_gemm.h"

bool quantisation_can(const Op *op, int in_channels) {
    bool conv = op->kind == OP_CONV;
    int kernel = conv ? op->kernel_h : 1;
    bool small = kernel == 1 && op->channels <= INFER_SMALL_CHANNELS,
         plain = !conv || (op->kernel_w == kernel && op->dilation == 1);
    return plain && !small && in_channels <= QUANTISATION_CHANNELS_MAX &&
           in_channels <= CONV_INT8_DEPTH_MAX / (kernel * kernel);
}

bool quantisation_can_be_fine(int in_channels) {
    return in_channels <= INT8_GEMM_DEPTH_MAX_FINE;
}

Status quantisation_new(int count, Quantisation **out, Error *err) {
    Quantisation *quantisation;
    *out = NULL;
    Status status = mem_new(1, sizeof *quantisation, &quantisation, err);
    if (status) return status;
    status = mem_new((size_t)count, sizeof *quantisation->layers, &quantisation->layers, err);
    if (status) {
        free(quantisation);
        return status;
    }
    quantisation->count = count;
    *out = quantisation;
    return OK;
}

void quantisation_free(Quantisation *quantisation) {
    if (!quantisation) return;
    for (int i = 0; i < quantisation->count; i++) {
        free(quantisation->layers[i].scales);
        free(quantisation->layers[i].zero_points);
        free(quantisation->layers[i].weights);
        free(quantisation->layers[i].weight_scales);
        free(quantisation->layers[i].correction);
    }
    free(quantisation->layers);
    free(quantisation);
}

static Status set_name(LayerQuantisation *layer, const char *name, int channels, Error *err) {
    size_t length = strlen(name);
    if (length >= sizeof layer->name || channels < 1 || channels > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: a layer \"%.64s\" of %d channels is impossible", name,
                    channels);
    memcpy(layer->name, name, length + 1);
    layer->channels = channels;
    return OK;
}

Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name, int channels,
                              Error *err) {
    LayerQuantisation *layer = &quantisation->layers[index];
    Status status = set_name(layer, name, channels, err);
    if (!status) status = mem_new((size_t)channels, sizeof *layer->scales, &layer->scales, err);
    if (!status) status = mem_new((size_t)channels, 1, &layer->zero_points, err);
    for (int c = 0; !status && c < channels; c++)
        layer->scales[c] = 1.0f;
    return status;
}

Status quantisation_set_correction(LayerQuantisation *layer, const char *name, int channels,
                                   int outputs, Error *err) {
    Status status = set_name(layer, name, channels, err);
    if (!status && (outputs < 1 || outputs > QUANTISATION_CHANNELS_MAX))
        status =
            fail(err, ERR_SYNTAX, "int8: %d corrections of \"%s\" are impossible", outputs, name);
    if (!status)
        status = mem_new((size_t)outputs, sizeof *layer->correction, &layer->correction, err);
    if (!status) layer->correction_count = outputs;
    return status;
}

Status quantisation_set_weights(LayerQuantisation *layer, int outputs, Error *err) {
    if (outputs < 1 || outputs > QUANTISATION_WEIGHTS_MAX / layer->channels)
        return fail(err, ERR_SYNTAX, "int8: %d outputs of \"%s\" are impossible", outputs,
                    layer->name);
    layer->outputs = outputs;
    size_t count = (size_t)outputs * (size_t)layer->channels;
    Status status = mem_new(count, 1, &layer->weights, err);
    if (!status) status = mem_new((size_t)outputs, sizeof(float), &layer->weight_scales, err);
    return status;
}

float quantisation_weight_scale(const LayerQuantisation *layer, const float *weights) {
    return int8_column_scale(layer->channels, weights, 1);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads rounded weights: a scale for each output, and a text that has two hexadecimal digits for
 * each weight (8 bits in two's complement). */
static Status read_weights(LayerQuantisation *layer, const json_t *scales, const json_t *text,
                           Error *err) {
    size_t outputs = json_array_size(scales), channels = (size_t)layer->channels;
    const char *digits = json_string_value(text);
    if (outputs > QUANTISATION_CHANNELS_MAX || !digits ||
        json_string_length(text) != 2 * outputs * channels)
        return fail(err, ERR_SYNTAX,
                    "int8: \"%s\" has %zu scales and %zu hexadecimal digits of weights; wanted are "
                    "at most %d scales, and %zu digits for each scale",
                    layer->name, outputs, json_string_length(text), QUANTISATION_CHANNELS_MAX,
                    2 * channels);
    Status status = quantisation_set_weights(layer, (int)outputs, err);
    for (size_t o = 0; o < outputs && !status; o++) {
        double scale = json_number_value(json_array_get(scales, o));
        if (!(scale >= 1e-30 && scale <= 1e20))
            return fail(err, ERR_SYNTAX, "int8: output %zu of \"%s\" has scale %g", o, layer->name,
                        scale);
        layer->weight_scales[o] = (float)scale;
    }
    for (size_t i = 0; i < outputs * channels && !status; i++) {
        int high = hex_digit(digits[2 * i]), low = hex_digit(digits[2 * i + 1]),
            byte = 16 * high + low;
        if (high < 0 || low < 0 || byte == 128)
            return fail(err, ERR_SYNTAX, "int8: weight %zu of \"%s\" is no integer of 8 bits", i,
                        layer->name);
        layer->weights[i] = (int8_t)(byte < 128 ? byte : byte - 256);
    }
    return status;
}

static Status read_layer_by_rows(Quantisation *quantisation, int index, const char *name,
                                 const json_t *object, Error *err) {
    json_int_t channels = json_integer_value(json_object_get(object, "channels"));
    if (channels < 1 || channels > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: \"%.60s\" has %lld channels; 1 to %d are possible",
                    name, (long long)channels, QUANTISATION_CHANNELS_MAX);
    Status status = quantisation_set_layer(quantisation, index, name, (int)channels, err);
    if (status) return status;
    LayerQuantisation *layer = &quantisation->layers[index];
    layer->by_rows = true;
    layer->fine = json_is_true(json_object_get(object, "fine"));
    layer->fine_weights = json_is_true(json_object_get(object, "fine_weights"));
    const json_t *weights = layer->fine_weights ? NULL : json_object_get(object, "weights");
    return weights ? read_weights(layer, json_object_get(object, "scales"), weights, err) : OK;
}

static Status read_correction(LayerQuantisation *layer, const char *name, const json_t *object,
                              const json_t *correction, Error *err) {
    json_int_t channels = json_integer_value(json_object_get(object, "channels"));
    size_t outputs = json_array_size(correction);
    if (channels < 1 || channels > QUANTISATION_CHANNELS_MAX || outputs > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: \"%.60s\" has %lld channels and %zu corrections", name,
                    (long long)channels, outputs);
    Status status = quantisation_set_correction(layer, name, (int)channels, (int)outputs, err);
    for (size_t o = 0; o < outputs && !status; o++) {
        double value = json_number_value(json_array_get(correction, o));
        if (!(fabs(value) <= 1e20))
            return fail(err, ERR_SYNTAX, "int8: correction %zu of \"%.60s\" is %g", o, name, value);
        layer->correction[o] = (float)value;
    }
    return status;
}

static Status read_layer(Quantisation *quantisation, int index, const char *name,
                         const json_t *object, Error *err) {
    if (json_is_true(json_object_get(object, "rows")))
        return read_layer_by_rows(quantisation, index, name, object, err);
    const json_t *correction = json_object_get(object, "correction");
    if (correction)
        return read_correction(&quantisation->layers[index], name, object, correction, err);
    const json_t *scales = json_object_get(object, "steps"),
                 *zero_points = json_object_get(object, "zeros");
    size_t channels = json_array_size(scales);
    if (json_array_size(zero_points) != channels || channels > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: \"%.60s\" has %zu scales and %zu zero points", name,
                    channels, json_array_size(zero_points));
    Status status = quantisation_set_layer(quantisation, index, name, (int)channels, err);
    if (!status)
        quantisation->layers[index].winograd = json_is_true(json_object_get(object, "tiles"));
    for (size_t c = 0; !status && c < channels; c++) {
        double scale = json_number_value(json_array_get(scales, c));
        const json_t *zero = json_array_get(zero_points, c);
        json_int_t byte = json_is_integer(zero) ? json_integer_value(zero) : -1;
        if (!(scale >= 1e-20 && scale <= 1e20) || byte < 0 || byte > 255)
            return fail(err, ERR_SYNTAX,
                        "int8: channel %zu of \"%.60s\" has scale %g and zero point %lld; 1e-20 to "
                        "1e20 and 0 to 255 are wanted",
                        c, name, scale, (long long)byte);
        quantisation->layers[index].scales[c] = (float)scale;
        quantisation->layers[index].zero_points[c] = (uint8_t)byte;
    }
    return status;
}

Status quantisation_read(const Net *net, Quantisation **out, Error *err) {
    const char *text = net_note(net, QUANTISATION_NOTE), *name;
    json_t *root = NULL, *object;
    int index = 0;
    *out = NULL;
    if (!text)
        return fail(err, ERR_UNSUPPORTED,
                    "the net has no scales for int8; `aji net quantize NET OUT.aji` makes them");
    Status status = json_parse(text, strlen(text), &root, err);
    if (!status && !json_is_object(root))
        status = fail(err, ERR_SYNTAX, "int8: the layers of a quantisation are not a JSON object");
    if (!status) status = quantisation_new((int)json_object_size(root), out, err);
    if (!status) {
        json_object_foreach(root, name, object) {
            status = read_layer(*out, index++, name, object, err);
            if (status) break;
        }
    }
    json_decref(root);
    if (status) {
        quantisation_free(*out);
        *out = NULL;
    }
    return status;
}

static json_t *weights_json(const LayerQuantisation *layer) {
    static const char DIGITS[] = "0123456789abcdef";
    size_t count = (size_t)layer->outputs * (size_t)layer->channels;
    char *text;
    if (mem_new(2 * count, 1, &text, NULL)) return NULL;
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = DIGITS[(uint8_t)layer->weights[i] >> 4];
        text[2 * i + 1] = DIGITS[(uint8_t)layer->weights[i] & 15];
    }
    json_t *made = json_stringn(text, 2 * count);
    free(text);
    return made;
}

static json_t *layer_by_rows_json(const LayerQuantisation *layer) {
    json_t *object = json_pack("{s:b, s:b, s:i}", "rows", true, "fine", layer->fine, "channels",
                               layer->channels);
    if (layer->fine_weights) json_object_set_new(object, "fine_weights", json_true());
    if (!layer->weights || layer->fine_weights) return object;
    json_t *scales = json_array();
    for (int o = 0; o < layer->outputs; o++)
        json_array_append_new(scales, json_real((double)layer->weight_scales[o]));
    json_object_set_new(object, "scales", scales);
    json_object_set_new(object, "weights", weights_json(layer));
    return object;
}

static json_t *correction_json(const LayerQuantisation *layer) {
    json_t *values = json_array();
    for (int o = 0; o < layer->correction_count; o++)
        json_array_append_new(values, json_real((double)layer->correction[o]));
    return json_pack("{s:i, s:o}", "channels", layer->channels, "correction", values);
}

Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err) {
    json_t *root = json_object();
    for (int i = 0; i < quantisation->count; i++) {
        const LayerQuantisation *layer = &quantisation->layers[i];
        if (layer->correction) {
            json_object_set_new(root, layer->name, correction_json(layer));
            continue;
        }
        if (layer->by_rows) {
            json_object_set_new(root, layer->name, layer_by_rows_json(layer));
            continue;
        }
        json_t *scales = json_array(), *zero_points = json_array();
        for (int c = 0; c < layer->channels; c++) {
            json_array_append_new(scales, json_real((double)layer->scales[c]));
            json_array_append_new(zero_points, json_integer(layer->zero_points[c]));
        }
        json_object_set_new(root, layer->name,
                            json_pack("{s:b, s:o, s:o}", "tiles", layer->winograd, "steps", scales,
                                      "zeros", zero_points));
    }
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the scales of int8");
    Status status = net_set_note(net, QUANTISATION_NOTE, text, err);
    free(text);
    return status;
}

const LayerQuantisation *quantisation_find(const Quantisation *quantisation, const char *name,
                                           int channels) {
    for (int i = 0; i < quantisation->count; i++) {
        if (strcmp(quantisation->layers[i].name, name) == 0 &&
            quantisation->layers[i].channels == channels)
            return &quantisation->layers[i];
    }
    return NULL;
}

bool quantisation_equal(const LayerQuantisation *a, const LayerQuantisation *b) {
    size_t channels = (size_t)a->channels;
    return a == b || (a->channels == b->channels &&
                      memcmp(a->scales, b->scales, channels * sizeof *a->scales) == 0 &&
                      memcmp(a->zero_points, b->zero_points, channels) == 0);
}

int quantisation_report(const Net *net, const char *precision) {
    const char *text = net_note(net, QUANTISATION_REPORT_NOTE);
    json_t *root = NULL;
    if (!text || json_parse(text, strlen(text), &root, NULL)) return -1;
    const json_t *passes = json_object_get(json_object_get(root, precision), "passes");
    int answer = json_is_boolean(passes) ? json_is_true(passes) : -1;
    json_decref(root);
    return answer;
}

void quantisation_remove(Net *net) {
    net_remove_note(net, QUANTISATION_NOTE);
    net_remove_note(net, QUANTISATION_REPORT_NOTE);
}

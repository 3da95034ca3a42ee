#include "nn/infer/infer_quantisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"

bool quantisation_can(const Op *op, int in_channels) {
    bool conv = op->kind == OP_CONV;
    int kernel = conv ? op->kernel_h : 1;
    bool small = kernel == 1 && op->channels <= INFER_SMALL_CHANNELS,
         plain = !conv || (op->kernel_w == kernel && op->dilation == 1);
    return plain && !small && in_channels <= QUANTISATION_CHANNELS_MAX &&
           in_channels <= CONV_INT8_DEPTH_MAX / (kernel * kernel);
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
    }
    free(quantisation->layers);
    free(quantisation);
}

Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name, int channels,
                              Error *err) {
    LayerQuantisation *layer = &quantisation->layers[index];
    size_t length = strlen(name);
    if (length >= sizeof layer->name || channels < 1 || channels > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: a layer \"%.64s\" of %d channels is impossible", name,
                    channels);
    memcpy(layer->name, name, length + 1);
    layer->channels = channels;
    Status status = mem_new((size_t)channels, sizeof *layer->scales, &layer->scales, err);
    if (!status) status = mem_new((size_t)channels, 1, &layer->zero_points, err);
    for (int c = 0; !status && c < channels; c++)
        layer->scales[c] = 1.0f;
    return status;
}

static Status read_layer(Quantisation *quantisation, int index, const char *name,
                         const json_t *object, Error *err) {
    const json_t *scales = json_object_get(object, "steps"),
                 *zero_points = json_object_get(object, "zeros");
    size_t channels = json_array_size(scales);
    if (json_array_size(zero_points) != channels || channels > QUANTISATION_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: \"%.60s\" has %zu steps and %zu zeros", name, channels,
                    json_array_size(zero_points));
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
        status = fail(err, ERR_SYNTAX, "int8: the scales of a net are an object of layers");
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

Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err) {
    json_t *root = json_object();
    for (int i = 0; i < quantisation->count; i++) {
        const LayerQuantisation *layer = &quantisation->layers[i];
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

#include "nn/infer/infer_scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"

bool scales_can(int kernel, int in_channels, int out_channels) {
    bool small = kernel == 1 && out_channels <= INFER_SMALL_CHANNELS;
    return !small && in_channels <= SCALES_CHANNELS_MAX &&
           in_channels <= CONV_INT8_DEPTH_MAX / (kernel * kernel);
}

Status scales_new(int count, Scales **out, Error *err) {
    Scales *scales;
    *out = NULL;
    Status status = mem_new(1, sizeof *scales, &scales, err);
    if (status) return status;
    status = mem_new((size_t)count, sizeof *scales->layers, &scales->layers, err);
    if (status) {
        free(scales);
        return status;
    }
    scales->count = count;
    *out = scales;
    return OK;
}

void scales_free(Scales *scales) {
    if (!scales) return;
    for (int i = 0; i < scales->count; i++) {
        free(scales->layers[i].steps);
        free(scales->layers[i].zeros);
    }
    free(scales->layers);
    free(scales);
}

Status scales_set_layer(Scales *scales, int index, const char *name, int channels, Error *err) {
    LayerScales *layer = &scales->layers[index];
    size_t length = strlen(name);
    if (length >= sizeof layer->name || channels < 1 || channels > SCALES_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: a layer \"%.64s\" of %d channels", name, channels);
    memcpy(layer->name, name, length + 1);
    layer->channels = channels;
    Status status = mem_new((size_t)channels, sizeof *layer->steps, &layer->steps, err);
    if (!status) status = mem_new((size_t)channels, 1, &layer->zeros, err);
    for (int c = 0; !status && c < channels; c++)
        layer->steps[c] = 1.0f;
    return status;
}

static Status read_layer(Scales *scales, int index, const char *name, const json_t *object,
                         Error *err) {
    const json_t *steps = json_object_get(object, "steps"),
                 *zeros = json_object_get(object, "zeros");
    size_t channels = json_array_size(steps);
    if (json_array_size(zeros) != channels || channels > SCALES_CHANNELS_MAX)
        return fail(err, ERR_SYNTAX, "int8: \"%.60s\" has %zu steps and %zu zeros", name, channels,
                    json_array_size(zeros));
    Status status = scales_set_layer(scales, index, name, (int)channels, err);
    if (!status) scales->layers[index].winograd = json_is_true(json_object_get(object, "tiles"));
    for (size_t c = 0; !status && c < channels; c++) {
        double step = json_number_value(json_array_get(steps, c));
        const json_t *zero = json_array_get(zeros, c);
        json_int_t byte = json_is_integer(zero) ? json_integer_value(zero) : -1;
        if (!(step >= 1e-20 && step <= 1e20) || byte < 0 || byte > 255)
            return fail(err, ERR_SYNTAX,
                        "int8: channel %zu of \"%.60s\" has step %g and zero %lld; 1e-20 to 1e20 "
                        "and 0 to 255 are wanted",
                        c, name, step, (long long)byte);
        scales->layers[index].steps[c] = (float)step;
        scales->layers[index].zeros[c] = (uint8_t)byte;
    }
    return status;
}

Status scales_read(const Net *net, Scales **out, Error *err) {
    const char *text = net_note(net, SCALES_NOTE), *name;
    json_t *root = NULL, *object;
    int index = 0;
    *out = NULL;
    if (!text)
        return fail(err, ERR_UNSUPPORTED,
                    "the net has no scales for int8; `aji net quantize NET OUT.aji` makes them");
    Status status = json_parse(text, strlen(text), &root, err);
    if (!status && !json_is_object(root))
        status = fail(err, ERR_SYNTAX, "int8: the scales of a net are an object of layers");
    if (!status) status = scales_new((int)json_object_size(root), out, err);
    if (!status) {
        json_object_foreach(root, name, object) {
            status = read_layer(*out, index++, name, object, err);
            if (status) break;
        }
    }
    json_decref(root);
    if (status) {
        scales_free(*out);
        *out = NULL;
    }
    return status;
}

Status scales_write(const Scales *scales, Net *net, Error *err) {
    json_t *root = json_object();
    for (int i = 0; i < scales->count; i++) {
        const LayerScales *layer = &scales->layers[i];
        json_t *steps = json_array(), *zeros = json_array();
        for (int c = 0; c < layer->channels; c++) {
            json_array_append_new(steps, json_real((double)layer->steps[c]));
            json_array_append_new(zeros, json_integer(layer->zeros[c]));
        }
        json_object_set_new(
            root, layer->name,
            json_pack("{s:b, s:o, s:o}", "tiles", layer->winograd, "steps", steps, "zeros", zeros));
    }
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the scales of int8");
    Status status = net_set_note(net, SCALES_NOTE, text, err);
    free(text);
    return status;
}

const LayerScales *scales_find(const Scales *scales, const char *name, int channels) {
    for (int i = 0; i < scales->count; i++) {
        if (strcmp(scales->layers[i].name, name) == 0 && scales->layers[i].channels == channels)
            return &scales->layers[i];
    }
    return NULL;
}

bool scales_equal(const LayerScales *a, const LayerScales *b) {
    size_t channels = (size_t)a->channels;
    return a == b || (a->channels == b->channels &&
                      memcmp(a->steps, b->steps, channels * sizeof *a->steps) == 0 &&
                      memcmp(a->zeros, b->zeros, channels) == 0);
}

int scales_report(const Net *net, const char *precision) {
    const char *text = net_note(net, SCALES_REPORT_NOTE);
    json_t *root = NULL;
    if (!text || json_parse(text, strlen(text), &root, NULL)) return -1;
    const json_t *passes = json_object_get(json_object_get(root, precision), "passes");
    int answer = json_is_boolean(passes) ? json_is_true(passes) : -1;
    json_decref(root);
    return answer;
}

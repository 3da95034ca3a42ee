#include "eval/formats/katago_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct KatagoFile {
    const char *bytes;
    size_t count, at;
    bool binary;
    int version;
    char layer[KATAGO_WORD];
    Error fault;
    Arena weights;
};

Status katago_file_open(const char *bytes, size_t count, KatagoFile **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    KatagoFile *file = *out;
    *file = (KatagoFile){.bytes = bytes, .count = count, .version = 3, .layer = "header"};
    for (size_t i = 0; i + 5 <= count && !file->binary; i++)
        file->binary = bytes[i] == '@' && memcmp(bytes + i, "@BIN@", 5) == 0;
    return OK;
}

void katago_file_close(KatagoFile *file) {
    if (!file) return;
    arena_clear(&file->weights);
    free(file);
}

bool katago_file_good(const KatagoFile *file) {
    return !file->fault.status;
}

Status katago_file_status(const KatagoFile *file, Error *err) {
    if (!file->fault.status) return OK;
    return fail(err, file->fault.status, "%s", file->fault.message);
}

void katago_file_refuse(KatagoFile *file, Status status, const char *format, ...) {
    if (file->fault.status) return;
    char text[384];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail(&file->fault, status, "%.100s: %s", file->layer, text);
}

void katago_file_set_version(KatagoFile *file, int version) {
    file->version = version;
}

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

KatagoWord katago_read_word(KatagoFile *file, const char *what) {
    KatagoWord word = {""};
    if (file->fault.status) return word;
    while (file->at < file->count && is_blank(file->bytes[file->at]))
        file->at++;
    size_t length = 0;
    for (; file->at < file->count && !is_blank(file->bytes[file->at]); file->at++) {
        char c = file->bytes[file->at];
        if (length == sizeof word.text - 1) {
            katago_file_refuse(file, ERR_SYNTAX, "%s is longer than %d characters", what,
                               KATAGO_WORD - 1);
            return (KatagoWord){""};
        }
        word.text[length++] = c >= ' ' && c <= '~' ? c : '?'; /* messages show it */
    }
    if (!length) katago_file_refuse(file, ERR_SYNTAX, "the file ends where %s is wanted", what);
    return word;
}

KatagoWord katago_read_name(KatagoFile *file) {
    KatagoWord name = katago_read_word(file, "the name of the next layer");
    if (!file->fault.status) snprintf(file->layer, sizeof file->layer, "%s", name.text);
    return name;
}

int katago_read_int(KatagoFile *file, const char *what, int min, int max) {
    KatagoWord word = katago_read_word(file, what);
    if (file->fault.status) return 0;
    char *end;
    long value = strtol(word.text, &end, 10);
    if (*end || end == word.text)
        katago_file_refuse(file, ERR_SYNTAX, "%s is \"%.40s\", a whole number is wanted", what,
                           word.text);
    else if (value != min && min == max)
        katago_file_refuse(file, ERR_SYNTAX, "%s is %.40s, %d is wanted", what, word.text, min);
    else if (value < min || value > max)
        katago_file_refuse(file, ERR_SYNTAX, "%s is %.40s, %d to %d is wanted", what, word.text,
                           min, max);
    return file->fault.status ? 0 : (int)value;
}

double katago_read_positive(KatagoFile *file, const char *what) {
    KatagoWord word = katago_read_word(file, what);
    if (file->fault.status) return 0;
    char *end;
    double value = strtod(word.text, &end);
    if (*end || end == word.text || !isfinite(value) || value <= 0) {
        katago_file_refuse(file, ERR_SYNTAX, "%s is \"%.40s\", a number above 0 is wanted", what,
                           word.text);
        return 0;
    }
    return value;
}

void katago_read_zeros(KatagoFile *file, int count) {
    for (int i = 0; i < count && !file->fault.status; i++)
        katago_read_int(file, "a field that this model version does not use", 0, 0);
}

static void read_text_floats(KatagoFile *file, size_t count, float *values) {
    for (size_t i = 0; i < count && !file->fault.status; i++) {
        KatagoWord word = katago_read_word(file, "a weight");
        char *end;
        values[i] = strtof(word.text, &end);
        if (!file->fault.status && (*end || end == word.text))
            katago_file_refuse(file, ERR_SYNTAX, "weight %zu is \"%.40s\", a number is wanted", i,
                               word.text);
    }
}

/* Moves to the first byte after the "@BIN@" that precedes the next weights. Returns false if the
 * next '@' does not begin this marker, or if the next 100 bytes contain no '@'. */
static bool find_marker(KatagoFile *file) {
    enum { SKIPPED_MAX = 100 };
    for (int i = 0; i < SKIPPED_MAX && file->count - file->at >= 5; i++, file->at++) {
        if (file->bytes[file->at] != '@') continue;
        if (memcmp(file->bytes + file->at, "@BIN@", 5) != 0) return false;
        file->at += 5;
        return true;
    }
    return false;
}

static void read_binary_floats(KatagoFile *file, size_t count, float *values) {
    const unsigned char *from = (const unsigned char *)file->bytes + file->at;
    for (size_t i = 0; i < count; i++, from += 4) {
        uint32_t bits = (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
                        (uint32_t)from[3] << 24;
        memcpy(&values[i], &bits, sizeof bits);
    }
    file->at += 4 * count;
}

const float *katago_read_floats(KatagoFile *file, size_t count) {
    if (file->fault.status) return NULL;
    if (file->binary && !find_marker(file)) {
        katago_file_refuse(file, ERR_SYNTAX, "no @BIN@ where its %zu weights should begin", count);
        return NULL;
    }
    size_t left = file->count - file->at;
    if (count > (file->binary ? left / 4 : (left + 1) / 2)) {
        katago_file_refuse(file, ERR_SYNTAX, "the file has %zu bytes left for its %zu weights",
                           left, count);
        return NULL;
    }
    float *values = arena_alloc(&file->weights, mem_array_bytes(count, sizeof *values));
    if (!values) {
        katago_file_refuse(file, ERR_MEMORY, "no memory for %zu weights", count);
        return NULL;
    }
    if (file->binary)
        read_binary_floats(file, count, values);
    else
        read_text_floats(file, count, values);
    for (size_t i = 0; i < count && !file->fault.status; i++) {
        if (!isfinite(values[i]))
            katago_file_refuse(file, ERR_SYNTAX, "weight %zu is not a finite number", i);
    }
    return file->fault.status ? NULL : values;
}

static int read_channels(KatagoFile *file, const char *what) {
    return katago_read_int(file, what, 1, KATAGO_CHANNELS_MAX);
}

KatagoConv katago_read_conv(KatagoFile *file) {
    KatagoConv conv = {0};
    katago_read_name(file);
    int height = katago_read_int(file, "the height of the kernel", 1, 19);
    conv.kernel = katago_read_int(file, "the width of the kernel", 1, 19);
    conv.in = read_channels(file, "the number of channels it reads");
    conv.out = read_channels(file, "the number of channels it writes");
    int dilation_y = katago_read_int(file, "the dilation", 1, 64),
        dilation_x = katago_read_int(file, "the dilation", 1, 64);
    if (katago_file_good(file) && (height != conv.kernel || height % 2 == 0))
        katago_file_refuse(file, ERR_UNSUPPORTED,
                           "a kernel of %dx%d; a square one of odd width is wanted", height,
                           conv.kernel);
    conv.dilation = dilation_x;
    if (katago_file_good(file) &&
        (dilation_y != dilation_x || (conv.kernel == 1 && dilation_x > 1)))
        katago_file_refuse(file, ERR_UNSUPPORTED,
                           "a dilation of %dx%d; the same one in both directions is wanted, and "
                           "none for a kernel of 1x1",
                           dilation_y, dilation_x);
    conv.weights = katago_read_floats(file, (size_t)height * (size_t)conv.kernel * (size_t)conv.in *
                                                (size_t)conv.out);
    return conv;
}

KatagoMatrix katago_read_matrix(KatagoFile *file) {
    KatagoMatrix matrix = {0};
    katago_read_name(file);
    matrix.in = read_channels(file, "the number of channels it reads");
    matrix.out = read_channels(file, "the number of channels it writes");
    matrix.weights = katago_read_floats(file, (size_t)matrix.in * (size_t)matrix.out);
    return matrix;
}

KatagoVector katago_read_vector(KatagoFile *file) {
    KatagoVector vector = {0};
    katago_read_name(file);
    vector.channels = read_channels(file, "the number of channels");
    vector.values = katago_read_floats(file, (size_t)vector.channels);
    return vector;
}

KatagoBatchNorm katago_read_batch_norm(KatagoFile *file) {
    KatagoBatchNorm norm = {0};
    katago_read_name(file);
    norm.channels = read_channels(file, "the number of channels");
    norm.epsilon = katago_read_positive(file, "epsilon");
    int scaled = katago_read_int(file, "whether it has gains", 0, 1),
        biased = katago_read_int(file, "whether it has biases", 0, 1);
    size_t count = (size_t)norm.channels;
    norm.mean = katago_read_floats(file, count);
    norm.variance = katago_read_floats(file, count);
    if (scaled) norm.scale = katago_read_floats(file, count);
    if (biased) norm.bias = katago_read_floats(file, count);
    for (size_t i = 0; i < count && katago_file_good(file); i++) {
        double spread = sqrt((double)norm.variance[i] + norm.epsilon);
        double gain = (norm.scale ? (double)norm.scale[i] : 1) / spread;
        if (!(fabs(gain) < 1e30) || !(fabs(gain * (double)norm.mean[i]) < 1e30))
            katago_file_refuse(file, ERR_SYNTAX, "the variance of channel %zu is %g", i,
                               (double)norm.variance[i]);
    }
    return norm;
}

static double read_epsilon(KatagoFile *file) {
    double epsilon = katago_read_positive(file, "epsilon");
    if (epsilon > 1)
        katago_file_refuse(file, ERR_SYNTAX, "epsilon is %g, at most 1 is wanted", epsilon);
    return epsilon;
}

KatagoRmsNorm katago_read_tip_rms_norm(KatagoFile *file) {
    KatagoRmsNorm norm = {0};
    katago_read_name(file);
    norm.channels = read_channels(file, "the number of channels");
    norm.epsilon = read_epsilon(file);
    norm.whole = katago_read_int(file, "the flag for a mean over the board", 0, 1);
    katago_read_int(file, "the size of groups of channels", 0, 0);
    norm.gamma = katago_read_floats(file, (size_t)norm.channels);
    norm.beta = katago_read_floats(file, (size_t)norm.channels);
    return norm;
}

KatagoRmsNorm katago_read_block_rms_norm(KatagoFile *file) {
    KatagoRmsNorm norm = {0};
    katago_read_name(file);
    norm.channels = read_channels(file, "the number of channels");
    norm.epsilon = read_epsilon(file);
    norm.gamma = katago_read_floats(file, (size_t)norm.channels);
    return norm;
}

Activation katago_read_activation(KatagoFile *file) {
    static const struct {
        const char *word;
        Activation activation;
    } WORDS[] = {{"ACTIVATION_IDENTITY", ACTIVATION_IDENTITY},
                 {"ACTIVATION_RELU", ACTIVATION_RELU},
                 {"ACTIVATION_MISH", ACTIVATION_MISH},
                 {"ACTIVATION_SILU", ACTIVATION_SILU}};
    katago_read_name(file);
    if (file->version < 11) return ACTIVATION_RELU;
    KatagoWord word = katago_read_word(file, "the kind of activation");
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(word.text, WORDS[i].word) == 0) return WORDS[i].activation;
    }
    katago_file_refuse(file, ERR_UNSUPPORTED, "an activation \"%.60s\" is not known", word.text);
    return ACTIVATION_IDENTITY;
}

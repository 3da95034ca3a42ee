#include "eval/formats/katago_sink.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void katago_refuse(KatagoSink *sink, Status status, const char *format, ...) {
    if (sink->fault.status) return;
    char text[384];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail(&sink->fault, status, "%s", text);
}

void katago_put_word(KatagoSink *sink, const char *text) {
    char word[128];
    size_t length = 0;
    for (; text[length] && length < sizeof word - 1; length++)
        word[length] =
            text[length] > ' ' && text[length] <= '~' && text[length] != '@' ? text[length] : '_';
    if (!length) word[length++] = '_';
    word[length++] = '\n';
    if (!sink->fault.status) gzip_writer_add(sink->file, word, length);
}

void katago_put_int(KatagoSink *sink, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    katago_put_word(sink, text);
}

void katago_put_ints(KatagoSink *sink, int count, const int *values) {
    for (int i = 0; i < count; i++)
        katago_put_int(sink, values[i]);
}

void katago_put_number(KatagoSink *sink, float value) {
    enum { DIGITS_MAX = 9 }; /* 9 digits are enough for any f32 */
    char text[32];
    for (int digits = 1; digits <= DIGITS_MAX; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value) break;
    }
    katago_put_word(sink, text);
}

static void put_float(KatagoSink *sink, float value, bool last) {
    if (!isfinite(value))
        katago_refuse(sink, ERR_ARGUMENT, "the net has a weight of %g", (double)value);
    if (sink->fault.status) return;
    if (sink->binary) {
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        unsigned char bytes[5] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                  (unsigned char)(bits >> 16), (unsigned char)(bits >> 24), '\n'};
        gzip_writer_add(sink->file, bytes, last ? 5 : 4);
    } else {
        char text[32];
        int length = snprintf(text, sizeof text, "%.9g%c", (double)value, last ? '\n' : ' ');
        gzip_writer_add(sink->file, text, (size_t)length);
    }
}

static void put_marker(KatagoSink *sink) {
    if (sink->binary && !sink->fault.status) gzip_writer_add(sink->file, "@BIN@", 5);
}

void katago_put_rows(KatagoSink *sink, KatagoRows rows) {
    size_t stride = rows.elements ? rows.stride : rows.in;
    put_marker(sink);
    for (size_t i = 0; i < rows.in; i++) {
        int element = rows.elements ? rows.elements[i] : (int)i;
        for (int o = 0; o < rows.count; o++) {
            int row = rows.rows ? rows.rows[o] : rows.first + o;
            put_float(sink, element < 0 ? 0 : rows.values[(size_t)row * stride + (size_t)element],
                      i + 1 == rows.in && o + 1 == rows.count);
        }
    }
}

void katago_put_floats(KatagoSink *sink, const float *values, int count) {
    katago_put_rows(sink, (KatagoRows){.values = values, .in = 1, .count = count});
}

void katago_put_products(KatagoSink *sink, const float *a, const float *b, int count) {
    put_marker(sink);
    for (int i = 0; i < count; i++)
        put_float(sink, a[i] * b[i], i + 1 == count);
}

void katago_put_filled(KatagoSink *sink, float value, int count) {
    put_marker(sink);
    for (int i = 0; i < count; i++)
        put_float(sink, value, i + 1 == count);
}

/* katago_sink.h - writes KataGo's model files, token by token: one token in a line, weights as text
 * or as little-endian f32 after "@BIN@" (KataGo, python/export_model_pytorch.py). The first fault
 * is recorded; nothing is written after it. Threading: confined. */
#pragma once
#include "base/gzip_writer.h"

typedef struct {
    GzipWriter *file;
    bool binary;
    Error fault;
} KatagoSink;

void katago_refuse(KatagoSink *sink, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void katago_put_word(KatagoSink *sink, const char *text); /* blanks become '_' */
void katago_put_int(KatagoSink *sink, int value);
void katago_put_ints(KatagoSink *sink, int count, const int *values);
void katago_put_number(KatagoSink *sink,
                       float value); /* with the fewest digits that read back as it */
/* Writes weights, of which we have one row for each output, in the order of the file: the first
 * element of every row, then the second of every row ... */
typedef struct {
    const float *values;
    size_t in;       /* elements of a row */
    const int *rows; /* the indices of the rows; NULL: first, first + 1 ... */
    int first, count;
} KatagoRows;
void katago_put_rows(KatagoSink *sink, KatagoRows rows);
void katago_put_floats(KatagoSink *sink, const float *values, int count);
void katago_put_products(KatagoSink *sink, const float *a, const float *b, int count);
void katago_put_filled(KatagoSink *sink, float value, int count); /* `count` times `value` */

/* katago_sink.h - KataGo's model files, token by token: a token a line, weights as text or as
 * little-endian f32 behind "@BIN@" (KataGo, python/export_model_pytorch.py). The first fault is
 * kept; nothing is written after it. Threading: confined. */
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
void katago_put_number(KatagoSink *sink, float value); /* in the fewest digits that say it */
/* Weights that we hold as rows, one an output, in the file's order: the first numbers of all rows,
 * then the second ones ... */
typedef struct {
    const float *values;
    size_t in;       /* numbers of a row */
    const int *rows; /* which; NULL: first, first + 1 ... */
    int first, count;
} KatagoRows;
void katago_put_rows(KatagoSink *sink, KatagoRows rows);
void katago_put_floats(KatagoSink *sink, const float *values, int count);
void katago_put_products(KatagoSink *sink, const float *a, const float *b, int count);
void katago_put_filled(KatagoSink *sink, float value, int count); /* all the same */

/* katago_sink.h - writes KataGo's model files token by token. Each token has a line of its own.
 * Weights are text, or little-endian f32 after "@BIN@" (KataGo, python/export_model_pytorch.py).
 * The first fault is recorded, and nothing is written after it. Threading: confined. */
#pragma once
#include "base/formats/gzip_writer.h"

typedef struct {
    GzipWriter *file;
    bool binary;
    Error fault;
} KatagoSink;

/* Records a fault, unless there was one before. */
void katago_refuse(KatagoSink *sink, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a word, cut to 127 characters. '_' replaces each '@', each blank, each control character
 * and each character outside ASCII; an empty word becomes "_". */
void katago_put_word(KatagoSink *sink, const char *text);
void katago_put_int(KatagoSink *sink, int value);
void katago_put_ints(KatagoSink *sink, int count, const int *values);
/* Writes a number with the fewest digits from which it can be read back. */
void katago_put_number(KatagoSink *sink, float value);
/* Weights of a layer. In memory they have one row for each output. The file has the first element
 * of every chosen row, then the second element of every chosen row, and so on. */
typedef struct {
    const float *values;
    size_t in;       /* elements of a row in the file */
    const int *rows; /* [count], the rows that are chosen; NULL means first, first + 1 ... */
    /* [in], which element of a row in memory each element of a row in the file is; -1: it is 0.
     * NULL: the rows are the same. `stride` is the number of elements of a row in memory; it is used
     * only with `elements`. */
    const int *elements;
    size_t stride;
    /* `first` is used only if `rows` is NULL; `count` is the number of chosen rows */
    int first, count;
} KatagoRows;
void katago_put_rows(KatagoSink *sink, KatagoRows rows);
void katago_put_floats(KatagoSink *sink, const float *values, int count);
/* Writes the products a[i] * b[i]. */
void katago_put_products(KatagoSink *sink, const float *a, const float *b, int count);
void katago_put_filled(KatagoSink *sink, float value, int count); /* `count` times `value` */

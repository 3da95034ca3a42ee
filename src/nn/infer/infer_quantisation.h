/* infer_quantisation.h - how the layers of a net are quantised: for each convolution that may run
 * in int8, how its input is rounded, by channel:
 *     x = (q - zero_point) * scale
 * It is kept in the net's note "int8". Threading: immutable once made. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    char name[64]; /* name of the op */
    int channels;  /* channels of its input */
    float *scales; /* (channels), > 0 */
    uint8_t *zero_points;
    bool winograd; /* may run by Winograd */
} LayerQuantisation;

typedef struct {
    LayerQuantisation *layers;
    int count;
} Quantisation;

/* The maximum of LayerQuantisation.channels. */
enum { QUANTISATION_CHANNELS_MAX = 1 << 14 };
/* Whether such a convolution can run in int8: its sums fit 32 bits (nn/kernels/conv/conv_int8.h),
 * and it is not one of the small ones that run in plain loops. Other convolutions have no
 * quantisation; if a note gives them one, it is ignored. */
bool quantisation_can(int kernel, int in_channels, int out_channels);

#define QUANTISATION_NOTE "int8"
#define QUANTISATION_REPORT_NOTE "precision" /* what was measured for each precision, as JSON */

/* ERR_UNSUPPORTED: the net has no quantisation. ERR_SYNTAX: the note is malformed. */
MUST_USE Status quantisation_read(const Net *net, Quantisation **out, Error *err);
MUST_USE Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err);
/* Makes room for `count` layers, each to be filled once by quantisation_set_layer() with scales of
 * 1 and zero points of 0. ERR_SYNTAX: no layer has such a name or number of channels. */
MUST_USE Status quantisation_new(int count, Quantisation **out, Error *err);
MUST_USE Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name,
                                       int channels, Error *err);
void quantisation_free(Quantisation *quantisation); /* NULL is fine */
/* NULL: there is no layer of that name with so many channels. */
const LayerQuantisation *quantisation_find(const Quantisation *quantisation, const char *name,
                                           int channels);
/* What the report says of a precision: 1 that it passes, 0 that it does not, -1 nothing. */
int quantisation_report(const Net *net, const char *precision);
/* Compares scales and zero points. */
bool quantisation_equal(const LayerQuantisation *a, const LayerQuantisation *b);

/* infer_quantisation.h - what int8 needs to know of a net: for each convolution that is to run in 8 bits,
 * how its input is written as bytes, x = (q - zero) * step by channel. Kept in the net's note
 * "int8". Threading: immutable once made. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    char name[64]; /* of the op */
    int channels;  /* of its input */
    float *scales; /* (channels), > 0 */
    uint8_t *zero_points;
    bool winograd; /* may go by Winograd's tiles */
} LayerQuantisation;

typedef struct {
    LayerQuantisation *layers;
    int count;
} Quantisation;

/* `channels` of a layer at most. */
enum { QUANTISATION_CHANNELS_MAX = 1 << 14 };
/* Whether such a convolution can run in 8 bits: its sums keep within 32 bits
 * (nn/kernels/conv_int8.h), and it is not one of the small ones that stay on plain loops. Others
 * have no scales, or theirs are passed over. */
bool quantisation_can(int kernel, int in_channels, int out_channels);

#define QUANTISATION_NOTE "int8"
#define QUANTISATION_REPORT_NOTE "precision" /* what was measured of each, as JSON */

/* ERR_UNSUPPORTED: the net has none; ERR_SYNTAX: the note is not what it should be. */
MUST_USE Status quantisation_read(const Net *net, Quantisation **out, Error *err);
MUST_USE Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err);
/* Room for `count` layers, to be filled by quantisation_set_layer(), once each: steps 1, zeros 0.
 * ERR_SYNTAX: a name or a number of channels that no layer has. */
MUST_USE Status quantisation_new(int count, Quantisation **out, Error *err);
MUST_USE Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name,
                                       int channels, Error *err);
void quantisation_free(Quantisation *quantisation); /* NULL is fine */
/* NULL: none for that name and so many channels. */
const LayerQuantisation *quantisation_find(const Quantisation *quantisation, const char *name,
                                           int channels);
/* What the report says of a precision: 1 it passes, 0 it does not, -1 nothing. */
int quantisation_report(const Net *net, const char *precision);
bool quantisation_equal(const LayerQuantisation *a,
                        const LayerQuantisation *b); /* steps and zeros */

/* infer_scales.h - what int8 needs to know of a net: for each convolution that is to run in 8 bits,
 * how its input is written as bytes, x = (q - zero) * step by channel. Kept in the net's note
 * "int8". Threading: immutable once made. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    char name[64]; /* of the op */
    int channels;  /* of its input */
    float *steps;  /* (channels), > 0 */
    uint8_t *zeros;
    bool winograd; /* may go by Winograd's tiles */
} LayerScales;

typedef struct {
    LayerScales *layers;
    int count;
} Scales;

/* `channels` of a layer at most. */
enum { SCALES_CHANNELS_MAX = 1 << 14 };
/* Whether such a convolution can run in 8 bits: its sums keep within 32 bits
 * (nn/kernels/conv_int8.h), and it is not one of the small ones that stay on plain loops. Others
 * have no scales, or theirs are passed over. */
bool scales_can(int kernel, int in_channels, int out_channels);

#define SCALES_NOTE "int8"
#define SCALES_REPORT_NOTE "precision" /* what was measured of each, as JSON */

/* ERR_UNSUPPORTED: the net has none; ERR_SYNTAX: the note is not what it should be. */
MUST_USE Status scales_read(const Net *net, Scales **out, Error *err);
MUST_USE Status scales_write(const Scales *scales, Net *net, Error *err);
/* Room for `count` layers, to be filled by scales_set_layer(), once each: steps 1, zeros 0.
 * ERR_SYNTAX: a name or a number of channels that no layer has. */
MUST_USE Status scales_new(int count, Scales **out, Error *err);
MUST_USE Status scales_set_layer(Scales *scales, int index, const char *name, int channels,
                                 Error *err);
void scales_free(Scales *scales); /* NULL is fine */
/* NULL: none for that name and so many channels. */
const LayerScales *scales_find(const Scales *scales, const char *name, int channels);
/* What the report says of a precision: 1 it passes, 0 it does not, -1 nothing. */
int scales_report(const Net *net, const char *precision);
bool scales_equal(const LayerScales *a, const LayerScales *b); /* steps and zeros */

/* infer_quantisation.h - the quantisation of a net. It says which layers may run in int8, and how
 * their input is rounded. A convolution has a scale and a zero point for each channel of its input,
 * and q stands for
 *     x = (q - zero_point) * scale
 * A dense layer over cells needs none, because each cell gets its scale when the layer runs
 * (nn/kernels/int8_gemm.h). The net keeps the quantisation in its note "int8". Threading: immutable
 * once made. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    char name[64]; /* name of the op */
    int channels;  /* channels of its input */
    float *scales; /* (channels), > 0 */
    uint8_t *zero_points;
    bool winograd; /* the convolution may run by Winograd */
    /* each cell gets a scale when the layer runs; `scales` and `zero_points` say nothing */
    bool by_rows;
    bool fine; /* with `by_rows`: activations have 15 bits (INT8_ROWS_FINE) */
    /* With `by_rows`, the weights may be rounded already: weight o, i is
     * weights[o * channels + i] * weight_scales[o]. NULL: they are rounded when the net is run. */
    int outputs;
    int8_t *weights;
    float *weight_scales;
} LayerQuantisation;

typedef struct {
    LayerQuantisation *layers;
    int count;
} Quantisation;

/* The maximum of LayerQuantisation.channels. */
enum { QUANTISATION_CHANNELS_MAX = 1 << 14 };
/* How many rounded weights a note may hold. They take two bytes each, and the notes of a file must
 * not take more than 8 MB. */
enum { QUANTISATION_WEIGHTS_MAX = 3 << 20 };
/* Whether a convolution or a dense layer over a spatial value can run in int8: its sums fit 32 bits
 * (nn/kernels/conv/conv_int8.h), its kernel is square and not dilated, and it is not one of the
 * small ones that run in plain loops. If the note has a quantisation for another op, it is
 * ignored. */
bool quantisation_can(const Op *op, int in_channels);
bool quantisation_can_be_fine(int in_channels); /* whether sums of fine rows fit 32 bits */

#define QUANTISATION_NOTE "int8"
/* If there is a layer of this name with one channel and `by_rows`, attention may run in int8. */
#define QUANTISATION_ATTENTION "attention"
#define QUANTISATION_REPORT_NOTE "precision" /* what was measured for each precision, as JSON */

/* ERR_UNSUPPORTED: the net has no quantisation. ERR_SYNTAX: the note is malformed. */
MUST_USE Status quantisation_read(const Net *net, Quantisation **out, Error *err);
MUST_USE Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err);
/* Makes a quantisation with room for `count` layers. */
MUST_USE Status quantisation_new(int count, Quantisation **out, Error *err);
/* Sets up a layer of a new quantisation, once, with scales of 1 and zero points of 0. ERR_SYNTAX:
 * no layer can have such a name or number of channels. */
MUST_USE Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name,
                                       int channels, Error *err);
/* Makes room for the rounded weights of a layer that is set up. ERR_SYNTAX: no layer can have so
 * many outputs. */
MUST_USE Status quantisation_set_weights(LayerQuantisation *layer, int outputs, Error *err);
/* Returns a scale for the weights (channels) of one output of a layer. */
float quantisation_weight_scale(const LayerQuantisation *layer, const float *weights);
void quantisation_free(Quantisation *quantisation); /* NULL is fine */
/* Returns NULL if there is no layer of that name with so many channels. */
const LayerQuantisation *quantisation_find(const Quantisation *quantisation, const char *name,
                                           int channels);
/* Returns 1 if the report in the net's notes says that a precision passes, that is, agrees well
 * enough with f32, 0 if it says that it does not, and -1 if it says nothing. */
int quantisation_report(const Net *net, const char *precision);
/* Compares scales and zero points. */
bool quantisation_equal(const LayerQuantisation *a, const LayerQuantisation *b);

/* infer_quantisation.h - the quantisation of a net. It says which layers may run in int8, and how
 * their input is rounded. There are two ways. A convolution has a scale and a zero point for each
 * channel of its input, and the rounded value q stands for
 *     x = (q - zero_point) * scale
 * A dense layer over cells can do without them (`by_rows`): then each cell gets a scale when the
 * layer runs (nn/kernels/int8/int8_gemm.h). The net keeps the quantisation in its note "int8".
 * Threading: immutable once made. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    char name[64]; /* name of the op */
    int channels;  /* channels of its input */
    float *scales; /* (channels), > 0 */
    uint8_t *zero_points;
    bool winograd; /* the convolution may run by Winograd */
    /* each cell gets a scale when the layer runs; `scales` and `zero_points` are not used */
    bool by_rows;
    bool fine; /* with `by_rows`: activations have 15 bits (INT8_ROWS_FINE) */
    /* with `by_rows`: weights have 15 bits (Int8Columns.fine); `weights` must then be NULL */
    bool fine_weights;
    /* The rounded weights; used only if `by_rows` is true. The weight from input channel i to
     * output channel o is
     *     weights[o * channels + i] * weight_scales[o]
     * If `weights` is NULL, the net's own weights are rounded when an executor is made. */
    int outputs;
    int8_t *weights;
    float *weight_scales;
    /* NULL, or what is added to the results of the op in int8 (`correction_count`). Such a layer
     * has nothing else and does not run in int8 (eval/precision/bias_correction.h). */
    int correction_count;
    float *correction;
} LayerQuantisation;

typedef struct {
    LayerQuantisation *layers;
    int count;
} Quantisation;

/* The maximum of LayerQuantisation.channels. */
enum { QUANTISATION_CHANNELS_MAX = 1 << 14 };
/* The maximum number of rounded weights. When a note is read, this is the maximum for each layer.
 * When `aji net quantize` makes a note, this is the maximum for all layers together. Each weight
 * takes two bytes in the note. The notes are in the header of a file, and a header is at most 8 MB
 * long (HEADER_MAX in tensor_file.c). */
enum { QUANTISATION_WEIGHTS_MAX = 3 << 20 };
/* Whether a convolution or a dense layer over a spatial value can run in int8. It can if
 *     - its sums fit 32 bits (nn/kernels/conv/conv_int8.h),
 *     - its kernel is square and not dilated,
 *     - it has at most QUANTISATION_CHANNELS_MAX input channels,
 *     - it is not so small that it always runs in f32 (INFER_SMALL_CHANNELS in infer_kernels.h).
 * If a net has a quantisation for an op that cannot run in int8, this quantisation is ignored. */
bool quantisation_can(const Op *op, int in_channels);
bool quantisation_can_be_fine(int in_channels); /* whether sums with INT8_ROWS_FINE fit 32 bits */

#define QUANTISATION_NOTE "int8"
/* If the quantisation has a layer of this name with one channel, attention may run in int8. */
#define QUANTISATION_ATTENTION "attention"
#define QUANTISATION_REPORT_NOTE "precision" /* what was measured for each precision, as JSON */

/* ERR_UNSUPPORTED: the net has no quantisation. ERR_SYNTAX: the note is malformed. */
MUST_USE Status quantisation_read(const Net *net, Quantisation **out, Error *err);
/* Sets the net's note "int8". */
MUST_USE Status quantisation_write(const Quantisation *quantisation, Net *net, Error *err);
/* Removes the quantisation of the net and what was measured of its precisions. Called when the
 * weights change, so that the numbers no longer belong to them. */
void quantisation_remove(Net *net);
/* Makes a quantisation of `count` layers, which the caller then sets up. */
MUST_USE Status quantisation_new(int count, Quantisation **out, Error *err);
/* Sets up a layer with scales of 1 and zero points of 0. Call it once for each layer of a new
 * quantisation. ERR_SYNTAX: no layer can have such a name or number of channels. */
MUST_USE Status quantisation_set_layer(Quantisation *quantisation, int index, const char *name,
                                       int channels, Error *err);
/* Makes room for the rounded weights of a layer, after quantisation_set_layer(). ERR_SYNTAX: no
 * layer can have so many outputs. */
MUST_USE Status quantisation_set_weights(LayerQuantisation *layer, int outputs, Error *err);
/* Sets up a layer that has only corrections, which are 0, for an op with `channels` inputs and
 * `outputs` results. Call it instead of quantisation_set_layer(), with the same errors. */
MUST_USE Status quantisation_set_correction(LayerQuantisation *layer, const char *name,
                                            int channels, int outputs, Error *err);
/* Returns a good scale for rounding the weights (channels) of one output of a layer
 * (int8_column_scale()). */
float quantisation_weight_scale(const LayerQuantisation *layer, const float *weights);
void quantisation_free(Quantisation *quantisation); /* NULL is fine */
/* Returns NULL if there is no layer of that name with so many channels. */
const LayerQuantisation *quantisation_find(const Quantisation *quantisation, const char *name,
                                           int channels);
/* A precision passes if its results agree well enough with those of f32. Returns what the report in
 * the net's notes says of a precision: 1 if it passes, 0 if it does not, and -1 if there is no
 * report or if the report does not mention this precision. */
int quantisation_report(const Net *net, const char *precision);
/* Whether the scales and zero points of all channels are equal. */
bool quantisation_equal(const LayerQuantisation *a, const LayerQuantisation *b);

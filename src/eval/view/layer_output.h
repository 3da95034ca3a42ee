/* layer_output.h - the output of any layer of a net for a position, with statistics and pictures.
 * Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "eval/evaluators/net_inputs.h"

typedef struct {
    ValueKind kind;
    int width, height;  /* of the board */
    int rows, channels; /* rows: the points of a spatial value, 1 of a vector */
    float *values;      /* (rows, channels) */
} LayerOutput;          /* {0} may be cleared */

/* Computes it in f32, without symmetry, on a buffer of the board's size. `human_profile` and
 * ERR_ARGUMENT: see net_inputs_of(). ERR_UNSUPPORTED: an input of the net is not one that encodes a
 * position. */
MUST_USE Status layer_output_of(const Net *net, Value value, const Position *position,
                                const char *human_profile, LayerOutput *out, Error *err);
void layer_output_clear(LayerOutput *layer);

typedef struct {
    double mean, deviation, minimum, maximum, largest; /* largest: of |x| */
    int maximum_row;                                   /* the row with the maximum */
    double zero_fraction;                              /* fraction of rows that are exactly 0 */
} ChannelStatistic;
ChannelStatistic layer_output_channel(const LayerOutput *layer, int channel);

/* A whole SVG file: one board for each channel, with the stones of the position and colors scaled
 * to the channel's largest number; for vectors and lists a strip of cells. `caption` is escaped. */
MUST_USE Status layer_output_svg(const LayerOutput *layer, const Position *position,
                                 const char *caption, StrBuf *out, Error *err);

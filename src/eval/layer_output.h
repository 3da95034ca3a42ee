/* layer_output.h - what a layer of a net says of a position, for people. Threading: free functions.
 */
#pragma once
#include "base/strbuf.h"
#include "eval/net_inputs.h"

typedef struct {
    ValueKind kind;
    int width, height;  /* of the board */
    int rows, channels; /* rows: the points of a spatial value, 1 of a vector */
    float *values;      /* (rows, channels) */
} LayerOutput;          /* {0} may be cleared */

/* In f32, without symmetry, on a buffer of the board's size. `human_profile`: of nets that are told
 * who plays. ERR_ARGUMENT: as of net_inputs_of(); ERR_UNSUPPORTED: the net has other inputs. */
MUST_USE Status layer_output_of(const Net *net, Value value, const Position *position,
                                const char *human_profile, LayerOutput *out, Error *err);
void layer_output_clear(LayerOutput *layer);

typedef struct {
    double mean, deviation, minimum, maximum, largest; /* largest: of |x| */
    int maximum_row;                                   /* where the most is */
    double zero_fraction;                              /* of rows that are exactly 0 */
} ChannelStatistic;
ChannelStatistic layer_output_channel(const LayerOutput *layer, int channel);

/* One board a channel with the position's stones, colors up to the channel's largest number, or
 * for vectors and lists a strip of cells. `caption`: escaped. A whole SVG file. */
MUST_USE Status layer_output_svg(const LayerOutput *layer, const Position *position,
                                 const char *caption, StrBuf *out, Error *err);

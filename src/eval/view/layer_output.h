/* layer_output.h - computes the output of any layer of a net for a position, with statistics and
 * pictures.
 * Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "eval/evaluators/net_inputs.h"

typedef struct {
    ValueKind kind;
    int width, height;  /* of the board */
    int rows, channels; /* a spatial value has a row for each point, a vector has 1 row */
    float *values;      /* (rows, channels) */
} LayerOutput;          /* {0} may be cleared */

/* Computes the output of the layer that makes `value`, in f32, without symmetry, on a buffer of the
 * board's size. The caller clears `*out`, also on failure. net_inputs_of() explains
 * `human_profile`, ERR_ARGUMENT and ERR_SYNTAX. ERR_UNSUPPORTED: an input of the net is missing or
 * has a wrong shape, or the net is only for boards of another size. */
MUST_USE Status layer_output_of(const Net *net, Value value, const Position *position,
                                const char *human_profile, LayerOutput *out, Error *err);
void layer_output_clear(LayerOutput *layer);

typedef struct {
    double mean, deviation, minimum, maximum, largest; /* `largest` is the maximum of |x| */
    int maximum_row;                                   /* the row with the maximum */
    double zero_fraction;                              /* fraction of values that are exactly 0 */
} ChannelStatistic;
/* Returns statistics of one channel over all rows. */
ChannelStatistic layer_output_channel(const LayerOutput *layer, int channel);

/* Writes a whole SVG file. A spatial value gives one board for each channel, with the stones of the
 * position; the full color stands for the largest |x| of the channel. A vector or list gives lines
 * of cells with one cell for each value; the full color stands for the largest |x| of all values.
 * `caption` is escaped. */
MUST_USE Status layer_output_svg(const LayerOutput *layer, const Position *position,
                                 const char *caption, StrBuf *out, Error *err);

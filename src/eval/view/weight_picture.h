/* weight_picture.h - computes statistics and draws SVG pictures of a net's weights. The rows of a
 * layer are its outputs (the first dimension), and its columns are its inputs. Threading: free
 * functions. */
#pragma once
#include "base/strbuf.h"
#include "eval/view/channel_order.h"
#include "nn/graph/net.h"

typedef struct {
    int rows;                        /* outputs; 1 for a vector */
    double mean, deviation;          /* of all weights */
    double norm;                     /* root of the sum of squares */
    double largest;                  /* the largest |w| */
    double row_rms_min, row_rms_max; /* the smallest and largest root mean square of a row */
    int rows_at_zero;                /* rows with a root mean square below 1e-8 */
} WeightStatistic;
WeightStatistic weight_statistic(const ParameterSpec *spec, const float *values);

/* Sets out[0 .. kh * kw - 1] to the root mean square of the weights at each place in the kernel.
 * This is a single number if the kernel is 1 x 1 or the layer is no convolution. */
void weight_kernel_rms(const ParameterSpec *spec, const float *values, double *out);

/* Draws one tile of kh x kw cells for each pair of an output and an input. Outputs go down, inputs
 * across. The full color stands for three times the root mean square of all weights. The picture
 * has at most 4096 cells in each direction; it leaves out further outputs or inputs, and says so.
 * `order` says which output and which input stands at each place; NULL means the order of the
 * net. */
MUST_USE Status weight_picture_svg(const ParameterSpec *spec, const float *values,
                                   const WeightOrder *order, StrBuf *out, Error *err);
/* Draws one bar for each parameter with two or more dimensions. The length of the bar is the root
 * mean square of the parameter. A line on the bar goes from the smallest to the largest root mean
 * square of a row. */
MUST_USE Status weight_norms_svg(const Net *net, const char *caption, StrBuf *out, Error *err);

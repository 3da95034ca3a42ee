/* weight_picture.h - statistics and SVG pictures of a net's weights. Rows are the outputs of a
 * layer (its first dimension), columns its inputs. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "nn/graph/net.h"

typedef struct {
    int rows;                        /* outputs; 1 for a vector */
    double mean, deviation;          /* of all weights */
    double norm;                     /* root of the sum of squares */
    double largest;                  /* of |w| */
    double row_rms_min, row_rms_max; /* extremes of the root mean squares of the rows */
    int rows_at_zero;                /* rows with a root mean square below 1e-8 */
} WeightStatistic;
WeightStatistic weight_statistic(const ParameterSpec *spec, const float *values);

/* The root mean square for each place in the kernel, out[kh * kw]; a single number if the kernel is
 * 1 x 1 or the layer is no convolution. */
void weight_kernel_rms(const ParameterSpec *spec, const float *values, double *out);

/* Draws one tile of kh x kw cells for each output (down) and input (across); three times the root
 * mean square has the full color. Beyond 4096 cells outputs or inputs are left out, and the picture
 * says so. */
MUST_USE Status weight_picture_svg(const ParameterSpec *spec, const float *values, StrBuf *out,
                                   Error *err);
/* Draws one bar for each parameter with two or more dimensions: its root mean square, with a line
 * from the smallest to the largest of its rows. */
MUST_USE Status weight_norms_svg(const Net *net, const char *caption, StrBuf *out, Error *err);

/* weight_picture.h - the weights of a net for people: statistics, and pictures as SVG. Rows are
 * what a layer writes (its first dimension), columns what it reads. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "nn/net.h"

typedef struct {
    int rows;                        /* outputs; 1 of a vector */
    double mean, deviation;          /* of all numbers */
    double norm;                     /* root of the sum of squares */
    double largest;                  /* of |w| */
    double row_rms_min, row_rms_max; /* root of the mean square of a row */
    int rows_at_zero;                /* whose numbers are all below 1e-8 */
} WeightStatistic;
WeightStatistic weight_statistic(const ParameterSpec *spec, const float *values);

/* The root of the mean square by the place in the kernel, out[kh * kw]; of 1 x 1 and what is no
 * convolution one number. */
void weight_kernel_rms(const ParameterSpec *spec, const float *values, double *out);

/* A convolution is one tile of kh x kw cells for each output (down) and input (across); full color
 * is three times the root of the mean square. What is beyond 4096 cells is left out, and said. */
MUST_USE Status weight_picture_svg(const ParameterSpec *spec, const float *values, StrBuf *out,
                                   Error *err);
/* One bar a weight of two or more dimensions: the root of its mean square, and from the least to
 * the most of its rows. */
MUST_USE Status weight_norms_svg(const Net *net, const char *caption, StrBuf *out, Error *err);

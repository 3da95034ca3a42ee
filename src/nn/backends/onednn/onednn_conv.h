/* onednn_conv.h - chooses among oneDNN's implementations of a convolution. Threading: shared. */
#pragma once
#include <oneapi/dnnl/dnnl.h>

/* Does what dnnl_primitive_desc_create() does for a convolution, but skips implementations with a
 * bug. The bug is in the implementations "jit:avx512_core" and "jit:avx512_core_bf16" of oneDNN
 * 2.6.3. They read beyond the edge of the board in forward passes if the kernel of the convolution,
 * with its dilation, is at least two points wider than the board. For such passes this function
 * skips all implementations whose names begin with "jit" or "brg". */
dnnl_status_t onednn_describe_conv(const dnnl_convolution_desc_t *desc,
                                   const_dnnl_primitive_attr_t attributes, dnnl_engine_t engine,
                                   const_dnnl_primitive_desc_t hint, dnnl_primitive_desc_t *out);

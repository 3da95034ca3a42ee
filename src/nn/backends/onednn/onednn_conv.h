/* onednn_conv.h - chooses among oneDNN's implementations of a convolution. Threading: shared. */
#pragma once
#include <oneapi/dnnl/dnnl.h>

/* Does what dnnl_primitive_desc_create() does for a convolution, but skips implementations of
 * oneDNN 2.6.3 with a bug, in forward passes:
 *   - "jit:avx512_core" and "jit:avx512_core_bf16" read beyond the edge of the board if the kernel
 *     of the convolution, with its dilation, is at least two points wider than the board. For such
 *     passes this function skips all implementations whose names begin with "jit" or "brg".
 *   - While "brgconv:avx512_core_amx_bf16" is made, it reads the element behind the end of one of
 *     its tables. With glibc there is always memory behind a table of this size, and the element
 *     has no effect that tests could find. It is skipped only with AddressSanitizer and
 *     ThreadSanitizer, where the table may stand at the end of mapped memory. The next
 *     implementation takes 1.4 times as long (g170 b6c96, 19x19). */
dnnl_status_t onednn_describe_conv(const dnnl_convolution_desc_t *desc,
                                   const_dnnl_primitive_attr_t attributes, dnnl_engine_t engine,
                                   const_dnnl_primitive_desc_t hint, dnnl_primitive_desc_t *out);

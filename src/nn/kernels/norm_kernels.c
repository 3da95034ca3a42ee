#include "nn/kernels/norm_kernels.h"

#include <math.h>
#include <string.h>

#include "nn/backends/backend.h"
#if defined(__x86_64__)
#include "nn/kernels/avx512.h"
#endif

#define KERNEL_BODY "nn/kernels/norm_kernels_body.h"
#include "nn/kernels/kernel_variants.h"

const NormKernels *norm_kernels_select(void) {
#if defined(__x86_64__)
    if (backend_isa() >= ISA_AVX512) return &avx512_table;
    if (backend_isa() >= ISA_AVX2) return &avx2_table;
#endif
    return &generic_table;
}

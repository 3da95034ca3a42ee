#include "nn/kernels/norm_kernels.h"

#include <math.h>
#include <string.h>

#include "nn/backends/backend.h"
#if defined(__x86_64__)
#include "nn/kernels/avx512.h"
#endif

#define KERNEL(name) generic_##name
#define KERNEL_TARGET
#define KERNEL_NAME "generic"
#include "nn/kernels/norm_kernels_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_NAME

#if defined(__x86_64__)
#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#define KERNEL_NAME "avx2"
#include "nn/kernels/norm_kernels_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_NAME

#define KERNEL(name) avx512_##name
#define KERNEL_TARGET AVX512_TARGET("")
#define KERNEL_NAME "avx512"
#include "nn/kernels/norm_kernels_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_NAME
#endif

const NormKernels *norm_kernels_select(void) {
#if defined(__x86_64__)
    if (backend_isa() >= ISA_AVX512) return &avx512_table;
    if (backend_isa() >= ISA_AVX2) return &avx2_table;
#endif
    return &generic_table;
}

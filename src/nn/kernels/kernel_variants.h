/* kernel_variants.h - includes the file KERNEL_BODY once for each instruction set: plain C, AVX2
 * and AVX-512. Before each inclusion it defines
 *     KERNEL(name)         the name of a function of this variant,
 *     KERNEL_TARGET        the attribute that lets the compiler use the instruction set,
 *     KERNEL_NAME          the name of the instruction set, a text,
 *     KERNEL_FMA(a, b, c)  a * b + c, which is fused in the variants for AVX2 and AVX-512,
 *     KERNEL_IS_AVX512     without a value, only in the variant for AVX-512.
 * The file that includes this one defines KERNEL_BODY and includes nn/kernels/avx512.h first. */
#define KERNEL(name) generic_##name
#define KERNEL_FMA(a, b, c) ((a) * (b) + (c))
#define KERNEL_TARGET
#define KERNEL_NAME "generic"
#include KERNEL_BODY
#undef KERNEL
#undef KERNEL_FMA
#undef KERNEL_TARGET
#undef KERNEL_NAME

#if defined(__x86_64__)
#define KERNEL(name) avx2_##name
#define KERNEL_FMA(a, b, c) __builtin_fmaf(a, b, c)
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#define KERNEL_NAME "avx2"
#include KERNEL_BODY
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_NAME

#define KERNEL_IS_AVX512
#define KERNEL(name) avx512_##name
#define KERNEL_TARGET AVX512_TARGET("")
#define KERNEL_NAME "avx512"
#include KERNEL_BODY
#undef KERNEL_IS_AVX512
#undef KERNEL
#undef KERNEL_FMA
#undef KERNEL_TARGET
#undef KERNEL_NAME
#endif

#define _DEFAULT_SOURCE /* syscall */
#include "nn/backends/backend.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "nn/backends/onednn/onednn_version.h"

static const char *const PRECISION_NAMES[] = {[PRECISION_F32] = "f32",
                                              [PRECISION_BF16] = "bf16",
                                              [PRECISION_INT8] = "int8",
                                              [PRECISION_AUTO] = "auto"};
enum { PRECISION_COUNT = sizeof PRECISION_NAMES / sizeof *PRECISION_NAMES };

const char *precision_name(Precision precision) {
    return (unsigned)precision < PRECISION_COUNT ? PRECISION_NAMES[precision] : "unknown";
}

Status precision_parse(const char *text, Precision *out, Error *err) {
    for (int i = 0; i < PRECISION_COUNT; i++) {
        if (strcmp(text, PRECISION_NAMES[i])) continue;
        *out = (Precision)i;
        return OK;
    }
    return fail(err, ERR_SYNTAX, "precision \"%.32s\" is not one of f32, bf16, int8, auto", text);
}

#if defined(__x86_64__)
/* Whether the processor has AMX for int8 and bf16, and Linux allows this process to use it. CPUID
 * leaf 7 has AMX-BF16, AMX-TILE and AMX-INT8 in the bits 22, 24 and 25 of EDX. A process must ask
 * Linux for the permission to use the registers of AMX
 * (https://docs.kernel.org/arch/x86/xstate.html); older versions of Linux do not know the call. */
static bool processor_has_amx(void) {
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    const unsigned needed = 1u << 22 | 1u << 24 | 1u << 25;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & needed) == needed &&
           syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* AVX512_BF16 is bit 5 of EAX in CPUID leaf 7, subleaf 1. The compiler's test for avx512f also asks
 * whether the operating system saves the registers. */
static BackendIsa processor_isa(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return ISA_GENERIC;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq"))
        return ISA_AVX2;
    if (!__builtin_cpu_supports("avx512vnni")) return ISA_AVX512;
    bool bf16 = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 5 & 1u);
    if (!bf16) return ISA_AVX512_VNNI;
    return processor_has_amx() ? ISA_AMX : ISA_AVX512_BF16;
}
#else
static BackendIsa processor_isa(void) {
    return ISA_GENERIC;
}
#endif

BackendIsa backend_isa(void) {
    static const struct {
        const char *name;
        BackendIsa isa;
    } LIMITS[] = {{"SSE41", ISA_GENERIC},
                  {"AVX", ISA_GENERIC},
                  {"AVX2", ISA_AVX2},
                  {"AVX512_CORE", ISA_AVX512},
                  {"AVX512_CORE_VNNI", ISA_AVX512_VNNI},
                  {"AVX512_CORE_BF16", ISA_AVX512_BF16}};
    /* The instruction set plus 1, or 0 while it is not known. It is kept because CPUID is slow in
     * virtual machines. */
    static _Atomic int known;
    int found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        found = (int)processor_isa() + 1;
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    BackendIsa isa = (BackendIsa)(found - 1);
    const char *limit = getenv("ONEDNN_MAX_CPU_ISA");
    if (!limit) limit = getenv("DNNL_MAX_CPU_ISA");
    for (size_t i = 0; limit && i < sizeof LIMITS / sizeof *LIMITS; i++) {
        if (strcasecmp(limit, LIMITS[i].name) == 0 && LIMITS[i].isa < isa) isa = LIMITS[i].isa;
    }
    return isa;
}

const char *backend_isa_name(BackendIsa isa) {
    static const char *const NAMES[] = {"generic",     "avx2",        "avx512",
                                        "avx512_vnni", "avx512_bf16", "amx"};
    return NAMES[isa];
}

bool backend_has_bf16(void) {
    return backend_isa() >= ISA_AVX512_BF16;
}

bool backend_prefers_direct_bf16(void) {
    return backend_isa() >= ISA_AMX;
}

BackendVersion backend_library_version(void) {
    BackendVersion version;
    onednn_version(version.text, sizeof version.text);
    return version;
}

Status backend_check(const char *name, Error *err) {
    if (!name || !strcmp(name, "auto") || !strcmp(name, "onednn") || !strcmp(name, "reference"))
        return OK;
    return fail(err, ERR_UNSUPPORTED, "backend \"%.32s\" is not one of auto, onednn, reference",
                name);
}

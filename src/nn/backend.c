#include "nn/backend.h"

#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

/* Leaf 7, subleaf 1, EAX bit 5 is AVX512_BF16; avx512f by the compiler's test also asks whether the
 * system keeps the registers. */
bool backend_has_bf16(void) {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512f")) return false;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 5 & 1u);
#else
    return false;
#endif
}

Status backend_check(const char *name, Error *err) {
    if (!name || !strcmp(name, "auto") || !strcmp(name, "onednn") || !strcmp(name, "reference"))
        return OK;
    return fail(err, ERR_UNSUPPORTED, "backend \"%.32s\" is not one of auto, onednn, reference",
                name);
}

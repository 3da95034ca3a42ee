/* backend.h - the backends that compute ops. There are two: "reference" is plain C, the definition
 * of the ops. "onednn" has fast kernels for the CPU, some from oneDNN and some of our own. "auto"
 * means the fastest backend, which is "onednn". Threading: immutable. */
#pragma once
#include "base/error.h"

typedef enum { PRECISION_F32, PRECISION_BF16, PRECISION_INT8, PRECISION_AUTO } Precision;
const char *precision_name(Precision precision);
MUST_USE Status precision_parse(const char *text, Precision *out, Error *err);

/* The instruction sets that kernels may use; each includes those before it. backend_isa() returns
 * the largest one that the processor has, or a smaller one if an environment variable sets a limit:
 * ONEDNN_MAX_CPU_ISA or, if that is not set, DNNL_MAX_CPU_ISA. Its value is SSE41, AVX, AVX2,
 * AVX512_CORE, AVX512_CORE_VNNI, AVX512_CORE_BF16, AVX512_CORE_AMX or ALL. oneDNN obeys this
 * variable as well. */
typedef enum {
    ISA_GENERIC,
    ISA_AVX2,
    ISA_AVX512,
    ISA_AVX512_VNNI,
    ISA_AVX512_BF16,
    ISA_AMX
} BackendIsa;
BackendIsa backend_isa(void);
const char *backend_isa_name(BackendIsa isa);
/* Whether convolutions in bf16 are faster as direct sums than by Winograd's method: with AMX. */
bool backend_prefers_direct_bf16(void);
bool backend_has_bf16(void); /* whether backend_isa() is at least ISA_AVX512_BF16 */
/* A version of oneDNN, such as 2.6.3. */
typedef struct {
    char text[32];
} BackendVersion;
BackendVersion backend_library_version(void);
/* ERR_UNSUPPORTED: the backend is unknown; the message lists the known ones. NULL means "auto". */
MUST_USE Status backend_check(const char *name, Error *err);

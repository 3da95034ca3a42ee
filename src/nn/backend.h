/* backend.h - who computes the ops: "reference" (plain C, the definition) or "onednn" (CPU
 * kernels); "auto" takes the fastest here. Immutable. */
#pragma once
#include "base/error.h"

typedef enum { PRECISION_F32, PRECISION_BF16, PRECISION_INT8, PRECISION_AUTO } Precision;
const char *precision_name(Precision precision);
MUST_USE Status precision_parse(const char *text, Precision *out, Error *err);
bool backend_has_bf16(void); /* native on this processor */
MUST_USE Status backend_check(const char *name,
                              Error *err); /* ERR_UNSUPPORTED lists the known ones */

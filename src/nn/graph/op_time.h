/* op_time.h - how long an executor has spent on an op, and with which code. The times are processor
 * times of the thread, so that other programs do not count. Executors measure them only after
 * infer_time_ops() or learn_time_ops(); before, they read no clock. Threading: plain data. */
#pragma once
#include "nn/ops/op_kinds.h"

typedef struct {
    /* The op. The executor of infer.h may run several ops as one step. Then this is the main op of
     * the step: the convolution if bias, activation and residual are fused into it, or the
     * attention if the step first rotates queries and keys. */
    Value op;
    /* The code that ran the op: "winograd", "gemm", "bf16", "int8" or "onednn"; or
     *     "loops"        plain loops
     *     "kernel"       vector code
     *     "chain"        several ops in one pass over memory
     *     "rounding"     not the op itself, but the rounding of its result to the type that the
     *                    readers of the result want
     *     "definition"   the plain definition of the op */
    const char *code;
    double forward_seconds, backward_seconds; /* of all runs since the measurement began */
} OpTime;

/* op_time.h - how long an executor has spent on an op, and with which code. The times are processor
 * times of the thread, so that other programs do not count. Executors measure them only after
 * infer_time_ops() or learn_time_ops(); before, they read no clock. Threading: plain data. */
#pragma once
#include "nn/ops/op_kinds.h"

typedef struct {
    /* The op. Of several ops that the executor of infer.h runs as one step, this is the main one:
     * the convolution if bias, activation and residual are fused into it, or the attention if the
     * step first rotates queries and keys. */
    Value op;
    /* how it ran: "winograd", "gemm", "bf16", "int8", "onednn", "loops" (plain loops), "kernel"
     * (vector code), "chain" (several ops in one pass over memory), "rounding" (of the op's result
     * to the type that its readers want) or "definition" (the plain definition of the op) */
    const char *code;
    double forward_seconds, backward_seconds; /* of all runs since the measurement began */
} OpTime;

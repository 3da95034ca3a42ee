/* infer.h - runs a net forward: norms folded, bias, activation and residual fused, memory planned;
 * once every batch size has come, a call allocates nothing. One executor a thread (single-threaded
 * inside). Threading: confined; the net is only read. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"

typedef struct {
    int batch, height, width; /* the most that a call brings; the buffer of the board */
    Precision precision;
    const char *backend; /* NULL: "auto" */
} InferConfig;

typedef struct Infer Infer;
MUST_USE Status infer_new(const Net *net, const InferConfig *config, Infer **out,
                          Error *err); /* net may be freed afterwards */
void infer_free(Infer *infer);
float *infer_input(
    Infer *infer,
    int input); /* (batch, h, w, c) or (batch, c), f32; the caller fills the first `count` */
MUST_USE Status infer_run(Infer *infer, int count, Error *err);
const float *infer_output(const Infer *infer,
                          int output); /* by program_find_output(); f32; valid until the next run */
const char *infer_backend(const Infer *infer);
Precision infer_precision(const Infer *infer);

/* What a large matrix product reaches on this thread alone, GFLOP/s over `seconds`: the peak that
 * speeds are a share of. */
MUST_USE Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err);

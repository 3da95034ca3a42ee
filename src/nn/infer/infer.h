/* infer.h - runs a net forward. Norms are folded into weights; bias, activation and residual are
 * fused into the step that makes a value; memory is planned. A call allocates nothing once every
 * batch size has occurred. Use one executor for each thread; inside, it is single-threaded.
 * Threading: confined; the net is only read. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"

typedef struct {
    /* the maximal number of samples in a call, and the size of the board buffer */
    int batch, height, width;
    Precision precision;
    const char *backend; /* NULL: "auto" */
} InferSetup;

typedef struct Infer Infer;
/* The net may be freed afterwards. */
MUST_USE Status infer_new(const Net *net, const InferSetup *setup, Infer **out, Error *err);
void infer_free(Infer *infer);
/* (batch, h, w, c) or (batch, c), f32; the caller fills the first `count` samples. */
float *infer_input(Infer *infer, int input);
MUST_USE Status infer_run(Infer *infer, int count, Error *err);
/* `output`: see program_find_output(). The values are f32 and valid until the next run. */
const float *infer_output(const Infer *infer, int output);
const char *infer_backend(const Infer *infer);
Precision infer_precision(const Infer *infer);

/* The speed that a large matrix product reaches on this thread alone, in GFLOP/s, measured for
 * `seconds`. Speeds of nets are given as a fraction of this peak. */
MUST_USE Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err);

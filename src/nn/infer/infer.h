/* infer.h - runs a net forward, for evaluating positions. The program of the net becomes a plan of
 * fewer and larger steps (infer_plan.h): batch norms are folded into weights, and bias, activation
 * and residual are fused into the step that makes a value. All buffers of the plan share one arena.
 * A call allocates nothing once every batch size has occurred. Use one executor for each thread; an
 * executor starts no threads.
 * Threading: confined; the net is only read. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"

typedef struct {
    /* the maximum number of samples in a call, and the size of the board buffer */
    int batch, height, width;
    Precision precision;
    const char *backend; /* NULL: "auto" */
} InferSetup;

typedef struct Infer Infer;
/* The net may be freed afterwards. ERR_ARGUMENT: the batch or the board is of an impossible size.
 * ERR_UNSUPPORTED: the net takes more memory than infer_plan.h allows, int8 is asked for but the
 * net is not quantised, the backend is unknown, or the reference backend is asked for another
 * precision than f32. */
MUST_USE Status infer_new(const Net *net, const InferSetup *setup, Infer **out, Error *err);
void infer_free(Infer *infer);
/* Returns the buffer of an input, (batch, h, w, c) or (batch, c) in f32. The caller fills the first
 * `count` samples and then calls infer_run(). */
float *infer_input(Infer *infer, int input);
/* ERR_ARGUMENT: `count` is larger than the batch. ERR_UNSUPPORTED: the net is only for boards of
 * another size. */
MUST_USE Status infer_run(Infer *infer, int count, Error *err);
/* `output` is an index as program_find_output() returns it. The values are f32 and valid until the
 * next run. */
const float *infer_output(const Infer *infer, int output);
const char *infer_backend(const Infer *infer);
Precision infer_precision(const Infer *infer);

/* Measures for `seconds` the speed that a large matrix product reaches on this thread, in GFLOP/s.
 * Speeds of nets are given as a fraction of this peak. */
MUST_USE Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err);

/* infer.h - runs a net forward, for evaluating positions. The program of the net becomes a plan of
 * fewer and larger steps (infer_plan.h): batch norms are folded into weights, and bias, activation
 * and residual are fused into the step that makes a value. All buffers of the plan share one arena.
 * The backend "reference" has no plan: it runs each op by its definition (infer_reference.h).
 * infer_run() allocates nothing if an earlier run had the same number of samples. Use one executor
 * for each thread; an executor starts no threads. Threading: confined; the net is only read. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/graph/op_time.h"

typedef struct {
    /* the maximum number of samples in a call, and the size of the board buffer */
    int batch, height, width;
    /* PRECISION_AUTO means f32 for the reference backend. For "onednn" it means the fastest
     * precision that the processor has and that the report in the net's notes allows
     * (quantisation_report()). On a processor without AVX-512, bf16 becomes f32. */
    Precision precision;
    const char *backend; /* NULL: "auto" */
} InferSetup;

typedef struct Infer Infer;
/* The net may be freed afterwards.
 *   ERR_ARGUMENT: the batch or the board has an impossible size, or weights of a layer in int8 are
 *   not finite.
 *   ERR_SYNTAX: the quantisation in the net's notes is malformed.
 *   ERR_UNSUPPORTED: the net takes more memory than infer_plan.h allows; `precision` is int8 but
 *   the net is not quantised; the backend is unknown; or the backend is "reference" and `precision`
 *   is bf16 or int8. */
MUST_USE Status infer_new(const Net *net, const InferSetup *setup, Infer **out, Error *err);
void infer_free(Infer *infer);
/* Guesses whether this processor runs the net faster in bf16 than in int8: whether it has AMX, and
 * the net has more layers of attention than convolutions larger than 1 x 1 (docs/notebook/speed.md,
 * "Transformers with AMX"). */
bool infer_bf16_is_faster(const Net *net);
/* Returns the buffer of an input, (batch, h, w, c) or (batch, c) in f32. The caller fills the first
 * `count` samples and then calls infer_run(). */
float *infer_input(Infer *infer, int input);
/* Runs the first `count` samples. ERR_ARGUMENT: `count` is negative or larger than the batch.
 * ERR_UNSUPPORTED: the net is only for boards of another size, or oneDNN needs more scratch memory
 * than infer_plan.h allows. */
MUST_USE Status infer_run(Infer *infer, int count, Error *err);
/* `output` is an index as program_find_output() returns it. The values are f32 and valid until the
 * next run. */
const float *infer_output(const Infer *infer, int output);
const char *infer_backend(const Infer *infer); /* "onednn" or "reference" */
Precision infer_precision(const Infer *infer); /* the one that is used, never PRECISION_AUTO */

/* From now on, measures how long each step of the plan takes. A further call sets all times to 0.
 * ERR_MEMORY. */
MUST_USE Status infer_time_ops(Infer *infer, Error *err);
/* Returns the times of all steps. The steps are in the order of the ops, except that steps which
 * only round the result of an op come after all others. `*count` gets the number of all these
 * times. The number is 0 before infer_time_ops() and with the reference backend. The times are
 * valid as long as the executor. */
const OpTime *infer_op_times(const Infer *infer, int *count);

/* Measures for `seconds` the speed that a large matrix product reaches on this thread, in GFLOP/s;
 * a multiply-add counts as two operations. `aji bench` gives the speed of nets as a fraction of
 * this peak. PRECISION_AUTO means bf16 if the processor has it, and otherwise f32. Without
 * AVX-512, bf16 is measured in f32, in which nets then run. */
MUST_USE Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err);

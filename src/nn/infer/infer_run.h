/* infer_run.h - runs a plan. A batch is cut into chunks whose sizes come from a fixed list; each
 * size has its own oneDNN primitives, and all use one arena. Threading: confined. */
#pragma once
#include "nn/infer/infer_runner.h"

/* Takes ownership of the caller's reference to the packed plan, also on failure. `port_bytes` is
 * the size of the inputs and outputs of a sample, which the caller allocates. ERR_UNSUPPORTED: the
 * buffers, inputs and outputs, or the scratch of oneDNN, take more memory than infer_plan.h allows.
 * ERR_ARGUMENT: weights of a convolution in int8 are not finite. */
MUST_USE Status runner_new(PackedPlan *packed, int batch, size_t port_bytes, Runner **out,
                           Error *err);
void runner_free(Runner *runner);
/* Runs `count` samples. inputs[i] and outputs[i] are those of the program; each input has room for
 * runner_padded() samples. runner_new() makes the primitives of the largest chunk size. For any
 * other size, the first call that needs the size makes its primitives. Later calls with this size
 * allocate nothing. ERR_UNSUPPORTED: the scratch of the new primitives takes more memory than
 * infer_plan.h allows. */
MUST_USE Status runner_run(Runner *runner, float *const *inputs, float *const *outputs, int count,
                           Error *err);
/* These two do for a runner what infer_time_ops() and infer_op_times() do for an executor. */
MUST_USE Status runner_time_ops(Runner *runner, Error *err);
const OpTime *runner_op_times(const Runner *runner, int *count);
/* Returns the number of samples for which inputs need room: the batch plus the largest chunk,
 * because the last chunk may be larger than what is left of the batch. */
int runner_padded(const Runner *runner);

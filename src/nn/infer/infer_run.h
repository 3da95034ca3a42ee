/* infer_run.h - runs a plan: primitives for several batch sizes, one arena for all of them.
 * Threading: confined. */
#pragma once
#include "nn/infer/infer_runner.h"

/* Takes what is prepared, also on failure. */
MUST_USE Status runner_new(PackedPlan *packed, int batch, Runner **out, Error *err);
void runner_free(Runner *runner);
/* inputs[i], outputs[i]: those of the program, `count` samples. Inputs have room for
 * runner_padded() samples. The first call with a new chunk size makes its primitives; after that
 * nothing is allocated. */
MUST_USE Status runner_run(Runner *runner, float *const *inputs, float *const *outputs, int count,
                           Error *err);
int runner_padded(
    const Runner *runner); /* batch and the largest chunk: what a last chunk may read */

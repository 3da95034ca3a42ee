/* infer_run.h - runs a plan, with oneDNN primitives for several batch sizes and one arena for all
 * of them. Threading: confined. */
#pragma once
#include "nn/infer/infer_runner.h"

/* Takes over the reference to the packed plan, also on failure. */
MUST_USE Status runner_new(PackedPlan *packed, int batch, Runner **out, Error *err);
void runner_free(Runner *runner);
/* Runs `count` samples. inputs[i] and outputs[i] are those of the program; each input has room for
 * runner_padded() samples. The first call with a new chunk size makes its primitives; after that
 * nothing is allocated. */
MUST_USE Status runner_run(Runner *runner, float *const *inputs, float *const *outputs, int count,
                           Error *err);
/* The batch plus the largest chunk: as many samples as the last chunk may read. */
int runner_padded(const Runner *runner);

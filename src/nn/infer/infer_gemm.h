/* infer_gemm.h - 1 x 1 convolutions in f32 as matrix products of our own (kernels/gemm.h). A few
 * rows run at a time, and what follows is done while they are in the nearest cache. Private to
 * infer_run.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

bool infer_gemm_can(const Plan *plan, const Step *step);
/* The packed weights (in, out) of such a step, which the caller frees. */
MUST_USE Status infer_gemm_weights(const Step *step, float **out, Error *err);
size_t infer_gemm_scratch(const Step *step); /* in floats */
void infer_gemm_run(const Call *call, int index);

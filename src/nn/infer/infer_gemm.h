/* infer_gemm.h - 1 x 1 convolutions in f32 as products of our own (kernels/gemm.h), a few
 * rows at a time, with what follows them while they are in the nearest cache. Private to
 * infer_run.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

bool infer_gemm_can(const Plan *plan, const Step *step);
/* The weights (in, out) of such a step, to be freed. */
MUST_USE Status infer_gemm_weights(const Step *step, float **out, Error *err);
size_t infer_gemm_scratch(const Step *step); /* numbers */
void infer_gemm_run(const Call *call, int index);

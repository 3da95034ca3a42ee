/* infer_gemm.h - runs 1 x 1 convolutions as matrix products of our own: in f32 by kernels/gemm.h,
 * and in bf16 with AMX by kernels/transformer/amx_gemm.h. It multiplies a few rows at a time, and
 * applies bias, activation and mask to the results while they are still in a core's cache. Used
 * only by infer_run.c and infer_plan_cache.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

/* Whether our GEMM can run a step. */
bool infer_gemm_can(const Plan *plan, const Step *step);
/* Makes the packed weights of such a step, which the caller frees. */
MUST_USE Status infer_gemm_weights(const Plan *plan, const Step *step, float **out, Error *err);
size_t infer_gemm_scratch(const Plan *plan, const Step *step); /* in floats */
void infer_gemm_run(const Call *call, int index);

/* infer_int8_rows.h - runs dense layers over cells in int8, where each cell gets a scale of its own
 * when the layer runs (kernels/int8/int8_gemm.h). It multiplies a few cells at a time, and applies
 * activation and mask to the results while they are still in a core's cache. Used only by
 * infer_run.c and infer_plan_cache.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

/* Rounds and packs the weights of a step with `by_rows`; the caller frees them. ERR_ARGUMENT: a
 * weight or a bias is not finite. */
MUST_USE Status infer_int8_rows_weights(const Step *step, float **out, Error *err);
size_t infer_int8_rows_scratch(const Step *step); /* in floats */
void infer_int8_rows_run(const Call *call, int index);

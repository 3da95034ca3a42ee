/* infer_winograd.h - runs convolutions in f32 by Winograd (winograd.h). It takes some tiles at a
 * time, so that they stay in a core's cache between the transforms. Used only by infer_run.c and
 * infer_plan_cache.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

/* Returns how many boards are needed for enough tiles to fill one pass. */
int infer_winograd_boards(const Plan *plan, const Step *step);
/* Makes the transformed weights of such a step, which the caller frees. */
MUST_USE Status infer_winograd_weights(const Plan *plan, const Step *step, float **out, Error *err);
size_t infer_winograd_scratch(const Plan *plan, const Step *step); /* in floats */
/* Makes the oneDNN layer that multiplies the tiles of a step in a chunk of `samples` samples. If
 * our own GEMM can multiply them (gemm_can()), makes no layer and leaves `*out` as it is. */
MUST_USE Status infer_winograd_layer(const Runner *runner, int index, int samples,
                                     OnednnLayer **out, Error *err);
MUST_USE Status infer_winograd_run(const Call *call, int index, Error *err);

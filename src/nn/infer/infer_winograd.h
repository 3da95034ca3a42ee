/* infer_winograd.h - convolutions in f32 by Winograd's tiles (winograd.h), some tiles at a time, so
 * that they stay in a core's cache between the transforms. Private to infer_run.c. Threading:
 * confined. */
#pragma once
#include "nn/infer/infer_steps.h"

/* How many boards fill a range of tiles. */
int infer_winograd_boards(const Plan *plan, const Step *step);
/* The transformed weights of such a step, to be freed. */
MUST_USE Status infer_winograd_weights(const Plan *plan, const Step *step, float **out, Error *err);
size_t infer_winograd_scratch(const Plan *plan, const Step *step); /* numbers */
/* The products of a step in a chunk of so many samples, where gemm_can() cannot; else *out
 * stays. */
MUST_USE Status infer_winograd_layer(const Runner *runner, int index, int samples,
                                     OnednnLayer **out, Error *err);
MUST_USE Status infer_winograd_run(const Call *call, int index, Error *err);
